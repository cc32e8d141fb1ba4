"""Who sits where, and what was played."""

from typing import Any, NoReturn

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.templatetags.static import static
from django.utils import timezone
from django.utils.text import format_lazy
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

import engine
from engine.bots import LADDER, LEVELS
from games.models.match import Match

# What the site's bots are called at a table, by seat, where they have no account of their own.
BOT_NAMES = ("Wren", "Magpie", "Owl", "Heron", "Finch", "Jackdaw")
LEVEL_NAMES = {
    "novice": pgettext_lazy("bot", "Novice"),
    "apprentice": pgettext_lazy("bot", "Apprentice"),
    "scout": pgettext_lazy("bot", "Scout"),
    "ranger": pgettext_lazy("bot", "Ranger"),
    "knight": pgettext_lazy("bot", "Knight"),
    "guardian": pgettext_lazy("bot", "Guardian"),
    "sage": pgettext_lazy("bot", "Sage"),
    "titan": pgettext_lazy("bot", "Titan"),
    "rookie": pgettext_lazy("bot", "Rookie"),
    "regular": pgettext_lazy("bot", "Regular"),
    "expert": pgettext_lazy("bot", "Expert"),
    "master": pgettext_lazy("bot", "Master"),
}
LEVEL_CHOICES = [
    (level, format_lazy("{number} · {name}", number=number, name=LEVEL_NAMES[level]))
    for number, level in enumerate(LADDER, 1)
]
"""The levels that a page offers. A table may have one of the earlier ones too."""


def level_picture(level: str) -> str:
    """The address of a level's portrait; the earlier levels have none."""
    return static(f"games/bots/{level}.svg") if level in LADDER else ""


class Seat(models.Model):
    """A seat at the table: empty, a person's, a bot's, or a person's that a bot plays for now."""

    class Left(models.TextChoices):
        NO = "", ""
        AWAY = "away", _("Away: a bot keeps the seat")
        TIMEOUT = "timeout", _("Out of time")
        RESIGNED = "resigned", _("Resigned")

    match = models.ForeignKey(Match, models.CASCADE, related_name="seats")
    index = models.PositiveSmallIntegerField()
    user = models.ForeignKey(settings.AUTH_USER_MODEL, models.PROTECT, null=True, blank=True, related_name="seats")
    bot_level = models.CharField(max_length=10, blank=True)
    wish = models.CharField(max_length=20, blank=True)
    word = models.CharField(max_length=40, blank=True)
    bank_left = models.PositiveIntegerField(null=True, blank=True, help_text="milliseconds")
    left = models.CharField(max_length=10, choices=Left, blank=True)
    rank = models.PositiveSmallIntegerField(null=True, blank=True)
    score = models.IntegerField(null=True, blank=True)
    won = models.BooleanField(null=True)

    class Meta:
        ordering = ["match", "index"]
        constraints = [
            models.UniqueConstraint(fields=["match", "index"], name="seat_index_once"),
            models.UniqueConstraint(fields=["match", "user"], name="seat_user_once"),
            models.CheckConstraint(condition=Q(bot_level__in=["", *LEVELS]), name="seat_level_known"),
            models.CheckConstraint(condition=Q(left__in=["", "away", "timeout", "resigned"]), name="seat_left_known"),
            models.CheckConstraint(condition=Q(rank=None) | Q(rank__gte=1), name="seat_rank_from_one"),
        ]

    def __str__(self) -> str:
        return f"seat {self.index} of {self.match_id}"

    @property
    def is_taken(self) -> bool:
        return bool(self.user_id or self.bot_level)

    @property
    def is_bot(self) -> bool:
        """A site bot that has the seat itself, not one that plays for an absent player."""
        return bool(self.bot_level) and not self.left and (self.user_id is None or self.user.is_bot)  # type: ignore[union-attr]

    @property
    def is_own_bot(self) -> bool:
        """A user's bot: its program plays for it, as a person would."""
        return self.user_id is not None and self.user.is_bot and (not self.bot_level or bool(self.left))  # type: ignore[union-attr]

    @property
    def is_played_by_person(self) -> bool:
        """Whether a clock runs for this seat: a person, or the program of a user's bot."""
        return self.user_id is not None and not self.bot_level

    @property
    def name(self) -> str:
        if self.user is not None:
            return self.user.name
        return BOT_NAMES[self.index % len(BOT_NAMES)] if self.bot_level else ""

    @property
    def level_name(self) -> str:
        return str(LEVEL_NAMES[self.bot_level]) if self.bot_level else ""

    @property
    def picture(self) -> str:
        """The portrait of the bot's level; empty for whom has a face of their own."""
        return level_picture(self.bot_level) if self.is_bot and self.user is None else ""

    @property
    def role(self) -> str:
        """The role of this seat once seats are drawn."""
        return engine.game(self.match.game).roles(self.match.players)[self.index]


class MoveQuerySet(models.QuerySet["Move"]):
    def update(self, **kwargs: Any) -> NoReturn:
        raise TypeError("The record of a match is only ever appended to.")


class Move(models.Model):
    """One entry of a match's record; a take-back is an entry too."""

    class By(models.TextChoices):
        PERSON = "person", _("Person")
        BOT = "bot", _("Bot")
        # A bot that failed three times: the first legal move was played in its place.
        FALLBACK = "fallback", _("Site")

    match = models.ForeignKey(Match, models.CASCADE, related_name="moves")
    ply = models.PositiveIntegerField()
    seat = models.PositiveSmallIntegerField()
    notation = models.CharField(max_length=80)
    digest = models.CharField(max_length=8)
    by = models.CharField(max_length=10, choices=By)
    at = models.DateTimeField(default=timezone.now, editable=False)
    spent = models.PositiveIntegerField(default=0, help_text="milliseconds")

    objects = MoveQuerySet.as_manager()

    class Meta:
        ordering = ["match", "ply"]
        constraints = [models.UniqueConstraint(fields=["match", "ply"], name="move_once_a_ply")]

    def __str__(self) -> str:
        return f"{self.ply}: {self.notation}"
