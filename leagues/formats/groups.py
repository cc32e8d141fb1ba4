"""Groups, then a knock-out: dealt by snake, and explicit rules say which place of which group goes where."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction

from leagues.formats.bracket import bracket_size, seed_order
from leagues.formats.errors import FormatError
from leagues.formats.heats import snake
from leagues.formats.reasons import Reason, reason
from leagues.formats.standings import Row
from leagues.formats.values import Entrant


@dataclass(frozen=True, slots=True)
class Slot:
    """A rule: place `place` of group `group`; or with `nth`, the n-th best of all who came in that place."""

    place: int
    group: int | None = None
    nth: int | None = None


@dataclass(frozen=True, slots=True)
class Qualified:
    """A slot of the knock-out filled, or the play-off that has to fill it."""

    slot: Slot
    entrant: int | None
    reason: Reason
    play_off: tuple[int, ...] = ()


def deal(entrants: Sequence[Entrant], groups: int) -> tuple[tuple[int, ...], ...]:
    """Equally strong groups, sizes differing by one at most."""
    if groups < 1 or len(entrants) < 2 * groups:
        raise FormatError("error.group-count", count=len(entrants), groups=groups)
    order = [entrant.id for entrant in sorted(entrants, key=lambda entrant: entrant.seed)]
    return tuple(tuple(group) for group in snake(order, groups))


def usual_slots(groups: int, advance: int) -> tuple[Slot, ...]:
    """Rules in seed order for `advance` from each group: winners first, then seconds turned so that groups cross.

    The seed order of the bracket keeps a group's winner and its second in different halves wherever that is possible.
    """
    slots = [Slot(1, group) for group in range(1, groups + 1)]
    for place in range(2, advance + 1):
        slots += [Slot(place, group) for group in _apart(slots, groups)]
    return tuple(slots)


def _apart(before: Sequence[Slot], groups: int) -> list[int]:
    """The order of groups for the next seeds, such that nobody meets the own group in the first round if avoidable."""
    total = len(before) + groups
    size = bracket_size(max(2, total), 4096)
    order = seed_order(size)
    halves = {seed: order.index(seed) * 2 // size for seed in range(1, total + 1)}
    taken: list[int] = []
    for seed in range(len(before) + 1, total + 1):
        foe = size + 1 - seed
        rest = [group for group in range(groups, 0, -1) if group not in taken]

        def clash(group: int, seed: int = seed, foe: int = foe) -> tuple[bool, int]:
            mates = [at for at, slot in enumerate(before, 1) if slot.group == group]
            return foe in mates, sum(halves[at] == halves[seed] for at in mates)

        taken.append(min(rest, key=clash))
    return taken


def qualify(
    tables: Mapping[int, Sequence[Row]], slots: Sequence[Slot], *, play_off: bool = False
) -> tuple[Qualified, ...]:
    """Who fills each slot, from final standings by group. A place the tie-breaks leave shared goes to a play-off."""
    filled = []
    for slot in slots:
        if slot.nth:
            wanted = sum(other.place == slot.place and other.nth is not None for other in slots)
            filled.append(_best(tables, slot, slot.nth, wanted))
        else:
            filled.append(_placed(tables, slot, play_off=play_off))
    return tuple(filled)


def _placed(tables: Mapping[int, Sequence[Row]], slot: Slot, *, play_off: bool) -> Qualified:
    group = slot.group or 0
    rows = tables.get(group, ())
    if not 1 <= slot.place <= len(rows):
        raise FormatError("error.slot", group=group, place=slot.place)
    row = rows[slot.place - 1]
    # By lot counts as undecided where the organiser wants such things played out.
    level = [other for other in rows if other.place == row.place or (play_off and _only_lot(rows, row, other))]
    if len(level) > 1:
        why = reason("group.play-off", place=slot.place, group=group)
        return Qualified(slot, None, why, tuple(other.entrant for other in level))
    return Qualified(slot, row.entrant, reason("group.slot", place=slot.place, group=group))


def _only_lot(rows: Sequence[Row], one: Row, other: Row) -> bool:
    """Whether nothing but the lot parts these two: it is the last of the list where it is used at all."""
    decided_by_lot = any(row.reason.code == "place.lot" for row in (one, other))
    return decided_by_lot and one.score == other.score and one.values[:-1] == other.values[:-1]


def _best(tables: Mapping[int, Sequence[Row]], slot: Slot, nth: int, wanted: int) -> Qualified:
    """Across groups: points a game, so that a larger group is no advantage; level ones play off only at the cut."""
    merit = sorted(
        (
            -Fraction(rows[slot.place - 1].score, max(1, rows[slot.place - 1].played)),
            group,
            rows[slot.place - 1].entrant,
        )
        for group, rows in tables.items()
        if len(rows) >= slot.place
    )
    if not 1 <= nth <= len(merit):
        raise FormatError("error.slot", group=0, place=slot.place)
    level = [at for at, each in enumerate(merit) if each[0] == merit[nth - 1][0]]
    if level[0] < wanted <= level[-1]:
        rivals = tuple(merit[at][2] for at in level)
        return Qualified(slot, None, reason("group.play-off", place=slot.place, group=0), rivals)
    return Qualified(slot, merit[nth - 1][2], reason("group.best", nth=nth, place=slot.place))
