"""Thanos Rising: all players together against Thanos, with dice."""
