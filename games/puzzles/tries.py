"""Trying a puzzle: the first answer of a person is kept and rated, others are only judged."""

from dataclasses import dataclass
from datetime import timedelta
from typing import Any

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext

from accounts.infra.errors import Refused
from accounts.models import User
from games.models import Puzzle, PuzzleTry
from games.play.moves import normalized
from games.puzzles import choosing, rating
from games.puzzles.presentation import Answer, PuzzleWords, signed
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


def answer(*, person: User | None, puzzle: Puzzle, move: str) -> Verdict:
    """What a move is worth; `Refused` if it is not possible. A visitor leaves nothing behind."""
    known = {each["move"]: each for each in puzzle.answers}
    given = known.get(normalized(move))
    if given is None:
        raise Refused(gettext("This move is not possible now."))
    first = None
    if person is not None and not person.is_bot:
        first = _record(person, puzzle, given)
    return _verdict(puzzle, given, first)


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
    now = timezone.now()
    if PuzzleTry.objects.filter(person=person, at__gt=now - timedelta(days=1)).count() >= A_DAY:
        raise Refused(
            gettext("You have tried %(count)s puzzles in the last 24 hours. Come back tomorrow.") % {"count": A_DAY}
        )
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


def _verdict(puzzle: Puzzle, given: dict[str, Any], first: PuzzleTry | None) -> Verdict:
    words = PuzzleWords(puzzle)
    answers = words.answers(given)
    best = next(each for each in answers if each.is_best)
    now = change = None
    if first is not None and first.rating_after is not None and first.rating_before is not None:
        now, before = round(first.rating_after / 1000), round(first.rating_before / 1000)
        change = now - before
    return Verdict(
        solved=given["right"],
        words=words.explain(given),
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
    )


def _rating_words(now: int | None, change: int | None) -> str:
    if now is None or change is None:
        return gettext("This try is not rated.")
    return gettext("Your rating in puzzles: %(rating)s (%(change)s).") % {
        "rating": now,
        "change": signed(change),
    }
