"""Simulated clubs, a few of those that `manage.py bench ratings` goes through: how good the numbers are."""

import pytest

from deploy.bench import worlds


@pytest.mark.parametrize("name", worlds.PREDICTED)
def test_results_are_foreseen_better_than_without_a_variance(name: str) -> None:
    club = worlds.PREDICTED[name]
    assert sum(worlds.log_loss(club, seed) for seed in range(3)) / 3 <= club.at_most


@pytest.mark.parametrize("name", ["weaker newcomers, four seats", "stronger newcomers, two seats, fast"])
def test_constant_players_keep_their_numbers(name: str) -> None:
    club = worlds.INFLATION[name]
    assert abs(sum(worlds.drift(club, seed) for seed in range(3)) / 3) <= club.at_most


def test_a_club_shows_by_how_much_it_spreads() -> None:
    found = {spread: worlds.beliefs(spread, 10, clubs=25) for spread in (100, 250)}
    assert found[100].spread < 140
    assert found[250].spread > 200
    # Off by about as much as they say: with a fixed first deviation of 175 it is .8 and 1.3.
    assert all(0.85 < each.error < 1.2 for each in found.values())
