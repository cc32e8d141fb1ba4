"""The end of things: of a round, of a stage, of a season. Each is decided by what is still open, under a lock."""

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from django.db import transaction
from django.db.models import Min
from django.utils import timezone
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from accounts import audit, notices
from accounts.errors import Refused
from accounts.models import User
from games.models import Match
from leagues import catalogue, locks, log, ranking, signoff, stages, standings, words
from leagues.access import Permission, require
from leagues.formats import season as format
from leagues.formats.errors import FormatError
from leagues.formats.reasons import Reason, told
from leagues.formats.standings import Row
from leagues.models import Challenge, Division, Entrant, Movement, Pairing, Round, Season, SignOff, Stage, Waiting

ROUND_CLOSED = audit.action("leagues.round-closed", _("%(actor)s closed round %(round)s of %(division)s"))
ROUND_REOPENED = audit.action("leagues.round-reopened", _("%(actor)s opened round %(round)s of %(division)s again"))
STAGE_OVER = audit.action("leagues.stage-over", _("%(actor)s ended a stage of %(division)s"))
SIGNED = audit.action("leagues.signed-off", _("%(actor)s signed the final standings off"))
UNSIGNED = audit.action("leagues.sign-off-back", _("%(actor)s took the sign-off of the final standings back: %(why)s"))
SEASON_CLOSED = audit.action("leagues.season-closed", _("%(actor)s closed the season"))

TOLD_CLOSED = notices.kind(
    "leagues.season-closed",
    _("%(season)s is over: you came in place %(place)s of %(division)s."),
    _("A season is over"),
    group=notices.Group.SEASONS,
)


@transaction.atomic
def close_round(*, actor: User, round: Round) -> Round:
    """A round is over when no table of it is open: asked of the tables, never counted. Closed twice, closed once."""
    stage = locks.stage(round.stage)
    require(actor, Permission.ORGANISE, stage)
    return close_if_over(actor, Round.objects.get(pk=round.pk))


def close_if_over(actor: User | None, round_: Round) -> Round:
    """Inside the caller's transaction, with the stage held."""
    if round_.is_closed:
        return round_
    if not round_.is_published:
        raise Refused(gettext("This round is not published yet."))
    if open_tables := _undecided(round_):
        raise Refused(
            gettext("Round %(number)s is not over: tables %(tables)s are open.")
            % {"number": round_.number, "tables": ", ".join(map(str, open_tables))}
        )
    round_.status, round_.closed_at = Round.Status.CLOSED, timezone.now()
    round_.save(update_fields=["status", "closed_at"])
    # Everybody has played the deal now: what it was is no secret any more.
    Match.objects.filter(pairing__round=round_, sealed=True).update(sealed=False)
    standings.snapshot(round=round_)
    season = round_.stage.division.season
    log.note(ROUND_CLOSED, actor=actor, season=season, round=round_.number, division=round_.stage.division.name)
    return round_


def _undecided(round_: Round) -> list[int]:
    """Tables that keep a round open. Nobody can go on from a heat that was struck out: it needs a result, too."""
    tables = Pairing.objects.filter(round=round_)
    keeping = tables.exclude(state=Pairing.State.CONFIRMED) if round_.stage.format == "heats" else tables.open()
    return list(keeping.order_by("number").values_list("number", flat=True))


@transaction.atomic
def reopen_round(*, actor: User, round: Round) -> Round:
    """Let a closed round take results again, as long as nothing has been drawn from it."""
    stage = locks.stage(round.stage)
    require(actor, Permission.ORGANISE, stage)
    round = Round.objects.select_related("stage__division__season__league__club").get(pk=round.pk)
    if not round.is_closed:
        return round
    if stage.status != Stage.Status.RUNNING or Round.objects.filter(stage=stage, number__gt=round.number).exists():
        raise Refused(gettext("Something was drawn from this round: correct its results instead."))
    round.status, round.closed_at = Round.Status.PUBLISHED, None
    round.save(update_fields=["status", "closed_at"])
    log.note(
        ROUND_REOPENED,
        actor=actor,
        season=stage.division.season,
        round=round.number,
        division=stage.division.name,
    )
    return round


def finish_stage(*, actor: User, stage: Stage) -> Stage | None:
    """End a stage and begin the next of its division from its order; the next one, or None when it was the last."""
    try:
        return _finish_stage(actor, stage)
    except FormatError as error:
        # A place left level at the cut: a visible state, for the organiser to solve.
        Stage.objects.filter(pk=stage.pk).update(trouble=told(error.reason))
        raise Refused(words.trouble(error, words.names(stage))) from error


@transaction.atomic
def _finish_stage(actor: User, stage: Stage) -> Stage | None:
    stage = locks.stage(stage)
    require(actor, Permission.ORGANISE, stage)
    after = Stage.objects.filter(division=stage.division, position__gt=stage.position).order_by("position").first()
    if stage.status == Stage.Status.FINISHED:
        return after
    if stage.status != Stage.Status.RUNNING:
        raise Refused(gettext("This stage has not begun."))
    _check_over(actor, stage)
    stage.status, stage.trouble = Stage.Status.FINISHED, None
    if after is not None:
        going = stages.qualified(stage, after)
        entrants = Entrant.objects.in_bulk([who for who, _why in going])
        stages.begin(after, [(entrants[who], why) for who, why in going])
    stage.save(update_fields=["status", "trouble"])
    log.note(
        STAGE_OVER,
        actor=actor,
        season=stage.division.season,
        undo=("finish", {"stage": stage.pk, "next": after.pk if after else None}),
        division=stage.division.name,
    )
    return after


def resume_stage(*, stage: Stage, after: Stage | None) -> None:
    """Take the end of a stage back, inside the caller's transaction, while nothing was played in the next one."""
    stage = locks.stage(stage)
    if stage.status != Stage.Status.FINISHED:
        raise Refused(gettext("This stage runs already."))
    if after is not None:
        after = locks.stage(after)
        if after.rounds.exists() or after.steps.exists():
            raise Refused(gettext("The next stage has begun to be played: this one stays finished."))
        after.starters.all().delete()
        after.requested_byes.all().delete()
        Challenge.objects.filter(stage=after).delete()
        Waiting.objects.filter(stage=after).delete()
        after.status, after.trouble = Stage.Status.PLANNED, None
        after.save(update_fields=["status", "trouble"])
    stage.status = Stage.Status.RUNNING
    stage.save(update_fields=["status"])


def _check_over(actor: User | None, stage: Stage) -> None:
    """Every round is closed, and none is missing that the format or the plan still asks for."""
    rounds = list(Round.objects.filter(stage=stage).select_related("stage__division__season__league__club"))
    for round_ in rounds:
        close_if_over(actor, round_)
    if missing := rounds_missing(stage, len(rounds)):
        raise Refused(missing)


def can_draw(stage: Stage, drawn: int) -> bool:
    """Whether another round can be drawn once every round drawn so far is over."""
    known = catalogue.FORMATS[stage.format]
    if not known.rounds:
        return False
    if not (known.knock_out or known.is_planned):
        return stage.planned is None or drawn < stage.planned
    try:
        known.draw(ranking.situation(stage, drafts=True))
    except FormatError:
        return False
    return True


def rounds_missing(stage: Stage, drawn: int) -> str:
    """Why a stage is not over though every table is closed; nothing if it is."""
    known = catalogue.FORMATS[stage.format]
    if stage.planned is not None and drawn < stage.planned:
        return gettext("%(drawn)s of %(planned)s rounds are drawn.") % {"drawn": drawn, "planned": stage.planned}
    if not known.rounds or (stage.planned is not None and not known.knock_out):
        return ""
    if not (known.knock_out or known.is_planned):
        return "" if drawn else gettext("No round was drawn.")
    try:
        known.draw(ranking.situation(stage, drafts=True))
    except FormatError as error:
        if error.reason.code in ("error.no-more-rounds", "error.bracket-over"):
            return ""
        return words.trouble(error, words.names(stage))
    return gettext("There is another round to draw.")


@dataclass(frozen=True)
class Line:
    """Where somebody ended and where they go; `new` is None for who leaves."""

    entrant: Entrant
    division: Division
    place: int
    row: Row
    new: int | None
    reason: Reason


@dataclass(frozen=True)
class Preview:
    """What closing would write. `missing` says what keeps the season open, in words."""

    lines: tuple[Line, ...]
    missing: tuple[str, ...]

    @property
    def order(self) -> list[signoff.Placed]:
        return [(line.division.pk, line.place, line.entrant.pk, line.row.score) for line in self.lines]


def preview(*, season: Season) -> Preview:
    """The final order of every division and all movements; nothing is written. Closing writes exactly this."""
    divisions = list(Division.objects.filter(season=season).select_related("season__league__club"))
    missing = [words_ for division in divisions for words_ in _open_in(division)]
    rows = {division.pk: final_order(division) for division in divisions}
    entrants = Entrant.objects.named().filter(season=season).in_bulk()
    moves = {move.entrant: move for move in _movements(divisions, rows, entrants)}
    lines = [
        Line(entrants[row.entrant], division, place, row, moves[row.entrant].new, moves[row.entrant].reason)
        for division in divisions
        for place, row in enumerate(rows[division.pk], 1)
    ]
    return Preview(tuple(lines), tuple(missing))


def _open_in(division: Division) -> list[str]:
    running = Stage.objects.filter(division=division).exclude(status=Stage.Status.FINISHED)
    if not running.exists():
        return []
    return [gettext("“%(division)s” is not over.") % {"division": division.name}]


def final_order(division: Division) -> list[Row]:
    """The order of the last stage, and after it those who fell in earlier ones, last stage first."""
    rows: list[Row] = []
    seen: set[int] = set()
    begun = Stage.objects.filter(division=division).exclude(status=Stage.Status.PLANNED).order_by("-position")
    for stage in begun.select_related("division__season__league__club"):
        fresh = [row for row in ranking.ranking(stage) if row.entrant not in seen]
        rows += fresh
        seen |= {row.entrant for row in fresh}
    return rows


def _movements(
    divisions: Sequence[Division], rows: dict[int, list[Row]], entrants: dict[int, Entrant]
) -> tuple[format.Move, ...]:
    finished = [
        format.Finished(
            row.entrant,
            division.level,
            division.number,
            place,
            len(rows[division.pk]),
            row.score,
            row.played,
            up=division.up,
            down=division.down,
        )
        for division in divisions
        for place, row in enumerate(rows[division.pk], 1)
    ]
    if not finished:
        return ()
    leaving = frozenset(each.entrant for each in finished if entrants[each.entrant].is_withdrawn)
    return format.close(finished, leaving=leaving, rooms=_rooms(divisions, rows, leaving)).moves


def _rooms(divisions: Sequence[Division], rows: dict[int, list[Row]], leaving: frozenset[int]) -> list[tuple[int, ...]]:
    """Every level stays as large as it is, the highest first; the lowest takes what is left."""
    sizes: dict[int, int] = defaultdict(int)
    for division in divisions:
        sizes[division.level] += len(rows[division.pk])
    left = sum(sizes.values()) - len(leaving)
    rooms: list[tuple[int, ...]] = []
    for level in range(1, max(sizes) + 1):
        room = min(sizes[level], left)
        rooms.append((room,))
        left -= room
    return rooms


@transaction.atomic
def sign_off(*, actor: User, season: Season) -> SignOff:
    """Every stage is finished, and this is how it ended. Signed twice, it is signed once."""
    season = locks.season(season)
    require(actor, Permission.ORGANISE, season)
    return signoff.of(season) or _sign(actor, season, _final(season))


def _final(season: Season) -> Preview:
    """The end of a season that is over, with everything held that could change it."""
    if not season.is_running:
        raise Refused(gettext("This season has not started."))
    for stage in Stage.objects.filter(division__season=season).order_by("pk"):
        locks.stage(stage)
    seen = preview(season=season)
    if seen.missing:
        raise Refused(" ".join(seen.missing))
    return seen


def _sign(actor: User, season: Season, seen: Preview) -> SignOff:
    signed = signoff.write(season=season, by=actor, order=seen.order)
    log.note(SIGNED, actor=actor, season=season)
    return signed


@transaction.atomic
def take_sign_off_back(*, actor: User, season: Season, why: str) -> None:
    """Results can be corrected again; it stands in the log, with the reason."""
    season = locks.season(season)
    require(actor, Permission.ORGANISE, season)
    if season.is_closed:
        raise Refused(gettext("This season is closed: its results stand."))
    why = " ".join(why.split())[:300]
    if not why:
        raise Refused(gettext("Say why: it stands in the season's log."))
    if SignOff.objects.filter(season=season).delete()[0]:
        log.note(UNSIGNED, actor=actor, season=season, why=why)


@transaction.atomic
def close_season(*, actor: User, season: Season) -> Season:
    """Final: the movements are written once, and closing again changes nothing.

    Nothing is closed that nobody has signed: who closes without signing first does both.
    """
    season = locks.season(season)
    require(actor, Permission.ORGANISE, season)
    if season.is_closed:
        return season
    seen = _final(season)
    signed = signoff.of(season) or _sign(actor, season, seen)
    if signed.seal != signoff.seal(seen.order):
        raise Refused(
            gettext("The standings are not those that were signed off: take the sign-off back and look again.")
        )
    Movement.objects.bulk_create(
        Movement(
            season=season,
            entrant=line.entrant,
            place=line.place,
            old=line.division.level,
            new=line.new,
            reason=told(line.reason),
        )
        for line in seen.lines
    )
    now = timezone.now()
    season.status, season.closed_at = Season.Status.CLOSED, now
    if season.ends_at is None or season.ends_at > now:
        season.ends_at = now
    if season.starts_at is not None and season.starts_at >= season.ends_at:
        # It was played before the day that was planned for its start.
        season.starts_at = _first_drawn(season)
    season.save(update_fields=["status", "closed_at", "starts_at", "ends_at"])
    log.note(SEASON_CLOSED, actor=actor, season=season)
    for line in seen.lines:
        notices.tell(
            people_behind(line.entrant),
            TOLD_CLOSED,
            path=season.get_absolute_url(),
            season=season.full_name,
            place=line.place,
            division=line.division.name,
        )
    return season


def _first_drawn(season: Season) -> datetime:
    drawn: datetime | None = Round.objects.filter(stage__division__season=season).aggregate(first=Min("drawn_at"))[
        "first"
    ]
    return drawn or season.made_at


def people_behind(entrant: Entrant) -> list[User]:
    """The person, or the members of the team."""
    return [entrant.user] if entrant.user else [each.user for each in entrant.members.select_related("user")]
