"""First fit: each table, round by round, gets the first slot in which it can be played. The solver starts from this."""

from collections import Counter

from leagues.placement.solver.problem import PlacementProblem


def first_fit(prepared: PlacementProblem, *, staying: bool = False) -> dict[int, int]:
    """The slot of each table; tables that fit nowhere are left out. `staying`: tables keep their place if they can."""
    plan: dict[int, int] = {}
    used: Counter[int] = Counter()
    playing: set[tuple[int, int]] = set()
    evenings = Counter(prepared.evenings)

    def put(table: int, slot: int) -> bool:
        people, night = prepared.tables[table].people, prepared.slots[slot].night
        enough = any((who, slot) in playing or evenings[who, night] >= prepared.a_night for who in people)
        if enough or used[slot] >= prepared.room[slot]:
            return False
        evenings.update((who, night) for who in people)
        plan[table] = slot
        used[slot] += 1
        playing.update((who, other) for who in people for other in prepared.beside[slot])
        return True

    if staying:
        for table in prepared.loose:
            if (slot := prepared.now.get(table.id)) in prepared.choices[table.id]:
                put(table.id, slot)
    for table in prepared.loose:
        if table.id not in plan:
            any(put(table.id, slot) for slot in prepared.choices[table.id])
    return plan
