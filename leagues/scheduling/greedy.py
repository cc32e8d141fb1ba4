"""First fit: each table, round by round, gets the first slot in which it can be played. What the solver starts from."""

from collections import Counter

from leagues.scheduling.hall import Hall


def first_fit(hall: Hall, *, staying: bool = False) -> dict[int, int]:
    """By table, its slot; a table that fits nowhere is left out. `staying`: who can stay where they are does."""
    plan: dict[int, int] = {}
    used: Counter[int] = Counter()
    playing: set[tuple[int, int]] = set()

    def put(table: int, slot: int) -> bool:
        people = hall.tables[table].people
        if used[slot] >= hall.room[slot] or any((who, slot) in playing for who in people):
            return False
        plan[table] = slot
        used[slot] += 1
        playing.update((who, other) for who in people for other in hall.beside[slot])
        return True

    if staying:
        for table in hall.loose:
            if (slot := hall.now.get(table.id)) in hall.choices[table.id]:
                put(table.id, slot)
    for table in hall.loose:
        if table.id not in plan:
            any(put(table.id, slot) for slot in hall.choices[table.id])
    return plan
