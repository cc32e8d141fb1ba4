"""What people already play and when they can come: everything that decides whether tables fit into slots."""

from collections import defaultdict
from collections.abc import Container, Iterable
from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import cached_property

from django.db.models import Q
from django.db.models.functions import Coalesce

from leagues.calendar import availability
from leagues.models import Pairing, PairingSeat, Placement, Slot, TeamMember

ONLINE_LENGTH = timedelta(hours=1)
"""How long an online table with an agreed time keeps its players busy."""


@dataclass(frozen=True)
class Engagement:
    """A table that somebody plays at a known time."""

    pairing: int
    season: int
    stage: int
    round: int
    number: int
    starts: datetime
    ends: datetime


class CommitmentIndex:
    """The commitments around these tables and slots, read in a fixed number of queries."""

    def __init__(self, pairings: Iterable[Pairing], slots: Iterable[Slot]) -> None:
        self.slots = {slot.pk: slot for slot in slots}
        self.people = people_at(pairing.pk for pairing in pairings)
        self.everyone = sorted({person for people in self.people.values() for person in people})

    @cached_property
    def can(self) -> dict[tuple[int, int], bool]:
        return availability.availability_of(self.everyone, self.slots.values())

    @cached_property
    def engagements(self) -> dict[int, list[Engagement]]:
        """By person, everything they play during one of the slots, and everything in the seasons concerned."""
        by_person: dict[int, list[Engagement]] = defaultdict(list)
        played = _relevant(self.slots.values(), self.people)
        for who in ("entrant__user", "entrant__members__user"):
            seats = PairingSeat.objects.filter(played, absent=False, **{f"{who}__in": self.everyone}).values_list(
                who,
                "pairing",
                "round__stage__division__season",
                "round__stage",
                "round__number",
                Coalesce("pairing__table_number", "pairing__number"),
                "pairing__where",
                "pairing__starts_at",
                "pairing__placement__slot__starts_at",
                "pairing__placement__slot__ends_at",
            )
            for person, pairing, season, stage, round_, number, where, agreed, starts, ends in seats:
                if where == Pairing.Where.ONLINE:
                    starts, ends = agreed, agreed + ONLINE_LENGTH
                by_person[person].append(Engagement(pairing, season, stage, round_, number, starts, ends))
        return by_person

    @cached_property
    def boards(self) -> dict[tuple[int, int], Placement]:
        """The placement on each board, by (slot, board)."""
        placements = Placement.objects.filter(slot__in=list(self.slots)).exclude(not_played_there())
        return {
            (each.slot_id, each.board): each for each in placements.select_related("pairing__round__stage__division")
        }

    def elsewhere(self, person: int, slot: Slot, ignoring: Container[int] = ()) -> Engagement | None:
        """What a person plays during the slot, apart from the ignored tables."""
        for each in self.engagements[person]:
            if each.pairing not in ignoring and each.starts < slot.ends_at and slot.starts_at < each.ends:
                return each
        return None


def not_played_there(prefix: str = "") -> Q:
    """Placements of tables that are no longer played there: they take no board."""
    return Q(**{f"{prefix}pairing__state": Pairing.State.VOID}) | Q(**{f"{prefix}pairing__where": Pairing.Where.ONLINE})


def _relevant(slots: Iterable[Slot], pairings: Iterable[int]) -> Q:
    """Seats of tables with a time: during one of the slots, or in a stage of these tables."""
    slots = list(slots)
    first = min((slot.starts_at for slot in slots), default=None)
    last = max((slot.ends_at for slot in slots), default=None)
    stages = Pairing.objects.filter(pk__in=list(pairings)).values("round__stage")
    placed = Q(pairing__where=Pairing.Where.CLUB, pairing__placement__slot__night__cancelled_at=None)
    placed &= Q(pairing__placement__isnull=False) & ~Q(pairing__state=Pairing.State.VOID)
    agreed = Q(pairing__where=Pairing.Where.ONLINE, pairing__starts_at__isnull=False)
    agreed &= ~Q(pairing__state__in=[Pairing.State.VOID, Pairing.State.CONFIRMED])
    if first is None or last is None:
        return (placed | agreed) & Q(round__stage__in=stages)
    now = Q(round__stage__in=stages)
    return (
        placed & (now | Q(pairing__placement__slot__starts_at__lt=last, pairing__placement__slot__ends_at__gt=first))
    ) | (agreed & (now | Q(pairing__starts_at__lt=last, pairing__starts_at__gt=first - ONLINE_LENGTH)))


def people_at(pairings: Iterable[int]) -> dict[int, tuple[int, ...]]:
    """By table, the people who play at it, including members of teams. Two queries."""
    numbers = list(pairings)
    by_table: dict[int, list[int]] = {number: [] for number in numbers}
    seats = PairingSeat.objects.filter(pairing__in=numbers, absent=False)
    for pairing, person in seats.filter(entrant__user__isnull=False).values_list("pairing", "entrant__user"):
        by_table[pairing].append(person)
    members = TeamMember.objects.filter(entrant__seats__pairing__in=numbers, entrant__seats__absent=False)
    for pairing, person in members.values_list("entrant__seats__pairing", "user"):
        if pairing in by_table:
            by_table[pairing].append(person)
    return {number: tuple(sorted(people)) for number, people in by_table.items()}
