"""Tie-breaks by edition: the current one equals another program's values, the earlier one this site's old values."""

import gzip
import json
from fractions import Fraction
from functools import cache
from pathlib import Path

import pytest

from leagues.formats.editions import CURRENT, Edition
from leagues.formats.points import SCHEMES, scheme_of
from leagues.formats.score_table import ScoreTable
from leagues.formats.standings import levels
from leagues.formats.tiebreaks.base import TieBreakInput
from leagues.formats.tiebreaks.registry import PARTS, parse
from leagues.formats.values import Bye, Entrant, History, Kind, Place, Round, Seat, Table, TableState

DATA = Path(__file__).parents[2] / "data" / "tiebreaks"
BYES = {"U": Kind.PAB, "R": Kind.PAB, "H": Kind.HPB, "Z": Kind.ZPB, "N": Kind.NP, "W": Kind.WD}
PLACES = {"1": Place(1), "=": Place(1), "0": Place(2), "+": Place(1, kind=Kind.FW), "-": Place(2, kind=Kind.FL)}
FAMILIES = (
    "none", "allocated-bye", "allocated-bye-half", "half-point-bye", "zero-point-bye", "forfeit", "double-forfeit",
    "late-entry", "withdrawal", "mixture", "round-robin", "round-robin-forfeit",
)  # fmt: skip
COMPARED = 17_491


@cache
def stored(name):
    with gzip.open(DATA / name, "rt") as lines:
        return [json.loads(line) for line in lines]


def as_field(event, edition=CURRENT):
    rounds = []
    for each in event["rounds"]:
        tables = tuple(
            Table(
                number,
                (Seat(game["first"], 1), Seat(game["second"], 2)),
                state=TableState.CONFIRMED,
                places=tuple(PLACES[letter] for letter in game["result"]),
            )
            for number, game in enumerate(each["games"], 1)
        )
        rounds.append(Round(each["number"], tables, tuple(Bye(b["player"], BYES[b["code"]]) for b in each["byes"])))
    entrants = tuple(Entrant(each["id"], each["seed"], rating=each["rating"]) for each in event["players"])
    history = History(event["event"], entrants, tuple(rounds), planned=event["rounds_planned"])
    field = ScoreTable(
        history, scheme_of("normal", edition), round_robin=event["kind"] == "round-robin", edition=edition
    )
    worth = Fraction(event["points"]["allocated_bye"])
    if field.round_robin or worth == 1:
        return field
    # Here an allocated bye is always a full point; some of the events give half of one.
    half = int(worth * field.scheme.top)
    return field.with_games(
        {
            who: [game._replace(points=half) if game.kind is Kind.PAB else game for game in games]
            for who, games in field.games.items()
        }
    )


def rounded(code, value):
    if code in ("average-rating", "average-rating-cut-1", "performance"):
        return Fraction((value + Fraction(1, 2)).__floor__())
    return Fraction((value * 100 + Fraction(1, 2)).__floor__(), 100) if code == "opponents-buchholz" else value


def compared(event):
    """(tie-break, player or tie, value of the other program, ours)."""
    field = as_field(event)
    for player in event["players"]:
        yield "points", player["id"], Fraction(player["points"]), Fraction(field.score[player["id"]], field.scheme.top)
    sheet = TieBreakInput(field)
    for code, values in event["values"].items():
        if code == "head-to-head":
            groups = levels(sheet, parse([code]))[0]
            for tie in values:
                tied = {who for group in tie["order"] for who in group}
                yield code, tie["points"], tie["order"], [sorted(group) for group in groups if tied & set(group)]
            continue
        for who, expected in values.items():
            yield code, int(who), Fraction(expected), rounded(code, sheet.value(PARTS[code], int(who)))


@pytest.mark.parametrize("family", FAMILIES)
def test_the_edition_in_force_gives_the_values_of_another_program(family):
    events = [event for event in stored("events.jsonl.gz") if event["family"] == family]
    assert len(events) >= 4
    wrong = [(event["event"], *row) for event in events for row in compared(event) if row[2] != row[3]]
    assert not wrong


def test_nothing_of_the_other_program_is_left_out():
    events = stored("events.jsonl.gz")
    assert {event["family"] for event in events} == set(FAMILIES)
    count = sum(len(event["players"]) + sum(len(values) for values in event["values"].values()) for event in events)
    assert count == COMPARED
    # Both readings of article 16.4 are among them.
    assert sum(len(who) for event in events for who in event["rests_on_one_cap"].values()) > 100


def test_the_earlier_edition_gives_what_this_site_gave_before():
    before = {event["event"]: event["values"] for event in stored("earlier.jsonl.gz")}
    differs = 0
    for event in stored("events.jsonl.gz"):
        sheet, now = TieBreakInput(as_field(event, Edition.EARLIER)), TieBreakInput(as_field(event))
        for code, values in before[event["event"]].items():
            for who, expected in values.items():
                assert sheet.value(PARTS[code], int(who)) == Fraction(expected), (event["event"], code, who)
                differs += now.value(PARTS[code], int(who)) != Fraction(expected)
    assert differs > 2000


@pytest.mark.parametrize("name", SCHEMES)
def test_byes_of_the_earlier_edition_pay_what_they_paid(name):
    scheme = scheme_of(name, Edition.EARLIER)
    rounds = (Round(1, (), tuple(Bye(who, kind) for who, kind in enumerate(Kind, 0) if kind is not Kind.PLAYED)),)
    entrants = tuple(Entrant(who, who) for who, kind in enumerate(Kind, 0) if kind is not Kind.PLAYED)
    score = ScoreTable(History("byes", entrants, rounds), scheme, edition=Edition.EARLIER).score
    paid = {kind: score[who] for who, kind in enumerate(Kind, 0) if kind is not Kind.PLAYED}
    full = {Kind.PAB, Kind.FPB, Kind.FW}
    for kind, points in paid.items():
        assert points == (scheme.top if kind in full else scheme.top // 2 if kind is Kind.HPB else 0)


@pytest.mark.parametrize(("edition", "cut"), [(CURRENT, 3), (Edition.EARLIER, 1)])
def test_a_full_point_bye_is_not_a_round_missed_by_choice(edition, cut):
    """The events of the other program have no such bye. A cut takes rounds missed by choice first, now not this one."""

    def table(number, winner, loser):
        seats = (Seat(winner, 1), Seat(loser, 2))
        return Table(number, seats, state=TableState.CONFIRMED, places=(Place(1), Place(2)))

    rounds = (
        Round(1, (table(1, 2, 3), table(2, 4, 5)), (Bye(1, Kind.FPB), Bye(6, Kind.PAB))),
        Round(2, (table(1, 1, 2), table(2, 4, 6), table(3, 5, 3))),
        Round(3, (table(1, 1, 3), table(2, 2, 4), table(3, 6, 5))),
    )
    entrants = tuple(Entrant(who, who) for who in range(1, 7))
    field = ScoreTable(History("full", entrants, rounds), scheme_of("normal", edition), edition=edition)
    for code in ("buchholz-cut-1", "sonneborn-berger-cut-1"):
        lines = PARTS[code].lines(TieBreakInput(field), 1)
        # The opponent of round 3 lost every game: the smallest contribution.
        assert [line.round for line in lines if line.cut] == [cut], code
