"""A season's calendar as its readers see it: nights, their slots, and who plays on which board."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from django.db.models import Prefetch, Q
from django.utils import timezone

from accounts.models import User
from leagues import access, scorecard
from leagues.models import ClubNight, Pairing, Placement, Round, Season, Slot
from leagues.names import listed
from leagues.scheduling.engagements import gone
from leagues.scheduling.reading import MOST_NIGHTS

SEATED = ("seats__entrant__user", "seats__entrant__members__user")


@dataclass(frozen=True)
class Chip:
    """One table, as it stands on the calendar or waits for a place on it."""

    pairing: Pairing
    names: str
    mine: bool
    locked: bool = False

    @property
    def movable(self) -> bool:
        return self.pairing.state == Pairing.State.SCHEDULED


@dataclass(frozen=True)
class Board:
    """A board of a slot: one of our tables, somebody else's, or free."""

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
"""Of nights without a table so many are shown to those who place none."""


def nights(season: Season, reader: object, *, drawn: bool) -> list[NightRow]:
    """The club's nights to come, and those of the past on which the season was played. `drawn`: with hidden rounds."""
    coming = ClubNight.objects.filter(club=season.league.club_id, ends_at__gt=timezone.now(), cancelled_at=None)
    ahead = coming.order_by("starts_at", "pk").values_list("pk", flat=True)[: MOST_NIGHTS if drawn else NEXT_NIGHTS]
    ours = Placement.objects.filter(pairing__round__stage__division__season=season).exclude(gone())
    if not drawn:
        ours = ours.exclude(pairing__round__status=Round.Status.DRAWN)
    shown = ClubNight.objects.filter(Q(pk__in=list(ahead)) | Q(pk__in=ours.values("slot__night")))
    standing = Placement.objects.exclude(gone()).select_related("pairing__round__stage__division")
    rows = shown.select_related("venue").prefetch_related(
        Prefetch("slots", Slot.objects.order_by("number")),
        Prefetch(
            "slots__placements", standing.prefetch_related(*(f"pairing__{each}" for each in SEATED)).order_by("board")
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
    found = rows.select_related("round__stage__division").prefetch_related(*SEATED)
    return [chip(row, reader) for row in found.order_by("round__number", "round__stage", "number")]


def slots_ahead(season: Season) -> list[Slot]:
    """Where a table could be put by hand."""
    coming = Slot.objects.filter(
        night__club=season.league.club_id, ends_at__gt=timezone.now(), night__cancelled_at=None
    ).select_related("night__club", "night__venue")
    found = list(coming.order_by("starts_at", "pk"))
    ahead = list(dict.fromkeys(slot.night_id for slot in found))[:MOST_NIGHTS]
    return [slot for slot in found if slot.night_id in ahead]


def _slot(slot: Slot, season: Season, reader: object, drawn: bool) -> SlotRow:
    standing = {each.board: each for each in slot.placements.all()}
    numbers = sorted({*range(1, slot.tables + 1), *standing})
    boards = [_board(number, standing.get(number), season, reader, drawn) for number in numbers]
    return SlotRow(slot, boards, slot.ends_at <= timezone.now())


def _board(number: int, standing: Placement | None, season: Season, reader: object, drawn: bool) -> Board:
    if standing is None:
        return Board(number)
    pairing = standing.pairing
    if pairing.round.stage.division.season_id != season.pk or not (drawn or pairing.round.is_published):
        return Board(number, foreign=True)
    return Board(number, chip(pairing, reader, locked=standing.locked))


def chip(pairing: Pairing, reader: object, *, locked: bool = False) -> Chip:
    seats = scorecard.seats_of(pairing)
    mine = isinstance(reader, User) and any(access.plays_as(reader, seat.entrant) for seat in seats)
    return Chip(pairing, listed(seat.entrant.name for seat in seats), mine, locked)
