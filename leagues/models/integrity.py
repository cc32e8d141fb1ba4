"""What keeps ratings honest: consent to an entry, objections to a result, and patterns for the staff."""

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from accounts.models import Club
from leagues.models.competition import Season
from leagues.models.pairing import Pairing

User = settings.AUTH_USER_MODEL


class EntryConsent(models.Model):
    """Somebody whom an organiser entered, alone or in a team, and what they said to it. Who signs up has no row."""

    class State(models.TextChoices):
        ASKED = "asked", _("asked")
        AGREED = "agreed", _("agreed")
        DECLINED = "declined", _("declined")

    season = models.ForeignKey(Season, models.CASCADE, related_name="consents")
    user = models.ForeignKey(User, models.PROTECT, related_name="+")
    state = models.CharField(max_length=10, choices=State, default=State.ASKED)
    asked_by = models.ForeignKey(User, models.PROTECT, null=True, blank=True, related_name="+")
    asked_at = models.DateTimeField(default=timezone.now, editable=False)
    answered_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ["season", "asked_at", "pk"]
        constraints = [
            models.UniqueConstraint(fields=["season", "user"], name="entry_consent_once"),
            models.CheckConstraint(
                condition=Q(state__in=["asked", "agreed", "declined"]), name="entry_consent_state_known"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.user_id} {self.state} in {self.season_id}"


class Objection(models.Model):
    """A player says that a counted result, entered by somebody else, is wrong. Until it is decided it rates nobody."""

    pairing = models.ForeignKey(Pairing, models.CASCADE, related_name="objections")
    version = models.PositiveSmallIntegerField()
    person = models.ForeignKey(User, models.PROTECT, related_name="+")
    note = models.CharField(max_length=300, blank=True)
    at = models.DateTimeField(default=timezone.now, editable=False)
    decided_at = models.DateTimeField(null=True, blank=True)
    decided_by = models.ForeignKey(User, models.PROTECT, null=True, blank=True, related_name="+")
    # Decided for the player: this version of the result stays out of the ratings.
    upheld = models.BooleanField(default=False)

    class Meta:
        ordering = ["pairing", "at", "pk"]
        constraints = [
            models.UniqueConstraint(fields=["pairing", "version", "person"], name="objection_once"),
            models.CheckConstraint(
                condition=Q(decided_at=None, decided_by=None) | Q(decided_at__isnull=False), name="objection_decided"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.person_id} on {self.pairing_id}"


class RatingFlag(models.Model):
    """An unusual pattern in the ratings of one or two people, for the site's staff. It changes nothing by itself."""

    class Kind(models.TextChoices):
        SAME_ADDRESS = "same-address", _("Two players from one address")
        SAME_PAIR = "same-pair", _("Always the same two players")
        SAME_WINNER = "same-winner", _("Always the same winner")
        OBJECTIONS = "objections", _("Several objections to results that one person entered")

    kind = models.CharField(max_length=20, choices=Kind)
    person = models.ForeignKey(User, models.CASCADE, related_name="+")
    # The same person again where the pattern is about one alone.
    other = models.ForeignKey(User, models.CASCADE, related_name="+")
    # The numbers behind it, as the text of its kind names them.
    facts = models.JSONField(default=dict)
    first_at = models.DateTimeField(default=timezone.now, editable=False)
    last_at = models.DateTimeField(default=timezone.now)
    reviewed_at = models.DateTimeField(null=True, blank=True)
    reviewed_by = models.ForeignKey(User, models.SET_NULL, null=True, blank=True, related_name="+")

    class Meta:
        ordering = ["-last_at", "-pk"]
        constraints = [
            models.UniqueConstraint(fields=["kind", "person", "other"], name="rating_flag_once"),
            models.CheckConstraint(
                condition=Q(kind__in=["same-address", "same-pair", "same-winner", "objections"]),
                name="rating_flag_kind_known",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.kind} of {self.person_id}"


class GuestJoin(models.Model):
    """A guest of a club who is a person with an account: an organiser proposes it, the person answers.

    While it is in force the guest's entries are the person's. `moved` lists them, for the way back.
    """

    class State(models.TextChoices):
        ASKED = "asked", _("asked")
        DECLINED = "declined", _("declined")
        WITHDRAWN = "withdrawn", _("withdrawn")
        JOINED = "joined", _("joined")
        UNDONE = "undone", _("undone")

    club = models.ForeignKey(Club, models.PROTECT, related_name="guest_joins")
    guest = models.ForeignKey(User, models.PROTECT, related_name="guest_joins")
    person = models.ForeignKey(User, models.PROTECT, related_name="joined_guests")
    state = models.CharField(max_length=10, choices=State, default=State.ASKED)
    proposed_by = models.ForeignKey(User, models.PROTECT, related_name="+")
    proposed_at = models.DateTimeField(default=timezone.now, editable=False)
    answered_at = models.DateTimeField(null=True, blank=True)
    ended_at = models.DateTimeField(null=True, blank=True)
    ended_by = models.ForeignKey(User, models.PROTECT, null=True, blank=True, related_name="+")
    # Ids of entrants, team members and answers to nights that changed hands, and of tables that had a result by then.
    moved = models.JSONField(default=dict, blank=True)

    class Meta:
        ordering = ["-pk"]
        constraints = [
            models.UniqueConstraint(
                fields=["guest"], condition=Q(state__in=["asked", "joined"]), name="guest_join_one_at_a_time"
            ),
            models.CheckConstraint(
                condition=Q(state__in=["asked", "declined", "withdrawn", "joined", "undone"]),
                name="guest_join_state_known",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.guest_id} is {self.person_id}: {self.state}"

    def get_absolute_url(self) -> str:
        return reverse("leagues:guest-join", args=[self.club.slug, self.pk])

    @property
    def tables(self) -> list[int]:
        """Ids of the tables that were played by the guest."""
        return list(self.moved.get("tables", []))


class GuestWitness(models.Model):
    """Somebody who sat at a table with a guest says whether the guest was this person."""

    join = models.ForeignKey(GuestJoin, models.CASCADE, related_name="witnesses")
    person = models.ForeignKey(User, models.PROTECT, related_name="+")
    agrees = models.BooleanField()
    at = models.DateTimeField(default=timezone.now, editable=False)

    class Meta:
        ordering = ["join", "pk"]
        constraints = [models.UniqueConstraint(fields=["join", "person"], name="guest_witness_once")]

    def __str__(self) -> str:
        return f"{self.person_id} on {self.join_id}"
