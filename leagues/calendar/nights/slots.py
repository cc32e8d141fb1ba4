"""The slots of a night, and whether the venue is free then. Inside the transaction of a verb."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import date, datetime, time

from django.core.exceptions import ValidationError
from django.db.models import Max, Model
from django.utils.translation import gettext, ngettext

from accounts.infra.errors import Refused
from accounts.models import Club, User
from leagues.calendar import club_clock
from leagues.calendar.club_clock import FieldRefused
from leagues.core import locks
from leagues.core.access import Permission, require
from leagues.models import ClubNight, Placement, Slot, Venue

MAX_SLOTS = 12
MIN_MINUTES, MAX_MINUTES = 10, 720
MAX_TABLES = 200
# A longer event is two nights.
WHOLE_DAY = 24 * 60


@dataclass(frozen=True)
class NightShape:
    """A night as an organiser enters it, on the club's clock."""

    day: date
    begins: time
    slots: int
    minutes: int
    tables: int

    def check(self) -> None:
        club_clock.check_day(self.day, "day")
        if not 1 <= self.slots <= MAX_SLOTS:
            raise FieldRefused(gettext("A night has 1 to %(most)s slots.") % {"most": MAX_SLOTS}, "slots")
        if not MIN_MINUTES <= self.minutes <= MAX_MINUTES:
            message = gettext("A slot takes %(least)s to %(most)s minutes.")
            raise FieldRefused(message % {"least": MIN_MINUTES, "most": MAX_MINUTES}, "minutes")
        if self.slots * self.minutes > WHOLE_DAY:
            raise FieldRefused(gettext("A night is at most 24 hours long."), "minutes")
        if not 1 <= self.tables <= MAX_TABLES:
            raise FieldRefused(gettext("A night has 1 to %(most)s tables.") % {"most": MAX_TABLES}, "tables")

    def moves(self, was: "NightShape") -> bool:
        """Whether tables placed there are now played at another time."""
        return (self.day, self.begins, self.minutes) != (was.day, was.begins, was.minutes)

    def parts(self, club: Club) -> list[tuple[datetime, datetime]]:
        starts_at = club_clock.moment(self.day, self.begins, club_clock.zone_of(club))
        return list(club_clock.slots_of(starts_at, self.slots, self.minutes))


def shape_of(night: ClubNight) -> NightShape:
    """The night as it is now."""
    slots = sorted(night.slots.all(), key=lambda slot: slot.number)
    local = night.starts_at.astimezone(club_clock.zone_of(night.club))
    minutes = int((slots[0].ends_at - slots[0].starts_at).total_seconds()) // 60
    return NightShape(local.date(), local.time(), len(slots), minutes, max(slot.tables for slot in slots))


def lock_organised_club(actor: User, club: Club) -> Club:
    """Lock the club for an actor who organises it."""
    club = locks.club(club)
    require(actor, Permission.ORGANISE, club)
    return club


def clean(row: Model) -> None:
    """Check the model's rules and turn their errors into one refusal."""
    try:
        row.full_clean()
    except ValidationError as error:
        raise Refused(" ".join(error.messages)) from error


def open_venue(club: Club, venue: Venue) -> Venue:
    venue = Venue.objects.get(pk=venue.pk)
    if venue.club_id != club.pk:
        raise FieldRefused(gettext("This venue is another club’s."), "venue")
    if venue.closed_at:
        raise FieldRefused(gettext("%(venue)s is closed.") % {"venue": venue.name}, "venue")
    return venue


def check_free(venue: Venue, club: Club, nights: Sequence[ClubNight], instead_of: Iterable[ClubNight] = ()) -> None:
    """Check that these nights overlap no other night at the venue, nor each other."""
    if not nights:
        return
    changed_ids = {night.pk for night in [*nights, *instead_of] if night.pk}
    others = ClubNight.objects.filter(
        venue=venue,
        cancelled_at=None,
        starts_at__lt=max(night.ends_at for night in nights),
        ends_at__gt=min(night.starts_at for night in nights),
    )
    taken = sorted([*others.exclude(pk__in=changed_ids), *nights], key=lambda night: night.starts_at)
    ahead = taken[0]
    for night in taken[1:]:
        # Nights that exist already do not overlap each other.
        if night.starts_at < ahead.ends_at:
            other = ahead if night in nights else night
            span = club_clock.span(other.starts_at, other.ends_at, club_clock.zone_of(club))
            message = gettext("%(venue)s is taken then: %(night)s, %(when)s.")
            raise FieldRefused(
                message % {"venue": venue.name, "night": other.name or venue.name, "when": span}, "begins"
            )
        if night.ends_at > ahead.ends_at:
            ahead = night


def set_times(night: ClubNight, shape: NightShape, club: Club) -> ClubNight:
    """Set the night's day and hours, without saving."""
    parts = shape.parts(club)
    night.day, night.starts_at, night.ends_at = shape.day, parts[0][0], parts[-1][1]
    return night


def write_slots(night: ClubNight, shape: NightShape, club: Club) -> None:
    """Write the slots of a saved night. Slots that stay keep their row, and with it the tables placed there."""
    parts = shape.parts(club)
    existing = {slot.number: slot for slot in night.slots.all()}
    for number, (starts_at, ends_at) in enumerate(parts, 1):
        slot = existing.pop(number, None) or Slot(night=night, number=number)
        slot.starts_at, slot.ends_at, slot.tables = starts_at, ends_at, shape.tables
        slot.save()
    Slot.objects.filter(pk__in=[slot.pk for slot in existing.values()]).delete()


def create_nights(nights: Sequence[ClubNight], shapes: Sequence[NightShape], club: Club) -> None:
    """Write new nights with their slots, in two statements."""
    created = ClubNight.objects.bulk_create(nights)
    Slot.objects.bulk_create(
        Slot(night=night, number=number, starts_at=starts_at, ends_at=ends_at, tables=shape.tables)
        for night, shape in zip(created, shapes)
        for number, (starts_at, ends_at) in enumerate(shape.parts(club), 1)
    )


def tables_without_room(night: ClubNight, shape: NightShape) -> list[Placement]:
    """Tables placed at the night that would not fit into this shape of it."""
    placed = Placement.objects.filter(slot__night=night).select_related("slot", "pairing")
    return [each for each in placed if each.slot.number > shape.slots or each.board > shape.tables]


def no_room_message(night: ClubNight, misplaced: Sequence[Placement]) -> str:
    """Why the night cannot shrink."""
    used = Placement.objects.filter(slot__night=night).aggregate(slot=Max("slot__number"), board=Max("board"))
    message = ngettext(
        "%(count)s table placed there would have no room: it takes %(slots)s slots and %(boards)s boards.",
        "%(count)s tables placed there would have no room: they take %(slots)s slots and %(boards)s boards.",
        len(misplaced),
    )
    return message % {"count": len(misplaced), "slots": used["slot"], "boards": used["board"]}
