"""Which puzzle comes next: that of the day, the same for everybody, or one that suits a person."""

import hashlib
from datetime import UTC, date, datetime, time

from django.db.models import F
from django.db.models.functions import Abs
from django.http import Http404
from django.utils import timezone

from accounts.models import User
from games.models import Puzzle, PuzzleTry
from games.puzzles import rating
from games.puzzles.rating import Standing

NEWEST = 500
"""That of the day is one of so many."""


def puzzle_or_404(number: int) -> Puzzle:
    puzzle = Puzzle.objects.current().select_related("match").filter(pk=number).first()
    if puzzle is None:
        raise Http404
    return puzzle


def today() -> date:
    return timezone.now().astimezone(UTC).date()


def puzzle_of_day(day: date) -> Puzzle | None:
    """Drawn by lot from those that were there before the day, by nothing but its date: all see the same, all day long.

    On the first day it is the first that was made.
    """
    before = Puzzle.objects.current().filter(made_at__lt=datetime.combine(day, time(), UTC))
    known = list(before.order_by("-pk").values_list("pk", flat=True)[:NEWEST])
    if not known:
        return Puzzle.objects.current().order_by("pk").first()
    return Puzzle.objects.get(pk=min(known, key=lambda pk: hashlib.sha256(f"{day} {pk}".encode()).digest()))


def next_puzzle(person: User | None, after: int | None = None) -> Puzzle | None:
    """The one nearest to a person's rating that they have not tried; for a visitor any other than the last."""
    open_ones = Puzzle.objects.current()
    if after is not None:
        open_ones = open_ones.exclude(pk=after)
    if person is None:
        return open_ones.order_by("?").first()
    open_ones = open_ones.exclude(answered__person=person)
    return open_ones.annotate(away=Abs(F("rating") - standing_of(person).rating)).order_by("away", "?").first()


def standing_of(person: User) -> Standing:
    """A person's rating in puzzles, from the last rated try."""
    rated = PuzzleTry.objects.filter(person=person, rated=True)
    last = rated.order_by("-at", "-pk").first()
    if last is None or last.rating_after is None or last.variance_after is None:
        return rating.first()
    return Standing(last.rating_after, last.variance_after, rated.count(), last.at.astimezone(UTC).date().toordinal())
