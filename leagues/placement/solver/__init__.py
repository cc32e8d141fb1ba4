"""Placing tables as a pure optimisation problem: values in, values out; no database, no site.

Entry points: solve, advice.
"""
