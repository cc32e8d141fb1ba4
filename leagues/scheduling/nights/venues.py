"""Places with tables."""

from django.db import transaction
from django.db.models import F, Max, QuerySet
from django.utils import timezone
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from accounts import audit
from accounts.models import Club, User
from leagues import live
from leagues.models import ClubNight, Pairing, Placement, Slot, Venue
from leagues.scheduling import clock
from leagues.scheduling.clock import Misfit
from leagues.scheduling.nights.laying import MOST_TABLES, clean, organised

ADDED = audit.action("leagues.venue-added", _("%(actor)s added the venue %(venue)s"))
EDITED = audit.action("leagues.venue-edited", _("%(actor)s changed the venue %(venue)s"))
CLOSED = audit.action("leagues.venue-closed", _("%(actor)s closed the venue %(venue)s"))


@transaction.atomic
def add_venue(*, actor: User, club: Club, name: str, tables: int, address: str = "", about: str = "") -> Venue:
    club = organised(actor, club)
    venue = _written(Venue(club=club), name, tables, address, about)
    audit.record(ADDED, actor=actor, on=venue, club=club, venue=venue.name)
    live.nights_changed(club)
    return venue


@transaction.atomic
def edit_venue(*, actor: User, venue: Venue, name: str, tables: int, address: str = "", about: str = "") -> Venue:
    """Coming nights there have as many tables from now on, except those that have a number of their own."""
    club = organised(actor, venue.club)
    venue = Venue.objects.get(pk=venue.pk)
    before = (venue.name, venue.tables, venue.address, venue.about)
    had = venue.tables
    venue = _written(venue, name, tables, address, about)
    if (venue.name, venue.tables, venue.address, venue.about) == before:
        return venue
    coming = ClubNight.objects.filter(venue=venue, starts_at__gt=timezone.now())
    slots = Slot.objects.filter(night__in=coming, tables=had)
    _check_boards(venue, club, slots)
    slots.update(tables=venue.tables)
    # A copy in somebody's calendar shows the place: it is to be fetched anew.
    Pairing.objects.filter(placement__slot__night__in=coming).update(revision=F("revision") + 1)
    coming.update(revision=F("revision") + 1)
    audit.record(EDITED, actor=actor, on=venue, club=club, venue=venue.name)
    live.nights_changed(club)
    return venue


def _check_boards(venue: Venue, club: Club, slots: QuerySet[Slot]) -> None:
    """Not below what is placed there."""
    placed = Placement.objects.filter(slot__in=slots, board__gt=venue.tables).select_related("slot__night")
    first = placed.order_by("slot__starts_at").first()
    if first is not None:
        most = placed.aggregate(most=Max("board"))["most"]
        words = gettext("Tables are placed at board %(board)s there, first on %(day)s: move them before.")
        day = clock.day_words(first.slot.night.day)
        raise Misfit(words % {"board": most, "day": day}, "tables")


def _written(venue: Venue, name: str, tables: int, address: str, about: str) -> Venue:
    if not 1 <= tables <= MOST_TABLES:
        raise Misfit(gettext("A venue has 1 to %(most)s tables.") % {"most": MOST_TABLES}, "tables")
    venue.name, venue.tables = " ".join(name.split()), tables
    venue.address, venue.about = " ".join(address.split()), " ".join(about.split())
    clean(venue)
    venue.save()
    return venue


@transaction.atomic
def close_venue(*, actor: User, venue: Venue) -> Venue:
    """Nothing new is planned there; its past stays. Not while a night is still to come."""
    club = organised(actor, venue.club)
    venue = Venue.objects.get(pk=venue.pk)
    if venue.closed_at:
        return venue
    coming = ClubNight.objects.filter(venue=venue, cancelled_at=None, ends_at__gt=timezone.now()).first()
    if coming is not None:
        when = clock.span(coming.starts_at, coming.ends_at, clock.zone_of(club))
        words = gettext("A night is still to come there: %(night)s, %(when)s.")
        raise Misfit(words % {"night": coming.title, "when": when}, "venue")
    venue.closed_at = timezone.now()
    venue.save(update_fields=["closed_at"])
    audit.record(CLOSED, actor=actor, on=venue, club=club, venue=venue.name)
    live.nights_changed(club)
    return venue
