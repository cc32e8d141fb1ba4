"""Reads all that a division's odds depend on, in a fixed number of queries, and makes a fingerprint of it."""

import hashlib
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import fields, replace
from math import sqrt
from typing import Any

import engine
from games.catalogue.ratability import scenario
from leagues.core import format_catalogue
from leagues.elo import initial_offsets
from leagues.elo.deviation import Belief
from leagues.elo.result_types import FIRST_COVARIANCE, FIRST_VARIANCE, SCALE, START, RatingKind
from leagues.elo.update import FIRST_DIFFICULTY, FIRST_OFFSET
from leagues.formats.values import History, Table, TableState
from leagues.models import (
    Division,
    Entrant,
    PairingSeat,
    RatedResult,
    Rating,
    RatingOffset,
    RatingPool,
    Stage,
    Starter,
    TeamMember,
)
from leagues.models.rating import kind_of
from leagues.odds.simulation import pool_spreads
from leagues.odds.simulation.fixed_schedule import OPEN
from leagues.odds.simulation.values import Estimates, NoOdds, Position, RemainingSeason, Roles, Rules, Strengths
from leagues.ratings import queries
from leagues.standings import history, ranking

People = Mapping[int, Sequence[int]]
"""The accounts of each entrant."""
Offsets = dict[tuple[int, str], int]

SIZES = range(1, 13)
"""Players at a table."""
FIRST_ROLES = (FIRST_VARIANCE, FIRST_VARIANCE, FIRST_COVARIANCE)
LATELY = 500
FEW = 40
"""The least number of results of two seats from which the share of draws is estimated."""


def load_remaining_season(division: Division) -> RemainingSeason:
    """The rest of the division's season; NoOdds has the reason if there is nothing to compute."""
    stages = list(Stage.objects.filter(division=division).order_by("position"))
    for stage in stages:
        stage.division = division
    running = next((each for each in stages if each.status == Stage.Status.RUNNING), None)
    if running is None:
        raise NoOdds("over")
    later = [each for each in stages if each.position > running.position]
    if any(not format_catalogue.FORMATS[each.format].rounds for each in (running, *later)):
        raise NoOdds("free")
    season = division.season
    starting = set(Starter.objects.filter(stage=running).values_list("entrant", flat=True))
    everybody = list(Entrant.objects.filter(division=division))
    lowest = Division.objects.filter(season=season).order_by("-level").values_list("level", flat=True)[0]
    return RemainingSeason(
        stage=_position(running),
        scheme=replace(history.scheme(running), best=running.division.season.best_rounds),
        edition=history.edition(running),
        tie_breaks=tuple(season.tie_breaks),
        roles=Roles(season.league.game),
        strengths=_strengths(division, everybody),
        later=tuple(_rules(each) for each in later),
        fallen=tuple(_fallen([each for each in stages if each.position < running.position], starting)),
        gone=frozenset(each.pk for each in everybody if each.is_withdrawn),
        up=division.up if division.level > 1 else 0,
        down=division.down if division.level < lowest else 0,
    )


def _rules(stage: Stage) -> Rules:
    known = format_catalogue.FORMATS[stage.format]
    return Rules(
        draw=known.draw,
        ranking=known.ranking,
        order=known.order,
        seed=stage.seed,
        settings=stage.settings,
        plan=known.plan,
        fixed=known.is_planned,
        round_robin=known.round_robin,
        knock_out=known.knock_out,
        void_needs_replay=known.void_needs_replay,
        grouped=known.grouped,
        planned=stage.planned,
        take=stage.take,
    )


def _position(stage: Stage) -> Position:
    now = ranking.draw_input(stage, drafts=True)
    known = {id(table): slot for slot, table in now.slots}
    slots = {
        (each.number, table.number): known[id(table)]
        for each in now.history.rounds
        for table in each.tables
        if id(table) in known
    }
    absent = PairingSeat.objects.filter(round__stage=stage, absent=True)
    return Position(
        rules=_rules(stage),
        history=_without_open_results(now.history),
        group=now.group,
        slots=slots,
        absent=frozenset(absent.values_list("round__number", "pairing__number", "entrant")),
        grades=ranking.grades(stage),
    )


def _without_open_results(past: History) -> History:
    """The history with every table without a confirmed result as scheduled, and without secret deals."""
    rounds = tuple(replace(each, tables=tuple(map(_without_open_result, each.tables))) for each in past.rounds)
    return replace(past, rounds=rounds)


def _without_open_result(table: Table) -> Table:
    return replace(table, state=TableState.SCHEDULED if table.state in OPEN else table.state, deal="")


def _fallen(before: list[Stage], starting: set[int]) -> list[int]:
    """Entrants who were eliminated in earlier stages, the latest stage first."""
    listed: list[int] = []
    for stage in reversed(before):
        listed += [
            row.entrant for row in ranking.ranking(stage) if row.entrant not in starting and row.entrant not in listed
        ]
    return listed


def _strengths(division: Division, everybody: list[Entrant]) -> Strengths:
    game = division.season.league.game
    people: dict[int, list[int]] = defaultdict(list)
    for each in everybody:
        if each.user_id:
            people[each.pk].append(each.user_id)
    for entrant, user in TeamMember.objects.filter(entrant__in=everybody).values_list("entrant", "user"):
        people[entrant].append(user)
    pool = queries.pool_of(game)
    kind = kind_of(game)
    offsets, unsure = _offsets(pool, game, kind, scenario(game, division.season.options, division.season.card_code))
    users = {user for listed in people.values() for user in listed}
    rows: dict[int, Rating] = {}
    if pool is not None:
        rows = {row.user_id: row for row in Rating.objects.filter(pool=pool, user__in=users)}
        for row in rows.values():
            row.pool = pool
    return Strengths(
        kind=kind,
        estimates=_by_spread(pool, people, rows) if kind is RatingKind.FREE_FOR_ALL else _by_belief(pool, people, rows),
        members={entrant: len(listed) for entrant, listed in people.items()},
        offsets=offsets,
        offset_variance=unsure,
        scenario=scenario(game, division.season.options, division.season.card_code),
        draws=_draws(pool.pk) if pool is not None and kind is RatingKind.FREE_FOR_ALL else 0.0,
        solo_role=engine.game(game).solo_role,
    )


def _offsets(pool: RatingPool | None, game: str, kind: RatingKind, name: str) -> tuple[Offsets, Offsets]:
    """Offsets as learned from results, else as measured with bots; and their variances (seats have none)."""
    offsets = {(int(key.partition(":")[0]), key.partition(":")[2]): value for key, value in _seeds(pool, game).items()}
    unsure: Offsets = {}
    if kind is RatingKind.ONE_VS_MANY:
        unsure = dict.fromkeys(((players, "") for players in SIZES), FIRST_OFFSET)
    elif kind is RatingKind.COOPERATIVE:
        unsure = dict.fromkeys(((players, name) for players in SIZES), FIRST_DIFFICULTY)
    for key in unsure:
        offsets.setdefault(key, START if kind is RatingKind.COOPERATIVE else 0)
    for each in RatingOffset.objects.filter(pool=pool) if pool is not None else ():
        offsets[each.players, each.name] = each.value
        if (each.players, each.name) in unsure and each.games:
            unsure[each.players, each.name] = each.variance
    return offsets, unsure


def _by_spread(pool: RatingPool | None, people: People, rows: Mapping[int, Rating]) -> tuple[Estimates, ...]:
    """Estimates for each likely spread of the pool's people; a team is the mean of its members."""
    entry = START if pool is None else pool.entry
    everybody = Rating.objects.filter(pool=pool, is_bot=False) if pool is not None else Rating.objects.none()
    estimates = []
    for spread in pool_spreads.likely(everybody.values_list("rating", "variance"), entry):
        each = {}
        for user in {user for listed in people.values() for user in listed}:
            row = rows.get(user)
            if row is None:
                each[user] = entry, spread.points**2 * SCALE
            elif row.is_bot:
                each[user] = row.rating, row.variance
            else:
                idle = row.variance_on() - row.variance
                each[user] = pool_spreads.estimate(row.rating, row.variance, idle, spread, entry)
        rating, variance = _teams(people, each)
        estimates.append(Estimates(rating, variance, weight=spread.weight))
    return tuple(estimates)


def _by_belief(pool: RatingPool | None, people: People, rows: Mapping[int, Rating]) -> tuple[Estimates, ...]:
    """Estimates where a table has only two sides, with the pool's one spread."""
    known: dict[str, dict[int, tuple[int, int]]] = {"": {}, "solo": {}, "team": {}}
    together: dict[int, tuple[int, int]] = {}
    for user in {user for listed in people.values() for user in listed}:
        row = rows.get(user)
        for side, numbers in known.items():
            if row is not None:
                belief = row.belief(side=side)
            else:
                belief = pool.newcomer(side) if pool is not None else Belief(START, FIRST_VARIANCE)
            numbers[user] = belief.mean, belief.variance
        # The same correlation between the two roles as in the ratings.
        raw = (row.solo_variance, row.team_variance, row.covariance) if row is not None else FIRST_ROLES
        scale = sqrt(known["solo"][user][1] * known["team"][user][1] / (raw[0] * raw[1]))
        together[user] = 0, round(raw[2] * scale)
    rating, variance = _teams(people, known[""])
    alone, alone_variance = _teams(people, known["solo"])
    among, among_variance = _teams(people, known["team"])
    _, covariance = _teams(people, together)
    return (Estimates(rating, variance, alone, alone_variance, among, among_variance, covariance),)


def _teams(people: People, known: Mapping[int, tuple[int, int]]) -> tuple[dict[int, int], dict[int, int]]:
    """Mean and variance of each entrant: one person, or the mean of a team."""
    means = {who: round(sum(known[user][0] for user in users) / len(users)) for who, users in people.items()}
    unsure = {who: round(sum(known[user][1] for user in users) / len(users) ** 2) for who, users in people.items()}
    return means, unsure


def _seeds(pool: RatingPool | None, game: str) -> dict[str, int]:
    seeds: dict[str, int] | None = getattr(pool, "seeds", None)
    return seeds or initial_offsets.initial_offsets(game, kind_of(game), engine.game(game).solo_role)


def _draws(pool_id: int) -> float:
    """The share of draws at tables of two lately; 0 while there are too few results."""
    rows = RatedResult.objects.filter(pool=pool_id, counts=True).order_by("-finished_at")
    duels = [seats for seats in rows.values_list("seats", flat=True)[:LATELY] if len(seats) == 2]
    if len(duels) < FEW:
        return 0.0
    level = sum(bool(one[1] == other[1]) for one, other in duels)
    return round(level / len(duels), 2)


def knowledge(rest: RemainingSeason) -> dict[str, Any]:
    """Which results and withdrawals these odds include, so that a page can later name what is missing."""
    results = {
        f"{each.number}.{table.number}": hashlib.sha256(repr((table.seats, table.places)).encode()).hexdigest()[:16]
        for each in rest.stage.history.rounds
        for table in each.tables
        if table.state not in OPEN
    }
    return {"stage": rest.stage.rules.seed, "results": results, "gone": sorted(rest.gone)}


def fingerprint(rest: RemainingSeason) -> str:
    """A hash of everything that the odds depend on."""
    stage, strengths = rest.stage, rest.strengths
    parts = (
        [_fingerprint_of_rules(rules) for rules in (stage.rules, *rest.later)],
        stage.history.seed,
        stage.history.entrants,
        [[(t.number, t.seats, t.state, t.places) for t in each.tables] for each in stage.history.rounds],
        [[(bye.entrant, bye.kind) for bye in each.byes] for each in stage.history.rounds],
        sorted(sorted(pair) for pair in stage.history.forbidden),
        sorted(stage.group.items()),
        sorted(stage.slots.items()),
        sorted(stage.absent),
        sorted((key, list(grade)) for key, grade in stage.grades.items()),
        (rest.scheme.name, rest.scheme.ladder, rest.scheme.best),
        rest.edition.value,
        rest.tie_breaks,
        (strengths.kind, strengths.scenario, strengths.draws),
        [_numbers(each) for each in strengths.estimates],
        [sorted(each.items()) for each in (strengths.members, strengths.offsets, strengths.offset_variance)],
        (rest.fallen, sorted(rest.gone), rest.up, rest.down),
    )
    return hashlib.sha256(repr(parts).encode()).hexdigest()


def _numbers(estimates: Estimates) -> list[object]:
    return [
        sorted(value.items()) if isinstance(value, Mapping) else value
        for value in (getattr(estimates, each.name) for each in fields(estimates))
    ]


def _fingerprint_of_rules(rules: Rules) -> tuple[object, ...]:
    return rules.draw.__name__, rules.seed, sorted(rules.settings.items()), rules.planned, rules.take
