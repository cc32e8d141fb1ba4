"""Places with tables."""

from django.db import transaction
from django.db.models import F, Max, QuerySet
from django.utils import timezone
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from accounts import audit
from accounts.models import Club, User
from leagues.calendar import club_clock
from leagues.calendar.club_clock import FieldRefused
from leagues.calendar.nights.slots import MAX_TABLES, clean, lock_organised_club
from leagues.core import realtime
from leagues.models import ClubNight, Pairing, Placement, Slot, Venue

ADDED = audit.declare_action("leagues.venue-added", _("%(actor)s added the venue %(venue)s"))
EDITED = audit.declare_action("leagues.venue-edited", _("%(actor)s changed the venue %(venue)s"))
CLOSED = audit.declare_action("leagues.venue-closed", _("%(actor)s closed the venue %(venue)s"))


@transaction.atomic
def add_venue(*, actor: User, club: Club, name: str, tables: int, address: str = "", about: str = "") -> Venue:
    club = lock_organised_club(actor, club)
    venue = _set_fields(Venue(club=club), name, tables, address, about)
    audit.record(ADDED, actor=actor, on=venue, club=club, venue=venue.name)
    realtime.broadcast_calendar_changed(club)
    return venue


@transaction.atomic
def edit_venue(*, actor: User, venue: Venue, name: str, tables: int, address: str = "", about: str = "") -> Venue:
    """Change a venue. Coming nights there get the new number of tables, except those with a number of their own."""
    club = lock_organised_club(actor, venue.club)
    venue = Venue.objects.get(pk=venue.pk)
    before = (venue.name, venue.tables, venue.address, venue.about)
    had = venue.tables
    venue = _set_fields(venue, name, tables, address, about)
    if (venue.name, venue.tables, venue.address, venue.about) == before:
        return venue
    coming = ClubNight.objects.filter(venue=venue, starts_at__gt=timezone.now())
    slots = Slot.objects.filter(night__in=coming, tables=had)
    _check_boards(venue, club, slots)
    slots.update(tables=venue.tables)
    # Subscribed calendars show the place: a new revision makes them update.
    Pairing.objects.filter(placement__slot__night__in=coming).update(revision=F("revision") + 1)
    coming.update(revision=F("revision") + 1)
    audit.record(EDITED, actor=actor, on=venue, club=club, venue=venue.name)
    realtime.broadcast_calendar_changed(club)
    return venue


def _check_boards(venue: Venue, club: Club, slots: QuerySet[Slot]) -> None:
    """Refuse fewer boards than coming nights have tables placed on."""
    placed = Placement.objects.filter(slot__in=slots, board__gt=venue.tables).select_related("slot__night")
    first = placed.order_by("slot__starts_at").first()
    if first is not None:
        highest = placed.aggregate(highest=Max("board"))["highest"]
        message = gettext("People play at table %(board)s there, first on %(day)s: move them first.")
        day = club_clock.format_day(first.slot.night.day)
        raise FieldRefused(message % {"board": highest, "day": day}, "tables")


def _set_fields(venue: Venue, name: str, tables: int, address: str, about: str) -> Venue:
    if not 1 <= tables <= MAX_TABLES:
        raise FieldRefused(gettext("A venue has 1 to %(most)s tables.") % {"most": MAX_TABLES}, "tables")
    venue.name, venue.tables = " ".join(name.split()), tables
    venue.address, venue.about = " ".join(address.split()), " ".join(about.split())
    clean(venue)
    venue.save()
    return venue


@transaction.atomic
def close_venue(*, actor: User, venue: Venue) -> Venue:
    """Close a venue for new nights; past nights stay. Refused while a night is still to come there."""
    club = lock_organised_club(actor, venue.club)
    venue = Venue.objects.get(pk=venue.pk)
    if venue.closed_at:
        return venue
    coming = ClubNight.objects.filter(venue=venue, cancelled_at=None, ends_at__gt=timezone.now()).first()
    if coming is not None:
        when = club_clock.span(coming.starts_at, coming.ends_at, club_clock.zone_of(club))
        message = gettext("A night is still to come there: %(night)s, %(when)s.")
        raise FieldRefused(message % {"night": coming.title, "when": when}, "venue")
    venue.closed_at = timezone.now()
    venue.save(update_fields=["closed_at"])
    audit.record(CLOSED, actor=actor, on=venue, club=club, venue=venue.name)
    realtime.broadcast_calendar_changed(club)
    return venue
