"""Drawing rounds, in one transaction under the lock of the stage, so that two organisers at once draw one round."""

from collections.abc import Callable, Mapping
from datetime import datetime
from typing import TypeVar

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from accounts import audit
from accounts.infra.errors import Refused
from accounts.models import User
from accounts.notifications.registry import declare_kind
from accounts.notifications.service import notify
from games.models import Match
from games.tables import start as tables_start
from leagues.core import format_catalogue, locks, reason_text, season_effects, table_numbers
from leagues.core.access import Permission, require
from leagues.core.text import join_names
from leagues.entries import attendance
from leagues.formats.adapters import DrawInput, DrawResult
from leagues.formats.errors import FormatError
from leagues.formats.reasons import to_json
from leagues.formats.values import Kind
from leagues.models import (
    Bye,
    Entrant,
    EntrantStep,
    Pairing,
    PairingSeat,
    RequestedBye,
    Result,
    Round,
    RoundNight,
    Season,
    Stage,
    Starter,
)
from leagues.results import recording
from leagues.rounds import bracket_tables, stage_start, tables
from leagues.rounds import closing as rounds_closing
from leagues.seasons import renewal
from leagues.standings import ranking
from leagues.windows import round_window

STARTED = audit.declare_action("leagues.started", _("%(actor)s started the season"))
DRAWN = audit.declare_action("leagues.drawn", _("%(actor)s drew round %(round)s of %(division)s"))
DRAWN_ALL = audit.declare_action("leagues.drawn-all", _("%(actor)s drew all %(count)s rounds of %(division)s"))
NOT_DRAWN = audit.declare_action(
    "leagues.not-drawn", _("%(actor)s tried to draw round %(round)s of %(division)s: it was not possible")
)
PUBLISHED = audit.declare_action("leagues.published", _("%(actor)s published round %(round)s of %(division)s"))
REDRAWN = audit.declare_action("leagues.redrawn", _("%(actor)s had round %(round)s of %(division)s drawn again"))
TAKEN_BACK = audit.declare_action("leagues.taken-back", _("%(actor)s took back round %(round)s of %(division)s"))

BACK_KIND = declare_kind(
    "leagues.taken-back",
    _("Round %(round)s of %(season)s was deleted and will be drawn again."),
    _("A round was deleted"),
)

MOST_ROUNDS = 400

T = TypeVar("T")


@transaction.atomic
def start(*, actor: User, season: Season, do_not_wait: bool = False) -> Season:
    """Start a season: entries close and the first stages begin. Starting it again changes nothing.

    While people still have time to answer whether they play again, it starts only with `do_not_wait`.
    """
    season = locks.season(season)
    require(actor, Permission.ORGANISE, season)
    if season.is_running:
        return season
    if season.is_closed:
        raise Refused(gettext("This season is closed."))
    if not do_not_wait and (questions := renewal.unanswered(season)):
        raise renewal.StillAsked(questions)
    renewal.close_call(season=season)
    stage_start.begin_first(season)
    season.status = Season.Status.RUNNING
    season.starts_at = _first_day(season)
    season.save(update_fields=["status", "starts_at"])
    season_effects.log_and_refresh(STARTED, actor=actor, season=season)
    return season


def _first_day(season: Season) -> datetime:
    """The planned first day, or today if the season starts earlier or has none."""
    now = timezone.now()
    if season.starts_at is not None and season.starts_at <= now:
        return season.starts_at
    if season.ends_at is not None and season.ends_at <= now:
        raise Refused(
            gettext("The season would end before it starts: its end is already over. Change the end in the settings.")
        )
    return now


def draw_next_round(*, actor: User, stage: Stage, number: int | None = None) -> Round:
    """Draw the next round. With `number`, a round of that number that exists already is returned instead.

    A bracket runs by itself once its first round is published: then this returns the round that is being played.

    If no draw is possible, the reason is stored on the stage, and nothing else is written.
    """
    return recording_draw_failure(stage, actor, lambda: pair_next(actor, stage, number))


@transaction.atomic
def pair_next(actor: User, stage: Stage, number: int | None) -> Round:
    """As `draw_next_round`, but without a possible draw it raises the FormatError and stores nothing."""
    stage = locks.stage(stage)
    require(actor, Permission.ORGANISE, stage)
    _check_running(stage)
    drawn = list(Round.objects.filter(stage=stage).order_by("number"))
    if number is not None and number <= len(drawn):
        return drawn[number - 1]
    if number is not None and number > len(drawn) + 1:
        raise Refused(gettext("Round %(number)s comes first.") % {"number": len(drawn) + 1})
    if format_catalogue.format_of(stage).has_bracket and drawn and drawn[-1].is_published:
        bracket_tables.advance(stage, actor)
        latest = Round.objects.filter(stage=stage).order_by("-number")[0]
        if latest.number > len(drawn) or (number is None and rounds_closing.undecided(latest)):
            return latest
    if not format_catalogue.FORMATS[stage.format].is_planned:
        _close_what_is_over(actor, drawn)
    if stage.planned is not None and len(drawn) >= stage.planned:
        raise Refused(gettext("All %(count)s rounds are drawn.") % {"count": stage.planned})
    round_ = _next(stage, actor)
    season_effects.log_and_refresh(
        DRAWN,
        actor=actor,
        season=stage.division.season,
        undo=("draw", {"round": round_.pk}),
        round=round_.number,
        division=stage.division.name,
    )
    return round_


@transaction.atomic
def open_bracket(*, actor: User, stage: Stage) -> Round:
    """Draw and publish the first matches of a bracket; from then on it runs by itself. Repeating it changes nothing."""
    require(actor, Permission.ORGANISE, stage)
    if not format_catalogue.format_of(stage).has_bracket:
        raise Refused(gettext("This stage has no bracket."))
    first = Round.objects.filter(stage=stage).order_by("number").first()
    return publish(actor=actor, round=first or draw_next_round(actor=actor, stage=stage, number=1))


def draw_all_rounds(*, actor: User, stage: Stage) -> list[Round]:
    """Draw all rounds of a format that has a plan. Calling it again returns the same rounds."""
    return recording_draw_failure(stage, actor, lambda: _pair_all(actor, stage))


@transaction.atomic
def _pair_all(actor: User, stage: Stage) -> list[Round]:
    stage = locks.stage(stage)
    require(actor, Permission.ORGANISE, stage)
    _check_running(stage)
    if not format_catalogue.FORMATS[stage.format].is_planned:
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
        season_effects.log_and_refresh(
            DRAWN_ALL,
            actor=actor,
            season=stage.division.season,
            undo=("draw-all", {"rounds": [each.pk for each in rounds[before:]]}),
            count=len(rounds),
            division=stage.division.name,
        )
    return rounds


def recording_draw_failure(stage: Stage, actor: User, act: Callable[[], T]) -> T:
    """Run `act`; if no draw is possible, store the reason on the stage in a separate transaction."""
    try:
        return act()
    except FormatError as error:
        with transaction.atomic():
            stage = locks.stage(stage)
            season = stage.division.season
            Stage.objects.filter(pk=stage.pk).update(trouble=to_json(error.reason))
            why = reason_text.render_format_error(error, reason_text.entrant_names(stage))
            number = Round.objects.filter(stage=stage).count() + 1
            season_effects.log_and_refresh(
                NOT_DRAWN, actor=actor, season=season, round=number, division=stage.division.name
            )
        raise Refused(why) from error


def _check_running(stage: Stage) -> None:
    if not stage.division.season.is_running or stage.status != Stage.Status.RUNNING:
        raise Refused(gettext("Rounds are drawn while the season is running and this part of it has begun."))


def _close_what_is_over(actor: User, drawn: list[Round]) -> None:
    """Close the round before if it is over, else refuse."""
    for round_ in drawn:
        if round_.status == Round.Status.DRAWN:
            raise Refused(gettext("Round %(number)s is drawn but not published yet.") % {"number": round_.number})
        rounds_closing.close_if_over(actor, round_)


def _next(stage: Stage, actor: User) -> Round:
    """Draw and write a round without those who are away. In a plan or bracket everybody keeps their seats; those who
    have left are marked as absent."""
    now = _leave_out(stage, ranking.draw_input(stage, drafts=True))
    drawn = format_catalogue.FORMATS[stage.format].draw(now)
    gone = {each.id for each in now.history.entrants if each.absence(now.number) is Kind.WD}
    round_ = Round.objects.create(stage=stage, number=now.number)
    entrants = Entrant.objects.in_bulk(list(drawn.round.entrants()))
    new = _pairings(stage, round_, drawn, entrants)
    table_numbers.number_tables(round_, new)
    written = Pairing.objects.bulk_create(new)
    PairingSeat.objects.bulk_create(
        PairingSeat(
            pairing=pairing,
            round=round_,
            entrant_id=seat.entrant,
            index=seat.number - 1,
            role=seat.role or role,
            absent=seat.entrant in gone,
        )
        for pairing, table in zip(written, drawn.round.tables)
        for seat, role in zip(table.seats, tables.role_names(stage.division.season.league.game, len(table.seats)))
    )
    for pairing, table in zip(written, drawn.round.tables):
        if gone & set(table.entrants):
            recording.record_forfeits(pairing, by=actor)
    Bye.objects.bulk_create(
        Bye(round=round_, entrant_id=bye.entrant, kind=bye.kind.name, reason=bye.reason and to_json(bye.reason))
        for bye in drawn.round.byes
    )
    Stage.objects.filter(pk=stage.pk).update(trouble=None)
    return round_


def _leave_out(stage: Stage, now: DrawInput) -> DrawInput:
    """The input without those who are away. Their byes are kept, so that the same draw can be made again."""
    if not format_catalogue.format_of(stage).requested_byes:
        return now
    listed = attendance.attendance(stage, now.number)
    if listed.night is not None:
        RoundNight.objects.update_or_create(stage=stage, round=now.number, defaults={"night": listed.night})
    by_night = [row for row in listed.away if row.why is not attendance.Why.SAID]
    RequestedBye.objects.bulk_create(
        RequestedBye(stage=stage, entrant=row.entrant, round=now.number, kind=row.bye, from_night=True)
        for row in by_night
    )
    return attendance.without_those_away(now, by_night)


def _pairings(stage: Stage, round_: Round, drawn: DrawResult, entrants: Mapping[int, Entrant]) -> list[Pairing]:
    return [
        Pairing(
            round=round_,
            number=table.number,
            group=drawn.groups.get(table.number),
            slot=drawn.slots.get(table.number, ""),
            where=tables.usual_place(stage.division.season, [entrants[who] for who in table.entrants]),
            reason=table.reason and to_json(table.reason),
            deal=table.deal,
        )
        for table in drawn.round.tables
    ]


@transaction.atomic
def publish(*, actor: User, round: Round, opens_at: datetime | None = None, closes_at: datetime | None = None) -> Round:
    """Publish a round: players are notified and online tables open. Publishing it again changes nothing."""
    stage = locks.stage(round.stage)
    require(actor, Permission.ORGANISE, stage)
    known = Round.objects.select_related("stage__division__season__league__club")
    # A tap may have had it drawn again meanwhile.
    round = known.filter(pk=round.pk).first() or _no_such_round()
    if round.is_published:
        return round
    if Round.objects.filter(stage=stage, number__lt=round.number, status=Round.Status.DRAWN).exists():
        raise Refused(gettext("An earlier round is not published yet."))
    if away := attendance.attendance(stage, round.number).unwanted:
        words = gettext("%(names)s cannot come and would have a seat: draw the round again, or say that they are here.")
        raise Refused(words % {"names": join_names(row.entrant.name for row in away)})
    if closes_at and closes_at <= timezone.now():
        raise Refused(gettext("This deadline has already passed."))
    if opens_at and closes_at and closes_at <= opens_at:
        raise Refused(gettext("A round closes after it opens."))
    round.status, round.published_at = Round.Status.PUBLISHED, timezone.now()
    season = stage.division.season
    round.opens_at, round.closes_at = opens_at or round.opens_at, closes_at or round.closes_at
    if round.closes_at is None:
        round.closes_at = round_window.closes_after(season, round.opens_at or round.published_at)
    round.save()
    tables.publish_tables(round)
    season_effects.log_and_refresh(
        PUBLISHED, actor=actor, season=season, round=round.number, division=stage.division.name
    )
    people, path = people_of(round), season.get_absolute_url()
    notify(people, tables.DRAWN_KIND, path=path, round=round.number, season=season.full_name)
    if format_catalogue.format_of(stage).has_bracket:
        # Two who both have a bye may play at once.
        bracket_tables.advance(stage, actor)
    return round


def people_of(round_: Round) -> list[User]:
    """Everybody who has a seat in the round, including members of teams."""
    seats = PairingSeat.objects.filter(round=round_)
    alone = User.objects.filter(entries__seats__in=seats)
    return list(alone.union(User.objects.filter(teams__entrant__seats__in=seats)))


@transaction.atomic
def delete_round(*, actor: User, round: Round) -> None:
    """Delete the latest round of a stage, if nobody has played in it."""
    stage = locks.stage(round.stage)
    require(actor, Permission.ORGANISE, stage)
    round = Round.objects.select_for_update(of=("self",), no_key=True).filter(pk=round.pk).first() or _no_such_round()
    if Round.objects.filter(stage=stage, number__gt=round.number).exists():
        raise Refused(gettext("A later round was drawn: take that one back first."))
    if round.is_closed or was_played(round):
        raise Refused(gettext("This round has been played: correct its results instead."))
    season, was_published = stage.division.season, round.is_published
    people = people_of(round)
    _call_off_matches(round)
    number = round.number
    _remove(stage, round)
    season_effects.log_and_refresh(TAKEN_BACK, actor=actor, season=season, round=number, division=stage.division.name)
    if was_published:
        notify(people, BACK_KIND, path=season.get_absolute_url(), round=number, season=season.full_name)


def _remove(stage: Stage, round_: Round) -> None:
    number = round_.number
    round_.delete()
    # Entrants who joined or left from the following round on now do so from the deleted one on.
    EntrantStep.objects.filter(stage=stage, round__gt=number).update(round=number)
    RequestedBye.objects.filter(stage=stage, round=number, from_night=True).delete()


@transaction.atomic
def draw_again(*, actor: User, round: Round) -> Round:
    """Draw a round again that is not published yet, with those who are here now. Changes by hand are dropped."""
    stage = locks.stage(round.stage)
    require(actor, Permission.ORGANISE, stage)
    current = Round.objects.filter(pk=round.pk).first() or _no_such_round()
    if not format_catalogue.format_of(stage).requested_byes:
        raise Refused(gettext("In this format every draw would be the same."))
    if current.is_published:
        raise Refused(gettext("Round %(number)s is published: take it back first.") % {"number": current.number})
    try:
        with transaction.atomic():
            return replace_draw(stage=stage, round_=current, actor=actor)
    except FormatError as error:
        raise Refused(reason_text.render_format_error(error, reason_text.entrant_names(stage))) from error


def replace_draw(*, stage: Stage, round_: Round, actor: User) -> Round:
    """Delete an unpublished round and draw it again, under the stage's lock. FormatError where that is impossible."""
    _remove(stage, round_)
    new = _next(stage, actor)
    season_effects.log_and_refresh(
        REDRAWN,
        actor=actor,
        season=stage.division.season,
        undo=("draw", {"round": new.pk}),
        round=new.number,
        division=stage.division.name,
    )
    return new


def _no_such_round() -> Round:
    raise Refused(gettext("This round was taken back already."))


def was_played(round_: Round) -> bool:
    """Whether anything was played or reported in the round; forfeits do not count."""
    reported = Result.objects.filter(pairing__round=round_).exclude(source=Result.Source.FORFEIT)
    return reported.exists() or Match.objects.filter(pairing__round=round_, ply__gt=0).exists()


def _call_off_matches(round_: Round) -> None:
    for match in Match.objects.select_for_update(of=("self",), no_key=True).filter(pairing__round=round_):
        tables_start.abort(match=match)


def explain_pairing(*, what: Pairing | Bye | Starter) -> str:
    """Why this table, bye or place in the stage, in words."""
    stage = what.stage if isinstance(what, Starter) else what.round.stage
    return reason_text.render_reason(what.reason, reason_text.entrant_names(stage))
