"""The order in a stage as it stands, whatever the format: rows of the same kind for tables, brackets and ladders."""

from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence
from fractions import Fraction

import engine
from leagues import catalogue, history, ladder
from leagues.formats import arena, bracket, duplicate
from leagues.formats.field import Field
from leagues.formats.lots import lot
from leagues.formats.reasons import Reason, reason
from leagues.formats.standings import Row, standings
from leagues.formats.tiebreaks.parts import parse
from leagues.formats.values import POINT, Kind, Table
from leagues.models import Pairing, Result, Stage, Starter
from leagues.rounds import Situation, bracket_now, heats_now


def ranking(stage: Stage, *, group: int | None = None, upto: int | None = None) -> tuple[Row, ...]:
    """Everybody who has entered the stage, best first. `upto` leaves later rounds out."""
    known = catalogue.FORMATS[stage.format]
    if known.code == "groups" and group is None:
        return _across_groups(stage, upto)
    return _BY[known.ranks](stage, group, upto)


def _by_points(stage: Stage, group: int | None, upto: int | None) -> tuple[Row, ...]:
    field = history.field(stage, group=group, upto=upto)
    return standings(field, parse(stage.division.season.tie_breaks))


def _across_groups(stage: Stage, upto: int | None) -> tuple[Row, ...]:
    """All groups in one list: by place, then by points a game."""
    numbers = groups_of(stage)
    rows = [row for number in numbers for row in ranking(stage, group=number, upto=upto)]
    return placed(rows, key=lambda row: (row.place, -Fraction(row.score, max(1, row.played))))


def groups_of(stage: Stage) -> list[int]:
    found = Starter.objects.filter(stage=stage, group__isnull=False).order_by("group")
    return [group for group in found.values_list("group", flat=True).distinct() if group is not None]


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


def situation(stage: Stage, *, upto: int | None = None, drafts: bool = False) -> Situation:
    """All that a draw or a bracket of this stage depends on."""
    past = history.history(stage, upto=upto, drafts=drafts)
    grouped = Starter.objects.filter(stage=stage).values_list("entrant", "group")
    known = _slots(stage) if catalogue.FORMATS[stage.format].ranks == "bracket" else {}
    slots = [
        (known[each.number, table.number], table)
        for each in past.rounds
        for table in each.tables
        if (each.number, table.number) in known
    ]
    return Situation(
        history=past,
        settings=stage.settings,
        scheme=history.scheme(stage),
        roles=engine.game(stage.division.season.league.game).roles,
        group={who: group for who, group in grouped if group is not None},
        slots=slots,
        deals=stage.secret,
    )


def _slots(stage: Stage) -> dict[tuple[int, int], str]:
    rows = Pairing.objects.filter(round__stage=stage).exclude(slot="")
    return {(number, table): slot for number, table, slot in rows.values_list("round__number", "number", "slot")}


def bracket_of(stage: Stage, *, upto: int | None = None) -> bracket.Bracket:
    return bracket_now(situation(stage, upto=upto))


def _played(field: Field) -> dict[int, int]:
    return {who: sum(game.kind is Kind.PLAYED for game in games) for who, games in field.games.items()}


def _rows(listed: Sequence[tuple[int, Sequence[int], int, Reason]], played: dict[int, int]) -> tuple[Row, ...]:
    """From (place, entrants who share it, score, reason)."""
    return tuple(
        Row(place, who, score, played.get(who, 0), (), len(those), why)
        for place, those, score, why in listed
        for who in those
    )


def _by_bracket(stage: Stage, group: int | None, upto: int | None) -> tuple[Row, ...]:
    now = situation(stage, upto=upto)
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
    return _rows(listed, _played(Field(now.history, now.scheme)))


def _by_heats(stage: Stage, group: int | None, upto: int | None) -> tuple[Row, ...]:
    now = situation(stage, upto=upto)
    if len(now.seeds) < 2:
        return ()
    run = heats_now(now)
    listed: list[tuple[int, Sequence[int], int, Reason]] = [
        (place, [who], 0, reason("place.heat", round=len(run.rounds))) for place, who in enumerate(run.final, 1)
    ]
    gone = set(run.final)
    for number in range(len(run.rounds), 0, -1):
        fell = [who for who in now.seeds if who in set(run.rounds[number - 1].entrants()) and who not in gone]
        if fell:
            listed.append((len(gone) + 1, fell, 0, reason("place.heat", round=number)))
            gone |= set(fell)
    return _rows(listed, _played(Field(now.history, now.scheme)))


def _by_ladder(stage: Stage, group: int | None, upto: int | None) -> tuple[Row, ...]:
    played = _played(history.field(stage))
    order = ladder.standing(stage).ladder.order
    return _rows([(place, [who], 0, reason("place.ladder", place=place)) for place, who in enumerate(order, 1)], played)


def _by_arena(stage: Stage, group: int | None, upto: int | None) -> tuple[Row, ...]:
    field = history.field(stage, upto=upto)
    # By their seeds: lots must fall the same for a league that moved house and has other numbers there.
    who_is = {field.entrants[who].seed: who for who in field.games}
    outcomes = {
        seed: [_outcome(game.took[0]) for game in field.games[who] if game.took] for seed, who in who_is.items()
    }
    ranked = arena.ranking(outcomes, stage.seed)
    listed = [
        (place, [who_is[seed]], points * POINT, reason("place.sole", points=Fraction(points)))
        for place, (seed, points) in enumerate(ranked, 1)
    ]
    return _rows(listed, _played(field))


def _outcome(halves: int) -> arena.Outcome:
    return (arena.Outcome.LOSS, arena.Outcome.DRAW, arena.Outcome.WIN)[halves]


def _by_marks(stage: Stage, group: int | None, upto: int | None) -> tuple[Row, ...]:
    """Compared with those who faced the same deal. Without anybody to compare with, and for a bye, half a mark."""
    field = history.field(stage, upto=upto)
    totals = dict.fromkeys(field.entrants, Fraction(0))
    for mark in marks(stage, field):
        totals[mark.entrant] += mark.value
    played = _played(field)
    order = sorted(totals, key=lambda who: (-totals[who], lot(stage.seed, "duplicate", field.entrants[who].seed)))
    listed = [
        (place, [who], int(totals[who] * POINT), reason("place.marks", points=totals[who]))
        for place, who in enumerate(order, 1)
    ]
    return _rows(listed, played)


def marks(stage: Stage, field: Field) -> list[duplicate.Mark]:
    """Every mark given in the stage, round by round."""
    grades = {
        (number, table): grade
        for number, table, grade in Result.objects.filter(pairing__round__stage=stage, in_force=True).values_list(
            "pairing__round__number", "pairing__number", "grade"
        )
    }
    alike = engine.game(stage.division.season.league.game).cooperative
    found: list[duplicate.Mark] = []
    for each in field.history.rounds:
        confirmed = [table for table in each.tables if table.counts]
        if alike:
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
        (seat.entrant, seat.number, ABSENT if place.kind is Kind.FL else (-place.rank, place.score or 0))
        for seat, place in zip(table.seats, table.places)
    ]


def _team_marks(
    number: int, tables: Sequence[Table], grades: dict[tuple[int, int], Sequence[int]]
) -> list[duplicate.Mark]:
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


_BY: dict[str, Callable[[Stage, int | None, int | None], tuple[Row, ...]]] = {
    "standings": _by_points,
    "bracket": _by_bracket,
    "heats": _by_heats,
    "ladder": _by_ladder,
    "arena": _by_arena,
    "marks": _by_marks,
}
