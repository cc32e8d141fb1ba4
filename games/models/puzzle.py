"""Puzzles, and what people answered."""

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.urls import reverse
from django.utils import timezone

import engine
from games.models.match import Match
from games.titles import game_title, short_title


class PuzzleQuerySet(models.QuerySet["Puzzle"]):
    def current(self) -> "PuzzleQuerySet":
        """Puzzles by the present rules: others cannot be put on a table any more."""
        rules = Q(pk=None)
        for name in engine.GAMES:
            rules |= Q(game=name, rules_version=engine.game(name).rules_version)
        return self.filter(rules)


class Puzzle(models.Model):
    """A choice with one right answer. The position is in it, without anybody's name: the record up to the choice.

    `match` is the match of the site that it comes from; a puzzle from a match that bots played for it has none. Rating
    and variance are in thousandths, as in `leagues.elo`.
    """

    match = models.ForeignKey(Match, models.SET_NULL, null=True, blank=True, related_name="puzzles")
    # A hash of the record and the seat: the same position is kept once.
    fingerprint = models.CharField(max_length=64, unique=True)
    game = models.CharField(max_length=40)
    rules_version = models.PositiveSmallIntegerField()
    players = models.PositiveSmallIntegerField()
    seat = models.PositiveSmallIntegerField()
    # Secret: it has the seed, and so all hidden cards.
    document = models.JSONField()
    # Each possible move with its chance to win, and whether it is right; and what the Regular bot would play.
    answers = models.JSONField()
    missed = models.JSONField()
    # Of a whole turn: its positions with what each answer gives away and where it leads. None: it is one choice.
    turn = models.JSONField(null=True, blank=True)
    worlds = models.PositiveIntegerField()
    version = models.PositiveSmallIntegerField()
    budget = models.CharField(max_length=10)
    rating = models.IntegerField()
    variance = models.PositiveIntegerField()
    # Rated tries, and how many of them found the answer.
    tries = models.PositiveIntegerField(default=0)
    solved = models.PositiveIntegerField(default=0)
    made_at = models.DateTimeField(default=timezone.now, editable=False)

    objects = PuzzleQuerySet.as_manager()

    class Meta:
        indexes = [models.Index(fields=["rating"], name="puzzle_by_rating")]
        constraints = [
            models.CheckConstraint(condition=Q(seat__lt=models.F("players")), name="puzzle_seat_at_its_table"),
            models.CheckConstraint(condition=Q(solved__lte=models.F("tries")), name="puzzle_solved_when_tried"),
        ]

    def __str__(self) -> str:
        return f"puzzle {self.pk}"

    def get_absolute_url(self) -> str:
        return reverse("puzzles:puzzle", args=[self.pk])

    @property
    def title(self) -> str:
        """What the game is called, in the reader's language."""
        return game_title(self.game)

    @property
    def short_title(self) -> str:
        return short_title(self.game)


class PuzzleLine(models.Model):
    """The answers that a person has given in a whole turn and that still stand: dice that were seen stay seen."""

    person = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, related_name="+")
    puzzle = models.ForeignKey(Puzzle, models.CASCADE, related_name="+")
    moves = models.JSONField()

    class Meta:
        constraints = [models.UniqueConstraint(fields=["person", "puzzle"], name="puzzle_line_once")]

    def __str__(self) -> str:
        return f"{self.person_id} in puzzle {self.puzzle_id}"


class PuzzleTry(models.Model):
    """The first answer of a person to a puzzle. Later ones are judged and not kept.

    A rated one has the numbers of both before it and those of the person after it, in thousandths.
    """

    person = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, related_name="puzzle_tries")
    puzzle = models.ForeignKey(Puzzle, models.CASCADE, related_name="answered")
    move = models.CharField(max_length=80)
    solved = models.BooleanField()
    rated = models.BooleanField()
    rating_before = models.IntegerField(null=True, blank=True)
    rating_after = models.IntegerField(null=True, blank=True)
    variance_after = models.PositiveIntegerField(null=True, blank=True)
    puzzle_rating = models.IntegerField()
    at = models.DateTimeField(default=timezone.now, editable=False)

    class Meta:
        verbose_name_plural = "puzzle tries"
        indexes = [models.Index(fields=["person", "at"], name="puzzle_try_of_person")]
        constraints = [
            models.UniqueConstraint(fields=["person", "puzzle"], name="puzzle_try_once"),
            models.CheckConstraint(
                condition=Q(
                    rated=True,
                    rating_before__isnull=False,
                    rating_after__isnull=False,
                    variance_after__isnull=False,
                )
                | Q(rated=False, rating_before=None, rating_after=None, variance_after=None),
                name="puzzle_try_rated_has_numbers",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.person_id} at puzzle {self.puzzle_id}"
