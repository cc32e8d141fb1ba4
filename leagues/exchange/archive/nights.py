"""Where the tables of a league are placed: the nights of its club, as far as they hold one of them."""

from collections.abc import Callable, Iterator
from datetime import date, datetime
from typing import Any

from accounts.models import Club
from leagues.models import ClubNight, League, Placement, Slot, Venue

NIGHT = ("key", "name")
VENUE = ("name", "address", "about", "tables")


def written(league: League, number: Callable[[int], int]) -> Iterator[dict[str, Any]]:
    """One line a night, with its venue, its slots and what of this league is in them."""
    placed: dict[int, list[Placement]] = {}
    found = Placement.objects.filter(pairing__round__stage__division__season__league=league)
    for placement in found.order_by("pk"):
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


def read(club: Club, told: dict[str, Any], own: Callable[[int], int]) -> None:
    """The night as this club has it, or as it is written down now; a board that is taken stays with who has it."""
    night = _night(club, told)
    slots = {slot.number: slot for slot in night.slots.all()}
    for each in told["slots"]:
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


def _night(club: Club, told: dict[str, Any]) -> ClubNight:
    known = {name: told["venue"][name] for name in VENUE}
    venue = Venue.objects.filter(club=club, name=known["name"]).order_by("pk").first()
    if venue is None:
        venue = Venue(club=club, **known)
        venue.full_clean()
        venue.save()
    starts = min(datetime.fromisoformat(slot["starts_at"]) for slot in told["slots"])
    ends = max(datetime.fromisoformat(slot["ends_at"]) for slot in told["slots"])
    night = ClubNight.objects.filter(club=club, venue=venue, starts_at=starts).first()
    if night is not None:
        return night
    cancelled = told["cancelled_at"]
    night = ClubNight(
        club=club,
        venue=venue,
        name=told["name"],
        day=date.fromisoformat(told["day"]),
        starts_at=starts,
        ends_at=ends,
        cancelled_at=datetime.fromisoformat(cancelled) if cancelled else None,
    )
    if not ClubNight.objects.filter(key=told["key"]).exists():
        night.key = told["key"]
    night.full_clean()
    night.save()
    return night
