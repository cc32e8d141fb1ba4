"""A person against a puzzle: the same numbers as two players of a table."""

from dataclasses import replace

from leagues.elo.update import ANCHORED, FreeForAll
from leagues.ratings.duels import PUZZLES, duel

FIRST = PUZZLES.first


def test_it_is_a_table_of_two():
    person, puzzle = duel(FIRST, FIRST, True, 100)
    fold = FreeForAll()
    players = [fold.join(False), fold.join(True)]
    fold.play(players, [1, 2], False, 100)
    assert [person.rating, puzzle.rating] == fold.rating
    assert [person.variance, puzzle.variance] == fold.variance
    assert (person.games, person.day) == (1, 100)


def test_what_one_wins_the_other_loses_and_both_are_surer():
    for solved in (True, False):
        person, puzzle = duel(FIRST, FIRST, solved, 1)
        assert (person.rating > FIRST.rating) == solved
        assert person.rating + puzzle.rating == 2 * FIRST.rating
        assert person.variance == puzzle.variance < FIRST.variance
    hard = replace(FIRST, rating=FIRST.rating + 400_000)
    assert duel(FIRST, hard, True, 1)[0].rating > duel(FIRST, FIRST, True, 1)[0].rating


def test_a_puzzle_does_not_rest_and_holds_the_scale_in_the_end():
    known = replace(FIRST, variance=FIRST.variance // 4, games=20, day=1)
    rested, _ = duel(known, known, True, 2000)
    soon, puzzle = duel(known, known, True, 1)
    assert rested.variance > soon.variance
    assert duel(soon, known, True, 2000)[1].variance < known.variance
    assert duel(soon, replace(known, games=ANCHORED), True, 1)[1].rating == known.rating
    assert puzzle.games == 21
