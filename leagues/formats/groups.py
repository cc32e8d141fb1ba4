"""Groups before a knock-out: entrants are divided by snake, and rules say which place of which group goes where."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction

from leagues.formats.bracket import LARGEST, bracket_size, seed_order
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
    """A filled slot of the knock-out, or the play-off that has to fill it."""

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
    """Rules in seed order for `advance` from each group: winners first, then seconds, rotated so that groups cross.

    A group's winner and its second are in different halves of the bracket wherever possible.
    """
    slots = [Slot(1, group) for group in range(1, groups + 1)]
    for place in range(2, advance + 1):
        slots += [Slot(place, group) for group in _group_order(slots, groups)]
    return tuple(slots)


def _group_order(before: Sequence[Slot], groups: int) -> list[int]:
    """The order of groups for the next seeds: not against their own group in the first match, then not in its half."""
    total = len(before) + groups
    size = bracket_size(max(2, total), LARGEST)
    order = seed_order(size)
    half = {seed: order.index(seed) * 2 // size for seed in range(1, size + 1)}
    chosen: list[int] = []
    for seed in range(len(before) + 1, total + 1):
        crowding = {
            group: [
                (size + 1 - seed == mate, half[mate] == half[seed])
                for mate, slot in enumerate(before, 1)
                if slot.group == group
            ]
            for group in range(groups, 0, -1)
            if group not in chosen
        }
        chosen.append(min(crowding, key=lambda group: tuple(map(sum, zip(*crowding[group])))))
    return chosen


def qualify(tables: Mapping[int, Sequence[Row]], slots: Sequence[Slot]) -> tuple[Qualified, ...]:
    """Who fills each slot, from final standings by group.

    A place that the tie-breaks leave shared goes to a play-off; with the lot as last tie-break there is none.
    """
    filled = []
    for slot in slots:
        if slot.nth:
            wanted = sum(other.place == slot.place and other.nth is not None for other in slots)
            filled.append(_best(tables, slot, slot.nth, wanted))
        else:
            filled.append(_placed(tables, slot))
    return tuple(filled)


def _placed(tables: Mapping[int, Sequence[Row]], slot: Slot) -> Qualified:
    group = slot.group or 0
    rows = tables.get(group, ())
    if not 1 <= slot.place <= len(rows):
        raise FormatError("error.slot", group=group, place=slot.place)
    row = rows[slot.place - 1]
    if row.shared > 1:
        level = tuple(other.entrant for other in rows if other.place == row.place)
        return Qualified(slot, None, reason("group.play-off", place=slot.place, group=group), level)
    return Qualified(slot, row.entrant, reason("group.slot", place=slot.place, group=group))


def _best(tables: Mapping[int, Sequence[Row]], slot: Slot, nth: int, wanted: int) -> Qualified:
    """Compare across groups by points a game, so that a larger group is no advantage; a play-off only at the cut."""
    rivals = [(group, rows[slot.place - 1]) for group, rows in tables.items() if len(rows) >= slot.place]
    merit = sorted((-Fraction(row.score, max(1, row.played)), group, row.entrant) for group, row in rivals)
    if not 1 <= nth <= len(merit):
        raise FormatError("error.slot", group=0, place=slot.place)
    level = [at for at, each in enumerate(merit) if each[0] == merit[nth - 1][0]]
    if level[0] < wanted <= level[-1]:
        why = reason("group.play-off", place=slot.place, group=0)
        return Qualified(slot, None, why, tuple(merit[at][2] for at in level))
    return Qualified(slot, merit[nth - 1][2], reason("group.best", nth=nth, place=slot.place))
