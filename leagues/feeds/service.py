"""Calendar feeds: a private one per person at a secret address, and public ones per league and club."""

from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from django.conf import settings
from django.core.signing import BadSignature, Signer
from django.db import transaction
from django.db.models import Exists, OuterRef, Prefetch, Q, QuerySet
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from accounts import audit
from accounts.access import Permission, require
from accounts.infra.datetimes import format_datetime
from accounts.models import Club, User
from accounts.notifications.email import as_reader
from games.models import Match, Seat
from leagues.core.access import plays_as
from leagues.feeds import events, ics
from leagues.feeds.ics import Entry
from leagues.models import (
    Answer,
    Availability,
    ClubNight,
    Feed,
    Habit,
    League,
    Pairing,
    PairingSeat,
    Result,
    Round,
)
from leagues.models.feed import new_feed_key

ASKED = audit.declare_action("account.calendar", _("%(actor)s asked for a calendar address"))
RENEWED = audit.declare_action("account.calendar-renewed", _("%(actor)s renewed their calendar address"))

# Past entries stay this long, so that people see that a night was cancelled.
KEEP_PAST = timedelta(days=60)

_signer = Signer(salt="leagues.scheduling.feeds", sep=".")


@transaction.atomic
def renew(*, person: User) -> Feed:
    """Give the person an address, or a new one; the old one stops working."""
    require(person, Permission.EDIT_PROFILE, person)
    feed, is_new = Feed.objects.get_or_create(user=person)
    if not is_new:
        feed.key, feed.renewed_at = new_feed_key(), timezone.now()
        feed.save(update_fields=["key", "renewed_at"])
    audit.record(ASKED if is_new else RENEWED, actor=person, on=person, person=person)
    return feed


def address_of(person: User) -> str | None:
    """The person's own feed address. Show it to nobody else."""
    feed = Feed.objects.filter(user=person).first()
    return settings.SITE_URL + reverse("calendar:own", args=[_signer.sign(feed.key)]) if feed else None


def webcal_address(address: str) -> str:
    """The same address in the form that opens a calendar program."""
    return "webcal://" + address.partition("://")[2]


def reader_of(token: str) -> User | None:
    """The person with this address; None if it was renewed, mistyped or invented."""
    try:
        key = _signer.unsign(token)
    except BadSignature:
        return None
    feed = Feed.objects.select_related("user").filter(key=key, user__is_active=True).first()
    return feed.user if feed else None


def person_feed(person: User) -> bytes:
    """Everything that concerns one person, in their language."""
    since = timezone.now() - KEEP_PAST
    with as_reader(person):
        entries = [*_own_tables(person, since), *_own_nights(person, since), *_own_turns(person)]
        return ics.render_calendar(name=f"Gauntlet: {person.name}", zone=person.zone, entries=entries)


@dataclass(frozen=True)
class NextDate:
    """A date of a person's own, in words."""

    title: str
    when: str
    place: str


def next_dates(person: User, most: int) -> list[NextDate]:
    """What comes next for one person, the earliest first: as in their calendar, in the active language."""
    now = timezone.now()
    entries = [*_own_tables(person, now), *_own_nights(person, now), *_own_turns(person)]
    coming = sorted((entry for entry in entries if entry.ends_at > now and not entry.cancelled), key=_moment)
    return [NextDate(entry.title, format_datetime(_moment(entry)), entry.place) for entry in coming[:most]]


def _moment(entry: Entry) -> datetime:
    """A deadline counts when it ends, everything else when it begins."""
    return entry.starts_at if entry.busy else entry.ends_at


def league_feed(league: League) -> bytes:
    """Published tables with a time, and deadlines."""
    since, zone = timezone.now() - KEEP_PAST, events.zone_of(league.club.time_zone)
    with timezone.override(zone):
        timed = _tables().filter(starts_at__gte=since, round__stage__division__season__league=league)
        if not league.club.is_private:
            # The address is the same for everybody: what is for members is in their own calendars.
            timed = timed.exclude(placement__slot__night__is_private=True)
        tables = [events.table_entry(pairing, forfeited=pairing.forfeited) for pairing in timed]
        rounds = _open_rounds(since).filter(stage__division__season__league=league)
        entries = [*tables, *map(events.round_deadline_entry, rounds)]
        return ics.render_calendar(name=league.name, zone=zone, entries=[entry for entry in entries if entry])


def club_feed(club: Club) -> bytes:
    """Its nights, and the deadlines of its leagues."""
    since, zone = timezone.now() - KEEP_PAST, events.zone_of(club.time_zone)
    with timezone.override(zone):
        rounds = _open_rounds(since).filter(
            stage__division__season__league__club=club, stage__division__season__league__is_private=False
        )
        nights = _nights(since).filter(club=club)
        if not club.is_private:
            # As in a league's.
            nights = nights.filter(is_private=False)
        entries = [
            *(events.night_entry(night) for night in nights),
            *map(events.round_deadline_entry, rounds),
        ]
        return ics.render_calendar(name=club.name, zone=zone, entries=[entry for entry in entries if entry])


def _own_tables(person: User, since: datetime) -> list[Entry]:
    own_seats = PairingSeat.objects.filter(Q(entrant__user=person) | Q(entrant__members__user=person), absent=False)
    timed = Q(starts_at__gte=since) | Q(closes_at__gte=since) | Q(closes_at=None, round__closes_at__gte=since)
    entries: list[Entry | None] = []
    for pairing in _tables().filter(timed, pk__in=own_seats.values("pairing")):
        own = next(seat.entrant for seat in pairing.seats.all() if plays_as(person, seat.entrant))
        entries.append(events.table_entry(pairing, own=own, forfeited=pairing.forfeited))
        entries.append(events.deadline_entry(pairing, own=own))
    return [entry for entry in entries if entry is not None]


def _own_nights(person: User, since: datetime) -> list[Entry]:
    """Nights of the person's clubs, without those they cannot come to. An answer outweighs the habit."""
    answers = {row.night_id: row for row in Availability.objects.filter(user=person, night__ends_at__gte=since)}
    habits = {(row.club_id, row.weekday): row.answer for row in Habit.objects.filter(user=person)}
    entries = []
    for night in _nights(since).filter(club__memberships__user=person):
        row = answers.get(night.pk)
        answer = row.answer if row else habits.get((night.club_id, night.day.weekday()))
        # Somebody who cannot come to some slots comes to the others.
        if answer == Answer.NO and not (row and row.slots):
            continue
        entries.append(events.night_entry(night, comes=answer is not None, remarks=True))
    return entries


def _own_turns(person: User) -> list[Entry]:
    waited_for = Seat.objects.filter(match=OuterRef("pk"), user=person, index=OuterRef("to_act"), left="")
    matches = Match.objects.filter(Exists(waited_for), status=Match.Status.PLAYING, clock=Match.Clock.DAYS)
    return [entry for entry in map(events.turn_entry, matches) if entry is not None]


def _tables() -> QuerySet[Any]:
    """Tables of published rounds with everything an entry needs, in a fixed number of queries."""
    seats = PairingSeat.objects.select_related("entrant__user").order_by("index")
    unplayed = Result.objects.filter(pairing=OuterRef("pk"), in_force=True, source=Result.Source.FORFEIT)
    return (
        Pairing.objects.seen()
        .annotate(forfeited=Exists(unplayed))
        .select_related("round__stage__division__season__league__club", "placement__slot__night__venue")
        .prefetch_related(Prefetch("seats", seats), "seats__entrant__members")
    )


def _open_rounds(since: datetime) -> QuerySet[Round]:
    rounds = Round.objects.filter(status=Round.Status.PUBLISHED, closes_at__gte=since)
    return rounds.select_related("stage__division__season__league")


def _nights(since: datetime) -> QuerySet[ClubNight]:
    nights = ClubNight.objects.filter(ends_at__gte=since, club__closed_at=None)
    return nights.select_related("club", "venue").prefetch_related("slots")
