"""Simulates the rest of a season many times. Pure functions, without a database.

May import: formats, elo. Entry points: monte_carlo, season.SeasonSimulation.
"""
