"""How accurate ratings are in simulated clubs, a few of those of `manage.py bench ratings`."""

import pytest

from deploy.bench import simulated_clubs


@pytest.mark.parametrize("name", simulated_clubs.PREDICTED)
def test_results_are_predicted_better_than_without_a_variance(name: str) -> None:
    club = simulated_clubs.PREDICTED[name]
    assert sum(simulated_clubs.log_loss(club, seed) for seed in range(3)) / 3 <= club.at_most


@pytest.mark.parametrize("name", ["weaker newcomers, four seats", "stronger newcomers, two seats, fast"])
def test_constant_players_keep_their_numbers(name: str) -> None:
    club = simulated_clubs.INFLATION[name]
    assert abs(sum(simulated_clubs.drift(club, seed) for seed in range(3)) / 3) <= club.at_most


def test_a_club_shows_by_how_much_it_spreads() -> None:
    found = {spread: simulated_clubs.estimate_quality(spread, 10, clubs=25) for spread in (100, 250)}
    assert found[100].spread < 140
    assert found[250].spread > 200
    # The errors are about as large as the deviations; with a fixed first deviation of 175 they are .8 and 1.3.
    assert all(0.85 < each.error < 1.2 for each in found.values())
