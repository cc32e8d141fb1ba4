"""Who is where and when: everything that decides whether some tables can be played in some slots, read at once."""

from collections import defaultdict
from collections.abc import Container, Iterable
from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import cached_property

from django.db.models import Q

from leagues.models import Pairing, PairingSeat, Placement, Slot, TeamMember
from leagues.scheduling import availability

ONLINE = timedelta(hours=1)
"""How long somebody is taken to be busy with an online table whose players agreed on a time."""


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


class Diary:
    """About these tables and these slots: as many queries for many as for few."""

    def __init__(self, pairings: Iterable[Pairing], slots: Iterable[Slot]) -> None:
        self.slots = {slot.pk: slot for slot in slots}
        self.people = people_at(pairing.pk for pairing in pairings)
        self.everyone = sorted({person for people in self.people.values() for person in people})

    @cached_property
    def can(self) -> dict[tuple[int, int], bool]:
        return availability.can(self.everyone, self.slots.values())

    @cached_property
    def engagements(self) -> dict[int, list[Engagement]]:
        """By person, all that they play while one of the slots runs, and all of the seasons in question."""
        found: dict[int, list[Engagement]] = defaultdict(list)
        played = _relevant(self.slots.values(), self.people)
        for who in ("entrant__user", "entrant__members__user"):
            seats = PairingSeat.objects.filter(played, absent=False, **{f"{who}__in": self.everyone}).values_list(
                who,
                "pairing",
                "round__stage__division__season",
                "round__stage",
                "round__number",
                "pairing__number",
                "pairing__where",
                "pairing__starts_at",
                "pairing__placement__slot__starts_at",
                "pairing__placement__slot__ends_at",
            )
            for person, pairing, season, stage, round_, number, where, agreed, starts, ends in seats:
                if where == Pairing.Where.ONLINE:
                    starts, ends = agreed, agreed + ONLINE
                found[person].append(Engagement(pairing, season, stage, round_, number, starts, ends))
        return found

    @cached_property
    def boards(self) -> dict[tuple[int, int], Placement]:
        """What stands on which board of which slot."""
        standing = Placement.objects.filter(slot__in=list(self.slots)).exclude(gone())
        return {(each.slot_id, each.board): each for each in standing.select_related("pairing__round__stage__division")}

    def elsewhere(self, person: int, slot: Slot, ignoring: Container[int] = ()) -> Engagement | None:
        """What somebody plays while the slot runs, other than at these tables."""
        for each in self.engagements[person]:
            if each.pairing not in ignoring and each.starts < slot.ends_at and slot.starts_at < each.ends:
                return each
        return None


def gone(prefix: str = "") -> Q:
    """Placements of tables that are not played there any more: they take no board."""
    return Q(**{f"{prefix}pairing__state": Pairing.State.VOID}) | Q(**{f"{prefix}pairing__where": Pairing.Where.ONLINE})


def _relevant(slots: Iterable[Slot], pairings: Iterable[int]) -> Q:
    """Seats of tables with a time: at the same time as a slot, or of a stage that these tables belong to."""
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
    ) | (agreed & (now | Q(pairing__starts_at__lt=last, pairing__starts_at__gt=first - ONLINE)))


def people_at(pairings: Iterable[int]) -> dict[int, tuple[int, ...]]:
    """By table, the people who play at it, members of teams included; two queries."""
    numbers = list(pairings)
    found: dict[int, list[int]] = {number: [] for number in numbers}
    seats = PairingSeat.objects.filter(pairing__in=numbers, absent=False)
    for pairing, person in seats.filter(entrant__user__isnull=False).values_list("pairing", "entrant__user"):
        found[pairing].append(person)
    members = TeamMember.objects.filter(entrant__seats__pairing__in=numbers, entrant__seats__absent=False)
    for pairing, person in members.values_list("entrant__seats__pairing", "user"):
        if pairing in found:
            found[pairing].append(person)
    return {number: tuple(sorted(people)) for number, people in found.items()}
