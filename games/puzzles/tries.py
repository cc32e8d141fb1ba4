"""Trying a puzzle: the first answer of a person is kept and rated, others are only judged.

A whole turn is answered choice by choice. It goes on while it gives away less than an inaccuracy, on the dice of the
record. The answers of a first try stand: whoever has seen the dice may not begin again.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import timedelta
from typing import Any

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext

from accounts.infra.errors import Refused
from accounts.models import User
from games.models import Puzzle, PuzzleLine, PuzzleTry
from games.play.moves import normalized
from games.puzzles import choosing, rating, turns
from games.puzzles.presentation import Answer, Choice, PuzzleWords, position, signed
from games.puzzles.rating import Standing

A_DAY = 200
"""So many puzzles one person may try in a day."""


@dataclass(frozen=True)
class Verdict:
    """How good an answer is, beside all others, the best first; and what it did to one's rating, where it was rated."""

    solved: bool
    words: str
    best: str
    best_words: str
    worlds: int
    answers: list[Answer]
    is_small: bool
    puzzle_rating: int
    rated: bool
    rating: int | None
    change: int | None
    rating_words: str
    # Of a whole turn that goes on: the table after the answer. How good it was is told at the end.
    goes_on: bool = False
    position: dict[str, Any] | None = None
    # What a whole turn gave away, choice by choice.
    choices: list[Choice] = field(default_factory=list)


def answer(*, person: User | None, puzzle: Puzzle, move: str, before: Sequence[str] = ()) -> Verdict:
    """What a move is worth; `Refused` if it is not possible. A visitor leaves nothing behind.

    `before` are the answers that were given before it, in a puzzle that is a whole turn.
    """
    if puzzle.turn is not None:
        return _answer_in_turn(person, puzzle, [*before, move])
    if before:
        raise Refused(gettext("This puzzle is a single choice."))
    known = {each["move"]: each for each in puzzle.answers}
    given = known.get(normalized(move))
    if given is None:
        raise Refused(gettext("This move is not possible now."))
    first = None
    if person is not None and not person.is_bot:
        first = _record(person, puzzle, given)
    return _verdict(puzzle, given, first)


def line_of(person: User | None, puzzle: Puzzle) -> list[str]:
    """The answers of a first try at a whole turn that is under way."""
    line = PuzzleLine.objects.filter(person=person, puzzle=puzzle).first() if person is not None else None
    return list(line.moves) if line is not None else []


def _answer_in_turn(person: User | None, puzzle: Puzzle, moves: Sequence[str]) -> Verdict:
    walked = turns.walk(puzzle, [normalized(move) for move in moves])
    first = None
    if person is not None and not person.is_bot:
        first = _record_turn(person, puzzle, walked)
    if not walked.is_over:
        words = PuzzleWords(puzzle)
        return Verdict(
            solved=False, words=words.goes_on(walked), best="", best_words="", worlds=puzzle.worlds, answers=[],
            is_small=False, puzzle_rating=round(puzzle.rating / 1000), rated=False, rating=None, change=None,
            rating_words="", goes_on=True, position=position(puzzle, walked.moves),
        )  # fmt: skip
    return _verdict(puzzle, walked.last, first, walked)


@transaction.atomic
def _record_turn(person: User, puzzle: Puzzle, walked: turns.Walk) -> PuzzleTry | None:
    """Keep the answers of a first try, and the try at its end. Nobody goes back behind what was answered."""
    person = User.objects.select_for_update().get(pk=person.pk)
    if PuzzleTry.objects.filter(person=person, puzzle=puzzle).exists():
        return None
    if line_of(person, puzzle) != walked.moves[:-1]:
        raise Refused(gettext("You have answered this already. Load the page again: the turn goes on from there."))
    if not walked.is_over:
        _check_limit(person)
        PuzzleLine.objects.update_or_create(person=person, puzzle=puzzle, defaults={"moves": walked.moves})
        return None
    tried = _record(person, puzzle, {"move": walked.last["move"], "right": walked.is_solved})
    PuzzleLine.objects.filter(person=person, puzzle=puzzle).delete()
    return tried


def is_rated_for(person: User, puzzle: Puzzle) -> bool:
    """Whether a first try counts: with an account, and not by somebody who sat at the table it comes from."""
    if not person.is_active or person.is_bot:
        return False
    return puzzle.match is None or not puzzle.match.seats.filter(user=person).exists()


@transaction.atomic
def _record(person: User, puzzle: Puzzle, given: dict[str, Any]) -> PuzzleTry | None:
    """Keep a first try and rate both; None if this is not the first."""
    # One after the other: each try starts from the numbers that the last one left.
    person = User.objects.select_for_update().get(pk=person.pk)
    puzzle = Puzzle.objects.select_for_update().get(pk=puzzle.pk)
    if PuzzleTry.objects.filter(person=person, puzzle=puzzle).exists():
        return None
    _check_limit(person)
    now = timezone.now()
    tried = PuzzleTry(
        person=person,
        puzzle=puzzle,
        move=given["move"],
        solved=given["right"],
        rated=is_rated_for(person, puzzle),
        puzzle_rating=puzzle.rating,
        at=now,
    )
    if tried.rated:
        before, other = choosing.standing_of(person), Standing(puzzle.rating, puzzle.variance, puzzle.tries)
        after, other = rating.duel(before, other, solved=tried.solved, day=choosing.today().toordinal())
        tried.rating_before, tried.rating_after = before.rating, after.rating
        tried.variance_after = after.variance
        puzzle.rating, puzzle.variance = other.rating, other.variance
        puzzle.tries += 1
        puzzle.solved += tried.solved
        puzzle.save(update_fields=["rating", "variance", "tries", "solved"])
    tried.save()
    return tried


def _check_limit(person: User) -> None:
    if PuzzleTry.objects.filter(person=person, at__gt=timezone.now() - timedelta(days=1)).count() >= A_DAY:
        raise Refused(
            gettext("You have tried %(count)s puzzles in the last 24 hours. Come back tomorrow.") % {"count": A_DAY}
        )


def _verdict(
    puzzle: Puzzle, given: dict[str, Any], first: PuzzleTry | None, walked: turns.Walk | None = None
) -> Verdict:
    words = PuzzleWords(puzzle)
    answers = words.answers(given) if walked is None else words.turn_answers(walked)
    best = next(each for each in answers if each.is_best)
    now = change = None
    if first is not None and first.rating_after is not None and first.rating_before is not None:
        now, before = round(first.rating_after / 1000), round(first.rating_before / 1000)
        change = now - before
    return Verdict(
        solved=given["right"] if walked is None else walked.is_solved,
        words=words.explain(given) if walked is None else words.explain_turn(walked),
        best=best.move,
        best_words=best.words,
        worlds=puzzle.worlds,
        answers=answers,
        is_small=puzzle.budget != "standard",
        puzzle_rating=round((first.puzzle_rating if first else puzzle.rating) / 1000),
        rated=now is not None,
        rating=now,
        change=change,
        rating_words=_rating_words(now, change),
        choices=words.choices(walked) if walked is not None else [],
    )


def _rating_words(now: int | None, change: int | None) -> str:
    if now is None or change is None:
        return gettext("This try is not rated.")
    return gettext("Your rating in puzzles: %(rating)s (%(change)s).") % {
        "rating": now,
        "change": signed(change),
    }
