"""Drawing rounds: one transaction and one lock a stage, so that two who press together draw one round."""

from collections.abc import Callable, Mapping
from datetime import datetime
from typing import TypeVar

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from accounts import audit, notices
from accounts.errors import Refused
from accounts.models import User
from games import tables as live_tables
from games.models import Match
from leagues import catalogue, close, locks, log, ranking, returning, scoresheet, stages, tables, words
from leagues.access import Permission, require
from leagues.formats.errors import FormatError
from leagues.formats.reasons import told
from leagues.formats.values import Kind
from leagues.models import Bye, Entrant, EntrantStep, Pairing, PairingSeat, Result, Round, Season, Stage, Starter
from leagues.rounds import Drawn
from leagues.scheduling import windows

STARTED = audit.action("leagues.started", _("%(actor)s started the season"))
DRAWN = audit.action("leagues.drawn", _("%(actor)s drew round %(round)s of %(division)s"))
DRAWN_ALL = audit.action("leagues.drawn-all", _("%(actor)s drew all %(count)s rounds of %(division)s"))
NOT_DRAWN = audit.action(
    "leagues.not-drawn", _("%(actor)s tried to draw round %(round)s of %(division)s: it was not possible")
)
PUBLISHED = audit.action("leagues.published", _("%(actor)s published round %(round)s of %(division)s"))
TAKEN_BACK = audit.action("leagues.taken-back", _("%(actor)s took back round %(round)s of %(division)s"))

TOLD_DRAWN = notices.kind(
    "leagues.drawn", _("Round %(round)s of %(season)s is drawn: see whom you play."), _("A round is published")
)
TOLD_BACK = notices.kind(
    "leagues.taken-back",
    _("Round %(round)s of %(season)s was taken back and will be drawn anew."),
    _("A round was taken back"),
)

MOST_ROUNDS = 400

T = TypeVar("T")


@transaction.atomic
def start(*, actor: User, season: Season, do_not_wait: bool = False) -> Season:
    """Entries close and the first stages begin. Started twice, it is started once.

    While people still have time to say whether they play again, it starts only with `do_not_wait`.
    """
    season = locks.season(season)
    require(actor, Permission.ORGANISE, season)
    if season.is_running:
        return season
    if season.is_closed:
        raise Refused(gettext("This season is closed."))
    if not do_not_wait and (questions := returning.unanswered(season)):
        raise returning.StillAsked(questions)
    returning.settle(season=season)
    stages.begin_first(season)
    season.status = Season.Status.RUNNING
    season.starts_at = _first_day(season)
    season.save(update_fields=["status", "starts_at"])
    log.note(STARTED, actor=actor, season=season)
    return season


def _first_day(season: Season) -> datetime:
    """The day that was planned, or today where the season starts earlier or without a plan."""
    now = timezone.now()
    if season.starts_at is not None and season.starts_at <= now:
        return season.starts_at
    if season.ends_at is not None and season.ends_at <= now:
        raise Refused(
            gettext("The season would end before it starts: its end is already over. Change the end in the settings.")
        )
    return now


def pair(*, actor: User, stage: Stage, number: int | None = None) -> Round:
    """Draw the next round. With `number`, the round of that number: drawn before, it is the one that exists.

    A draw that cannot be leaves its reason on the stage, and nothing else.
    """
    return _told(stage, actor, lambda: _pair(actor, stage, number))


@transaction.atomic
def _pair(actor: User, stage: Stage, number: int | None) -> Round:
    stage = locks.stage(stage)
    require(actor, Permission.ORGANISE, stage)
    _check_running(stage)
    drawn = list(Round.objects.filter(stage=stage).order_by("number"))
    if number is not None and number <= len(drawn):
        return drawn[number - 1]
    if number is not None and number > len(drawn) + 1:
        raise Refused(gettext("Round %(number)s comes first.") % {"number": len(drawn) + 1})
    if not catalogue.FORMATS[stage.format].is_planned:
        _close_what_is_over(actor, drawn)
    if stage.planned is not None and len(drawn) >= stage.planned:
        raise Refused(gettext("All %(count)s rounds are drawn.") % {"count": stage.planned})
    round_ = _next(stage, actor)
    log.note(
        DRAWN,
        actor=actor,
        season=stage.division.season,
        undo=("draw", {"round": round_.pk}),
        round=round_.number,
        division=stage.division.name,
    )
    return round_


def pair_all(*, actor: User, stage: Stage) -> list[Round]:
    """All rounds of a format that has a plan, at once. Called again it gives the same rounds."""
    return _told(stage, actor, lambda: _pair_all(actor, stage))


@transaction.atomic
def _pair_all(actor: User, stage: Stage) -> list[Round]:
    stage = locks.stage(stage)
    require(actor, Permission.ORGANISE, stage)
    _check_running(stage)
    if not catalogue.FORMATS[stage.format].is_planned:
        raise Refused(gettext("In this format each round depends on the results of the one before."))
    rounds = list(Round.objects.filter(stage=stage).order_by("number"))
    before = len(rounds)
    while len(rounds) < (stage.planned or MOST_ROUNDS):
        try:
            rounds.append(_next(stage, actor))
        except FormatError as error:
            if error.reason.code != "error.no-more-rounds":
                raise
            break
    if len(rounds) > before:
        log.note(
            DRAWN_ALL,
            actor=actor,
            season=stage.division.season,
            undo=("draw-all", {"rounds": [each.pk for each in rounds[before:]]}),
            count=len(rounds),
            division=stage.division.name,
        )
    return rounds


def _told(stage: Stage, actor: User, act: Callable[[], T]) -> T:
    """Do it; where no draw is possible, say why on the stage in a transaction of its own. Nothing tries again."""
    try:
        return act()
    except FormatError as error:
        with transaction.atomic():
            stage = locks.stage(stage)
            season = stage.division.season
            Stage.objects.filter(pk=stage.pk).update(trouble=told(error.reason))
            why = words.trouble(error, words.names(stage))
            number = Round.objects.filter(stage=stage).count() + 1
            log.note(NOT_DRAWN, actor=actor, season=season, round=number, division=stage.division.name)
        raise Refused(why) from error


def _check_running(stage: Stage) -> None:
    if not stage.division.season.is_running or stage.status != Stage.Status.RUNNING:
        raise Refused(gettext("Rounds are drawn while the season is running and this part of it has begun."))


def _close_what_is_over(actor: User, drawn: list[Round]) -> None:
    """The round before has to be over; closing it is part of the same press."""
    for round_ in drawn:
        if round_.status == Round.Status.DRAWN:
            raise Refused(gettext("Round %(number)s is drawn but not published yet.") % {"number": round_.number})
        close.close_if_over(actor, round_)


def _next(stage: Stage, actor: User) -> Round:
    """Draw and write: who has left keeps the seat of a plan or bracket, as absent."""
    now = ranking.situation(stage, drafts=True)
    drawn = catalogue.FORMATS[stage.format].draw(now)
    gone = {each.id for each in now.history.entrants if each.absence(now.number) is Kind.WD}
    round_ = Round.objects.create(stage=stage, number=now.number)
    entrants = Entrant.objects.in_bulk(list(drawn.round.entrants()))
    laid = Pairing.objects.bulk_create(_pairings(stage, round_, drawn, entrants))
    PairingSeat.objects.bulk_create(
        PairingSeat(
            pairing=pairing,
            round=round_,
            entrant_id=seat.entrant,
            index=seat.number - 1,
            role=seat.role or role,
            absent=seat.entrant in gone,
        )
        for pairing, table in zip(laid, drawn.round.tables)
        for seat, role in zip(table.seats, tables.role_names(stage.division.season.league.game, len(table.seats)))
    )
    for pairing, table in zip(laid, drawn.round.tables):
        if gone & set(table.entrants):
            scoresheet.settle_forfeits(pairing, by=actor)
    Bye.objects.bulk_create(
        Bye(round=round_, entrant_id=bye.entrant, kind=bye.kind.name, reason=bye.reason and told(bye.reason))
        for bye in drawn.round.byes
    )
    Stage.objects.filter(pk=stage.pk).update(trouble=None)
    return round_


def _pairings(stage: Stage, round_: Round, drawn: Drawn, entrants: Mapping[int, Entrant]) -> list[Pairing]:
    return [
        Pairing(
            round=round_,
            number=table.number,
            group=drawn.groups.get(table.number),
            slot=drawn.slots.get(table.number, ""),
            where=tables.usual_place(stage.division.season, [entrants[who] for who in table.entrants]),
            reason=table.reason and told(table.reason),
            deal=table.deal,
        )
        for table in drawn.round.tables
    ]


@transaction.atomic
def publish(*, actor: User, round: Round, opens_at: datetime | None = None, closes_at: datetime | None = None) -> Round:
    """Let players know: they are told, and online tables open. Published twice, it is published once."""
    stage = locks.stage(round.stage)
    require(actor, Permission.ORGANISE, stage)
    round = Round.objects.select_related("stage__division__season__league__club").get(pk=round.pk)
    if round.is_published:
        return round
    if Round.objects.filter(stage=stage, number__lt=round.number, status=Round.Status.DRAWN).exists():
        raise Refused(gettext("An earlier round is not published yet."))
    if closes_at and closes_at <= timezone.now():
        raise Refused(gettext("This deadline is already over."))
    if opens_at and closes_at and closes_at <= opens_at:
        raise Refused(gettext("A round closes after it opens."))
    round.status, round.published_at = Round.Status.PUBLISHED, timezone.now()
    season = stage.division.season
    round.opens_at, round.closes_at = opens_at or round.opens_at, closes_at or round.closes_at
    if round.closes_at is None:
        round.closes_at = windows.closes_after(season, round.opens_at or round.published_at)
    round.save()
    tables.publish_tables(round)
    log.note(PUBLISHED, actor=actor, season=season, round=round.number, division=stage.division.name)
    notices.tell(
        people_of(round), TOLD_DRAWN, path=season.get_absolute_url(), round=round.number, season=season.full_name
    )
    return round


def people_of(round_: Round) -> list[User]:
    """Everybody who has a seat in the round, members of teams included."""
    seats = PairingSeat.objects.filter(round=round_)
    alone = User.objects.filter(entries__seats__in=seats)
    return list(alone.union(User.objects.filter(teams__entrant__seats__in=seats)))


@transaction.atomic
def take_back(*, actor: User, round: Round) -> None:
    """Undo a round that nobody has played; only the latest of its stage, so that nothing was drawn from it."""
    stage = locks.stage(round.stage)
    require(actor, Permission.ORGANISE, stage)
    round = Round.objects.select_for_update(of=("self",), no_key=True).filter(pk=round.pk).first() or _no_such_round()
    if Round.objects.filter(stage=stage, number__gt=round.number).exists():
        raise Refused(gettext("A later round was drawn: take that one back first."))
    if round.is_closed or was_played(round):
        raise Refused(gettext("This round has been played: correct its results instead."))
    season, told_players = stage.division.season, round.is_published
    people = people_of(round)
    _call_off_matches(round)
    number = round.number
    round.delete()
    # Who came or went from the round after it did so from the round that is the next one now.
    EntrantStep.objects.filter(stage=stage, round__gt=number).update(round=number)
    log.note(TAKEN_BACK, actor=actor, season=season, round=number, division=stage.division.name)
    if told_players:
        notices.tell(people, TOLD_BACK, path=season.get_absolute_url(), round=number, season=season.full_name)


def _no_such_round() -> Round:
    raise Refused(gettext("This round was taken back already."))


def was_played(round_: Round) -> bool:
    """Whether anybody has done anything at a table of it; what nobody had to play does not count."""
    reported = Result.objects.filter(pairing__round=round_).exclude(source=Result.Source.FORFEIT)
    return reported.exists() or Match.objects.filter(pairing__round=round_, ply__gt=0).exists()


def _call_off_matches(round_: Round) -> None:
    for match in Match.objects.select_for_update(of=("self",), no_key=True).filter(pairing__round=round_):
        live_tables.abort(match=match)


def explain(*, what: Pairing | Bye | Starter) -> str:
    """Why this table, bye or place in the stage, in words."""
    stage = what.stage if isinstance(what, Starter) else what.round.stage
    return words.said(what.reason, words.names(stage))
