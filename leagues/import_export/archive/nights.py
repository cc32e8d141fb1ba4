"""The club nights at which tables of a league are placed."""

from collections.abc import Callable, Iterator
from datetime import date, datetime
from typing import Any

from accounts.models import Club
from leagues.models import ClubNight, League, Placement, Slot, Venue

NIGHT = ("key", "name", "is_private")
VENUE = ("name", "address", "about", "tables")


def serialize_nights(league: League, number: Callable[[int], int]) -> Iterator[dict[str, Any]]:
    """One line per night, with its venue, its slots and this league's tables in them."""
    placed: dict[int, list[Placement]] = {}
    placements = Placement.objects.filter(pairing__round__stage__division__season__league=league)
    for placement in placements.order_by("pk"):
        placed.setdefault(placement.slot_id, []).append(placement)
    nights = ClubNight.objects.filter(slots__in=list(placed)).distinct().select_related("venue")
    for night in nights.prefetch_related("slots").order_by("starts_at", "pk"):
        yield {
            **{name: getattr(night, name) for name in NIGHT},
            "day": night.day.isoformat(),
            "cancelled_at": night.cancelled_at and night.cancelled_at.isoformat(),
            "venue": {name: getattr(night.venue, name) for name in VENUE},
            "slots": [_slot(slot, placed.get(slot.pk, []), number) for slot in night.slots.all()],
        }


def _slot(slot: Slot, placed: list[Placement], number: Callable[[int], int]) -> dict[str, Any]:
    return {
        "number": slot.number,
        "starts_at": slot.starts_at.isoformat(),
        "ends_at": slot.ends_at.isoformat(),
        "tables": slot.tables,
        "placed": [[number(each.pairing_id), each.board, each.locked] for each in placed],
    }


def import_night(club: Club, data: dict[str, Any], own: Callable[[int], int]) -> None:
    """Find the night at this club or create it, and place its tables. A board that is taken stays as it is."""
    night = _night(club, data)
    slots = {slot.number: slot for slot in night.slots.all()}
    for each in data["slots"]:
        slot = slots.get(int(each["number"])) or Slot.objects.create(
            night=night,
            number=int(each["number"]),
            starts_at=datetime.fromisoformat(each["starts_at"]),
            ends_at=datetime.fromisoformat(each["ends_at"]),
            tables=int(each["tables"]),
        )
        taken = set(Placement.objects.filter(slot=slot).values_list("board", flat=True))
        Placement.objects.bulk_create(
            Placement(pairing_id=own(pairing), slot=slot, board=int(board), locked=bool(locked))
            for pairing, board, locked in each["placed"]
            if board not in taken
        )


def _night(club: Club, data: dict[str, Any]) -> ClubNight:
    known = {name: data["venue"][name] for name in VENUE}
    venue = Venue.objects.filter(club=club, name=known["name"]).order_by("pk").first()
    if venue is None:
        venue = Venue(club=club, **known)
        venue.full_clean()
        venue.save()
    starts = min(datetime.fromisoformat(slot["starts_at"]) for slot in data["slots"])
    ends = max(datetime.fromisoformat(slot["ends_at"]) for slot in data["slots"])
    night: ClubNight | None = ClubNight.objects.filter(club=club, venue=venue, starts_at=starts).first()
    if night is not None:
        return night
    cancelled = data["cancelled_at"]
    night = ClubNight(
        club=club,
        venue=venue,
        name=data["name"],
        # Archives of earlier versions do not say.
        is_private=bool(data.get("is_private", False)),
        day=date.fromisoformat(data["day"]),
        starts_at=starts,
        ends_at=ends,
        cancelled_at=datetime.fromisoformat(cancelled) if cancelled else None,
    )
    if not ClubNight.objects.filter(key=data["key"]).exists():
        night.key = data["key"]
    night.full_clean()
    night.save()
    return night
