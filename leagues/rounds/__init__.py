"""Rounds: drawing, publishing, closing; ladder and arena.

May import: standings, results, core, windows, entries, seasons. Entry points:
draw.draw_next_round, closing.close_round.
"""
