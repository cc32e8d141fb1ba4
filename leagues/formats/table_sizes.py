"""How many tables of which size: shared by every format for more than two seats."""

from collections.abc import Sequence

from leagues.formats.errors import FormatError


def table_sizes(count: int, seats: int, least: int, most: int | None = None) -> tuple[list[int], int]:
    """Sizes of the tables, large ones first, and how many have to sit out.

    As many tables of `seats` as possible, the others of `least`; if that does not fit, sizes in between; then a single
    larger table up to `most`; and byes only if nothing else seats everybody.
    """
    most = max(seats, most or seats)
    if not 2 <= least <= seats:
        raise FormatError("error.least", least=least, seats=seats)
    for resting in range(count + 1):
        sizes = _sizes(count - resting, seats, least, most)
        if sizes:
            return sizes, resting
    raise FormatError("error.no-tables", count=count, least=least, most=most)


def _sizes(count: int, seats: int, least: int, most: int) -> list[int]:
    if least < seats:
        for small in range(seats):
            rest = count - small * least
            if rest >= 0 and rest % seats == 0 and rest + small:
                return [seats] * (rest // seats) + [least] * small
    elif count and count % seats == 0:
        return [seats] * (count // seats)
    tables = -(-count // seats)
    if tables and count // tables >= least:
        return [count // tables + (table < count % tables) for table in range(tables)]
    if least <= count <= most:
        return [count]
    return []


def deal_by_seed(seeded: Sequence[int], sizes: Sequence[int]) -> list[list[int]]:
    """Deal the strongest first to all tables, back and forth, so that the tables are as even as possible."""
    tables: list[list[int]] = [[] for _ in sizes]
    waiting = list(seeded)[::-1]
    forth = True
    while waiting:
        free = [table for table, size in zip(tables, sizes) if len(table) < size]
        for table in free if forth else free[::-1]:
            table.append(waiting.pop())
        forth = not forth
    return tables
