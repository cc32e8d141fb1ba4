"""Conflicts that placing a table in a slot would cause."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from django.utils import timezone
from django.utils.translation import gettext

from accounts.models import User
from leagues.models import Pairing, Placement, Slot
from leagues.placement.commitments import CommitmentIndex, Engagement


@dataclass(frozen=True)
class Conflict:
    """A reason against a slot. A hard one is refused; the organiser decides about the others."""

    code: str
    words: str
    hard: bool


@dataclass(frozen=True)
class Option:
    """A slot as it would be for one table: conflicts of the slot, and of each board that is taken."""

    slot: Slot
    conflicts: Sequence[Conflict]
    boards: dict[int, Sequence[Conflict]]

    def against(self, board: int | None) -> list[Conflict]:
        """Conflicts on this board or, without one, on the first free board."""
        if board is not None:
            return [*self.conflicts, *self.boards.get(board, ())]
        full = Conflict("full", gettext("Every board is taken."), True)
        return [*self.conflicts, *([] if self.free else [full])]

    @property
    def is_closed(self) -> bool:
        """Whether the table could have no board at all here."""
        boards = range(1, self.slot.tables + 1)
        return any(each.hard for each in self.conflicts) or all(self.boards.get(board) for board in boards)

    @property
    def free(self) -> int | None:
        """The first free board."""
        return next((board for board in range(1, self.slot.tables + 1) if board not in self.boards), None)


def conflicts(pairing: Pairing, slot: Slot, board: int | None = None) -> list[Conflict]:
    """All conflicts of a table with a slot, and with a board of it."""
    return options(pairing, [slot])[0].against(board)


def options(pairing: Pairing, slots: Iterable[Slot]) -> list[Option]:
    """Every slot for one table, in a fixed number of queries. Slots come with night, club and venue."""
    slots = list(slots)
    own = Placement.objects.filter(pairing=pairing).select_related("slot__night__club").first()
    seen = [*slots, *([own.slot] if own else [])]
    commitments = CommitmentIndex([pairing, *_occupants(pairing, slots)], seen)
    names = {user.pk: user.name for user in User.objects.filter(pk__in=commitments.everyone)}
    checker = ConflictChecker(commitments, names)
    options = []
    for slot in slots:
        boards: dict[int, Sequence[Conflict]] = {}
        for board in range(1, slot.tables + 1):
            occupant = commitments.boards.get((slot.pk, board))
            if occupant is not None and occupant.pairing_id != pairing.pk:
                boards[board] = checker.against_swap(pairing, own, occupant)
        options.append(Option(slot, checker.against(pairing, slot, ignoring=[pairing.pk]), boards))
    return options


@dataclass(frozen=True)
class ConflictChecker:
    commitments: CommitmentIndex
    names: dict[int, str]

    def against(self, pairing: Pairing, slot: Slot, ignoring: Sequence[int]) -> list[Conflict]:
        conflicts = []
        if slot.night.is_cancelled:
            conflicts.append(Conflict("cancelled", gettext("This night is cancelled."), True))
        if slot.ends_at <= timezone.now():
            conflicts.append(Conflict("over", gettext("This slot is over."), True))
        for person in self.commitments.people[pairing.pk]:
            busy = self.commitments.elsewhere(person, slot, ignoring)
            if busy is not None:
                conflicts.append(Conflict("elsewhere", self._elsewhere(person, busy, pairing), True))
            if not self.commitments.can[person, slot.pk]:
                words = gettext("%(person)s cannot come.") % {"person": self._name(person)}
                conflicts.append(Conflict("away", words, False))
        if not _in_window(pairing, slot):
            conflicts.append(Conflict("window", gettext("Outside the time of the round."), False))
        return [*conflicts, *self._order(pairing, slot)]

    def against_swap(self, pairing: Pairing, own: Placement | None, occupant: Placement) -> list[Conflict]:
        """What prevents the two tables from changing places; empty if they can."""
        taken = Conflict("taken", gettext("Table %(table)s is taken then.") % {"table": occupant.board}, True)
        other = occupant.pairing
        stays = occupant.locked or other.state != Pairing.State.SCHEDULED
        stranger = pairing.round.stage.division.season_id != other.round.stage.division.season_id
        if own is None or stays or stranger:
            return [taken]
        there = self.against(other, own.slot, ignoring=[pairing.pk, other.pk])
        return [taken, *[each for each in there if each.hard]] if any(each.hard for each in there) else []

    def _elsewhere(self, person: int, busy: Engagement, pairing: Pairing) -> str:
        known = {"person": self._name(person), "table": busy.number, "round": busy.round}
        if busy.season == pairing.round.stage.division.season_id:
            return gettext("%(person)s plays at table %(table)s of round %(round)s then.") % known
        # Other leagues' tables may be hidden: name no details.
        return gettext("%(person)s plays elsewhere then.") % known

    def _order(self, pairing: Pairing, slot: Slot) -> list[Conflict]:
        conflicts = {}
        for person in self.commitments.people[pairing.pk]:
            for each in self.commitments.engagements[person]:
                if each.stage != pairing.round.stage_id or each.pairing == pairing.pk:
                    continue
                sooner = each.round < pairing.round.number and each.starts >= slot.starts_at
                later = each.round > pairing.round.number and each.starts <= slot.starts_at
                if sooner or later:
                    rounds = {
                        "first": max(each.round, pairing.round.number),
                        "then": min(each.round, pairing.round.number),
                    }
                    words = gettext("%(person)s would play round %(first)s before round %(then)s.")
                    conflicts[person] = Conflict("order", words % {"person": self._name(person), **rounds}, False)
        return list(conflicts.values())

    def _name(self, person: int) -> str:
        return self.names.get(person) or gettext("somebody")


def _in_window(pairing: Pairing, slot: Slot) -> bool:
    opens, closes = pairing.round.opens_at, pairing.closes_at or pairing.round.closes_at
    return (opens is None or slot.starts_at >= opens) and (closes is None or slot.ends_at <= closes)


def _occupants(pairing: Pairing, slots: Sequence[Slot]) -> list[Pairing]:
    pairings = Pairing.objects.filter(placement__slot__in=slots).exclude(pk=pairing.pk)
    return list(pairings.select_related("round__stage__division"))
