"""A puzzle as pages and programs show it: the table as the seat saw it, and answers in words. Nobody has a name."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from django.utils.translation import gettext, ngettext

import engine
from accounts.infra.errors import Refused
from games.analysis.move_words import MoveWords
from games.models import Puzzle, PuzzleTry
from games.puzzles import turns

WIDTH, HEIGHT = 640, 160
LEAST_SPAN = 100
"""The curve of ratings covers so many points at least: a few points look like a few."""


@dataclass(frozen=True)
class Answer:
    """One possible answer and what it is worth, in points of a hundred."""

    move: str
    words: str
    chance: int
    is_yours: bool
    is_best: bool
    is_missed: bool


@dataclass(frozen=True)
class Choice:
    """One answer in a whole turn, and what it gave away, in points of a hundred."""

    move: str
    words: str
    lost: int


@dataclass(frozen=True)
class Chart:
    """The rating after each rated try, oldest first."""

    width: int
    height: int
    points: str
    lowest: int
    highest: int


@dataclass(frozen=True)
class Line:
    """A try in one's history."""

    tried: PuzzleTry
    words: str
    puzzle_rating: int
    rating: int | None
    change: str


def line(tried: PuzzleTry) -> Line:
    rating, change = None, ""
    if tried.rating_after is not None and tried.rating_before is not None:
        rating = round(tried.rating_after / 1000)
        change = signed(rating - round(tried.rating_before / 1000))
    words = MoveWords(tried.puzzle, seat_names(tried.puzzle)).of(tried.move)
    return Line(tried, words, round(tried.puzzle_rating / 1000), rating, change)


def signed(change: int) -> str:
    return f"{change:+d}".replace("-", "−")


def seat_names(puzzle: Puzzle) -> list[str]:
    """The same for every puzzle, whoever played."""
    return [gettext("Seat %(seat)s") % {"seat": place + 1} for place in range(puzzle.players)]


def seats_of(puzzle: Puzzle) -> list[dict[str, Any]]:
    """The seats as a table's script expects them."""
    return [
        {"index": place, "name": name, "handle": "", "is_bot": False, "level": "", "left": "", "here": True}
        for place, name in enumerate(seat_names(puzzle))
    ]


def position(puzzle: Puzzle, moves: Sequence[str] = ()) -> dict[str, Any]:
    """The table before the choice, as the seat saw it, and all that had happened for it.

    `moves` are the answers that were given so far in a whole turn.
    """
    try:
        played = turns.played(puzzle, moves)
    except engine.TranscriptError as error:
        raise Refused(gettext("This puzzle was made by older rules, which this site no longer has.")) from error
    return {
        "v": played.ply,
        "view": {**played.view(puzzle.seat), "can_undo": False},
        "events": played.events(puzzle.seat),
    }


class PuzzleWords:
    """Answers to one puzzle, in the reader's language."""

    def __init__(self, puzzle: Puzzle) -> None:
        self.puzzle = puzzle
        self.words = MoveWords(puzzle, seat_names(puzzle))

    def answers(self, given: dict[str, Any]) -> list[Answer]:
        """All of them, the best first."""
        ranked = sorted(self.puzzle.answers, key=lambda each: (not each["right"], -each["chance"]))
        return [
            Answer(
                move=each["move"],
                words=self.words.of(each["move"]),
                chance=round(100 * each["chance"]),
                is_yours=each["move"] == given["move"],
                is_best=each["right"],
                is_missed=each["move"] in self.puzzle.missed,
            )
            for each in ranked
        ]

    def turn_answers(self, walked: turns.Walk) -> list[Answer]:
        """The answers to the last question of a turn, the best first."""
        return [
            Answer(
                move=each["move"],
                words=self.words.of(each["move"]),
                chance=round(100 * each["chance"]),
                is_yours=each is walked.last,
                is_best=each["loss"] == 0,
                is_missed=each["move"] in walked.position["missed"],
            )
            for each in sorted(walked.position["answers"], key=lambda each: each["loss"])
        ]

    def choices(self, walked: turns.Walk) -> list[Choice]:
        return [Choice(each["move"], self.words.of(each["move"]), round(100 * each["loss"])) for each in walked.given]

    def goes_on(self, walked: turns.Walk) -> str:
        """Nothing about how good the answers were: that is told at the end."""
        return ngettext("%(count)s choice made. The turn goes on.", "%(count)s choices made. The turn goes on.",
                        len(walked.given)) % {"count": len(walked.given)}  # fmt: skip

    def explain_turn(self, walked: turns.Walk) -> str:
        assert self.puzzle.turn is not None
        values = {
            "yours": round(100 * walked.lost),
            "theirs": round(100 * self.puzzle.turn["missed"]["loss"]),
            "move": self.words.of(walked.last["move"]),
        }
        if walked.is_solved:
            return (
                gettext("Solved: your turn gives away %(yours)s of 100. The Regular bot’s gives away %(theirs)s.")
                % values
            )
        return gettext("Not this: with “%(move)s” your turn gives away %(yours)s of 100. The Regular bot’s gives away "
                       "%(theirs)s.") % values  # fmt: skip

    def explain(self, given: dict[str, Any]) -> str:
        """Whether it was right, and by how much."""
        right = [each for each in self.puzzle.answers if each["right"]]
        others = [each for each in self.puzzle.answers if not each["right"]]
        values = {
            "best": round(100 * right[0]["chance"]),
            "second": round(100 * max(each["chance"] for each in others)),
            "yours": round(100 * given["chance"]),
            "move": self.words.of(right[0]["move"]),
        }
        if given["right"]:
            return gettext("Solved: it wins in %(best)s of 100 possible situations that look the same from this seat. "
                           "The next best answer wins in %(second)s.") % values  # fmt: skip
        return gettext("Not this: it wins in %(yours)s of 100 possible situations that look the same from this seat. "
                       "“%(move)s” wins in %(best)s.") % values  # fmt: skip


def chart(tries: Sequence[PuzzleTry]) -> Chart | None:
    """The curve of rated tries, given newest first; None where there are fewer than two."""
    ratings = [round(each.rating_after / 1000) for each in reversed(tries) if each.rating_after is not None]
    if len(ratings) < 2:
        return None
    middle = (min(ratings) + max(ratings)) / 2
    span = max(max(ratings) - min(ratings), LEAST_SPAN)
    lowest = middle - span / 2
    points = [
        f"{round(WIDTH * place / (len(ratings) - 1), 1)},{round(HEIGHT * (1 - (rating - lowest) / span), 1)}"
        for place, rating in enumerate(ratings)
    ]
    return Chart(WIDTH, HEIGHT, " ".join(points), round(lowest), round(lowest + span))
