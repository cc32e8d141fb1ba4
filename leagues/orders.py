"""The order that results make, from values to values: by points, by bracket, by heats, by marks."""

from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from fractions import Fraction
from itertools import groupby

from leagues.formats import arena, bracket, duplicate, heats
from leagues.formats.field import Field
from leagues.formats.lots import lot
from leagues.formats.reasons import Reason, reason
from leagues.formats.standings import Row
from leagues.formats.values import POINT, Kind, Place, Table
from leagues.rounds import Situation, bracket_now, heats_now

Grades = Mapping[tuple[int, int], Sequence[int]]
"""How well a team did, by round and table."""


def across_groups(rows: Iterable[Row]) -> tuple[Row, ...]:
    """All groups in one list: by place, then by points a game."""
    return placed(rows, key=lambda row: (row.place, -Fraction(row.score, max(1, row.played))))


def placed(rows: Iterable[Row], key: Callable[[Row], tuple[object, ...]]) -> tuple[Row, ...]:
    """The rows in a new order; those whom the key leaves level share a place."""
    ordered = sorted(rows, key=key)
    counts: dict[tuple[object, ...], list[int]] = defaultdict(list)
    for at, row in enumerate(ordered, 1):
        counts[key(row)].append(at)
    return tuple(
        Row(counts[key(row)][0], row.entrant, row.score, row.played, row.values, len(counts[key(row)]), row.reason)
        for row in ordered
    )


def games_played(field: Field) -> dict[int, int]:
    return {who: sum(game.kind is Kind.PLAYED for game in games) for who, games in field.games.items()}


def rows_of(listed: Sequence[tuple[int, Sequence[int], int, Reason]], played: Mapping[int, int]) -> tuple[Row, ...]:
    """From (place, entrants who share it, score, reason)."""
    return tuple(
        Row(place, who, score, played.get(who, 0), (), len(those), why)
        for place, those, score, why in listed
        for who in those
    )


def by_bracket(now: Situation) -> tuple[Row, ...]:
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
    return rows_of(listed, games_played(Field(now.history, now.scheme)))


def by_heats(now: Situation) -> tuple[Row, ...]:
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
    return rows_of(listed, games_played(Field(now.history, now.scheme)))


def by_marks(field: Field, grades: Grades, *, together: bool) -> tuple[Row, ...]:
    """Compared with those who faced the same deal. Without anybody to compare with, and for a bye, half a mark."""
    totals = dict.fromkeys(field.entrants, Fraction(0))
    for mark in marks(field, grades, together=together):
        totals[mark.entrant] += mark.value
    # The lot only puts those who share a place into one order for everybody.
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


def by_arena(field: Field) -> tuple[Row, ...]:
    """By points; of those level, who needed fewer games is ahead, and who needed as many shares the place."""
    # By their seeds: lots must fall the same for a league that was moved to another site and has other numbers there.
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


def marks(field: Field, grades: Grades, *, together: bool) -> list[duplicate.Mark]:
    """Every mark given in the stage, round by round."""
    found: list[duplicate.Mark] = []
    for each in field.history.rounds:
        confirmed = [table for table in each.tables if table.counts]
        if together:
            found += _team_marks(each.number, confirmed, grades)
        else:
            found += duplicate.marks(each.number, [row for table in confirmed for row in _seat_grades(table)])
        found += [
            duplicate.Mark(bye.entrant, each.number, Fraction(1, 2), NOBODY_ELSE)
            for bye in each.byes
            if bye.kind in (Kind.PAB, Kind.FPB, Kind.HPB)
        ]
    return found


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
    """Tables are compared with each other, and everybody who was there has the table's mark."""
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
