"""Small seasons to compute odds for: values alone."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from leagues import rounds
from leagues.formats.points import NORMAL, SIDES, Scheme
from leagues.formats.tiebreaks.parts import PRESETS
from leagues.formats.values import Entrant, History, Place, Round, Table, TableState
from leagues.odds.values import Estimates, Position, Rest, Rules, Strengths
from leagues.ratings.kinds import Kind

ROUND_ROBIN = Rules(
    rounds.round_robin_round,
    "standings",
    "seed",
    {"double": False},
    rounds.round_robin_plan,
    fixed=True,
    round_robin=True,
)
BLOCKS = Rules(
    rounds.block_round, "standings", "seed", {"seats": 3, "games": 0}, rounds.block_plan, fixed=True, planned=1
)
SWISS = Rules(rounds.swiss_round, "standings", "seed", planned=3)
TABLE_SWISS = Rules(rounds.table_swiss_round, "standings", "seed", {"seats": 3, "least": 3}, planned=2)
ONE_VS_MANY = Rules(rounds.one_vs_many_round, "standings", "seed", {"seats": 4, "least": 3}, planned=3)
DUPLICATE = Rules(rounds.duplicate_round, "marks", "seed", {"seats": 3}, planned=2)
ROTATING = Rules(rounds.rotating_teams_round, "marks", "seed", {"seats": 2, "least": 2, "same_deal": True}, planned=2)
POD = Rules(rounds.pod_round, "standings", "seed", {}, rounds.pod_plan, fixed=True)
KNOCK_OUT = Rules(rounds.knock_out_round, "bracket", "knock-out", {"third": True}, knock_out=True)
DOUBLE = Rules(rounds.knock_out_round, "bracket", "double", {"reset": True}, knock_out=True)
HEATS = Rules(rounds.heat_round, "heats", "heats", {"seats": 3, "advance": 1, "fill": True}, knock_out=True)
GROUPS = Rules(
    rounds.group_round,
    "standings",
    "groups",
    {"groups": 2, "advance": 2, "seats": 2, "double": False},
    fixed=True,
    round_robin=True,
    grouped=True,
)


def field(count: int) -> tuple[Entrant, ...]:
    return tuple(Entrant(who, who, 1500) for who in range(1, count + 1))


def strengths(count: int, kind: Kind = Kind.FREE_FOR_ALL, *, deviation: int = 0, **more: Any) -> Strengths:
    """The first is the strongest, sixty points a step; everybody's deviation is `deviation` points."""
    ratings = {who: 1_500_000 + 60_000 * (count - who) for who in range(1, count + 1)}
    variance = dict.fromkeys(ratings, 1000 * deviation**2) if deviation else {}
    estimates = Estimates(
        ratings,
        variance,
        alone=ratings,
        alone_variance=variance,
        among=ratings,
        among_variance=variance,
        covariance={who: each // 2 for who, each in variance.items()},
    )
    return Strengths(kind, (estimates,), **more)


def roles(count: int) -> tuple[str, ...]:
    return ("thanos", *["hero"] * (count - 1))


def rest(
    rules: Rules,
    count: int,
    played: Sequence[Round] = (),
    *,
    tie_breaks: str = "swiss",
    kind: Kind = Kind.FREE_FOR_ALL,
    scheme: Scheme | None = None,
    **more: Any,
) -> Rest:
    """A season of so many, from scratch or after some rounds."""
    entrants = field(count)
    group: Mapping[int, int] = rounds.dealt_groups(entrants, rules.settings) if rules.grouped else {}
    history = History(rules.seed, entrants, tuple(played), planned=rules.planned)
    return Rest(
        Position(rules, history, group=group),
        scheme or (SIDES if kind is Kind.ONE_VS_MANY else NORMAL),
        tuple(PRESETS[tie_breaks]),
        roles if kind is Kind.ONE_VS_MANY else lambda size: ("",) * size,
        more.pop("strengths", None) or strengths(count, kind),
        **more,
    )


def drawn(season: Rest, number: int) -> Round:
    """Round `number` of a planned season."""
    assert season.stage.rules.plan is not None
    now = rounds.Situation(season.stage.history, season.stage.rules.settings, season.scheme, season.roles)
    return season.stage.rules.plan(now)[number - 1]


def ended(table: Table, ranks: Sequence[int]) -> Table:
    return replace(table, state=TableState.CONFIRMED, places=tuple(Place(rank) for rank in ranks))


def best_wins(each: Round) -> Round:
    """Everybody in order of seeds."""
    tables = []
    for table in each.tables:
        order = sorted(table.entrants)
        tables.append(ended(table, [order.index(who) + 1 for who in table.entrants]))
    return replace(each, tables=tuple(tables))
