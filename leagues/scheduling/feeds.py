"""Calendar feeds: one a person across everything, at a secret address; one a league and one a club, for everybody."""

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
from accounts.letters import reading_as
from accounts.models import Club, User
from games.models import Match, Seat
from leagues.access import plays_as
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
from leagues.scheduling import entries, ics
from leagues.scheduling.ics import Entry

MADE = audit.action("account.calendar", _("%(actor)s asked for a calendar address"))
RENEWED = audit.action("account.calendar-renewed", _("%(actor)s renewed their calendar address"))

# What is over stays this long, so that a cancelled night is seen to be cancelled.
KEPT = timedelta(days=60)

_signer = Signer(salt="leagues.scheduling.feeds", sep=".")


@transaction.atomic
def renew(*, person: User) -> Feed:
    """Give the person an address, or a new one: from then on the old one answers nobody."""
    require(person, Permission.EDIT_PROFILE, person)
    feed, made = Feed.objects.get_or_create(user=person)
    if not made:
        feed.key, feed.renewed_at = new_feed_key(), timezone.now()
        feed.save(update_fields=["key", "renewed_at"])
    audit.record(MADE if made else RENEWED, actor=person, on=person, person=person)
    return feed


def address_of(person: User) -> str | None:
    """The person's own address, for their eyes only."""
    feed = Feed.objects.filter(user=person).first()
    return settings.SITE_URL + reverse("calendar:own", args=[_signer.sign(feed.key)]) if feed else None


def webcal(address: str) -> str:
    """The same address in the form that opens a calendar program."""
    return "webcal://" + address.partition("://")[2]


def reader_of(token: str) -> User | None:
    """Whose address this is; None for one that was renewed, mistyped or made up."""
    try:
        key = _signer.unsign(token)
    except BadSignature:
        return None
    feed = Feed.objects.select_related("user").filter(key=key, user__is_active=True).first()
    return feed.user if feed else None


def of_person(person: User) -> bytes:
    """All that concerns one person, in their language."""
    since = timezone.now() - KEPT
    with reading_as(person):
        found = [*_own_tables(person, since), *_own_nights(person, since), *_own_turns(person)]
        return ics.written(name=f"Gauntlet: {person.name}", zone=person.zone, entries=found)


def of_league(league: League) -> bytes:
    """Published tables with a time, and deadlines."""
    since, zone = timezone.now() - KEPT, entries.zone_of(league.club.time_zone)
    with timezone.override(zone):
        timed = _tables().filter(starts_at__gte=since, round__stage__division__season__league=league)
        tables = [entries.table(pairing, forfeited=pairing.forfeited) for pairing in timed]
        rounds = _open_rounds(since).filter(stage__division__season__league=league)
        found = [*tables, *map(entries.round_deadline, rounds)]
        return ics.written(name=league.name, zone=zone, entries=[entry for entry in found if entry])


def of_club(club: Club) -> bytes:
    """Its nights, and the deadlines of its leagues."""
    since, zone = timezone.now() - KEPT, entries.zone_of(club.time_zone)
    with timezone.override(zone):
        rounds = _open_rounds(since).filter(stage__division__season__league__club=club)
        found = [*map(entries.night, _nights(since).filter(club=club)), *map(entries.round_deadline, rounds)]
        return ics.written(name=club.name, zone=zone, entries=[entry for entry in found if entry])


def _own_tables(person: User, since: datetime) -> list[Entry]:
    mine = PairingSeat.objects.filter(Q(entrant__user=person) | Q(entrant__members__user=person), absent=False)
    timed = Q(starts_at__gte=since) | Q(closes_at__gte=since) | Q(closes_at=None, round__closes_at__gte=since)
    found: list[Entry | None] = []
    for pairing in _tables().filter(timed, pk__in=mine.values("pairing")):
        own = next(seat.entrant for seat in pairing.seats.all() if plays_as(person, seat.entrant))
        found.append(entries.table(pairing, own=own, forfeited=pairing.forfeited))
        found.append(entries.deadline(pairing, own=own))
    return [entry for entry in found if entry is not None]


def _own_nights(person: User, since: datetime) -> list[Entry]:
    """Nights of the person's clubs, without those they do not come to: what they said of a night outweighs habit."""
    said = {row.night_id: row for row in Availability.objects.filter(user=person, night__ends_at__gte=since)}
    habits = {(row.club_id, row.weekday): row.answer for row in Habit.objects.filter(user=person)}
    found = []
    for night in _nights(since).filter(club__memberships__user=person):
        row = said.get(night.pk)
        answer = row.answer if row else habits.get((night.club_id, night.day.weekday()))
        # Who cannot come to some of the slots comes to the others.
        if answer == Answer.NO and not (row and row.slots):
            continue
        found.append(entries.night(night, comes=answer is not None))
    return found


def _own_turns(person: User) -> list[Entry]:
    waited_for = Seat.objects.filter(match=OuterRef("pk"), user=person, index=OuterRef("to_act"), left="")
    matches = Match.objects.filter(Exists(waited_for), status=Match.Status.PLAYING, clock=Match.Clock.DAYS)
    return [entry for entry in map(entries.turn, matches) if entry is not None]


def _tables() -> QuerySet[Any]:
    """Tables of published rounds with all that an entry says of them, in a fixed number of queries."""
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
