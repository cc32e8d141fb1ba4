"""Reads the rows of a season as a placement problem, in a fixed number of queries."""

from collections import Counter
from collections.abc import Sequence
from datetime import datetime
from functools import cached_property

from django.db.models import Count, F, Max
from django.utils import timezone

from leagues.models import Pairing, Placement, Round, Season, Slot
from leagues.placement.commitments import CommitmentIndex, people_at
from leagues.placement.solver import values

MAX_NIGHTS = 30
"""How far ahead a plan looks: beyond that, people do not know whether they can come."""


class PlacementInputs:
    """What there is to place, as it was when it was read."""

    def __init__(self, season: Season, rounds: Sequence[int] = ()) -> None:
        self.season, self.rounds, self.now = season, frozenset(rounds), timezone.now()

    @cached_property
    def slots(self) -> list[Slot]:
        """Slots of the club's coming nights that the season can use."""
        coming = Slot.objects.filter(
            night__club=self.season.league.club_id, night__cancelled_at=None, starts_at__gt=self.now
        )
        if self.season.ends_at is not None and self.season.ends_at > self.now:
            coming = coming.filter(ends_at__lte=self.season.ends_at)
        slots = list(coming.order_by("starts_at", "pk"))
        nights = list(dict.fromkeys(slot.night_id for slot in slots))[:MAX_NIGHTS]
        return [slot for slot in slots if slot.night_id in nights]

    @cached_property
    def tables(self) -> dict[int, Pairing]:
        """Tables of drawn rounds that are still to be played at the club."""
        rows = Pairing.objects.filter(
            round__stage__division__season=self.season,
            where=Pairing.Where.CLUB,
            state=Pairing.State.SCHEDULED,
        ).exclude(round__status=Round.Status.CLOSED)
        return {row.pk: row for row in rows.select_related("round").order_by("round__number", "number", "pk")}

    @cached_property
    def placements(self) -> dict[int, Placement]:
        """Their current placements, on nights that are not cancelled."""
        rows = Placement.objects.filter(pairing__in=list(self.tables), slot__night__cancelled_at=None)
        return {each.pairing_id: each for each in rows.select_related("slot")}

    @cached_property
    def begun(self) -> set[int]:
        """Tables whose slot has begun."""
        return {pk for pk, each in self.placements.items() if each.slot.starts_at <= self.now}

    @cached_property
    def fixed(self) -> set[int]:
        """Tables that stay: locked, or not in the rounds to be placed."""
        ahead = {slot.pk for slot in self.slots}
        return {
            pk
            for pk, each in self.placements.items()
            if pk not in self.begun and each.slot_id in ahead and (each.locked or not self._asked_for(pk))
        }

    @cached_property
    def loose(self) -> dict[int, Pairing]:
        return {
            pk: row
            for pk, row in self.tables.items()
            if self._asked_for(pk) and pk not in self.fixed and pk not in self.begun and not self._far_locked(pk)
        }

    def _asked_for(self, pk: int) -> bool:
        return not self.rounds or self.tables[pk].round_id in self.rounds

    def _far_locked(self, pk: int) -> bool:
        """Locked on a night further ahead than the plan looks."""
        return pk in self.placements and self.placements[pk].locked

    def problem(self, a_night: int | None = None) -> values.Problem:
        tables = {**self.loose, **{pk: self.tables[pk] for pk in self.fixed}}
        commitments = CommitmentIndex(tables.values(), self.slots)
        return values.Problem(
            slots=tuple(self._slot(slot, commitments, tables) for slot in self.slots),
            tables=tuple(_table(row, commitments.people[pk]) for pk, row in sorted(tables.items())),
            absences=self._absences(commitments, tables),
            fixed=tuple(_placed(self.placements[pk]) for pk in sorted(self.fixed)),
            unlockable=tuple(pk for pk in sorted(self.fixed) if self.placements[pk].locked),
            now=tuple(
                _placed(each)
                for pk, each in sorted(self.placements.items())
                if pk in self.loose and each.slot_id in commitments.slots
            ),
            a_night=a_night,
            late=tuple(sorted(self._late().items())),
        )

    def _slot(self, slot: Slot, commitments: CommitmentIndex, tables: dict[int, Pairing]) -> values.Slot:
        """The slot without boards that other leagues use."""
        free = [
            board
            for board in range(1, slot.tables + 1)
            if (placement := commitments.boards.get((slot.pk, board))) is None or placement.pairing_id in tables
        ]
        return values.Slot(slot.pk, slot.night_id, minutes(slot.starts_at), minutes(slot.ends_at), tuple(free))

    def _absences(self, commitments: CommitmentIndex, tables: dict[int, Pairing]) -> tuple[values.Absence, ...]:
        absences = []
        for slot in self.slots:
            for person in commitments.everyone:
                busy = commitments.elsewhere(person, slot, ignoring=tables) is not None
                if busy or not commitments.can[person, slot.pk]:
                    absences.append(values.Absence(person, slot.pk, busy))
        return tuple(absences)

    def _late(self) -> Counter[int]:
        """How many late slots people have had in this season."""
        had = Placement.objects.filter(
            pairing__round__stage__division__season=self.season, slot__starts_at__lte=self.now
        ).exclude(pairing__state=Pairing.State.VOID)
        last = had.annotate(last=Max("slot__night__slots__number"), slots=Count("slot__night__slots")).filter(
            slot__number=F("last"), slots__gt=1
        )
        return Counter(
            person for people in people_at(last.values_list("pairing", flat=True)).values() for person in people
        )


def _table(row: Pairing, people: tuple[int, ...]) -> values.Table:
    opens, closes = row.round.opens_at, row.closes_at or row.round.closes_at
    return values.Table(
        row.pk,
        people,
        line=row.round.stage_id,
        round=row.round.number,
        earliest=minutes(opens) if opens else None,
        latest=minutes(closes) if closes else None,
    )


def _placed(placement: Placement) -> values.Placed:
    return values.Placed(placement.pairing_id, placement.slot_id, placement.board)


def minutes(moment: datetime) -> int:
    return int(moment.timestamp()) // 60
