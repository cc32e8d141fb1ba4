"""The rows of a season as a problem to solve: as many queries for many tables as for few."""

from collections import Counter
from collections.abc import Sequence
from datetime import datetime
from functools import cached_property

from django.db.models import Count, F, Max
from django.utils import timezone

from leagues.models import Pairing, Placement, Round, Season, Slot
from leagues.scheduling import values
from leagues.scheduling.engagements import Diary, people_at

MOST_NIGHTS = 30
"""As far ahead as a plan looks: beyond that, nobody knows whether they can come."""


class Reading:
    """What there is to place, as it stood when it was read."""

    def __init__(self, season: Season, rounds: Sequence[int] = ()) -> None:
        self.season, self.rounds, self.now = season, frozenset(rounds), timezone.now()

    @cached_property
    def slots(self) -> list[Slot]:
        """Those of the club's nights to come that the season can have."""
        coming = Slot.objects.filter(
            night__club=self.season.league.club_id, night__cancelled_at=None, starts_at__gt=self.now
        )
        if self.season.ends_at is not None and self.season.ends_at > self.now:
            coming = coming.filter(ends_at__lte=self.season.ends_at)
        found = list(coming.order_by("starts_at", "pk"))
        nights = list(dict.fromkeys(slot.night_id for slot in found))[:MOST_NIGHTS]
        return [slot for slot in found if slot.night_id in nights]

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
        """Where they stand: on nights that take place."""
        standing = Placement.objects.filter(pairing__in=list(self.tables), slot__night__cancelled_at=None)
        return {each.pairing_id: each for each in standing.select_related("slot")}

    @cached_property
    def begun(self) -> set[int]:
        """Tables whose slot has begun: they are being played, whatever is written."""
        return {pk for pk, each in self.placements.items() if each.slot.starts_at <= self.now}

    @cached_property
    def fixed(self) -> set[int]:
        """Tables that stay: locked, or not among the rounds that are to be placed."""
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
        """Locked further ahead than the plan looks."""
        return pk in self.placements and self.placements[pk].locked

    def problem(self, a_night: int | None = None) -> values.Problem:
        tables = {**self.loose, **{pk: self.tables[pk] for pk in self.fixed}}
        diary = Diary(tables.values(), self.slots)
        return values.Problem(
            slots=tuple(self._slot(slot, diary, tables) for slot in self.slots),
            tables=tuple(_table(row, diary.people[pk]) for pk, row in sorted(tables.items())),
            absences=self._absences(diary, tables),
            fixed=tuple(_placed(self.placements[pk]) for pk in sorted(self.fixed)),
            unlockable=tuple(pk for pk in sorted(self.fixed) if self.placements[pk].locked),
            now=tuple(
                _placed(each)
                for pk, each in sorted(self.placements.items())
                if pk in self.loose and each.slot_id in diary.slots
            ),
            a_night=a_night,
            late=tuple(sorted(self._late().items())),
        )

    def _slot(self, slot: Slot, diary: Diary, tables: dict[int, Pairing]) -> values.Slot:
        """Boards that tables of other leagues stand on are not to be had."""
        free = [
            board
            for board in range(1, slot.tables + 1)
            if (standing := diary.boards.get((slot.pk, board))) is None or standing.pairing_id in tables
        ]
        return values.Slot(slot.pk, slot.night_id, minutes(slot.starts_at), minutes(slot.ends_at), tuple(free))

    def _absences(self, diary: Diary, tables: dict[int, Pairing]) -> tuple[values.Absence, ...]:
        found = []
        for slot in self.slots:
            for person in diary.everyone:
                busy = diary.elsewhere(person, slot, ignoring=tables) is not None
                if busy or not diary.can[person, slot.pk]:
                    found.append(values.Absence(person, slot.pk, busy))
        return tuple(found)

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
