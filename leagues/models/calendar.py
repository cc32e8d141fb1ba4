"""When and where a club plays: venues, series of nights, nights with their slots, who can come, what is placed where.

Times are stored in UTC; a series has the hour in the club's time zone, so that it stays the same across a change to
summer time.
"""

from typing import Any

from django.conf import settings
from django.db import models
from django.db.models import F, Q
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from accounts.models import Club, User
from games.models.match import new_key
from leagues.models.competition import Season, Stage
from leagues.models.entrant import Entrant
from leagues.models.pairing import Pairing


class PlannedQuerySet(models.QuerySet[Any]):
    """Nights and series of nights."""

    def seen_by(self, reader: object) -> "PlannedQuerySet":
        """Public ones, and the private ones of clubs that the reader belongs to or plays for: `access.people_of`."""
        if isinstance(reader, User) and reader.is_staff:
            return self
        seen = Q(is_private=False, club__is_private=False)
        if isinstance(reader, User) and reader.is_active:
            plays = Entrant.objects.filter(Q(user=reader) | Q(members__user=reader))
            going_on = plays.exclude(season__status=Season.Status.CLOSED)
            seen |= Q(club__in=reader.memberships.values("club")) | Q(club__in=going_on.values("season__league__club"))
        return self.filter(seen)


class Venue(models.Model):
    """A place with tables."""

    club = models.ForeignKey(Club, models.PROTECT, related_name="venues")
    name = models.CharField(_("name"), max_length=80)
    address = models.CharField(_("address"), max_length=200, blank=True)
    about = models.CharField(_("how to get in"), max_length=300, blank=True)
    tables = models.PositiveSmallIntegerField(_("tables"))
    closed_at = models.DateTimeField(null=True, blank=True, editable=False)

    class Meta:
        ordering = ["club", "name", "pk"]
        constraints = [
            models.CheckConstraint(condition=Q(tables__gte=1) & ~Q(name=""), name="venue_has_name_and_tables"),
        ]

    def __str__(self) -> str:
        return self.name


class Series(models.Model):
    """Recurring nights, in the club's time zone, with exceptions."""

    class Every(models.TextChoices):
        WEEK = "week", _("Every week")
        FORTNIGHT = "fortnight", _("Every second week")
        MONTH = "month", _("Every month, on the same weekday of the month")

    club = models.ForeignKey(Club, models.PROTECT, related_name="series")
    venue = models.ForeignKey(Venue, models.PROTECT, related_name="series")
    name = models.CharField(_("name"), max_length=80)
    every = models.CharField(_("how often"), max_length=10, choices=Every, default=Every.WEEK)
    first = models.DateField(_("first night"))
    last = models.DateField(_("last night"))
    # The hour on the club's clock, how many slots follow each other, and how long each of them is.
    begins = models.TimeField(_("begins"))
    slots = models.PositiveSmallIntegerField(_("slots"), default=2)
    minutes = models.PositiveSmallIntegerField(_("minutes a slot"), default=60)
    # Skipped dates, as ISO days.
    exceptions = models.JSONField(default=list, blank=True)
    # Only members of the club and players of its seasons see its nights; all nights of a private club are like that.
    is_private = models.BooleanField(_("only for members"), default=False)

    objects = PlannedQuerySet.as_manager()

    class Meta:
        ordering = ["club", "first", "pk"]
        verbose_name_plural = "series"
        constraints = [
            models.CheckConstraint(condition=Q(every__in=["week", "fortnight", "month"]), name="series_every_known"),
            models.CheckConstraint(condition=Q(last__gte=F("first")), name="series_ends_after_its_start"),
            models.CheckConstraint(
                condition=Q(slots__gte=1, slots__lte=12, minutes__gte=10, minutes__lte=720) & ~Q(name=""),
                name="series_slots_are_sensible",
            ),
        ]

    def __str__(self) -> str:
        return self.name


class ClubNight(models.Model):
    """One evening at one venue. Nights of a series are separate rows, so that each can be changed alone."""

    key = models.CharField(max_length=12, unique=True, default=new_key, editable=False)
    club = models.ForeignKey(Club, models.PROTECT, related_name="nights")
    venue = models.ForeignKey(Venue, models.PROTECT, related_name="nights")
    series = models.ForeignKey(Series, models.SET_NULL, null=True, blank=True, related_name="nights")
    name = models.CharField(_("name"), max_length=80, blank=True)
    # The day on the club's clock; beginning and end are those of its slots.
    day = models.DateField(_("day"))
    # The day of the series that it belongs to, so that a moved night is not planned twice.
    occurrence = models.DateField(null=True, blank=True, editable=False)
    # Changed alone: changes of the series do not apply to it.
    altered = models.BooleanField(default=False, editable=False)
    starts_at = models.DateTimeField()
    ends_at = models.DateTimeField()
    cancelled_at = models.DateTimeField(null=True, blank=True, editable=False)
    # Counts every change, for calendar feeds.
    revision = models.PositiveIntegerField(default=0)
    # As for a series.
    is_private = models.BooleanField(_("only for members"), default=False)

    objects = PlannedQuerySet.as_manager()

    class Meta:
        ordering = ["starts_at", "pk"]
        indexes = [models.Index(fields=["club", "starts_at"], name="night_of_club")]
        constraints = [
            models.UniqueConstraint(fields=["series", "occurrence"], name="night_once_in_a_series"),
            models.CheckConstraint(
                condition=Q(series=None) | Q(occurrence__isnull=False), name="night_of_a_series_stands_for_a_day"
            ),
            models.CheckConstraint(condition=Q(ends_at__gt=F("starts_at")), name="night_ends_after_its_start"),
        ]

    def __str__(self) -> str:
        return f"{self.name or self.venue_id} on {self.day}"

    def get_absolute_url(self) -> str:
        return reverse("leagues:night", args=[self.key])

    @property
    def title(self) -> str:
        """Its name, or that of its venue."""
        return self.name or self.venue.name

    @property
    def is_cancelled(self) -> bool:
        return self.cancelled_at is not None


class Slot(models.Model):
    """A time slot of a night, in which `tables` tables can be played."""

    night = models.ForeignKey(ClubNight, models.CASCADE, related_name="slots")
    number = models.PositiveSmallIntegerField()
    starts_at = models.DateTimeField()
    ends_at = models.DateTimeField()
    tables = models.PositiveSmallIntegerField()

    class Meta:
        ordering = ["starts_at", "night", "number"]
        constraints = [
            models.UniqueConstraint(fields=["night", "number"], name="slot_number_once"),
            models.CheckConstraint(
                condition=Q(ends_at__gt=F("starts_at"), number__gte=1), name="slot_ends_after_its_start"
            ),
        ]

    def __str__(self) -> str:
        return f"slot {self.number} of {self.night_id}"


class Answer(models.TextChoices):
    YES = "yes", pgettext_lazy("availability", "I can come")
    NO = "no", pgettext_lazy("availability", "I cannot")


class Availability(models.Model):
    """Somebody's answer for one night; it overrides their habit."""

    night = models.ForeignKey(ClubNight, models.CASCADE, related_name="availabilities")
    user = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, related_name="availabilities")
    answer = models.CharField(max_length=3, choices=Answer)
    # Only these slots of the night, by number; empty: all of it.
    slots = models.JSONField(default=list, blank=True)

    class Meta:
        ordering = ["night", "user"]
        constraints = [
            models.UniqueConstraint(fields=["night", "user"], name="availability_once"),
            models.CheckConstraint(condition=Q(answer__in=["yes", "no"]), name="availability_answer_known"),
        ]

    def __str__(self) -> str:
        return f"{self.user_id} at {self.night_id}: {self.answer}"


class Habit(models.Model):
    """Somebody's usual answer for a club's nights on one weekday; Monday is 0."""

    club = models.ForeignKey(Club, models.CASCADE, related_name="habits")
    user = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, related_name="habits")
    weekday = models.PositiveSmallIntegerField()
    answer = models.CharField(max_length=3, choices=Answer)

    class Meta:
        ordering = ["club", "user", "weekday"]
        constraints = [
            models.UniqueConstraint(fields=["club", "user", "weekday"], name="habit_once_a_weekday"),
            models.CheckConstraint(
                condition=Q(answer__in=["yes", "no"], weekday__lte=6), name="habit_answer_and_day_known"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.user_id} on {self.weekday}: {self.answer}"


class RoundNight(models.Model):
    """The night whose answers say who is here for a round; without a night, none does."""

    stage = models.ForeignKey(Stage, models.CASCADE, related_name="round_nights")
    round = models.PositiveSmallIntegerField()
    night = models.ForeignKey(ClubNight, models.CASCADE, null=True, blank=True, related_name="+")

    class Meta:
        ordering = ["stage", "round"]
        constraints = [
            models.UniqueConstraint(fields=["stage", "round"], name="round_night_once"),
            models.CheckConstraint(condition=Q(round__gte=1), name="round_night_from_a_round"),
        ]

    def __str__(self) -> str:
        return f"round {self.round} of {self.stage_id} on {self.night_id}"


class Placement(models.Model):
    """Where and when a table at the club is played. A locked one stays when the others are placed again."""

    pairing = models.OneToOneField(Pairing, models.CASCADE, related_name="placement")
    slot = models.ForeignKey(Slot, models.PROTECT, related_name="placements")
    board = models.PositiveSmallIntegerField()
    locked = models.BooleanField(default=False)
    placed_at = models.DateTimeField(default=timezone.now, editable=False)

    class Meta:
        ordering = ["slot", "board"]
        constraints = [
            models.UniqueConstraint(fields=["slot", "board"], name="placement_board_once_a_slot"),
            models.CheckConstraint(condition=Q(board__gte=1), name="placement_board_from_one"),
        ]

    def __str__(self) -> str:
        return f"{self.pairing_id} at {self.slot_id}-{self.board}"


class Plan(models.Model):
    """One run of a task that places the tables of a season; the page shows its progress."""

    class Status(models.TextChoices):
        WAITING = "waiting", pgettext_lazy("plan", "Waiting to begin")
        SOLVING = "solving", pgettext_lazy("plan", "Being worked out")
        DONE = "done", pgettext_lazy("plan", "Done")
        FAILED = "failed", pgettext_lazy("plan", "Failed")

    season = models.ForeignKey(Season, models.CASCADE, related_name="plans")
    asked_by = models.ForeignKey(settings.AUTH_USER_MODEL, models.PROTECT, related_name="+")
    status = models.CharField(max_length=10, choices=Status, default=Status.WAITING)
    seed = models.PositiveIntegerField(default=1)
    seconds = models.PositiveSmallIntegerField(default=20)
    made_at = models.DateTimeField(default=timezone.now, editable=False)
    finished_at = models.DateTimeField(null=True, blank=True)
    # Which rounds (none: all that are drawn) and how many tables a person a night: a `planning.Scope`.
    scope = models.JSONField(default=dict, blank=True)
    # How often it was started, and when its worker last reported: one that stopped reporting is restarted once.
    attempts = models.PositiveSmallIntegerField(default=0)
    seen_at = models.DateTimeField(default=timezone.now, editable=False)
    # Progress and result of the search: `leagues.placement.solver.values.Solution` as JSON.
    progress = models.JSONField(default=dict, blank=True)
    outcome = models.JSONField(default=dict, blank=True)

    class Meta:
        ordering = ["-pk"]
        constraints = [
            models.UniqueConstraint(
                fields=["season"], condition=Q(status__in=["waiting", "solving"]), name="plan_one_at_a_time"
            ),
            models.CheckConstraint(
                condition=Q(status__in=["waiting", "solving", "done", "failed"]), name="plan_status_known"
            ),
        ]

    def __str__(self) -> str:
        return f"plan {self.pk} of {self.season_id}"
