"""Reasons of places, in random events of every format: the criterion named really decides.

The order is computed again here, pair by pair and without the code under test: head-to-head from the tables as played,
everything else from single values.
"""

import random
from dataclasses import replace
from itertools import combinations, groupby, pairwise

import pytest

from engine import game
from leagues.core import format_catalogue
from leagues.formats import order_rules
from leagues.formats.adapters import DrawInput, dealt_groups
from leagues.formats.errors import FormatError
from leagues.formats.points import NORMAL, SIDES
from leagues.formats.score_table import ScoreTable
from leagues.formats.standings import standings
from leagues.formats.tiebreaks.base import TieBreakInput
from leagues.formats.tiebreaks.registry import PARTS, PRESETS, parse
from leagues.formats.values import Entrant, History, Kind, Place, Ranking, Round, Seat, Table, TableState
from leagues.odds.simulation.season import by_group
from leagues.odds.simulation.values import Position, Rules
from tests.leagues.formats.random_events import played, walk

ONE_AGAINST_MANY = "infinity-gauntlet"
FREE_FOR_ALL = "splendor-marvel"
SETTINGS = {
    "swiss": {}, "table-swiss": {"seats": 4, "least": 3}, "one-vs-many": {"seats": 4, "least": 3},
    "round-robin": {"double": False}, "blocks": {"seats": 3, "games": 0}, "pod": {},
    "duplicate": {"seats": 3}, "teams": {"same_deal": True},
    "rotating-teams": {"seats": 3, "least": 2, "same_deal": True},
    "single-elimination": {"third": True}, "double-elimination": {"reset": True},
    "heats": {"seats": 4, "advance": 2, "fill": True},
    "groups": {"groups": 2, "advance": 2, "seats": 2, "double": False},
}  # fmt: skip
BY_POINTS = [code for code in SETTINGS if format_catalogue.FORMATS[code].explains_tie_breaks]


def event(code, seed):
    """A random event of a format: the situation at its end or somewhere before."""
    rng = random.Random(f"{code} {seed}")
    known = format_catalogue.FORMATS[code]
    alone = code in ("one-vs-many", "pod")
    roles = game(ONE_AGAINST_MANY if alone else FREE_FOR_ALL).roles
    count = rng.randint(4, 5) if code == "pod" else 9 if code == "blocks" else rng.randint(6, 12)
    entrants = tuple(Entrant(who, who, rating=rng.randint(1400, 1600)) for who in range(1, count + 1))
    if known.requested_byes:
        entrants = tuple(walk(each, 5, rng) for each in entrants)
    now = DrawInput(
        History(f"{code} {seed}", entrants, planned=5),
        SETTINGS[code],
        SIDES if alone else NORMAL,
        roles,
        group=dealt_groups(entrants, SETTINGS[code]) if code == "groups" else {},
        deals="deals",
    )
    slots = []
    for _ in range(rng.randint(1, 5)):
        if len(now.history.present()) < 4:
            break
        try:
            drawn = known.draw(now)
        except FormatError:
            break
        # Few different results and few scores, so that many end level; knock-outs must be decided.
        ties = 0 if known.knock_out else 0.4
        ended = played(drawn.round, rng, forfeits=0 if known.knock_out else 0.1, draws=ties)
        ended = replace(ended, tables=tuple(_few_scores(table, rng) for table in ended.tables))
        slots += [(drawn.slots[table.number], table) for table in ended.tables if table.number in drawn.slots]
        now = replace(now, history=replace(now.history, rounds=(*now.history.rounds, ended)), slots=slots)
    return now


def _few_scores(table, rng):
    """Each table has scores that tell nothing more than the places, or none."""
    given = rng.random() < 0.5
    places = [replace(place, score=max(0, 20 - 5 * place.rank) if given else None) for place in table.places]
    return replace(table, places=tuple(places))


def fields(code, now):
    known = format_catalogue.FORMATS[code]
    if code != "groups":
        return [ScoreTable(now.history, now.scheme, round_robin=known.round_robin)]
    rules = Rules(known.draw, known.ranking, now.history.seed, now.settings, grouped=True)
    return [
        ScoreTable(history, now.scheme, round_robin=True)
        for history in by_group(Position(rules, now.history, group=now.group)).values()
    ]


# -- the order worked out anew


def meetings(field):
    """What each took from each, in halves, and how often they met: from the tables alone."""
    took, met = {}, {}
    for each in field.history.rounds:
        for table in each.tables:
            for one, other in combinations(range(len(table.seats)), 2):
                a, b = table.places[one], table.places[other]
                if field.scheme.sides and table.seats[one].role == table.seats[other].role:
                    continue
                if not field.round_robin and (a.kind is not Kind.PLAYED or b.kind is not Kind.PLAYED):
                    continue
                gone = a.kind is Kind.FL, b.kind is Kind.FL
                halves = (0, 0) if all(gone) else (0, 2) if gone[0] else (2, 0) if gone[1] else None
                halves = halves or ((2, 0) if a.rank < b.rank else (0, 2) if b.rank < a.rank else (1, 1))
                for (me, you), got in zip(((one, other), (other, one)), halves):
                    pair = table.seats[me].entrant, table.seats[you].entrant
                    took[pair] = took.get(pair, 0) + got
                    met[pair] = met.get(pair, 0) + 1
    return took, met


def by_meetings(field, tied):
    """Head-to-head order of the tied, level ones together."""
    took, met = meetings(field)
    often = max((met.get(pair, 0) for pair in combinations(tied, 2)), default=0)
    if len(tied) < 2 or not often:
        return [set(tied)]
    mine = {who: sum(took.get((who, other), 0) for other in tied if other != who) for who in tied}
    open_ = {who: sum(often - met.get((who, other), 0) for other in tied if other != who) for who in tied}
    if not any(open_.values()):
        scores = sorted(set(mine.values()), reverse=True)
        if len(scores) == 1:
            return [set(tied)]
        return [part for score in scores for part in by_meetings(field, [who for who in tied if mine[who] == score])]
    for who in tied:
        if all(mine[who] > mine[other] + 2 * open_[other] for other in tied if other != who):
            return [{who}, *by_meetings(field, [other for other in tied if other != who])]
    return [set(tied)]


def expected(field, codes):
    """By pair of neighbours, the criterion that separates them: "points", a code, or "" for none."""
    sheet = TieBreakInput(field)

    def parts(code, tied):
        if code == "head-to-head":
            return by_meetings(field, sorted(tied))
        if code in ("mean-share", "margin") and any(not PARTS[code].is_given(sheet, who) for who in tied):
            return [tied]
        values = {who: sheet.value(PARTS[code], who) for who in tied}
        return [{who for who in tied if values[who] == value} for value in sorted(set(values.values()), reverse=True)]

    def criterion(above, below):
        if field.score[above] != field.score[below]:
            assert field.score[above] > field.score[below]
            return "points"
        tied = {who for who in field.score if field.score[who] == field.score[above]} & here
        for code in codes:
            found = parts(code, tied)
            mine, other = (next(at for at, group in enumerate(found) if who in group) for who in (above, below))
            if mine != other:
                assert mine < other
                return code
            tied = found[mine]
        return ""

    rows = standings(field, parse(codes))
    here = {row.entrant for row in rows}
    return rows, [criterion(one.entrant, other.entrant) for one, other in pairwise(rows)]


@pytest.mark.parametrize("code", BY_POINTS)
def test_the_criterion_named_separates_the_neighbours(code):
    lots = ties = 0
    for seed in range(12):
        now = event(code, seed)
        for field in fields(code, now):
            for preset in (PRESETS[format_catalogue.FORMATS[code].tie_breaks], ("head-to-head", "wins"), ()):
                rows, between = expected(field, preset)
                for at, row in enumerate(rows):
                    above = between[at - 1] if at else "points"
                    below = between[at] if at < len(between) else "points"
                    shared = "" in (above, below)
                    decided = above if above != "points" else below
                    if shared:
                        assert (row.reason.code, row.shared > 1) == ("place.shared", True)
                    elif decided == "points":
                        assert (row.reason.code, row.reason["points"]) == ("place.sole", row.points)
                    elif decided == "lot":
                        lots += 1
                        assert row.reason.code == "place.lot"
                    else:
                        ties += 1
                        assert (row.reason.code, row.reason["part"]) == ("place.tie-break", decided)
                assert [a.place == b.place for a, b in pairwise(rows)] == [not each for each in between]
    assert ties
    assert lots or code == "pod"


@pytest.mark.parametrize("code", ["duplicate", "teams", "rotating-teams"])
def test_equal_records_share_a_place_where_marks_are_compared(code):
    shared = 0
    for seed in range(12):
        now, rng = event(code, seed), random.Random(seed)
        together = code != "duplicate"
        grades = {
            (each.number, table.number): (rng.randint(0, 1), 3, rng.randint(0, 1))
            for each in now.history.rounds
            for table in each.tables
        }
        field = ScoreTable(now.history)
        rows = order_rules.by_marks(field, grades, together=together)
        totals = {}
        for mark in order_rules.marks(field, grades, together=together):
            totals[mark.entrant] = totals.get(mark.entrant, 0) + mark.value
        for row in rows:
            mine = totals.get(row.entrant, 0)
            assert row.place == 1 + sum(totals.get(who, 0) > mine for who in field.entrants)
            assert row.shared == sum(totals.get(who, 0) == mine for who in field.entrants)
            assert row.reason.code == ("place.marks-shared" if row.shared > 1 else "place.marks")
            assert row.reason["points"] == mine
            shared += row.shared > 1
    assert shared


def _duel(one, other, rank):
    return Table(1, (Seat(one, 1), Seat(other, 2)), None, TableState.CONFIRMED, (Place(1), Place(rank)))


def test_an_arena_says_what_separates_those_with_as_many_points():
    kinds = set()
    for seed in range(40):
        rng = random.Random(seed)
        pairs = [rng.sample(range(1, 7), 2) for _ in range(rng.randint(2, 9))]
        rounds = tuple(
            Round(number, (_duel(one, other, rank),))
            for number, ((one, other), rank) in enumerate(((pair, rng.choice((1, 2))) for pair in pairs), 1)
        )
        field = ScoreTable(History(f"arena {seed}", tuple(Entrant(who, who) for who in range(1, 7)), rounds))
        rows = order_rules.by_arena(field)
        record = {row.entrant: (row.score, len(field.games[row.entrant])) for row in rows}
        for row in rows:
            points, games = record[row.entrant]
            ahead = [who for who, (score, more) in record.items() if (-score, more) < (-points, games)]
            assert row.place == 1 + len(ahead)
            alike = [who for who, each in record.items() if each == record[row.entrant]]
            level = [who for who, each in record.items() if each[0] == points and each != record[row.entrant]]
            code = "place.arena-shared" if len(alike) > 1 else "place.fewer-games" if level else "place.sole"
            assert (row.reason.code, row.shared) == (code, len(alike))
            kinds.add(code)
    assert kinds == {"place.arena-shared", "place.fewer-games", "place.sole"}


@pytest.mark.parametrize("code", ["single-elimination", "double-elimination", "heats"])
def test_places_of_a_knock_out_say_how_far_somebody_came(code):
    known = format_catalogue.FORMATS[code]
    for seed in range(8):
        now = event(code, seed)
        rows = (order_rules.by_heats if known.ranking is Ranking.HEATS else order_rules.by_bracket)(now)
        assert {row.entrant for row in rows} == set(now.seeds)
        lost = {who: _losses(now, who) for who in now.seeds}
        for row in rows:
            if row.reason.code in ("place.in", "place.won"):
                assert lost[row.entrant] <= ("reset" in now.settings)
            if row.reason.code == "place.heat":
                rounds = [each.number for each in now.history.rounds if row.entrant in each.entrants()]
                assert row.reason["round"] >= max(rounds, default=1)
        for _, level in groupby(rows, key=lambda row: row.place):
            assert len({row.reason.code for row in level}) == 1


def _losses(now, who):
    return sum(
        place.rank > 1
        for each in now.history.rounds
        for table in each.tables
        for seat, place in zip(table.seats, table.places)
        if seat.entrant == who
    )


def test_a_final_table_that_ends_level_shares_the_place():
    def final(*places):
        seats = tuple(Seat(who, who) for who in range(1, 5))
        history = History("final", tuple(Entrant(who, who) for who in range(1, 5)), (
            Round(1, (Table(1, seats, None, TableState.CONFIRMED, places),)),
        ))  # fmt: skip
        now = DrawInput(history, SETTINGS["heats"], NORMAL, game(FREE_FOR_ALL).roles)
        return [(row.place, row.entrant, row.reason.code) for row in order_rules.by_heats(now)]

    level = final(Place(3), Place(1), Place(1), Place(4))
    assert level[:2] == [(1, 2, "place.final-shared"), (1, 3, "place.final-shared")]
    scored = final(Place(3, 5), Place(1, 9), Place(1, 12), Place(4, 1))
    assert scored[:2] == [(1, 3, "place.final-share"), (2, 2, "place.final-share")]
    assert scored[2] == (3, 1, "place.heat")
