"""What the policy of a season does to a table. Everything here runs inside the caller's transaction, the table held."""

from collections.abc import Iterable, Sequence
from datetime import datetime, timedelta

from django.db.models import Max
from django.utils.translation import gettext_lazy as _
from django.utils.translation import gettext_noop

from accounts import audit, notices
from accounts.models import User
from leagues import log, results, scoresheet, tables
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
from leagues.scheduling import windows

DECIDED = audit.action(
    "leagues.deadline-decided",
    _("Table %(table)s of round %(round)s in %(division)s was decided without a game, as the season’s terms say"),
)
STOOD_IN = audit.action(
    "leagues.stood-in",
    _("Bots took the seats of who was missing at table %(table)s of round %(round)s in %(division)s"),
)
GAVE_TIME = audit.action(
    "leagues.time-given", _("%(actor)s gave table %(table)s of round %(round)s in %(division)s more time")
)
ASKED = audit.action(
    "leagues.deadline-asked", _("Table %(table)s of round %(round)s in %(division)s waits for an organiser’s decision")
)

TOLD_DECIDED = notices.kind(
    "leagues.deadline-decided",
    _("Your table in %(league)s was decided without a game."),
    _("Your table was decided without a game"),
)
TOLD_STOOD_IN = notices.kind(
    "leagues.stood-in",
    _("Somebody is missing at your table in %(league)s: a bot keeps the seat, and you can play."),
    _("A bot keeps a seat at your table"),
)
TOLD_MORE_TIME = notices.kind(
    "leagues.more-time",
    _("Your table in %(league)s has more time: until %(closes_at)s."),
    _("Your table has more time"),
)
TOLD_UNPLAYED = notices.kind(
    "leagues.unplayed",
    _("A table in %(league)s was not played in time: you decide."),
    _("A table was not played in time"),
    group=notices.Group.ORGANISING,
    asks=True,
)

# Notes of results are stored as they stand here and translated when they are read.
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
    """Seats whose people have done nothing about the table since its window was last opened; bots are always ready."""
    did = _did_something(pairing)
    return [seat for seat in _seats(pairing) if (people := _people(seat)) is not None and not people & did]


def missing_seats(pairing: Pairing, now: datetime) -> list[PairingSeat]:
    """Seats that somebody of is not there."""
    there = tables.there(pairing, now)
    return [seat for seat in _seats(pairing) if (people := _people(seat)) is not None and not people <= there]


def people_seats(pairing: Pairing) -> list[PairingSeat]:
    return [seat for seat in _seats(pairing) if _people(seat) is not None]


def _seats(pairing: Pairing) -> list[PairingSeat]:
    """Who is expected: an absent seat was given up before."""
    seats = PairingSeat.objects.filter(pairing=pairing, absent=False).order_by("index")
    return list(seats.select_related("entrant").prefetch_related("entrant__members"))


def _people(seat: PairingSeat) -> set[int] | None:
    """The ids of the people of a seat; None where only bots sit."""
    entrant = seat.entrant
    if entrant.kind == Entrant.Kind.TEAM:
        members = {each.user_id for each in entrant.members.all() if not each.bot_level}
        return members or None
    return None if entrant.bot_level or entrant.user_id is None else {entrant.user_id}


def _did_something(pairing: Pairing) -> set[int]:
    """Suggested or answered a time, asked for more time, or came. What was done for a time that is gone is gone."""
    since = _opened_last(pairing)
    made = TimeProposal.objects.filter(pairing=pairing, made_at__gte=since)
    suggested = made.exclude(status=TimeProposal.Status.WITHDRAWN).values_list("by", flat=True)
    declined = TimeProposal.objects.filter(
        pairing=pairing, status=TimeProposal.Status.DECLINED, ended_at__gte=since
    ).values_list("ended_by", flat=True)
    accepted = TimeAnswer.objects.filter(time__proposal__pairing=pairing, at__gte=since)
    asked = Extension.objects.filter(pairing=pairing, made_at__gte=since, asked_by__isnull=False)
    came = Presence.objects.filter(pairing=pairing, at__gte=since)
    return {
        *suggested,
        *(who for who in declined if who),
        *accepted.values_list("user", flat=True),
        *(who for who in asked.values_list("asked_by", flat=True) if who),
        *came.values_list("user", flat=True),
    }


def _opened_last(pairing: Pairing) -> datetime:
    granted = Extension.objects.filter(pairing=pairing, status=Extension.Status.GRANTED)
    missed = TimeProposal.objects.filter(pairing=pairing, status=TimeProposal.Status.MISSED)
    moments = [
        pairing.round.published_at or pairing.round.drawn_at,
        granted.aggregate(last=Max("decided_at"))["last"],
        missed.aggregate(last=Max("agreed"))["last"],
    ]
    return max(moment for moment in moments if moment)


def without(pairing: Pairing, missing: Sequence[PairingSeat], note: str) -> Result | None:
    """These seats are given up. Decided if nobody is left to play against; None if there is."""
    PairingSeat.objects.filter(pk__in=[seat.pk for seat in missing]).update(absent=True)
    places = scoresheet.forfeits(pairing)
    if places is None:
        return None
    result = scoresheet.write(
        pairing=pairing,
        kind=Result.Kind.CONFIRMED,
        source=Result.Source.FORFEIT,
        places=places,
        by=None,
        note=note,
    )
    undo = {"pairing": pairing.pk, "version": result.version, "absent": [seat.pk for seat in missing]}
    noted(DECIDED, pairing, undo=("deadline", undo))
    told(results.players(pairing), TOLD_DECIDED, pairing)
    return result


def play_on(pairing: Pairing, missing: Sequence[PairingSeat], now: datetime) -> None:
    """The others play with stand-ins: at once if they are all there now, otherwise they have more time to come."""
    PairingSeat.objects.filter(pk__in=[seat.pk for seat in missing]).update(absent=True)
    if pairing.starts_at is None:
        Presence.objects.filter(pairing=pairing, at__lt=now - tables.EARLY).delete()
    match = tables.open_when_ready(pairing)
    noted(STOOD_IN, pairing)
    told(windows.people_at(pairing), TOLD_STOOD_IN, pairing)
    if match is None or (pairing.deadline and pairing.deadline <= now):
        give_time(pairing, now, cause=Extension.Cause.STAND_IN)


def close_window(pairing: Pairing, now: datetime, *, no_more: bool = False) -> None:
    """Who did nothing loses; the others win or play on. Where everybody did something, an organiser is asked.

    With `no_more` an organiser was asked and gave no time: then nobody scores who did not play.
    """
    idle = idle_seats(pairing)
    if not idle and not no_more:
        return ask(pairing, Extension.Cause.UNPLAYED)
    note = _why(pairing, idle)
    if not idle:
        idle, note = people_seats(pairing), OUT_OF_TIME
    if without(pairing, idle, note) is None:
        play_on(pairing, idle, now)
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


def ask(pairing: Pairing, cause: str) -> None:
    """From now on the table waits for an organiser, and for nothing else."""
    Extension.objects.create(pairing=pairing, cause=cause)
    noted(ASKED, pairing)
    told(results.organisers(windows.season_of(pairing)), TOLD_UNPLAYED, pairing)


def give_time(
    pairing: Pairing, now: datetime, *, cause: str, until: datetime | None = None, by: User | None = None
) -> Extension:
    """A later deadline; an agreed time that is over is gone, and whoever came to it has to come again."""
    until = until or now + more(pairing)
    extension = Extension.objects.filter(pairing=pairing, status=Extension.Status.OPEN).first()
    extension = extension or Extension(pairing=pairing, cause=cause, made_at=now)
    extension.status, extension.until = Extension.Status.GRANTED, until
    extension.decided_by, extension.decided_at = by, now
    extension.save()
    pairing.closes_at, pairing.revision = until, pairing.revision + 1
    pairing.save(update_fields=["closes_at", "revision"])
    if pairing.starts_at and pairing.starts_at <= now and pairing.match_id is None:
        forget_time(pairing)
    noted(GAVE_TIME, pairing, actor=by)
    if cause != Extension.Cause.STAND_IN:
        others = [each for each in windows.people_at(pairing) if each != by]
        told(others, TOLD_MORE_TIME, pairing, actor=by)
    return extension


def more(pairing: Pairing) -> timedelta:
    """How much the house gives by itself: a quarter of the window, and a day at least."""
    whole = windows.length(pairing)
    return max(A_DAY, whole / 4) if whole else A_DAY


def forget_time(pairing: Pairing) -> None:
    """The agreed time went by: it is free to be agreed anew."""
    accepted = TimeProposal.objects.filter(pairing=pairing, status=TimeProposal.Status.ACCEPTED)
    accepted.update(status=TimeProposal.Status.MISSED)
    Presence.objects.filter(pairing=pairing).delete()
    pairing.starts_at, pairing.revision = None, pairing.revision + 1
    pairing.save(update_fields=["starts_at", "revision"])


def was_decided_before(pairing: Pairing) -> bool:
    """An organiser opened it again: what becomes of it is theirs to say."""
    return Result.objects.filter(pairing=pairing).exists()


def policy(pairing: Pairing) -> str:
    """The season's, where it can be carried out: nobody but the organiser knows who came to a table at the club."""
    if pairing.where == Pairing.Where.CLUB or was_decided_before(pairing):
        return Season.OnUnplayed.ASK
    return windows.season_of(pairing).on_unplayed


def noted(
    action: str, pairing: Pairing, *, actor: User | None = None, undo: tuple[str, dict[str, object]] | None = None
) -> None:
    log.note(
        action,
        actor=actor,
        season=windows.season_of(pairing),
        undo=undo,
        table=pairing.number,
        round=pairing.round.number,
        division=pairing.round.stage.division.name,
    )


def told(people: Iterable[User], kind: str, pairing: Pairing, *, actor: User | None = None) -> None:
    league = windows.season_of(pairing).league
    notices.tell(
        people,
        kind,
        path=pairing.get_absolute_url(),
        actor=actor,
        club=league.club,
        league=league.name,
        starts_at=pairing.starts_at,
        closes_at=pairing.deadline,
    )
