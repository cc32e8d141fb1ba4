"""The measured balance as offsets to begin with."""

import pytest

import engine
from leagues.elo import initial_offsets
from leagues.elo.result_types import START, RatingKind
from leagues.elo.update import chance
from leagues.models.rating import kind_of


def test_a_role_starts_ahead_by_what_explains_its_wins() -> None:
    found = initial_offsets.seeds(
        RatingKind.ONE_VS_MANY, {3: {"matches": 2000, "roles": {"thanos": 0.43, "hero": 0.57}}}, "thanos"
    )
    assert chance(found["3:"]) == pytest.approx(0.43, abs=0.001)


def test_seats_start_in_proportion_and_sum_to_zero() -> None:
    found = initial_offsets.seeds(RatingKind.FREE_FOR_ALL, {2: {"matches": 2000, "seats": [0.559, 0.441]}})
    assert sum(found.values()) == 0
    assert chance(found["2:0"] - found["2:1"]) == pytest.approx(0.559, abs=0.001)


def test_a_scenario_that_was_never_won_has_a_finite_difficulty() -> None:
    found = initial_offsets.seeds(
        RatingKind.COOPERATIVE, {2: {"matches": 500, "preset": {"recruit": 0.5, "infinity": 0.0}}}
    )
    assert found["2:recruit"] == START
    assert START + 900_000 < found["2:infinity"] < START + 1_200_000


def test_a_game_nobody_measured_starts_level() -> None:
    assert initial_offsets.initial_offsets("draughts", RatingKind.FREE_FOR_ALL) == {}


@pytest.mark.parametrize("game", engine.GAMES)
def test_every_game_of_the_site_has_been_measured(game: str) -> None:
    rules = engine.game(game)
    found = initial_offsets.initial_offsets(game, kind_of(game), rules.solo_role)
    assert {key.partition(":")[0] for key in found} == {str(players) for players in rules.players}
