"""Thanos Rising: everyone against Thanos, with dice."""
