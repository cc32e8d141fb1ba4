"""What speaks against a table in a slot, in words and before it is put there."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from django.utils import timezone
from django.utils.translation import gettext

from accounts.models import User
from leagues.models import Pairing, Placement, Slot
from leagues.scheduling.engagements import Diary, Engagement


@dataclass(frozen=True)
class Conflict:
    """What speaks against a slot, in words. A hard one is refused; the others are the organiser's to weigh."""

    code: str
    words: str
    hard: bool


@dataclass(frozen=True)
class Option:
    """A slot as it would be for one table: what speaks against it, and against each board that is taken."""

    slot: Slot
    conflicts: Sequence[Conflict]
    boards: dict[int, Sequence[Conflict]]

    def against(self, board: int | None) -> list[Conflict]:
        """On this board, or on any of them."""
        if board is not None:
            return [*self.conflicts, *self.boards.get(board, ())]
        full = Conflict("full", gettext("Every board is taken."), True)
        return [*self.conflicts, *([] if self.free else [full])]

    @property
    def is_closed(self) -> bool:
        """Whether there is no board at all that the table could have here."""
        boards = range(1, self.slot.tables + 1)
        return any(each.hard for each in self.conflicts) or all(self.boards.get(board) for board in boards)

    @property
    def free(self) -> int | None:
        """The first board on which nothing stands."""
        return next((board for board in range(1, self.slot.tables + 1) if board not in self.boards), None)


def conflicts(pairing: Pairing, slot: Slot, board: int | None = None) -> list[Conflict]:
    """Everything that speaks against a table in a slot, and on a board of it."""
    return options(pairing, [slot])[0].against(board)


def options(pairing: Pairing, slots: Iterable[Slot]) -> list[Option]:
    """Every slot for one table: as many queries for many as for few. Slots come with night, club and venue."""
    slots = list(slots)
    own = Placement.objects.filter(pairing=pairing).select_related("slot__night__club").first()
    seen = [*slots, *([own.slot] if own else [])]
    diary = Diary([pairing, *_occupants(pairing, slots)], seen)
    names = {user.pk: user.name for user in User.objects.filter(pk__in=diary.everyone)}
    judge = Judge(diary, names)
    found = []
    for slot in slots:
        boards: dict[int, Sequence[Conflict]] = {}
        for board in range(1, slot.tables + 1):
            standing = diary.boards.get((slot.pk, board))
            if standing is not None and standing.pairing_id != pairing.pk:
                boards[board] = judge.against_swap(pairing, own, standing)
        found.append(Option(slot, judge.against(pairing, slot, ignoring=[pairing.pk]), boards))
    return found


@dataclass(frozen=True)
class Judge:
    diary: Diary
    names: dict[int, str]

    def against(self, pairing: Pairing, slot: Slot, ignoring: Sequence[int]) -> list[Conflict]:
        found = []
        if slot.night.is_cancelled:
            found.append(Conflict("cancelled", gettext("This night is cancelled."), True))
        if slot.ends_at <= timezone.now():
            found.append(Conflict("over", gettext("This slot is over."), True))
        for person in self.diary.people[pairing.pk]:
            busy = self.diary.elsewhere(person, slot, ignoring)
            if busy is not None:
                found.append(Conflict("elsewhere", self._elsewhere(person, busy, pairing), True))
            if not self.diary.can[person, slot.pk]:
                words = gettext("%(person)s cannot come.") % {"person": self._name(person)}
                found.append(Conflict("away", words, False))
        if not _in_window(pairing, slot):
            found.append(Conflict("window", gettext("Outside the time of the round."), False))
        return [*found, *self._order(pairing, slot)]

    def against_swap(self, pairing: Pairing, own: Placement | None, standing: Placement) -> list[Conflict]:
        """What keeps the two tables from changing places; nothing when they can."""
        taken = Conflict(
            "taken", gettext("Board %(board)s is taken by table %(table)s.") % _board_words(standing), True
        )
        other = standing.pairing
        stays = standing.locked or other.state != Pairing.State.SCHEDULED
        stranger = pairing.round.stage.division.season_id != other.round.stage.division.season_id
        if own is None or stays or stranger:
            return [taken]
        there = self.against(other, own.slot, ignoring=[pairing.pk, other.pk])
        return [taken, *[each for each in there if each.hard]] if any(each.hard for each in there) else []

    def _elsewhere(self, person: int, busy: Engagement, pairing: Pairing) -> str:
        known = {"person": self._name(person), "table": busy.number, "round": busy.round}
        if busy.season == pairing.round.stage.division.season_id:
            return gettext("%(person)s plays at table %(table)s of round %(round)s then.") % known
        # Whose table it is, and whether it is published, is not this league's business.
        return gettext("%(person)s plays elsewhere then.") % known

    def _order(self, pairing: Pairing, slot: Slot) -> list[Conflict]:
        found = {}
        for person in self.diary.people[pairing.pk]:
            for each in self.diary.engagements[person]:
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
                    found[person] = Conflict("order", words % {"person": self._name(person), **rounds}, False)
        return list(found.values())

    def _name(self, person: int) -> str:
        return self.names.get(person) or gettext("somebody")


def _board_words(standing: Placement) -> dict[str, int]:
    return {"board": standing.board, "table": standing.pairing.number}


def _in_window(pairing: Pairing, slot: Slot) -> bool:
    opens, closes = pairing.round.opens_at, pairing.closes_at or pairing.round.closes_at
    return (opens is None or slot.starts_at >= opens) and (closes is None or slot.ends_at <= closes)


def _occupants(pairing: Pairing, slots: Sequence[Slot]) -> list[Pairing]:
    standing = Pairing.objects.filter(placement__slot__in=slots).exclude(pk=pairing.pk)
    return list(standing.select_related("round__stage__division"))
