"""Splendor: Marvel: a race for points, with tokens and cards."""
