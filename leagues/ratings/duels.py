"""A duel of two by the arithmetic of tables: a person against a puzzle."""

from games.puzzles.rating import Arithmetic, Standing
from leagues.elo.result_types import FIRST_VARIANCE, START
from leagues.elo.update import FreeForAll


def duel(person: Standing, puzzle: Standing, solved: bool, day: int) -> tuple[Standing, Standing]:
    """Both standings afterwards. A puzzle is as steady as a bot: it grows no less sure with the days, and after 200
    tries its rating holds the scale."""
    fold = FreeForAll()
    for standing, is_steady in ((person, False), (puzzle, True)):
        place = fold.join(is_steady)
        fold.rating[place], fold.variance[place] = standing.rating, standing.variance
        fold.games[place], fold.days[place] = standing.games, standing.day
    fold.play([0, 1], [1, 2] if solved else [2, 1], False, day)
    after = [Standing(fold.rating[place], fold.variance[place], fold.games[place], day) for place in (0, 1)]
    return after[0], after[1]


PUZZLES = Arithmetic(Standing(START, FIRST_VARIANCE), duel)
