"""The parts of a competition: league, season, division, stage, round."""

from typing import Any

from django.conf import settings
from django.core.validators import MaxValueValidator
from django.db import models
from django.db.models import F, Q
from django.urls import reverse
from django.utils import timezone
from django.utils.crypto import get_random_string
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from accounts.models import AuditEntry, Club, User
from games.models import CardFile, Match
from games.models.match import with_cards
from games.titles import game_title
from leagues.formats.editions import CURRENT, Edition
from leagues.formats.points import CODES


def new_seed() -> str:
    return get_random_string(24)


class LeagueQuerySet(models.QuerySet["League"]):
    def open(self) -> "LeagueQuerySet":
        return self.filter(closed_at=None, club__closed_at=None)

    def seen_by(self, reader: object) -> "LeagueQuerySet":
        """Public leagues, and the private ones of the reader's clubs or with an entry of theirs."""
        if isinstance(reader, User) and reader.is_staff:
            return self
        seen = Q(is_private=False, club__is_private=False)
        if isinstance(reader, User):
            seen |= Q(club__in=reader.memberships.values("club"))
            plays = Q(seasons__entrants__user=reader) | Q(seasons__entrants__members__user=reader)
            seen |= Q(pk__in=League.objects.filter(plays).values("pk"))
        return self.filter(seen)


class League(models.Model):
    """A club's competition in one game, season after season."""

    club = models.ForeignKey(Club, models.PROTECT, related_name="leagues")
    name = models.CharField(_("name"), max_length=80)
    slug = models.SlugField(max_length=60, unique=True)
    game = models.CharField(_("game"), max_length=40)
    about = models.TextField(_("about"), max_length=5000, blank=True, help_text=_("You can use Markdown."))
    # Only members of the club and its own players see it; all leagues of a private club are.
    is_private = models.BooleanField(_("only for members of the club and players of the league"), default=False)
    made_at = models.DateTimeField(default=timezone.now, editable=False)
    closed_at = models.DateTimeField(null=True, blank=True, editable=False)

    objects = LeagueQuerySet.as_manager()

    class Meta:
        ordering = ["name", "pk"]
        constraints = [
            models.CheckConstraint(condition=~Q(name="") & ~Q(game=""), name="league_has_name_and_game"),
        ]

    def __str__(self) -> str:
        return self.name

    def get_absolute_url(self) -> str:
        return reverse("leagues:league", args=[self.slug])

    @property
    def title(self) -> str:
        """The title of the game."""
        return game_title(self.game)


class Season(models.Model):
    """One edition of a league: who may enter, how it is played and what counts."""

    class Status(models.TextChoices):
        DRAFT = "draft", pgettext_lazy("season", "Being set up")
        REGISTRATION = "registration", pgettext_lazy("season", "Open for entries")
        RUNNING = "running", pgettext_lazy("season", "Running")
        CLOSED = "closed", pgettext_lazy("season", "Closed")

    class Where(models.TextChoices):
        ONLINE = "online", _("Online, at live tables of this site")
        CLUB = "club", _("At the club, at real tables")
        BOTH = "both", _("Both: each table says where")

    class Confirmation(models.TextChoices):
        """How a result that players report at the club comes to count."""

        ONE = "one", _("One other player confirms")
        ALL = "all", _("All other players confirm")
        NONE = "none", _("It counts as reported")
        ORGANISER = "organiser", _("An organiser confirms")

    class TieBreakEdition(models.TextChoices):
        """Which rules count rounds without a game."""

        EARLIER = Edition.EARLIER.value, _("The rules of this site before March 2026")
        MARCH_2026 = Edition.MARCH_2026.value, _("FIDE tie-break regulations in force since 1 March 2026")

    class OnUnplayed(models.TextChoices):
        """What becomes of a table that was not played when its window closes."""

        BOT = "bot", _("A bot takes the seat of the missing player, and the others play")
        FORFEIT = "forfeit", _("Players who did nothing lose without a game")
        ASK = "ask", _("An organiser is asked")

    class MissedRound(models.TextChoices):
        """What a player gets who is away when a round is drawn."""

        NOTHING = "ZPB", _("No point")
        HALF = "HPB", _("Half a point, in two rounds at most; no point in others")

    league = models.ForeignKey(League, models.PROTECT, related_name="seasons")
    number = models.PositiveSmallIntegerField()
    name = models.CharField(_("name"), max_length=80)
    status = models.CharField(max_length=12, choices=Status, default=Status.DRAFT)
    starts_at = models.DateTimeField(_("starts"), null=True, blank=True)
    ends_at = models.DateTimeField(_("ends"), null=True, blank=True)
    closed_at = models.DateTimeField(null=True, blank=True, editable=False)
    made_at = models.DateTimeField(default=timezone.now, editable=False)

    rated = models.BooleanField(_("results count for ratings"), default=True)
    points = models.CharField(_("points"), max_length=20, default="normal")
    # Points by place, best first, where `points` is `own`.
    own_points = models.JSONField(_("own points"), default=list, blank=True)
    # How many rounds of everybody count, the best ones; 0: all.
    best_rounds = models.PositiveSmallIntegerField(
        _("rounds that count"), default=0, validators=[MaxValueValidator(100)]
    )
    # Codes of `leagues.formats.tiebreaks.registry`, in order; after the start a change is logged with the old list.
    tie_breaks = models.JSONField(_("tie-breaks"), default=list, blank=True)
    # The edition of the rules for rounds without a game; a season keeps the one it was created with.
    tie_break_edition = models.CharField(
        _("edition of the tie-break rules"), max_length=20, choices=TieBreakEdition, default=CURRENT.value
    )
    options = models.JSONField(_("options of the game"), default=dict, blank=True)
    card_file = models.ForeignKey(
        CardFile, models.PROTECT, null=True, blank=True, related_name="seasons", verbose_name=_("card file")
    )

    where = models.CharField(_("where"), max_length=10, choices=Where, default=Where.CLUB)
    clock = models.CharField(_("clock"), max_length=10, choices=Match.Clock, default=Match.Clock.NONE)
    bank = models.PositiveIntegerField(default=0, help_text="seconds")
    increment = models.PositiveIntegerField(default=0, help_text="seconds")
    days = models.PositiveSmallIntegerField(default=0)
    on_timeout = models.CharField(
        _("when time runs out"), max_length=10, choices=Match.OnTimeout, default=Match.OnTimeout.BOT
    )

    members_only = models.BooleanField(_("only members of the club may enter"), default=True)
    rating_from = models.IntegerField(_("rating from"), null=True, blank=True)
    rating_to = models.IntegerField(_("rating to"), null=True, blank=True)
    waiting_list = models.BooleanField(_("keep a waiting list when full"), default=True)
    # Whoever enters alone asks first; an organiser approves or declines.
    approval = models.BooleanField(_("organisers approve entries"), default=False)
    # What entrants are asked, as `leagues.entries.questions` checks it.
    entry_questions = models.JSONField(_("questions to entrants"), default=list, blank=True)
    check_in = models.BooleanField(_("players check in before the first round"), default=False)
    confirmation = models.CharField(
        _("confirmation of results"), max_length=10, choices=Confirmation, default=Confirmation.ONE
    )

    missed_round = models.CharField(
        _("for a missed round"), max_length=3, choices=MissedRound, default=MissedRound.NOTHING
    )
    odds = models.BooleanField(_("show everybody’s chances of the title"), default=True)
    # How long a round is open, for tables not played on a club night; 0: no limit.
    window_days = models.PositiveSmallIntegerField(
        _("days to play a round"), default=0, validators=[MaxValueValidator(180)]
    )
    on_unplayed = models.CharField(
        _("when a table is not played in time"), max_length=10, choices=OnUnplayed, default=OnUnplayed.ASK
    )
    # 0: a suggested time waits for answers without a limit.
    answer_hours = models.PositiveSmallIntegerField(
        _("hours to answer a suggested time"), default=48, validators=[MaxValueValidator(336)]
    )
    # After the agreed time; 0: no check.
    no_show_minutes = models.PositiveSmallIntegerField(
        _("minutes until somebody missing is a no-show"), default=0, validators=[MaxValueValidator(180)]
    )

    class Meta:
        ordering = ["-number", "-pk"]
        constraints = [
            models.UniqueConstraint(fields=["league", "number"], name="season_number_once"),
            models.CheckConstraint(condition=Q(number__gte=1) & ~Q(name=""), name="season_has_number_and_name"),
            models.CheckConstraint(
                condition=Q(status="closed", closed_at__isnull=False)
                | Q(status__in=["draft", "registration", "running"], closed_at=None),
                name="season_closed_when_closed",
            ),
            models.CheckConstraint(
                condition=Q(starts_at=None) | Q(ends_at=None) | Q(ends_at__gt=F("starts_at")),
                name="season_ends_after_its_start",
            ),
            models.CheckConstraint(
                condition=Q(rating_from=None) | Q(rating_to=None) | Q(rating_to__gte=F("rating_from")),
                name="season_ratings_in_order",
            ),
            models.CheckConstraint(condition=Q(points__in=list(CODES)), name="season_points_known"),
            models.CheckConstraint(
                condition=Q(tie_break_edition__in=[edition.value for edition in Edition]),
                name="season_tie_break_edition_known",
            ),
            models.CheckConstraint(condition=Q(where__in=["online", "club", "both"]), name="season_where_known"),
            models.CheckConstraint(
                condition=Q(confirmation__in=["one", "all", "none", "organiser"]), name="season_confirmation_known"
            ),
            models.CheckConstraint(
                condition=Q(clock="none", bank=0, increment=0, days=0)
                | Q(clock="live", bank__gte=30, days=0)
                | Q(clock="days", bank=0, increment=0, days__gte=1),
                name="season_clock_is_whole",
            ),
            models.CheckConstraint(condition=Q(on_timeout__in=["bot", "forfeit"]), name="season_on_timeout_known"),
            models.CheckConstraint(
                condition=Q(on_unplayed__in=["bot", "forfeit", "ask"]), name="season_on_unplayed_known"
            ),
            models.CheckConstraint(condition=Q(best_rounds__lte=100), name="season_best_rounds_are_sensible"),
            models.CheckConstraint(condition=Q(missed_round__in=["ZPB", "HPB"]), name="season_missed_round_known"),
            models.CheckConstraint(
                condition=Q(window_days__lte=180, answer_hours__lte=336, no_show_minutes__lte=180),
                name="season_windows_are_sensible",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.league}: {self.name}"

    def get_absolute_url(self) -> str:
        return reverse("leagues:season", args=[self.league.slug, self.number])

    @property
    def full_name(self) -> str:
        """The name with the league, because most leagues have a “Season 1”."""
        return f"{self.league.name}, {self.name}" if self.name else self.league.name

    @property
    def is_running(self) -> bool:
        return self.status == self.Status.RUNNING

    @property
    def is_closed(self) -> bool:
        return self.status == self.Status.CLOSED

    @property
    def has_begun(self) -> bool:
        return self.status in (self.Status.RUNNING, self.Status.CLOSED)

    @property
    def engine_options(self) -> dict[str, Any]:
        """The options as the rules take them, with the whole card file where the season names one."""
        return with_cards(self.league.game, self.options, self.card_file)

    @property
    def card_code(self) -> str:
        """The code of the season's own cards; empty where it is played with those of the site."""
        return self.card_file.code if self.card_file else ""


class Division(models.Model):
    """Entrants who play each other. Level 1 is the highest; `number` distinguishes divisions of one level."""

    season = models.ForeignKey(Season, models.CASCADE, related_name="divisions")
    level = models.PositiveSmallIntegerField(default=1)
    number = models.PositiveSmallIntegerField(default=1)
    name = models.CharField(_("name"), max_length=80)
    cap = models.PositiveSmallIntegerField(_("places"), null=True, blank=True)
    # How many go up from here and down from here when the season is closed.
    up = models.PositiveSmallIntegerField(_("move up"), default=0)
    down = models.PositiveSmallIntegerField(_("move down"), default=0)

    class Meta:
        ordering = ["season", "level", "number"]
        constraints = [
            models.UniqueConstraint(fields=["season", "level", "number"], name="division_once_in_a_season"),
            models.CheckConstraint(
                condition=Q(level__gte=1, number__gte=1) & ~Q(name=""), name="division_has_level_and_name"
            ),
            models.CheckConstraint(condition=Q(cap=None) | Q(cap__gte=2), name="division_cap_takes_two"),
        ]

    def __str__(self) -> str:
        return self.name


class Stage(models.Model):
    """A part of a division's competition, in one format. Groups and their knock-out are two stages."""

    class Status(models.TextChoices):
        PLANNED = "planned", pgettext_lazy("stage", "Not begun")
        RUNNING = "running", pgettext_lazy("stage", "Running")
        FINISHED = "finished", pgettext_lazy("stage", "Finished")

    division = models.ForeignKey(Division, models.CASCADE, related_name="stages")
    position = models.PositiveSmallIntegerField(default=1)
    format = models.CharField(_("format"), max_length=30)
    settings = models.JSONField(default=dict, blank=True)
    planned = models.PositiveSmallIntegerField(_("rounds"), null=True, blank=True)
    # How many of the stage before go on to this one; None: all. Groups have their own rule.
    take = models.PositiveSmallIntegerField(_("go on from the stage before"), null=True, blank=True)
    status = models.CharField(max_length=10, choices=Status, default=Status.PLANNED)
    # Lots are drawn from the seed, which is public; deals from the secret, which is not.
    seed = models.CharField(max_length=64, default=new_seed, editable=False)
    secret = models.CharField(max_length=64, default=new_seed, editable=False)
    # Why the last attempt to draw failed: a `Reason` as JSON, or None.
    trouble = models.JSONField(null=True, blank=True, editable=False)

    class Meta:
        ordering = ["division", "position"]
        constraints = [
            models.UniqueConstraint(fields=["division", "position"], name="stage_once_in_a_division"),
            models.CheckConstraint(condition=Q(position__gte=1) & ~Q(format=""), name="stage_has_place_and_format"),
            models.CheckConstraint(condition=Q(planned=None) | Q(planned__gte=1), name="stage_plans_a_round"),
            models.CheckConstraint(condition=Q(take=None) | Q(take__gte=2), name="stage_takes_two"),
            models.CheckConstraint(
                condition=Q(status__in=["planned", "running", "finished"]), name="stage_status_known"
            ),
            models.CheckConstraint(condition=~Q(seed=F("secret")), name="stage_secret_is_not_its_seed"),
        ]

    def __str__(self) -> str:
        return f"{self.format} of {self.division_id}"


class Round(models.Model):
    """Tables that are played at the same time."""

    class Status(models.TextChoices):
        DRAWN = "drawn", pgettext_lazy("round", "Drawn, not yet published")
        PUBLISHED = "published", pgettext_lazy("round", "Published")
        CLOSED = "closed", pgettext_lazy("round", "Closed")

    stage = models.ForeignKey(Stage, models.CASCADE, related_name="rounds")
    number = models.PositiveSmallIntegerField()
    status = models.CharField(max_length=10, choices=Status, default=Status.DRAWN)
    opens_at = models.DateTimeField(null=True, blank=True)
    closes_at = models.DateTimeField(null=True, blank=True)
    drawn_at = models.DateTimeField(default=timezone.now, editable=False)
    published_at = models.DateTimeField(null=True, blank=True, editable=False)
    closed_at = models.DateTimeField(null=True, blank=True, editable=False)
    # The draw before the first change by hand: tables, byes and reasons, as `leagues.rounds.hand` writes them.
    machine = models.JSONField(null=True, blank=True, editable=False)

    class Meta:
        ordering = ["stage", "number"]
        constraints = [
            models.UniqueConstraint(fields=["stage", "number"], name="round_number_once"),
            models.CheckConstraint(condition=Q(number__gte=1), name="round_number_from_one"),
            models.CheckConstraint(
                condition=Q(status="drawn", published_at=None, closed_at=None)
                | Q(status="published", published_at__isnull=False, closed_at=None)
                | Q(status="closed", published_at__isnull=False, closed_at__isnull=False),
                name="round_status_fits_its_times",
            ),
            models.CheckConstraint(
                condition=Q(opens_at=None) | Q(closes_at=None) | Q(closes_at__gt=F("opens_at")),
                name="round_closes_after_it_opens",
            ),
        ]

    def __str__(self) -> str:
        return f"round {self.number} of stage {self.stage_id}"

    @property
    def is_published(self) -> bool:
        """Whether players may see it."""
        return self.status != self.Status.DRAWN

    @property
    def is_closed(self) -> bool:
        return self.status == self.Status.CLOSED


class Movement(models.Model):
    """The promotion or relegation of an entrant, written when the season is closed."""

    season = models.ForeignKey(Season, models.CASCADE, related_name="movements")
    entrant = models.OneToOneField("leagues.Entrant", models.CASCADE, related_name="movement")
    place = models.PositiveSmallIntegerField()
    old = models.PositiveSmallIntegerField()
    # The level of next season; None for those who have withdrawn.
    new = models.PositiveSmallIntegerField(null=True)
    reason = models.JSONField()

    class Meta:
        ordering = ["season", "old", "place"]
        constraints = [
            models.CheckConstraint(
                condition=Q(old__gte=1, place__gte=1) & (Q(new=None) | Q(new__gte=1)), name="movement_levels_from_one"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.entrant_id}: {self.old} to {self.new}"


class Undoable(models.Model):
    """An organiser's action that can still be undone, with the data to do it."""

    season = models.ForeignKey(Season, models.CASCADE, related_name="undoables")
    entry = models.OneToOneField(AuditEntry, models.PROTECT, related_name="+")
    kind = models.CharField(max_length=30)
    data = models.JSONField(default=dict)
    undone_at = models.DateTimeField(null=True, blank=True)
    undone_by = models.ForeignKey(settings.AUTH_USER_MODEL, models.PROTECT, null=True, blank=True, related_name="+")

    class Meta:
        ordering = ["-pk"]

    def __str__(self) -> str:
        return f"{self.kind} in {self.season_id}"
