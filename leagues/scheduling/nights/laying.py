"""How a night lies in time: its slots, and that nobody else is at the venue then. Inside the transaction of a verb."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import date, datetime, time

from django.core.exceptions import ValidationError
from django.db.models import Max, Model
from django.utils.translation import gettext, ngettext

from accounts.errors import Refused
from accounts.models import Club, User
from leagues import locks
from leagues.access import Permission, require
from leagues.models import ClubNight, Placement, Slot, Venue
from leagues.scheduling import clock
from leagues.scheduling.clock import Misfit

MOST_SLOTS = 12
SHORTEST, LONGEST = 10, 720
MOST_TABLES = 200
# Whoever plays longer has two nights.
WHOLE_DAY = 24 * 60


@dataclass(frozen=True)
class Shape:
    """A night as the organiser says it, on the club's clock."""

    day: date
    begins: time
    slots: int
    minutes: int
    tables: int

    def check(self) -> None:
        clock.check_day(self.day, "day")
        if not 1 <= self.slots <= MOST_SLOTS:
            raise Misfit(gettext("A night has 1 to %(most)s slots.") % {"most": MOST_SLOTS}, "slots")
        if not SHORTEST <= self.minutes <= LONGEST:
            words = gettext("A slot takes %(least)s to %(most)s minutes.")
            raise Misfit(words % {"least": SHORTEST, "most": LONGEST}, "minutes")
        if self.slots * self.minutes > WHOLE_DAY:
            raise Misfit(gettext("A night is at most 24 hours long."), "minutes")
        if not 1 <= self.tables <= MOST_TABLES:
            raise Misfit(gettext("A night has 1 to %(most)s tables.") % {"most": MOST_TABLES}, "tables")

    def moves(self, was: "Shape") -> bool:
        """Whether what is placed there is played at another time than it was."""
        return (self.day, self.begins, self.minutes) != (was.day, was.begins, was.minutes)

    def parts(self, club: Club) -> list[tuple[datetime, datetime]]:
        starts_at = clock.moment(self.day, self.begins, clock.zone_of(club))
        return list(clock.slots_of(starts_at, self.slots, self.minutes))


def shape_of(night: ClubNight) -> Shape:
    """The night as it stands."""
    slots = sorted(night.slots.all(), key=lambda slot: slot.number)
    local = night.starts_at.astimezone(clock.zone_of(night.club))
    minutes = int((slots[0].ends_at - slots[0].starts_at).total_seconds()) // 60
    return Shape(local.date(), local.time(), len(slots), minutes, max(slot.tables for slot in slots))


def organised(actor: User, club: Club) -> Club:
    """The club, held, for somebody who runs it."""
    club = locks.club(club)
    require(actor, Permission.ORGANISE, club)
    return club


def clean(row: Model) -> None:
    """The database's rules as one clear error."""
    try:
        row.full_clean()
    except ValidationError as error:
        raise Refused(" ".join(error.messages)) from error


def open_venue(club: Club, venue: Venue) -> Venue:
    venue = Venue.objects.get(pk=venue.pk)
    if venue.club_id != club.pk:
        raise Misfit(gettext("This venue is another club’s."), "venue")
    if venue.closed_at:
        raise Misfit(gettext("%(venue)s is closed.") % {"venue": venue.name}, "venue")
    return venue


def check_free(venue: Venue, club: Club, nights: Sequence[ClubNight], instead_of: Iterable[ClubNight] = ()) -> None:
    """That these nights, as they are to be, meet no other at the venue, nor each other."""
    if not nights:
        return
    ours = {night.pk for night in [*nights, *instead_of] if night.pk}
    others = ClubNight.objects.filter(
        venue=venue,
        cancelled_at=None,
        starts_at__lt=max(night.ends_at for night in nights),
        ends_at__gt=min(night.starts_at for night in nights),
    )
    taken = sorted([*others.exclude(pk__in=ours), *nights], key=lambda night: night.starts_at)
    ahead = taken[0]
    for night in taken[1:]:
        # Only nights of ours can meet: those that are there already do not.
        if night.starts_at < ahead.ends_at:
            other = ahead if night in nights else night
            span = clock.span(other.starts_at, other.ends_at, clock.zone_of(club))
            words = gettext("%(venue)s is taken then: %(night)s, %(when)s.")
            raise Misfit(words % {"venue": venue.name, "night": other.name or venue.name, "when": span}, "begins")
        if night.ends_at > ahead.ends_at:
            ahead = night


def place(night: ClubNight, shape: Shape, club: Club) -> ClubNight:
    """Give the night its day and its hours, without writing it."""
    parts = shape.parts(club)
    night.day, night.starts_at, night.ends_at = shape.day, parts[0][0], parts[-1][1]
    return night


def lay(night: ClubNight, shape: Shape, club: Club) -> None:
    """Write the slots of a night that is written: those that stay keep their row, and with it what is placed there."""
    parts = shape.parts(club)
    kept = {slot.number: slot for slot in night.slots.all()}
    for number, (starts_at, ends_at) in enumerate(parts, 1):
        slot = kept.pop(number, None) or Slot(night=night, number=number)
        slot.starts_at, slot.ends_at, slot.tables = starts_at, ends_at, shape.tables
        slot.save()
    Slot.objects.filter(pk__in=[slot.pk for slot in kept.values()]).delete()


def lay_new(nights: Sequence[ClubNight], shapes: Sequence[Shape], club: Club) -> None:
    """Write new nights with their slots: two statements for a whole year of them."""
    made = ClubNight.objects.bulk_create(nights)
    Slot.objects.bulk_create(
        Slot(night=night, number=number, starts_at=starts_at, ends_at=ends_at, tables=shape.tables)
        for night, shape in zip(made, shapes)
        for number, (starts_at, ends_at) in enumerate(shape.parts(club), 1)
    )


def misplaced(night: ClubNight, shape: Shape) -> list[Placement]:
    """What is placed at the night and would have no room in this shape of it."""
    placed = Placement.objects.filter(slot__night=night).select_related("slot", "pairing")
    return [each for each in placed if each.slot.number > shape.slots or each.board > shape.tables]


def no_room(night: ClubNight, misplaced: Sequence[Placement]) -> str:
    """Why the night cannot shrink."""
    found = Placement.objects.filter(slot__night=night).aggregate(slot=Max("slot__number"), board=Max("board"))
    words = ngettext(
        "%(count)s table placed there would have no room: it takes %(slots)s slots and %(boards)s boards.",
        "%(count)s tables placed there would have no room: they take %(slots)s slots and %(boards)s boards.",
        len(misplaced),
    )
    return words % {"count": len(misplaced), "slots": found["slot"], "boards": found["board"]}
