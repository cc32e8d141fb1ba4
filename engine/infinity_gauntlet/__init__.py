"""Infinity Gauntlet: one player is Thanos, the others are heroes; cards are hidden and guessed."""
