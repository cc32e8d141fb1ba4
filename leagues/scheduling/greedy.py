"""First fit: each table, round by round, gets the first slot in which it can be played. What the solver starts from."""

from collections import Counter

from leagues.scheduling.hall import Hall


def first_fit(hall: Hall, *, staying: bool = False) -> dict[int, int]:
    """By table, its slot; a table that fits nowhere is left out. `staying`: who can stay where they are does."""
    plan: dict[int, int] = {}
    used: Counter[int] = Counter()
    playing: set[tuple[int, int]] = set()
    evenings = Counter(hall.evenings)

    def put(table: int, slot: int) -> bool:
        people, night = hall.tables[table].people, hall.slots[slot].night
        enough = any((who, slot) in playing or evenings[who, night] >= hall.a_night for who in people)
        if enough or used[slot] >= hall.room[slot]:
            return False
        evenings.update((who, night) for who in people)
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
