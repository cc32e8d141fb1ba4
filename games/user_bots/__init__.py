"""Bots that people bring: their accounts, challenges and the numbered event stream they play from.

May import: play, tables, realtime. Entry points: service.create, challenges.challenge, events.append_turn.
"""
