"""A puzzle that is a whole turn: what the answers given so far add up to, by what was judged when it was made."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from django.utils.translation import gettext

import engine
from accounts.infra.errors import Refused
from engine.analysis.turn_puzzles import END, INACCURACY, answered
from games.models import Puzzle

MOST_ANSWERS = 60
"""No turn has more."""


@dataclass(frozen=True)
class Walk:
    """The answers of a turn. `given` are their judged entries, `position` the judged question of the last one."""

    moves: list[str]
    given: list[dict[str, Any]]
    position: dict[str, Any]
    is_over: bool

    @property
    def last(self) -> dict[str, Any]:
        return self.given[-1]

    @property
    def lost(self) -> float:
        """What they give away together, as a part of a win."""
        return float(sum(each["loss"] for each in self.given))

    @property
    def is_solved(self) -> bool:
        return self.is_over and self.lost < INACCURACY


def walk(puzzle: Puzzle, moves: Sequence[str]) -> Walk:
    """Follow the answers from the first question; `Refused` if one of them was not possible."""
    assert puzzle.turn is not None
    positions = puzzle.turn["positions"]
    number, given, lost = 0, [], 0.0
    for move in moves[:MOST_ANSWERS]:
        if number == END or lost >= INACCURACY:
            raise Refused(gettext("This turn is over."))
        position = positions[number]
        answer = next((each for each in position["answers"] if each["move"] == move), None)
        if answer is None:
            raise Refused(gettext("This move is not possible now."))
        given.append(answer)
        lost += answer["loss"]
        number = END if answer["to"] is None else answer["to"]
    is_over = number == END or lost >= INACCURACY
    return Walk([each["move"] for each in given], given, position, is_over)


def played(puzzle: Puzzle, moves: Sequence[str]) -> engine.Match:
    """The match of the puzzle after these answers of its seat, on the dice of its record."""
    match = engine.replay(puzzle.document)
    for move in moves:
        match = answered(match, puzzle.seat, move)
    return match
