"""A season's calendar for its readers: nights, slots, and who plays on which board."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from django.db.models import Prefetch, Q
from django.utils import timezone

from accounts.models import User
from leagues.core import access
from leagues.core.text import join_names
from leagues.models import ClubNight, Pairing, Placement, Round, Season, Slot
from leagues.placement.commitments import not_played_there
from leagues.placement.inputs import MAX_NIGHTS
from leagues.placement.reason_text import SEATED
from leagues.results import presentation


@dataclass(frozen=True)
class Chip:
    """A table on the calendar, or one that waits for a place."""

    pairing: Pairing
    names: str
    mine: bool
    locked: bool = False

    @property
    def movable(self) -> bool:
        return self.pairing.state == Pairing.State.SCHEDULED


@dataclass(frozen=True)
class Board:
    """A board of a slot: with a table of this season, with another table, or free."""

    number: int
    chip: Chip | None = None
    foreign: bool = False

    @property
    def free(self) -> bool:
        return self.chip is None and not self.foreign


@dataclass(frozen=True)
class SlotRow:
    slot: Slot
    boards: Sequence[Board]
    is_over: bool

    @property
    def free(self) -> int:
        return sum(board.free for board in self.boards)

    @property
    def taken(self) -> bool:
        return any(board.chip for board in self.boards)


@dataclass(frozen=True)
class NightRow:
    night: ClubNight
    slots: Sequence[SlotRow]

    @property
    def starts(self) -> datetime:
        return self.night.starts_at

    @property
    def taken(self) -> bool:
        return any(slot.taken for slot in self.slots)

    @property
    def mine(self) -> bool:
        return any(board.chip and board.chip.mine for slot in self.slots for board in slot.boards)


NEXT_NIGHTS = 3
"""How many nights without a table are shown to readers who cannot place tables."""


def nights(season: Season, reader: object, *, drawn: bool) -> list[NightRow]:
    """The club's coming nights, and past ones with tables of the season. `drawn`: include hidden rounds."""
    seen = ClubNight.objects.seen_by(reader)
    coming = seen.filter(club=season.league.club_id, ends_at__gt=timezone.now(), cancelled_at=None)
    ahead = coming.order_by("starts_at", "pk").values_list("pk", flat=True)[: MAX_NIGHTS if drawn else NEXT_NIGHTS]
    own_placements = Placement.objects.filter(pairing__round__stage__division__season=season).exclude(
        not_played_there()
    )
    if not drawn:
        own_placements = own_placements.exclude(pairing__round__status=Round.Status.DRAWN)
    nights_shown = seen.filter(Q(pk__in=list(ahead)) | Q(pk__in=own_placements.values("slot__night")))
    placements = Placement.objects.exclude(not_played_there()).select_related("pairing__round__stage__division")
    rows = nights_shown.select_related("venue").prefetch_related(
        Prefetch("slots", Slot.objects.order_by("number")),
        Prefetch(
            "slots__placements", placements.prefetch_related(*(f"pairing__{each}" for each in SEATED)).order_by("board")
        ),
    )
    return [
        NightRow(night, [_slot(slot, season, reader, drawn) for slot in night.slots.all()])
        for night in rows.order_by("starts_at", "pk")
    ]


def waiting(season: Season, reader: object, *, drawn: bool) -> list[Chip]:
    """Tables at the club that are still to be played and have no place."""
    rows = Pairing.objects.filter(
        round__stage__division__season=season,
        where=Pairing.Where.CLUB,
        state=Pairing.State.SCHEDULED,
        placement=None,
    ).exclude(round__status=Round.Status.CLOSED)
    rows = rows if drawn else rows.seen()
    pairings = rows.select_related("round__stage__division").prefetch_related(*SEATED)
    return [chip(row, reader) for row in pairings.order_by("round__number", "round__stage", "number")]


def slots_ahead(season: Season) -> list[Slot]:
    """Slots in which a table could be placed by hand."""
    coming = Slot.objects.filter(
        night__club=season.league.club_id, ends_at__gt=timezone.now(), night__cancelled_at=None
    ).select_related("night__club", "night__venue")
    slots = list(coming.order_by("starts_at", "pk"))
    ahead = list(dict.fromkeys(slot.night_id for slot in slots))[:MAX_NIGHTS]
    return [slot for slot in slots if slot.night_id in ahead]


def _slot(slot: Slot, season: Season, reader: object, drawn: bool) -> SlotRow:
    by_board = {each.board: each for each in slot.placements.all()}
    numbers = sorted({*range(1, slot.tables + 1), *by_board})
    boards = [_board(number, by_board.get(number), season, reader, drawn) for number in numbers]
    return SlotRow(slot, boards, slot.ends_at <= timezone.now())


def _board(number: int, placement: Placement | None, season: Season, reader: object, drawn: bool) -> Board:
    if placement is None:
        return Board(number)
    pairing = placement.pairing
    if pairing.round.stage.division.season_id != season.pk or not (drawn or pairing.round.is_published):
        return Board(number, foreign=True)
    return Board(number, chip(pairing, reader, locked=placement.locked))


def chip(pairing: Pairing, reader: object, *, locked: bool = False) -> Chip:
    seats = presentation.seats_of(pairing)
    mine = isinstance(reader, User) and any(access.plays_as(reader, seat.entrant) for seat in seats)
    return Chip(pairing, join_names(seat.entrant.name for seat in seats), mine, locked)
