"""Round windows: suggested times, requests for more time, and reminders."""

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils import timezone
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from leagues.models.pairing import Pairing

MOST_TIMES = 3


class TimeProposal(models.Model):
    """Up to three times that somebody suggests for a table. An agreed time stays until another one is agreed."""

    class Status(models.TextChoices):
        OPEN = "open", pgettext_lazy("proposal", "Waiting for answers")
        ACCEPTED = "accepted", pgettext_lazy("proposal", "Agreed")
        DECLINED = "declined", pgettext_lazy("proposal", "Declined")
        WITHDRAWN = "withdrawn", pgettext_lazy("proposal", "Withdrawn")
        LAPSED = "lapsed", pgettext_lazy("proposal", "Not answered in time")
        # Agreed, and replaced by another time; or agreed, and nobody came.
        REPLACED = "replaced", pgettext_lazy("proposal", "Agreed, and moved since")
        MISSED = "missed", pgettext_lazy("proposal", "Agreed, and nobody came")

    pairing = models.ForeignKey(Pairing, models.CASCADE, related_name="proposals")
    by = models.ForeignKey(settings.AUTH_USER_MODEL, models.PROTECT, related_name="+")
    status = models.CharField(max_length=10, choices=Status, default=Status.OPEN)
    made_at = models.DateTimeField(default=timezone.now, editable=False)
    # It waits for answers until then; None: until the last of its times.
    answer_by = models.DateTimeField(null=True, blank=True)
    agreed = models.DateTimeField(null=True, blank=True)
    ended_at = models.DateTimeField(null=True, blank=True)
    # Who declined or withdrew it, or gave the last yes; None if it lapsed.
    ended_by = models.ForeignKey(settings.AUTH_USER_MODEL, models.PROTECT, null=True, blank=True, related_name="+")

    class Meta:
        ordering = ["pairing", "pk"]
        constraints = [
            models.UniqueConstraint(
                fields=["pairing"], condition=Q(status="open"), name="proposal_one_open_for_a_table"
            ),
            models.UniqueConstraint(
                fields=["pairing"], condition=Q(status="accepted"), name="proposal_one_agreed_for_a_table"
            ),
            models.CheckConstraint(
                condition=Q(status="open", ended_at=None, agreed=None)
                | Q(status__in=["accepted", "replaced", "missed"], ended_at__isnull=False, agreed__isnull=False)
                | Q(status__in=["declined", "withdrawn", "lapsed"], ended_at__isnull=False, agreed=None),
                name="proposal_status_fits_its_times",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.status} proposal {self.pk} for {self.pairing_id}"

    @property
    def is_open(self) -> bool:
        return self.status == self.Status.OPEN


class ProposedTime(models.Model):
    """One of the times of a proposal."""

    proposal = models.ForeignKey(TimeProposal, models.CASCADE, related_name="times")
    number = models.PositiveSmallIntegerField()
    starts_at = models.DateTimeField()

    class Meta:
        ordering = ["proposal", "number"]
        constraints = [
            models.UniqueConstraint(fields=["proposal", "number"], name="proposed_time_number_once"),
            models.UniqueConstraint(fields=["proposal", "starts_at"], name="proposed_time_once"),
            models.CheckConstraint(
                condition=Q(number__gte=1, number__lte=MOST_TIMES), name="proposed_time_up_to_three"
            ),
        ]

    def __str__(self) -> str:
        return f"time {self.number} of {self.proposal_id}"


class TimeAnswer(models.Model):
    """Somebody can play at this time. The one who suggested it has no row."""

    time = models.ForeignKey(ProposedTime, models.CASCADE, related_name="answers")
    user = models.ForeignKey(settings.AUTH_USER_MODEL, models.PROTECT, related_name="+")
    at = models.DateTimeField(default=timezone.now, editable=False)

    class Meta:
        ordering = ["time", "at", "pk"]
        constraints = [models.UniqueConstraint(fields=["time", "user"], name="time_answer_once")]

    def __str__(self) -> str:
        return f"{self.user_id} at {self.time_id}"


class Extension(models.Model):
    """More time for a table: asked for by a player, or by the site where the season's policy does not decide."""

    class Cause(models.TextChoices):
        PLAYER = "player", _("A player asks for more time.")
        UNPLAYED = "unplayed", _("The deadline has passed and the table was not played.")
        NO_SHOW = "no-show", _("Somebody was not there at the agreed time.")
        RUNNING = "running", _("The deadline has passed and the match is still being played.")
        REPORTED = "reported", _("The deadline has passed and nobody has confirmed the reported result.")
        STAND_IN = "stand-in", _("A bot keeps the seat of the missing player: the others have more time to play.")
        ORGANISER = "organiser", _("An organiser gave more time.")

    class Status(models.TextChoices):
        OPEN = "open", pgettext_lazy("extension", "Waiting for an organiser")
        GRANTED = "granted", pgettext_lazy("extension", "Granted")
        REFUSED = "refused", pgettext_lazy("extension", "Refused")
        # The table was decided before the request was answered.
        DROPPED = "dropped", pgettext_lazy("extension", "No longer needed")

    pairing = models.ForeignKey(Pairing, models.CASCADE, related_name="extensions")
    # None: the site itself asks, or gives.
    asked_by = models.ForeignKey(settings.AUTH_USER_MODEL, models.PROTECT, null=True, blank=True, related_name="+")
    cause = models.CharField(max_length=10, choices=Cause)
    reason = models.CharField(max_length=300, blank=True)
    status = models.CharField(max_length=10, choices=Status, default=Status.OPEN)
    until = models.DateTimeField(null=True, blank=True)
    made_at = models.DateTimeField(default=timezone.now, editable=False)
    decided_by = models.ForeignKey(settings.AUTH_USER_MODEL, models.PROTECT, null=True, blank=True, related_name="+")
    decided_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ["pairing", "pk"]
        constraints = [
            models.UniqueConstraint(
                fields=["pairing"], condition=Q(status="open"), name="extension_one_open_for_a_table"
            ),
            models.CheckConstraint(
                condition=Q(status="open", until=None, decided_at=None)
                | Q(status="granted", until__isnull=False, decided_at__isnull=False)
                | Q(status__in=["refused", "dropped"], until=None, decided_at__isnull=False),
                name="extension_status_fits_its_times",
            ),
            models.CheckConstraint(
                condition=Q(
                    cause__in=["player", "unplayed", "no-show", "running", "reported", "stand-in", "organiser"]
                ),
                name="extension_cause_known",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.status} extension {self.pk} of {self.pairing_id}"


class Reminder(models.Model):
    """The players of a table were reminded of its deadline: once, even if it is moved later."""

    pairing = models.OneToOneField(Pairing, models.CASCADE, related_name="reminder")
    at = models.DateTimeField(default=timezone.now, editable=False)

    def __str__(self) -> str:
        return f"reminder of {self.pairing_id}"
