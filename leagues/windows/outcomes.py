"""What a season's policy does to a table. Everything runs inside the caller's transaction, with the table locked."""

from collections.abc import Iterable, Sequence
from datetime import datetime, timedelta
from typing import Any

from django.db.models import Max
from django.utils.translation import gettext_lazy as _
from django.utils.translation import gettext_noop

from accounts import audit
from accounts.models import User
from accounts.notifications.registry import NotificationGroup, declare_kind
from accounts.notifications.service import notify
from leagues.core import season_effects
from leagues.models import (
    Entrant,
    Extension,
    Pairing,
    PairingSeat,
    Presence,
    Result,
    Season,
    TimeAnswer,
    TimeProposal,
)
from leagues.results import recording, reporting
from leagues.results.recording import LogEntry
from leagues.rounds import tables
from leagues.windows import round_window

DECIDED = audit.declare_action(
    "leagues.deadline-decided",
    _("Table %(table)s of round %(round)s in %(division)s was decided without a game, as the season’s terms say"),
)
STOOD_IN = audit.declare_action(
    "leagues.stood-in",
    _("Bots took the seats of missing players at table %(table)s of round %(round)s in %(division)s"),
)
GAVE_TIME = audit.declare_action(
    "leagues.time-given", _("%(actor)s gave table %(table)s of round %(round)s in %(division)s more time")
)
ASKED = audit.declare_action(
    "leagues.deadline-asked", _("Table %(table)s of round %(round)s in %(division)s waits for an organiser’s decision")
)

DECIDED_KIND = declare_kind(
    "leagues.deadline-decided",
    _("Your table in %(league)s was decided without a game."),
    _("Your table was decided without a game"),
)
STOOD_IN_KIND = declare_kind(
    "leagues.stood-in",
    _("Somebody is missing at your table in %(league)s: a bot keeps the seat, and you can play."),
    _("A bot keeps a seat at your table"),
)
MORE_TIME_KIND = declare_kind(
    "leagues.more-time",
    _("Your table in %(league)s has more time: until %(closes_at)s."),
    _("Your table has more time"),
)
UNPLAYED_KIND = declare_kind(
    "leagues.unplayed",
    _("A table in %(league)s was not played in time: you decide."),
    _("A table was not played in time"),
    group=NotificationGroup.ORGANISING,
    asks=True,
)

# Notes of results are stored in English and translated when shown: never change these texts.
IDLE = gettext_noop("Who lost did nothing about this table before its deadline.")
SILENT = gettext_noop(
    "Who lost did not answer a suggested time before the deadline: that counts in favour of who suggested it."
)
NOBODY = gettext_noop("Nobody did anything about this table before its deadline: everybody loses.")
NO_SHOW = gettext_noop("Who lost was not there at the agreed time.")
OUT_OF_TIME = gettext_noop("It was not played, and no more time was given: nobody scores.")
NOTES = frozenset({IDLE, SILENT, NOBODY, NO_SHOW, OUT_OF_TIME})

A_DAY = timedelta(days=1)


def idle_seats(pairing: Pairing) -> list[PairingSeat]:
    """Seats whose people did nothing about the table since its window was last opened. Bots are always ready."""
    did = _did_something(pairing)
    return [seat for seat in _seats(pairing) if (people := _people(seat)) is not None and not people & did]


def missing_seats(pairing: Pairing, now: datetime) -> list[PairingSeat]:
    """Seats with a person who is not there."""
    there = tables.present_users(pairing, now)
    return [seat for seat in _seats(pairing) if (people := _people(seat)) is not None and not people <= there]


def people_seats(pairing: Pairing) -> list[PairingSeat]:
    return [seat for seat in _seats(pairing) if _people(seat) is not None]


def _seats(pairing: Pairing) -> list[PairingSeat]:
    """Seats that are expected to play: an absent seat was given up before."""
    seats = PairingSeat.objects.filter(pairing=pairing, absent=False).order_by("index")
    return list(seats.select_related("entrant").prefetch_related("entrant__members"))


def _people(seat: PairingSeat) -> set[int] | None:
    """The ids of a seat's people; None if only bots sit there."""
    entrant = seat.entrant
    if entrant.kind == Entrant.Kind.TEAM:
        members = {each.user_id for each in entrant.members.all() if not each.bot_level}
        return members or None
    return None if entrant.bot_level or entrant.user_id is None else {entrant.user_id}


def _did_something(pairing: Pairing) -> set[int]:
    """People who suggested or answered a time, asked for more time, or came. Earlier agreed times do not count."""
    since = _opened_last(pairing)
    proposals = TimeProposal.objects.filter(pairing=pairing, made_at__gte=since)
    suggested = proposals.exclude(status=TimeProposal.Status.WITHDRAWN).values_list("by", flat=True)
    declined = TimeProposal.objects.filter(
        pairing=pairing, status=TimeProposal.Status.DECLINED, ended_at__gte=since
    ).values_list("ended_by", flat=True)
    accepted = TimeAnswer.objects.filter(time__proposal__pairing=pairing, at__gte=since)
    requests = Extension.objects.filter(pairing=pairing, made_at__gte=since, asked_by__isnull=False)
    came = Presence.objects.filter(pairing=pairing, at__gte=since)
    return {
        *suggested,
        *(who for who in declined if who),
        *accepted.values_list("user", flat=True),
        *(who for who in requests.values_list("asked_by", flat=True) if who),
        *came.values_list("user", flat=True),
    }


def _opened_last(pairing: Pairing) -> datetime:
    granted = Extension.objects.filter(pairing=pairing, status=Extension.Status.GRANTED)
    missed = TimeProposal.objects.filter(pairing=pairing, status=TimeProposal.Status.MISSED)
    moments: list[datetime | None] = [
        pairing.round.published_at or pairing.round.drawn_at,
        granted.aggregate(last=Max("decided_at"))["last"],
        missed.aggregate(last=Max("agreed"))["last"],
    ]
    return max(moment for moment in moments if moment)


def forfeit_missing(pairing: Pairing, missing: Sequence[PairingSeat], note: str) -> Result | None:
    """Give these seats up. Returns the result if nobody is left to play against, otherwise None."""
    PairingSeat.objects.filter(pk__in=[seat.pk for seat in missing]).update(absent=True)
    places = recording.forfeits(pairing)
    if places is None:
        return None
    result = recording.record_result(
        pairing=pairing,
        kind=Result.Kind.CONFIRMED,
        source=Result.Source.FORFEIT,
        places=places,
        by=None,
        note=note,
        log=LogEntry(DECIDED, None, undo=lambda decided: ("deadline", _undo_deadline(decided, missing))),
    )
    notify_players(reporting.players(pairing), DECIDED_KIND, pairing)
    return result


def _undo_deadline(result: Result, missing: Sequence[PairingSeat]) -> dict[str, Any]:
    return {"pairing": result.pairing_id, "version": result.version, "absent": [seat.pk for seat in missing]}


def continue_with_bots(pairing: Pairing, missing: Sequence[PairingSeat], now: datetime) -> None:
    """The others play with bots: at once if they are all there, otherwise they get more time."""
    PairingSeat.objects.filter(pk__in=[seat.pk for seat in missing]).update(absent=True)
    if pairing.starts_at is None:
        Presence.objects.filter(pairing=pairing, at__lt=now - tables.EARLY).delete()
    match = tables.open_when_ready(pairing)
    log_for_pairing(STOOD_IN, pairing)
    notify_players(round_window.people_at(pairing), STOOD_IN_KIND, pairing)
    if match is None or (pairing.deadline and pairing.deadline <= now):
        extend_deadline(pairing, now, cause=Extension.Cause.STAND_IN)


def close_window(pairing: Pairing, now: datetime, *, no_more: bool = False) -> None:
    """Players who did nothing lose; the others win or play on. If everybody did something, an organiser is asked.

    With `no_more` an organiser refused more time: then nobody scores who did not play.
    """
    idle = idle_seats(pairing)
    if not idle and not no_more:
        return ask_organiser(pairing, Extension.Cause.UNPLAYED)
    note = _why(pairing, idle)
    if not idle:
        idle, note = people_seats(pairing), OUT_OF_TIME
    if forfeit_missing(pairing, idle, note) is None:
        continue_with_bots(pairing, idle, now)
    return None


def _why(pairing: Pairing, idle: Sequence[PairingSeat]) -> str:
    if len(idle) == len(people_seats(pairing)):
        return NOBODY
    left_open = TimeProposal.objects.filter(
        pairing=pairing,
        status__in=[TimeProposal.Status.OPEN, TimeProposal.Status.LAPSED],
        made_at__gte=_opened_last(pairing),
    )
    return SILENT if left_open.exists() else IDLE


def ask_organiser(pairing: Pairing, cause: str) -> None:
    """From now on the table waits for an organiser only."""
    Extension.objects.create(pairing=pairing, cause=cause)
    log_for_pairing(ASKED, pairing)
    notify_players(reporting.organisers(round_window.season_of(pairing)), UNPLAYED_KIND, pairing)


def extend_deadline(
    pairing: Pairing, now: datetime, *, cause: str, until: datetime | None = None, by: User | None = None
) -> Extension:
    """Set a later deadline. An agreed time in the past is dropped, and players have to come again."""
    until = until or now + automatic_extension(pairing)
    extension = Extension.objects.filter(pairing=pairing, status=Extension.Status.OPEN).first()
    extension = extension or Extension(pairing=pairing, cause=cause, made_at=now)
    extension.status, extension.until = Extension.Status.GRANTED, until
    extension.decided_by, extension.decided_at = by, now
    extension.save()
    pairing.closes_at, pairing.revision = until, pairing.revision + 1
    pairing.save(update_fields=["closes_at", "revision"])
    if pairing.starts_at and pairing.starts_at <= now and pairing.match_id is None:
        forget_time(pairing)
    log_for_pairing(GAVE_TIME, pairing, actor=by)
    if cause != Extension.Cause.STAND_IN:
        other_people = [each for each in round_window.people_at(pairing) if each != by]
        notify_players(other_people, MORE_TIME_KIND, pairing, actor=by)
    return extension


def automatic_extension(pairing: Pairing) -> timedelta:
    """How much time the site adds automatically: a quarter of the window, at least a day."""
    whole = round_window.length(pairing)
    return max(A_DAY, whole / 4) if whole else A_DAY


def forget_time(pairing: Pairing) -> None:
    """Drop an agreed time that has passed, so that another one can be agreed."""
    accepted = TimeProposal.objects.filter(pairing=pairing, status=TimeProposal.Status.ACCEPTED)
    accepted.update(status=TimeProposal.Status.MISSED)
    Presence.objects.filter(pairing=pairing).delete()
    pairing.starts_at, pairing.revision = None, pairing.revision + 1
    pairing.save(update_fields=["starts_at", "revision"])


def was_decided_before(pairing: Pairing) -> bool:
    """Whether an organiser reopened it: then only an organiser decides it."""
    return Result.objects.filter(pairing=pairing).exists()


def policy(pairing: Pairing) -> str:
    """The season's policy, where it can be applied: only an organiser knows who came to a table at the club."""
    if pairing.where == Pairing.Where.CLUB or was_decided_before(pairing):
        return Season.OnUnplayed.ASK
    return round_window.season_of(pairing).on_unplayed


def log_for_pairing(action: str, pairing: Pairing, *, actor: User | None = None) -> None:
    season_effects.log_and_refresh(
        action,
        actor=actor,
        season=round_window.season_of(pairing),
        table=pairing.table,
        round=pairing.round.number,
        division=pairing.round.stage.division.name,
    )


def notify_players(people: Iterable[User], kind: str, pairing: Pairing, *, actor: User | None = None) -> None:
    league = round_window.season_of(pairing).league
    notify(
        people,
        kind,
        path=pairing.get_absolute_url(),
        actor=actor,
        club=league.club,
        league=league.name,
        starts_at=pairing.starts_at,
        closes_at=pairing.deadline,
    )
