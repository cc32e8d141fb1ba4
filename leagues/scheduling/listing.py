"""Nights as pages read them: when on the reader's clock, who comes, what is placed where. Reads only."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import date, datetime, time, timedelta
from zoneinfo import ZoneInfo

from babel.dates import format_date, format_skeleton
from django.db.models import Count, Q, QuerySet
from django.utils import timezone

from accounts.access import Actor
from accounts.models import Club, User
from accounts.moments import locale
from leagues import access
from leagues.access import Permission
from leagues.models import ClubNight, Entrant, Pairing, Placement, Season, Slot
from leagues.scheduling import availability, clock
from leagues.scheduling.availability import Comer

PAST_SHOWN = 30
ON_THE_DOOR = 3
# Further ahead nobody needs to be asked on the front page.
SOON = timedelta(days=60)


@dataclass(frozen=True)
class When:
    """A span of time for one reader; `club` says it on the club's clock where that shows another hour."""

    starts_at: datetime
    day: date
    words: str
    hours: str
    club: str = ""

    @property
    def weekday(self) -> str:
        return format_skeleton("E", datetime.combine(self.day, time()), locale=locale())

    @property
    def month(self) -> str:
        """The month and its year, as a heading."""
        return format_skeleton("yMMMM", datetime.combine(self.day, time()), locale=locale())

    @property
    def short_month(self) -> str:
        return format_skeleton("MMM", datetime.combine(self.day, time()), locale=locale())


def when(starts_at: datetime, ends_at: datetime, club: Club, reader: Actor) -> When:
    """On the reader's clock; somebody who is not logged in has none of their own here, and reads the club's."""
    there = clock.zone_of(club)
    here = reader.zone if isinstance(reader, User) else there
    begins = starts_at.astimezone(here)
    words = format_date(begins, format="full", locale=locale())
    hours = _hours(starts_at, ends_at, here)
    if begins.utcoffset() == starts_at.astimezone(there).utcoffset():
        return When(starts_at, begins.date(), words, hours)
    local = starts_at.astimezone(there).date()
    club_words = _hours(starts_at, ends_at, there)
    if local != begins.date():
        club_words = f"{clock.day_words(local)}, {club_words}"
    return When(starts_at, begins.date(), words, hours, club_words)


def _hours(starts_at: datetime, ends_at: datetime, zone: ZoneInfo) -> str:
    begins, ends = starts_at.astimezone(zone), ends_at.astimezone(zone)
    return f"{clock.hour_words(begins.time())}–{clock.hour_words(ends.time())}"


@dataclass(frozen=True)
class Listed:
    """A night in a list. `comer` is the reader's own word, None for those who are not asked."""

    night: ClubNight
    when: When
    coming: int
    tables: int
    comer: Comer | None = None
    is_open: bool = True

    @property
    def may_answer(self) -> bool:
        return self.comer is not None and self.is_open and not self.night.is_cancelled


def listed(nights: Iterable[ClubNight], reader: Actor, *, asked: bool) -> list[Listed]:
    """As many queries for many nights as for few. `asked`: the reader may say whether they come."""
    nights = list(nights)
    coming = availability.counts(nights)
    seen = ~Q(slots__placements__pairing__round__status="drawn") & Q(slots__placements__isnull=False)
    counted = ClubNight.objects.filter(pk__in=[night.pk for night in nights])
    tables = dict(counted.annotate(count=Count("slots__placements", seen)).values_list("pk", "count"))
    own = availability.answers_of(reader, nights) if asked and isinstance(reader, User) else {}
    now = timezone.now()
    return [
        Listed(
            night,
            when(night.starts_at, night.ends_at, night.club, reader),
            coming[night.pk],
            tables[night.pk],
            own.get(night.pk),
            night.ends_at > now,
        )
        for night in nights
    ]


def coming(club: Club) -> list[ClubNight]:
    """What is still to come, cancelled nights included: whoever looks for one finds that it is."""
    return list(_nights().filter(club=club, ends_at__gt=timezone.now()).order_by("starts_at", "pk"))


def past(club: Club) -> list[ClubNight]:
    return list(_nights().filter(club=club, ends_at__lte=timezone.now()).order_by("-starts_at", "-pk")[:PAST_SHOWN])


def next_nights(club: Club, most: int) -> list[ClubNight]:
    ahead = _nights().filter(club=club, ends_at__gt=timezone.now(), cancelled_at=None)
    return list(ahead.order_by("starts_at", "pk")[:most])


def next_for(person: User) -> list[Listed]:
    """The next night of each club that somebody belongs to, the nearest first."""
    now = timezone.now()
    plays = Q(user=person) | Q(members__user=person)
    entries = Entrant.objects.filter(plays).exclude(season__status=Season.Status.CLOSED)
    mine = Q(club__in=person.memberships.values("club")) | Q(club__in=entries.values("season__league__club"))
    ahead = _nights().filter(mine, club__closed_at=None, cancelled_at=None, ends_at__gt=now, starts_at__lt=now + SOON)
    first: dict[int, ClubNight] = {}
    for night in ahead.order_by("starts_at", "pk"):
        first.setdefault(night.club_id, night)
    return listed(list(first.values())[:ON_THE_DOOR], person, asked=True)


def _nights() -> QuerySet[ClubNight]:
    return ClubNight.objects.select_related("club", "venue", "series")


@dataclass(frozen=True)
class SlotNow:
    """A slot with the tables placed in it, by board, and how many of those who were asked can come then."""

    slot: Slot
    when: When
    placements: Sequence[Placement]
    coming: int

    @property
    def free(self) -> int:
        return self.slot.tables - len(self.placements)


def slots_of(night: ClubNight, reader: Actor, comers: Sequence[Comer]) -> list[SlotNow]:
    """The tables of all leagues, as the reader may know of them."""
    placed: dict[int, list[Placement]] = {}
    found = Placement.objects.filter(slot__night=night).select_related(
        "pairing__round__stage__division__season__league"
    )
    if not access.may(reader, Permission.ORGANISE, night):
        found = found.filter(pairing__in=Pairing.objects.seen())
    found = found.select_related("pairing__round__stage__division__season__league")
    for each in found.prefetch_related("pairing__seats__entrant__user").order_by("board"):
        placed.setdefault(each.slot_id, []).append(each)
    return [
        SlotNow(
            slot,
            when(slot.starts_at, slot.ends_at, night.club, reader),
            placed.get(slot.pk, []),
            sum(each.answer is not None and each.slots[slot.number] == "yes" for each in comers),
        )
        for slot in night.slots.order_by("number")
    ]
