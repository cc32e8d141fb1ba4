"""The ladder of eight levels: what it is made of, budgets for a turn, and play like a person's."""

import pytest

import engine
from engine.bots import EARLIER, LADDER, Bot, BotLevels, Budget, Mixed, RandomBot, Situation, bot, level_of, neighbour
from engine.bots.runner import Thoughts, bots_in_every_seat


class Marked(RandomBot):
    """Remembers the budgets it was given."""

    def __init__(self) -> None:
        self.given: list[Budget] = []

    def choose(self, seen: Situation, budget: Budget, seed: str) -> int:
        self.given.append(budget)
        return super().choose(seen, budget, seed)


@pytest.mark.parametrize("name", engine.GAMES)
def test_strength_grows_from_step_to_step_and_no_budget_is_by_the_clock_alone(name):
    levels = [level_of(name, level) for level in LADDER]
    strengths = [level.strength for level in levels]
    assert strengths == sorted(set(strengths))
    for level in levels:
        assert level.budget.iterations > 0
        assert level.budget.seconds <= 4.5
        assert bool(level.budget.share) == (level.budget.iterations > 1)


def test_neighbours():
    assert [neighbour("scout", step) for step in (-1, 0, 1)] == ["apprentice", "scout", "ranger"]
    assert [neighbour("novice", -1), neighbour("titan", 1), neighbour("regular", 1)] == ["", "", ""]


def test_a_budget_for_a_turn_is_never_spent_more_than_once():
    whole = Budget(iterations=1000, seconds=4.0, share=0.5)
    parts = [whole.part(thoughts, own_turn=True) for thoughts in range(9)]
    assert [part.iterations for part in parts[:3]] == [500, 250, 125]
    assert sum(part.seconds for part in parts) <= whole.seconds
    assert whole.part(0, own_turn=False).seconds == pytest.approx(0.2)
    assert Budget(seconds=5.0).part(7, own_turn=True) == Budget(seconds=5.0)  # for each answer, as before


def test_a_seat_thinks_less_and_less_in_one_turn_and_anew_in_the_next():
    match, thoughts, marked = engine.game("splendor-marvel").start(2, "turns"), Thoughts(), Marked()
    by_turn: dict[tuple[int, ...], list[int]] = {}
    whole = Budget(iterations=800, share=0.5)
    while sum(match.turns) < 8:
        turn, asked = (match.to_act, *match.turns), len(match.legal()) > 1
        match.play(thoughts.choose(marked, whole, match, match.to_act, f"{match.ply}"))
        if asked:
            by_turn.setdefault(turn, []).append(marked.given[-1].iterations)
    assert max(map(len, by_turn.values())) >= 3
    for given in by_turn.values():
        assert given == [400, 200, 100, 50, 25, 12, 6][: len(given)]


def test_a_mixture_slips_as_often_as_it_says():
    class Says(Bot):
        def __init__(self, answer: int) -> None:
            self.answer = answer

        def choose(self, seen, budget, seed):
            return self.answer

    match = engine.game("splendor-marvel").start(2, "mixed")
    seen, mixed = Situation(match, 0), Mixed(Says(0), Says(1), slips=0.3)
    slips = sum(mixed.choose(seen, Budget(), f"{number}") for number in range(2000))
    assert 0.26 < slips / 2000 < 0.34


@pytest.mark.parametrize("level", LADDER)
def test_the_first_turn_in_splendor_is_not_always_a_reserve(level):
    """Regular reserves in every first turn; nobody on the ladder does."""
    reserved = 0
    for deal in range(6):
        match = engine.game("splendor-marvel").start(2, f"first {deal}")
        few = Budget(iterations=16, share=0.5) if level_of("splendor-marvel", level).budget.share else Budget(1)
        table = bots_in_every_seat([(bot("splendor-marvel", level), few)] * 2, f"{deal}")
        table.move(match)
        reserved += match.entries[0].move.startswith("reserve")
    assert reserved <= 3


def test_a_game_without_a_ladder_gets_one_from_its_four_bots():
    four = {level: RandomBot() for level in EARLIER}
    levels = BotLevels(**four)
    assert set(levels.by_code) == {*LADDER, *EARLIER}
    assert levels.by_code["master"].budget == Budget(seconds=5.0)
