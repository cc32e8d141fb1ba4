"""Small seasons to compute odds for, without a database."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from leagues.elo.result_types import RatingKind
from leagues.formats import adapters
from leagues.formats.points import NORMAL, SIDES, Scheme
from leagues.formats.tiebreaks.registry import PRESETS
from leagues.formats.values import Entrant, History, Place, Ranking, Round, Table, TableState
from leagues.odds.simulation.values import Estimates, Position, RemainingSeason, Rules, Strengths

ROUND_ROBIN = Rules(
    adapters.round_robin_round,
    Ranking.STANDINGS,
    "seed",
    {"double": False},
    adapters.round_robin_plan,
    fixed=True,
    round_robin=True,
)
BLOCKS = Rules(
    adapters.block_round,
    Ranking.STANDINGS,
    "seed",
    {"seats": 3, "games": 0},
    adapters.block_plan,
    fixed=True,
    planned=1,
)
SWISS = Rules(adapters.swiss_round, Ranking.STANDINGS, "seed", planned=3)
TABLE_SWISS = Rules(adapters.table_swiss_round, Ranking.STANDINGS, "seed", {"seats": 3, "least": 3}, planned=2)
ONE_VS_MANY = Rules(adapters.one_vs_many_round, Ranking.STANDINGS, "seed", {"seats": 4, "least": 3}, planned=3)
DUPLICATE = Rules(adapters.duplicate_round, Ranking.MARKS, "seed", {"seats": 3}, planned=2)
ROTATING = Rules(
    adapters.rotating_teams_round, Ranking.MARKS, "seed", {"seats": 2, "least": 2, "same_deal": True}, planned=2
)
POD = Rules(adapters.pod_round, Ranking.STANDINGS, "seed", {}, adapters.pod_plan, fixed=True)
KNOCK_OUT = Rules(adapters.knock_out_round, Ranking.BRACKET, "knock-out", {"third": True}, knock_out=True)
DOUBLE = Rules(adapters.knock_out_round, Ranking.BRACKET, "double", {"reset": True}, knock_out=True)
HEATS = Rules(
    adapters.heat_round,
    Ranking.HEATS,
    "heats",
    {"seats": 3, "advance": 1, "fill": True},
    knock_out=True,
    void_needs_replay=True,
)
GROUPS = Rules(
    adapters.group_round,
    Ranking.STANDINGS,
    "groups",
    {"groups": 2, "advance": 2, "seats": 2, "double": False},
    fixed=True,
    round_robin=True,
    grouped=True,
)


def field(count: int) -> tuple[Entrant, ...]:
    return tuple(Entrant(who, who, 1500) for who in range(1, count + 1))


def strengths(count: int, kind: RatingKind = RatingKind.FREE_FOR_ALL, *, deviation: int = 0, **more: Any) -> Strengths:
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
    solo_role = roles(2)[0] if kind is RatingKind.ONE_VS_MANY else ""
    return Strengths(kind, (estimates,), solo_role=solo_role, **more)


def roles(count: int) -> tuple[str, ...]:
    return ("thanos", *["hero"] * (count - 1))


def rest(
    rules: Rules,
    count: int,
    played: Sequence[Round] = (),
    *,
    tie_breaks: str = "swiss",
    kind: RatingKind = RatingKind.FREE_FOR_ALL,
    scheme: Scheme | None = None,
    **more: Any,
) -> RemainingSeason:
    """A season of so many, from scratch or after some rounds."""
    entrants = field(count)
    group: Mapping[int, int] = adapters.dealt_groups(entrants, rules.settings) if rules.grouped else {}
    history = History(rules.seed, entrants, tuple(played), planned=rules.planned)
    return RemainingSeason(
        Position(rules, history, group=group),
        scheme or (SIDES if kind is RatingKind.ONE_VS_MANY else NORMAL),
        tuple(PRESETS[tie_breaks]),
        roles if kind is RatingKind.ONE_VS_MANY else lambda size: ("",) * size,
        more.pop("strengths", None) or strengths(count, kind),
        **more,
    )


def drawn(season: RemainingSeason, number: int) -> Round:
    """Round `number` of a planned season."""
    assert season.stage.rules.plan is not None
    now = adapters.DrawInput(season.stage.history, season.stage.rules.settings, season.scheme, season.roles)
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
