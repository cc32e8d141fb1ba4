"""Club nights for pages: when on the reader's clock, who comes, which tables are placed. Reads only."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import date, datetime, time, timedelta
from zoneinfo import ZoneInfo

from babel.dates import format_date, format_skeleton
from django.db.models import Count, Q
from django.utils import timezone

from accounts.access import Actor
from accounts.infra.datetimes import locale
from accounts.models import Club, User
from leagues.calendar import availability, club_clock
from leagues.calendar.availability import Attendee
from leagues.core import access
from leagues.core.access import Permission
from leagues.models import ClubNight, Entrant, League, Pairing, Placement, Season, Slot
from leagues.models.calendar import PlannedQuerySet

MAX_PAST_NIGHTS = 30
MAX_ON_HOME_PAGE = 3
# Nights further ahead are not shown on the home page.
MAX_DAYS_AHEAD = timedelta(days=60)


@dataclass(frozen=True)
class When:
    """A span of time for one reader. `club` is the time on the club's clock, where that differs."""

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
    """The span on the reader's clock; on the club's for a reader who is not logged in."""
    there = club_clock.zone_of(club)
    here = reader.zone if isinstance(reader, User) else there
    begins = starts_at.astimezone(here)
    words = format_date(begins, format="full", locale=locale())
    hours = _hours(starts_at, ends_at, here)
    if begins.utcoffset() == starts_at.astimezone(there).utcoffset():
        return When(starts_at, begins.date(), words, hours)
    local = starts_at.astimezone(there).date()
    club_words = _hours(starts_at, ends_at, there)
    if local != begins.date():
        club_words = f"{club_clock.format_day(local)}, {club_words}"
    return When(starts_at, begins.date(), words, hours, club_words)


def _hours(starts_at: datetime, ends_at: datetime, zone: ZoneInfo) -> str:
    begins, ends = starts_at.astimezone(zone), ends_at.astimezone(zone)
    return f"{club_clock.format_hour(begins.time())}–{club_clock.format_hour(ends.time())}"


@dataclass(frozen=True)
class NightRow:
    """A night in a list. `attendee` has the reader's own answer; None if the reader cannot answer."""

    night: ClubNight
    when: When
    coming: int
    tables: int
    attendee: Attendee | None = None
    is_open: bool = True

    @property
    def may_answer(self) -> bool:
        return self.attendee is not None and self.is_open and not self.night.is_cancelled


def night_rows(nights: Iterable[ClubNight], reader: Actor, *, asked: bool) -> list[NightRow]:
    """Rows for nights, with a fixed number of queries. `asked`: the reader may answer whether they come."""
    nights = list(nights)
    coming = availability.count_coming(nights)
    seen = ~Q(slots__placements__pairing__round__status="drawn") & Q(slots__placements__isnull=False)
    counted = ClubNight.objects.filter(pk__in=[night.pk for night in nights])
    tables = dict(counted.annotate(count=Count("slots__placements", seen)).values_list("pk", "count"))
    own = availability.answers_of(reader, nights) if asked and isinstance(reader, User) else {}
    now = timezone.now()
    return [
        NightRow(
            night,
            when(night.starts_at, night.ends_at, night.club, reader),
            coming[night.pk],
            tables[night.pk],
            own.get(night.pk),
            night.ends_at > now,
        )
        for night in nights
    ]


def coming_nights(club: Club, reader: Actor) -> list[ClubNight]:
    """Coming nights, including cancelled ones, so that people see that they are cancelled."""
    ahead = _nights().seen_by(reader).filter(club=club, ends_at__gt=timezone.now())
    return list(ahead.order_by("starts_at", "pk"))


def past_nights(club: Club, reader: Actor) -> list[ClubNight]:
    over = _nights().seen_by(reader).filter(club=club, ends_at__lte=timezone.now())
    return list(over.order_by("-starts_at", "-pk")[:MAX_PAST_NIGHTS])


def next_nights(club: Club, reader: Actor, limit: int) -> list[ClubNight]:
    ahead = _nights().seen_by(reader).filter(club=club, ends_at__gt=timezone.now(), cancelled_at=None)
    return list(ahead.order_by("starts_at", "pk")[:limit])


def next_for(person: User) -> list[NightRow]:
    """The next night of each club the person belongs to, the nearest first."""
    now = timezone.now()
    plays = Q(user=person) | Q(members__user=person)
    entries = Entrant.objects.filter(plays).exclude(season__status=Season.Status.CLOSED)
    mine = Q(club__in=person.memberships.values("club")) | Q(club__in=entries.values("season__league__club"))
    ahead = _nights().filter(
        mine, club__closed_at=None, cancelled_at=None, ends_at__gt=now, starts_at__lt=now + MAX_DAYS_AHEAD
    )
    first: dict[int, ClubNight] = {}
    for night in ahead.order_by("starts_at", "pk"):
        first.setdefault(night.club_id, night)
    return night_rows(list(first.values())[:MAX_ON_HOME_PAGE], person, asked=True)


def hide_private_places(pairings: Iterable[Pairing], reader: Actor, sees: dict[int, bool] | None = None) -> None:
    """Take time and place of tables at a private night off these rows, for readers who may not see the night.

    The rows are for showing: they must not be saved. Fetch them with `placement__slot__night__club`. `sees` remembers
    for which clubs the reader may see such nights, where rows come one by one.
    """
    sees = {} if sees is None else sees
    for pairing in pairings:
        placement: Placement | None = getattr(pairing, "placement", None)
        if placement is None or not placement.slot.night.is_private:
            continue
        night = placement.slot.night
        if night.club_id not in sees:
            sees[night.club_id] = access.may(reader, Permission.SEE, night)
        if not sees[night.club_id]:
            pairing.starts_at = None
            # As if it had none.
            pairing._state.fields_cache["placement"] = None


def _nights() -> PlannedQuerySet:
    return ClubNight.objects.select_related("club", "venue", "series")


@dataclass(frozen=True)
class SlotNow:
    """A slot with the tables placed in it, by board, and how many people answered that they can come."""

    slot: Slot
    when: When
    placements: Sequence[Placement]
    coming: int

    @property
    def free(self) -> int:
        return self.slot.tables - len(self.placements)


def slots_of(night: ClubNight, reader: Actor, attendees: Sequence[Attendee]) -> list[SlotNow]:
    """The slots of a night with the tables of all leagues that the reader may see."""
    placed: dict[int, list[Placement]] = {}
    placements = Placement.objects.filter(slot__night=night).select_related(
        "pairing__round__stage__division__season__league"
    )
    if not access.may(reader, Permission.ORGANISE, night):
        leagues = League.objects.seen_by(reader)
        placements = placements.filter(
            pairing__in=Pairing.objects.seen(), pairing__round__stage__division__season__league__in=leagues
        )
    placements = placements.select_related("pairing__round__stage__division__season__league")
    for each in placements.prefetch_related("pairing__seats__entrant__user").order_by("board"):
        placed.setdefault(each.slot_id, []).append(each)
    return [
        SlotNow(
            slot,
            when(slot.starts_at, slot.ends_at, night.club, reader),
            placed.get(slot.pk, []),
            sum(each.answer is not None and each.slots[slot.number] == "yes" for each in attendees),
        )
        for slot in night.slots.order_by("number")
    ]
