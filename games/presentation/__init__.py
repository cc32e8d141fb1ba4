"""Matches in words and pictures: the result text, the replay and the picture to share.

May import: models, catalogue, engine_match.
"""
