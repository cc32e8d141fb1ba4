"""Rankings as pure functions: by bracket, by heats, by marks, by arena points."""

from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from fractions import Fraction
from itertools import groupby

from leagues.formats import arena, bracket, duplicate, heats
from leagues.formats.adapters import DrawInput, bracket_now, heats_now
from leagues.formats.lots import lot
from leagues.formats.reasons import Reason, reason
from leagues.formats.score_table import ScoreTable
from leagues.formats.standings import Row
from leagues.formats.values import POINT, Kind, Place, Table

Grades = Mapping[tuple[int, int], Sequence[int]]
"""How well a team did, by round and table."""


def across_groups(rows: Iterable[Row]) -> tuple[Row, ...]:
    """All groups in one list: by place, then by points a game."""
    return placed(rows, key=lambda row: (row.place, -Fraction(row.score, max(1, row.played))))


def placed(rows: Iterable[Row], key: Callable[[Row], tuple[object, ...]]) -> tuple[Row, ...]:
    """The rows sorted by a key; rows with equal keys share a place."""
    ordered = sorted(rows, key=key)
    counts: dict[tuple[object, ...], list[int]] = defaultdict(list)
    for at, row in enumerate(ordered, 1):
        counts[key(row)].append(at)
    return tuple(
        Row(counts[key(row)][0], row.entrant, row.score, row.played, row.values, len(counts[key(row)]), row.reason)
        for row in ordered
    )


def games_played(field: ScoreTable) -> dict[int, int]:
    return {who: sum(game.kind is Kind.PLAYED for game in games) for who, games in field.games.items()}


def rows_of(listed: Sequence[tuple[int, Sequence[int], int, Reason]], played: Mapping[int, int]) -> tuple[Row, ...]:
    """From (place, entrants who share it, score, reason)."""
    return tuple(
        Row(place, who, score, played.get(who, 0), (), len(those), why)
        for place, those, score, why in listed
        for who in those
    )


def by_bracket(now: DrawInput) -> tuple[Row, ...]:
    if len(now.seeds) < 2:
        return ()
    tree = bracket_now(now)
    out = bracket.places(tree)
    gone = {who for _, those in out for who in those}
    beaten = {who for match in tree.matches if match.side == "third" for who in match.entrants}
    staying = [who for who in now.seeds if who not in gone | beaten]
    third = [who for who in now.seeds if who in beaten - gone]
    listed: list[tuple[int, Sequence[int], int, Reason]] = []
    if staying:
        listed.append((1, staying, 0, reason("place.in")))
    if third:
        listed.append((3, third, 0, reason("place.third")))
    listed += [(place, those, 0, reason("place.won" if place == 1 else "place.out")) for place, those in out]
    listed.sort(key=lambda each: each[0])
    return rows_of(listed, games_played(ScoreTable(now.history, now.scheme)))


def by_heats(now: DrawInput) -> tuple[Row, ...]:
    if len(now.seeds) < 2:
        return ()
    run = heats_now(now)
    listed: list[tuple[int, Sequence[int], int, Reason]] = []
    if run.final:
        table = run.rounds[-1].tables[0]
        listed = [(place, those, 0, why) for place, those, why in heats.final_places(table, len(run.rounds))]
    gone = set(run.final)
    for number in range(len(run.rounds), 0, -1):
        fell = [who for who in now.seeds if who in set(run.rounds[number - 1].entrants()) and who not in gone]
        if fell:
            listed.append((len(gone) + 1, fell, 0, reason("place.heat", round=number)))
            gone |= set(fell)
    return rows_of(listed, games_played(ScoreTable(now.history, now.scheme)))


def by_marks(field: ScoreTable, grades: Grades, *, together: bool) -> tuple[Row, ...]:
    """Rank by comparison with those who had the same deal. A bye, or nobody to compare with, is half a mark.

    Where only the best rounds count, the best marks do.
    """
    values: dict[int, list[Fraction]] = {who: [] for who in field.entrants}
    for mark in marks(field, grades, together=together):
        values[mark.entrant].append(mark.value)
    counted = field.scheme.best or None
    totals = {who: sum(sorted(each, reverse=True)[:counted], Fraction(0)) for who, each in values.items()}
    # The lot only gives those who share a place one fixed order in the list.
    order = sorted(
        totals, key=lambda who: (-totals[who], lot(field.history.seed, "duplicate", field.entrants[who].seed))
    )
    listed: list[tuple[int, Sequence[int], int, Reason]] = []
    place = 1
    for total, level in groupby(order, key=totals.__getitem__):
        those = list(level)
        why = reason("place.marks-shared" if len(those) > 1 else "place.marks", points=total)
        listed.append((place, those, int(total * POINT), why))
        place += len(those)
    return rows_of(listed, games_played(field))


def by_arena(field: ScoreTable) -> tuple[Row, ...]:
    """Rank by points, then by fewer games; those equal in both share the place."""
    # Lots by seed, not by id: a league that was moved to another site has other ids, and must get the same lots.
    who_is = {entrant.seed: who for who, entrant in field.entrants.items()}
    outcomes = {
        seed: [arena.Outcome(game.took[0]) for game in field.games[who] if game.took] for seed, who in who_is.items()
    }
    ranked = arena.ranking(outcomes, field.history.seed)
    records = {seed: (points, len(outcomes[seed])) for seed, points in ranked}
    levels = [
        (record, [who_is[seed] for seed, _ in level])
        for record, level in groupby(ranked, key=lambda each: records[each[0]])
    ]
    listed: list[tuple[int, Sequence[int], int, Reason]] = []
    place = 1
    for at, ((points, _games), those) in enumerate(levels):
        level = any(levels[other][0][0] == points for other in (at - 1, at + 1) if 0 <= other < len(levels))
        if len(those) > 1:
            why = reason("place.arena-shared", points=points)
        else:
            why = reason("place.fewer-games" if level else "place.sole", points=Fraction(points))
        listed.append((place, those, points * POINT, why))
        place += len(those)
    return rows_of(listed, games_played(field))


def marks(field: ScoreTable, grades: Grades, *, together: bool) -> list[duplicate.Mark]:
    """Every mark given in the stage, round by round."""
    given: list[duplicate.Mark] = []
    for each in field.history.rounds:
        confirmed = [table for table in each.tables if table.counts]
        if together:
            given += _team_marks(each.number, confirmed, grades)
        else:
            given += duplicate.marks(each.number, [row for table in confirmed for row in _seat_grades(table)])
        given += [
            duplicate.Mark(bye.entrant, each.number, Fraction(1, 2), NOBODY_ELSE)
            for bye in each.byes
            if bye.kind in (Kind.PAB, Kind.FPB, Kind.HPB)
        ]
    return given


ABSENT = (-(10**9),)
NOBODY_ELSE = reason("duplicate.match", beaten=0, equal=0, others=0)


def _seat_grades(table: Table) -> list[tuple[int, int | str, duplicate.Grade]]:
    """The place counts, then the score, seat by seat."""
    return [
        (seat.entrant, seat.number, ABSENT if place.kind is Kind.FL else _grade(place))
        for seat, place in zip(table.seats, table.places)
    ]


def _grade(place: Place) -> duplicate.Grade:
    return (-place.rank,) if place.score is None else (-place.rank, place.score)


def _team_marks(number: int, tables: Sequence[Table], grades: Grades) -> list[duplicate.Mark]:
    """Compare tables with each other; everybody who was there gets the table's mark."""
    given = duplicate.marks(
        number, [(table.number, "team", tuple(grades.get((number, table.number), ()))) for table in tables]
    )
    by_table = {mark.entrant: mark for mark in given}
    return [
        duplicate.Mark(seat.entrant, number, Fraction(0) if place.kind is Kind.FL else mark.value, mark.reason)
        for table in tables
        for seat, place in zip(table.seats, table.places)
        if (mark := by_table[table.number])
    ]
