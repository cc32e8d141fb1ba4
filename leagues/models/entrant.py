"""Entrants, with late entries, withdrawals and byes; challenges and waiting players."""

from typing import Any

from django.conf import settings
from django.db import models
from django.db.models import F, Q
from django.utils import timezone
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from engine.bots import LEVELS
from leagues.formats.values import Kind, Step
from leagues.models.competition import Division, Season, Stage

User = settings.AUTH_USER_MODEL


class EntrantQuerySet(models.QuerySet["Entrant"]):
    def named(self) -> "EntrantQuerySet":
        """With the users loaded, for their names."""
        return self.select_related("user")

    def entered(self) -> "EntrantQuerySet":
        """Entrants who have a place."""
        return self.exclude(status__in=[Entrant.Status.WAITING, Entrant.Status.WITHDRAWN])


class Entrant(models.Model):
    """A person, a bot or a team in one division of one season.

    People, guests and bots are all accounts, so that every seat is a `User`; teams have members.
    """

    class Kind(models.TextChoices):
        PERSON = "person", pgettext_lazy("entrant", "Person")
        BOT = "bot", pgettext_lazy("entrant", "Bot")
        TEAM = "team", pgettext_lazy("entrant", "Team")

    class Status(models.TextChoices):
        WAITING = "waiting", pgettext_lazy("entrant", "On the waiting list")
        REGISTERED = "registered", pgettext_lazy("entrant", "Entered")
        CHECKED_IN = "checked_in", pgettext_lazy("entrant", "Checked in")
        ACTIVE = "active", pgettext_lazy("entrant", "Playing")
        WITHDRAWN = "withdrawn", pgettext_lazy("entrant", "Withdrawn")

    # In addition to the division, so that a constraint can prevent entering a season twice.
    season = models.ForeignKey(Season, models.CASCADE, related_name="entrants")
    division = models.ForeignKey(Division, models.CASCADE, related_name="entrants")
    kind = models.CharField(max_length=10, choices=Kind, default=Kind.PERSON)
    user = models.ForeignKey(User, models.PROTECT, null=True, blank=True, related_name="entries")
    # The level of a bot of the site; users' bots have none.
    bot_level = models.CharField(max_length=10, blank=True)
    team = models.CharField(_("name of the team"), max_length=60, blank=True)
    status = models.CharField(max_length=10, choices=Status, default=Status.REGISTERED)
    seed = models.PositiveSmallIntegerField(null=True, blank=True)
    # As it was when the seeds were set.
    rating = models.IntegerField(null=True, blank=True)
    entered_at = models.DateTimeField(default=timezone.now, editable=False)

    objects = EntrantQuerySet.as_manager()

    class Meta:
        ordering = ["division", "seed", "entered_at", "pk"]
        constraints = [
            models.UniqueConstraint(fields=["season", "user"], name="entrant_once_in_a_season"),
            models.UniqueConstraint(fields=["division", "seed"], name="entrant_seed_once"),
            models.UniqueConstraint(fields=["season", "team"], condition=~Q(team=""), name="entrant_team_name_once"),
            models.CheckConstraint(
                condition=Q(kind="person", user__isnull=False, bot_level="", team="")
                | (Q(kind="bot", user__isnull=False, bot_level__in=["", *LEVELS], team=""))
                | (Q(kind="team", user=None, bot_level="") & ~Q(team="")),
                name="entrant_is_person_bot_or_team",
            ),
            models.CheckConstraint(
                condition=Q(status__in=["waiting", "registered", "checked_in", "active", "withdrawn"]),
                name="entrant_status_known",
            ),
            models.CheckConstraint(condition=Q(seed=None) | Q(seed__gte=1), name="entrant_seed_from_one"),
        ]

    def __str__(self) -> str:
        return f"{self.kind} {self.user_id or self.team}"

    @property
    def name(self) -> str:
        return self.user.name if self.user else self.team

    @property
    def who(self) -> Any:
        """The account, or the name of the team: for the log, which stores who is meant (`accounts.stored_names`)."""
        return self.user or self.team

    @property
    def is_waiting(self) -> bool:
        return self.status == self.Status.WAITING

    @property
    def waiting_place(self) -> int | None:
        """The place on the waiting list of the division, from 1."""
        if not self.is_waiting:
            return None
        queue = Entrant.objects.filter(division=self.division_id, status=self.Status.WAITING)
        earlier = Q(entered_at__lt=self.entered_at) | Q(entered_at=self.entered_at, pk__lt=self.pk)
        return queue.filter(earlier).count() + 1

    @property
    def is_withdrawn(self) -> bool:
        return self.status == self.Status.WITHDRAWN


class EntryRequest(models.Model):
    """What somebody said when they asked to enter: their answers, and what an organiser decided.

    Only organisers and the person see it. There is one where a season has questions or organisers approve entries; the
    entry itself, with a place or one on the waiting list, is an `Entrant`, made when the request is approved.
    """

    class State(models.TextChoices):
        ASKED = "asked", pgettext_lazy("request to enter", "Not decided yet")
        APPROVED = "approved", pgettext_lazy("request to enter", "Approved")
        DECLINED = "declined", pgettext_lazy("request to enter", "Declined")
        WITHDRAWN = "withdrawn", pgettext_lazy("request to enter", "Taken back")

    season = models.ForeignKey(Season, models.CASCADE, related_name="entry_requests")
    user = models.ForeignKey(User, models.PROTECT, related_name="entry_requests")
    # Where they would like to play; None where that division is gone.
    division = models.ForeignKey(Division, models.SET_NULL, null=True, blank=True, related_name="+")
    state = models.CharField(max_length=10, choices=State, default=State.ASKED)
    # By the id of the question, as `leagues.entries.questions` checks them.
    answers = models.JSONField(default=dict, blank=True)
    asked_at = models.DateTimeField(default=timezone.now, editable=False)
    # A word of the organiser who decided, for the person.
    note = models.CharField(max_length=300, blank=True)
    by = models.ForeignKey(User, models.PROTECT, null=True, blank=True, related_name="+")
    decided_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ["season", "asked_at", "pk"]
        constraints = [
            models.UniqueConstraint(fields=["season", "user"], name="entry_request_once_in_a_season"),
            models.CheckConstraint(
                condition=Q(state__in=["asked", "approved", "declined", "withdrawn"]), name="entry_request_state_known"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.user_id} asks for {self.season_id}: {self.state}"


class TeamMember(models.Model):
    season = models.ForeignKey(Season, models.CASCADE, related_name="+")
    entrant = models.ForeignKey(Entrant, models.CASCADE, related_name="members")
    user = models.ForeignKey(User, models.PROTECT, related_name="teams")
    bot_level = models.CharField(max_length=10, blank=True)
    position = models.PositiveSmallIntegerField()

    class Meta:
        ordering = ["entrant", "position"]
        constraints = [
            models.UniqueConstraint(fields=["season", "user"], name="team_member_once_in_a_season"),
            models.UniqueConstraint(fields=["entrant", "position"], name="team_member_place_once"),
            models.CheckConstraint(condition=Q(bot_level__in=["", *LEVELS]), name="team_member_level_known"),
        ]

    def __str__(self) -> str:
        return f"{self.user_id} in {self.entrant_id}"


class Starter(models.Model):
    """An entrant of a stage with their seed; written when the stage starts or they enter late.

    `reason` says how they came from the stage before.
    """

    stage = models.ForeignKey(Stage, models.CASCADE, related_name="starters")
    entrant = models.ForeignKey(Entrant, models.CASCADE, related_name="starters")
    seed = models.PositiveSmallIntegerField()
    group = models.PositiveSmallIntegerField(null=True, blank=True)
    reason = models.JSONField(null=True, blank=True)

    class Meta:
        ordering = ["stage", "seed"]
        constraints = [
            models.UniqueConstraint(fields=["stage", "entrant"], name="starter_once_in_a_stage"),
            models.UniqueConstraint(fields=["stage", "seed"], name="starter_seed_once"),
            models.CheckConstraint(condition=Q(seed__gte=1), name="starter_seed_from_one"),
        ]

    def __str__(self) -> str:
        return f"{self.entrant_id} in stage {self.stage_id}"


class EntrantStep(models.Model):
    """A late entry, a withdrawal or a return, from the start of a round of a stage. Without steps: in from round 1."""

    stage = models.ForeignKey(Stage, models.CASCADE, related_name="steps")
    entrant = models.ForeignKey(Entrant, models.CASCADE, related_name="steps")
    round = models.PositiveSmallIntegerField()
    step = models.CharField(max_length=10, choices=[(step.value, step.value) for step in Step])
    at = models.DateTimeField(default=timezone.now, editable=False)

    class Meta:
        ordering = ["stage", "entrant", "pk"]
        constraints = [
            models.CheckConstraint(condition=Q(round__gte=1), name="step_from_a_round"),
            models.CheckConstraint(condition=Q(step__in=[step.value for step in Step]), name="step_known"),
        ]

    def __str__(self) -> str:
        return f"{self.entrant_id} {self.step} in {self.round}"


class RequestedByeQuerySet(models.QuerySet["RequestedBye"]):
    def asked(self) -> "RequestedByeQuerySet":
        """Those that somebody asked for. The others would show that a round is drawn before it is published."""
        return self.filter(from_night=False)


class RequestedBye(models.Model):
    """A round that an entrant asked to miss."""

    KINDS = [(Kind.FPB.name, _("full point")), (Kind.HPB.name, _("half a point")), (Kind.ZPB.name, _("no point"))]

    stage = models.ForeignKey(Stage, models.CASCADE, related_name="requested_byes")
    entrant = models.ForeignKey(Entrant, models.CASCADE, related_name="requested_byes")
    round = models.PositiveSmallIntegerField()
    kind = models.CharField(max_length=3, choices=KINDS)
    # Written by the draw, because they cannot come to the club night; removed when the draw is.
    from_night = models.BooleanField(default=False, editable=False)

    objects = RequestedByeQuerySet.as_manager()

    class Meta:
        ordering = ["stage", "round", "entrant"]
        constraints = [
            models.UniqueConstraint(fields=["stage", "entrant", "round"], name="requested_bye_once"),
            models.CheckConstraint(condition=Q(round__gte=1), name="requested_bye_from_a_round"),
            models.CheckConstraint(condition=Q(kind__in=["FPB", "HPB", "ZPB"]), name="requested_bye_kind_known"),
        ]

    def __str__(self) -> str:
        return f"{self.entrant_id} misses {self.round}"


class RoundAttendance(models.Model):
    """Somebody who is here for a round, whatever they answered for the club night.

    Who is away has a `RequestedBye` instead.
    """

    stage = models.ForeignKey(Stage, models.CASCADE, related_name="attendances")
    entrant = models.ForeignKey(Entrant, models.CASCADE, related_name="attendances")
    round = models.PositiveSmallIntegerField()

    class Meta:
        ordering = ["stage", "round", "entrant"]
        constraints = [
            models.UniqueConstraint(fields=["stage", "entrant", "round"], name="round_attendance_once"),
            models.CheckConstraint(condition=Q(round__gte=1), name="round_attendance_from_a_round"),
        ]

    def __str__(self) -> str:
        return f"{self.entrant_id} is here for {self.round}"


class MeetingRule(models.Model):
    """Two who should not share a table: never, or not before a round. Draws obey it where possible."""

    season = models.ForeignKey(Season, models.CASCADE, related_name="meeting_rules")
    # The one with the smaller id, so that a pair has one rule.
    one = models.ForeignKey(Entrant, models.CASCADE, related_name="+")
    other = models.ForeignKey(Entrant, models.CASCADE, related_name="+")
    # The first round in which they may meet; None: in none.
    from_round = models.PositiveSmallIntegerField(null=True, blank=True)

    class Meta:
        ordering = ["season", "pk"]
        constraints = [
            models.UniqueConstraint(fields=["one", "other"], name="meeting_rule_once"),
            models.CheckConstraint(condition=Q(one__lt=F("other")), name="meeting_rule_pair_in_order"),
            models.CheckConstraint(
                condition=Q(from_round=None) | Q(from_round__gte=2), name="meeting_rule_from_second_round"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.one_id} and {self.other_id}"


class Challenge(models.Model):
    """A challenge on a ladder. When accepted it gets a table; if it is not answered in time, the challenger wins.

    Where the rules allow it, it may be declined.
    """

    stage = models.ForeignKey(Stage, models.CASCADE, related_name="challenges")
    challenger = models.ForeignKey(Entrant, models.CASCADE, related_name="challenges_made")
    target = models.ForeignKey(Entrant, models.CASCADE, related_name="challenges_met")
    made_at = models.DateTimeField(default=timezone.now, editable=False)
    answered_at = models.DateTimeField(null=True, blank=True)
    declined_at = models.DateTimeField(null=True, blank=True)
    # Declined, made again after it was over, or cancelled because one of them left.
    ended_at = models.DateTimeField(null=True, blank=True)
    pairing = models.OneToOneField("leagues.Pairing", models.PROTECT, null=True, blank=True, related_name="challenge")

    class Meta:
        ordering = ["stage", "made_at", "pk"]
        constraints = [
            models.UniqueConstraint(
                fields=["stage", "challenger", "target"], condition=Q(ended_at=None), name="challenge_one_open"
            ),
            models.CheckConstraint(condition=~Q(challenger=F("target")), name="challenge_somebody_else"),
            models.CheckConstraint(
                condition=Q(pairing=None) | Q(answered_at__isnull=False), name="challenge_table_once_answered"
            ),
            models.CheckConstraint(
                condition=Q(declined_at=None) | Q(answered_at=None, ended_at__isnull=False),
                name="challenge_declined_is_over",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.challenger_id} challenges {self.target_id}"


class Waiting(models.Model):
    """A player who waits for an opponent in an arena."""

    stage = models.ForeignKey(Stage, models.CASCADE, related_name="waiting")
    entrant = models.ForeignKey(Entrant, models.CASCADE, related_name="waiting")
    since = models.DateTimeField(default=timezone.now)

    class Meta:
        ordering = ["stage", "since", "pk"]
        constraints = [models.UniqueConstraint(fields=["stage", "entrant"], name="waiting_once")]

    def __str__(self) -> str:
        return f"{self.entrant_id} waits"
