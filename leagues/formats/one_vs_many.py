"""One against many: who plays alone is decided first, in turn; then the tables are filled as in a Swiss round."""

from leagues.formats.lots import lot
from leagues.formats.points import SIDES, Scheme
from leagues.formats.reasons import reason
from leagues.formats.score_table import ScoreTable
from leagues.formats.seat_assignment import assign
from leagues.formats.table_sizes import deal_by_seed, table_sizes
from leagues.formats.table_swiss import Costs, Plan, first_tables, improve_tables, ordered, resting_byes
from leagues.formats.values import History, Round, Seat, Table


def draw(
    history: History,
    plan: Plan,
    *,
    solo: str,
    team: str,
    scheme: Scheme = SIDES,
    level: bool = False,
    known: ScoreTable | None = None,
    quick: bool = False,
) -> Round:
    """The next round. Seat 1 plays alone in role `solo`; the others share role `team`.

    `known` and `quick` are as in table Swiss.
    """
    field = known or ScoreTable(history, scheme)
    present = [entrant.id for entrant in history.present()]
    sizes, resting = table_sizes(len(present), plan.seats, plan.least, plan.most)
    byes = resting_byes(field, present, resting, plan)
    sitting = ordered(field, [who for who in present if who not in {bye.entrant for bye in byes}], level=level)
    alone = solos(field, sitting, len(sizes), solo)
    many = [who for who in sitting if who not in set(alone)]
    score = {who: 0 if level else field.score[who] for who in sitting}
    costs = Costs(field, score, kin=dict.fromkeys(alone, 0))
    if history.next_round == 1:
        # The strongest who plays alone meets the weakest of the others.
        dealt = deal_by_seed([*alone, *many[::-1]], sizes)
        groups = first_tables(dealt, costs)
    else:
        others = iter(many)
        start = [[one, *(next(others) for _ in range(size - 1))] for one, size in zip(alone, sizes)]
        groups = improve_tables(start, costs, seats=False, quick=quick)
    tables = tuple(_table(field, number, group, set(alone), solo, team) for number, group in enumerate(groups, 1))
    return Round(history.next_round, tables, (*history.absences(), *byes))


def solos(field: ScoreTable, sitting: list[int], count: int, role: str) -> list[int]:
    """Those with the fewest games alone, then longest ago, then by lot; in standing order, so strength is even."""
    seed, number = field.history.seed, field.history.next_round
    due = sorted(
        sitting,
        key=lambda who: (
            field.company.roles[who].get(role, 0),
            field.company.last_role.get((who, role), 0),
            lot(seed, number, who),
        ),
    )[:count]
    return [who for who in sitting if who in set(due)]


def _table(field: ScoreTable, number: int, group: list[int], alone: set[int], solo: str, team: str) -> Table:
    one = next(who for who in group if who in alone)
    many = [who for who in group if who != one]
    _, seats = assign(tuple(_wishes(field, who, len(many)) for who in many))
    others = sorted((Seat(who, seat + 1, team) for who, seat in zip(many, seats)), key=lambda seat: seat.number)
    why = reason("solo", solo=one, count=field.company.roles[one].get(solo, 0))
    return Table(number, (Seat(one, 1, solo), *others), why)


def _wishes(field: ScoreTable, who: int, size: int) -> tuple[int, ...]:
    had = [field.company.seats[who].get(seat, 0) for seat in range(2, size + 2)]
    return tuple((times - min(had)) ** 2 for times in had)
