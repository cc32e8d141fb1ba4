"""Adapters between a stage and the draw functions: each format takes what it needs from a `DrawInput`."""

from collections import Counter, defaultdict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from leagues.formats import (
    block_designs,
    bracket,
    duplicate,
    groups,
    heats,
    one_vs_many,
    round_robin,
    swiss,
    table_swiss,
    teams,
)
from leagues.formats.errors import FormatError
from leagues.formats.lots import lot
from leagues.formats.points import Scheme
from leagues.formats.reasons import reason
from leagues.formats.score_table import ScoreTable
from leagues.formats.values import Bye, Entrant, History, Kind, Round, Seat, Table


@dataclass(frozen=True)
class DrawResult:
    """A drawn round; by table number, the matches of the bracket or the groups that its tables belong to."""

    round: Round
    slots: Mapping[int, str] = field(default_factory=dict)
    groups: Mapping[int, int] = field(default_factory=dict)


@dataclass(frozen=True)
class DrawInput:
    """All that a draw may depend on. `roles` returns the roles of a table of so many; `group` is by entrant.

    `slots` are the tables of a bracket drawn so far, each with the id of its match. `deals` is the secret of duplicate
    rounds. `known` is the score table of the history, if the caller has it already. `quick` is for simulations, which
    draw thousands of rounds: small fields are then searched only briefly.
    """

    history: History
    settings: Mapping[str, Any]
    scheme: Scheme
    roles: Callable[[int], tuple[str, ...]]
    group: Mapping[int, int] = field(default_factory=dict)
    slots: Sequence[tuple[str, Table]] = ()
    deals: str = ""
    known: ScoreTable | None = None
    quick: bool = False

    @property
    def number(self) -> int:
        return self.history.next_round

    @property
    def starters(self) -> tuple[Entrant, ...]:
        """All starters in order of seed, including those who left: plans and brackets are made for all of them."""
        return tuple(sorted(self.history.entrants, key=lambda entrant: entrant.seed))

    @property
    def seeds(self) -> list[int]:
        return [entrant.id for entrant in self.starters]

    @property
    def plan(self) -> table_swiss.Plan:
        seats, least = self.settings["seats"], self.settings["least"]
        return table_swiss.Plan(seats, min(least, seats), self.settings.get("most"))

    def planned(self, rounds: Sequence[Round]) -> DrawResult:
        """Round `number` of a plan that was made for all rounds."""
        if self.number > len(rounds):
            raise FormatError("error.no-more-rounds", count=len(rounds))
        return DrawResult(rounds[self.number - 1])


def largest_table(settings: Mapping[str, Any]) -> int:
    """The size of the largest table with these settings; formats without the setting have tables of two."""
    return int(settings.get("seats", 2))


def swiss_round(now: DrawInput) -> DrawResult:
    return DrawResult(swiss.draw(now.history, now.scheme, _pair_roles(now), known=now.known))


def table_swiss_round(now: DrawInput) -> DrawResult:
    return DrawResult(table_swiss.draw(now.history, now.plan, now.scheme, known=now.known, quick=now.quick))


def one_vs_many_round(now: DrawInput) -> DrawResult:
    solo, team = now.roles(2)
    return DrawResult(
        one_vs_many.draw(
            now.history, now.plan, solo=solo, team=team, scheme=now.scheme, known=now.known, quick=now.quick
        )
    )


def round_robin_round(now: DrawInput) -> DrawResult:
    return now.planned(round_robin_plan(now))


def round_robin_plan(now: DrawInput) -> Sequence[Round]:
    return round_robin.schedule(now.starters, double=now.settings["double"])


def block_round(now: DrawInput) -> DrawResult:
    return now.planned(block_plan(now))


def block_plan(now: DrawInput) -> Sequence[Round]:
    return block_designs.league(
        now.starters, now.settings["seats"], seed=now.history.seed, games=now.settings["games"] or None
    )


def pod_round(now: DrawInput) -> DrawResult:
    return now.planned(pod_plan(now))


def pod_plan(now: DrawInput) -> Sequence[Round]:
    solo, team = now.roles(2)
    return block_designs.pod(now.starters, solo, team)


def fixed_teams_round(now: DrawInput) -> DrawResult:
    return DrawResult(_dealt(now, teams.fixed(now.history)))


def rotating_teams_round(now: DrawInput) -> DrawResult:
    return DrawResult(_dealt(now, teams.rotating(now.history, now.plan, quick=now.quick)))


def _dealt(now: DrawInput, drawn: Round) -> Round:
    return duplicate.same_deal(drawn, now.deals) if now.settings["same_deal"] else drawn


def duplicate_round(now: DrawInput) -> DrawResult:
    seats = now.settings["seats"]
    roles = now.roles(seats)
    return DrawResult(
        duplicate.draw(now.history, seats, now.deals, roles if len(set(roles)) > 1 else (), quick=now.quick)
    )


def group_round(now: DrawInput) -> DrawResult:
    """The same round of every group; a smaller group may finish before the others."""
    tables: list[Table] = []
    byes: list[Bye] = []
    where: dict[int, int] = {}
    plans = group_plans(now)
    if all(now.number > len(plan) for plan in plans.values()):
        raise FormatError("error.no-more-rounds", count=now.number - 1)
    for group, plan in sorted(plans.items()):
        if now.number > len(plan):
            continue
        for table in plan[now.number - 1].tables:
            number = len(tables) + 1
            tables.append(replace(table, number=number))
            where[number] = group
        byes += plan[now.number - 1].byes
    return DrawResult(Round(now.number, tuple(tables), tuple(byes)), groups=where)


def group_plans(now: DrawInput) -> dict[int, Sequence[Round]]:
    members: dict[int, list[Entrant]] = defaultdict(list)
    for entrant in now.starters:
        members[now.group[entrant.id]].append(entrant)
    return {group: _group_plan(now, tuple(those)) for group, those in members.items()}


def _group_plan(now: DrawInput, those: tuple[Entrant, ...]) -> Sequence[Round]:
    seats = now.settings["seats"]
    if seats == 2:
        return round_robin.schedule(those, double=now.settings["double"])
    return block_designs.league(those, min(seats, len(those)), seed=now.history.seed)


def dealt_groups(entrants: Sequence[Entrant], settings: Mapping[str, Any]) -> dict[int, int]:
    """The number of each entrant's group, from 1."""
    dealt = groups.deal(entrants, settings["groups"])
    return {who: group for group, members in enumerate(dealt, 1) for who in members}


def knock_out_round(now: DrawInput) -> DrawResult:
    """The matches of the bracket that can be played and have no table yet: the earliest such round of each side.

    One that ended level is played again.
    """
    tree = bracket_now(now)
    waiting = _without_table(now, tree)
    first = {side: min(each.round for each in waiting if each.side == side) for side in {each.side for each in waiting}}
    drawn = _match_tables(now, [match for match in waiting if match.round == first[match.side]])
    if not drawn.round.tables:
        raise FormatError("error.bracket-waits" if tree_is_open(tree) else "error.bracket-over")
    byes = tuple(_byes(tree)) if now.number == 1 else ()
    return replace(drawn, round=replace(drawn.round, byes=byes))


def playable_matches(now: DrawInput) -> DrawResult:
    """All matches of the bracket whose players are known and that have no table yet; perhaps none."""
    return _match_tables(now, _without_table(now, bracket_now(now)))


def _without_table(now: DrawInput, tree: bracket.Bracket) -> list[bracket.Match]:
    drawn = {(slot, frozenset(table.entrants)) for slot, table in now.slots if not _undecided(table)}
    return [match for match in tree.ready if (match.id, _pair(match)) not in drawn]


def _match_tables(now: DrawInput, matches: Sequence[bracket.Match]) -> DrawResult:
    """Tables for these matches. A lot decides who sits first; in a replay it is the other one."""
    former = Counter((slot, frozenset(table.entrants)) for slot, table in now.slots if table.counts)
    tables: list[Table] = []
    slots: dict[int, str] = {}
    for match in matches:
        pair = [who for who in match.entrants if who is not None]
        number, replays = len(tables) + 1, former[match.id, frozenset(pair)]
        if (lot(now.history.seed, match.id) + replays) % 2:
            pair.reverse()
        roles = _pair_roles(now) or ("", "")
        why = reason("bracket.replay", match=match.id) if replays else match.reason
        tables.append(Table(number, tuple(Seat(who, at, roles[at - 1]) for at, who in enumerate(pair, 1)), why))
        slots[number] = match.id
    return DrawResult(Round(now.number, tuple(tables), ()), slots=slots)


def _pair(match: bracket.Match) -> frozenset[int]:
    return frozenset(who for who in match.entrants if who is not None)


def bracket_now(now: DrawInput) -> bracket.Bracket:
    """The bracket that follows from the results. After a correction one match may have had tables of several pairs:
    only the result of the two who meet there now is used.
    """
    decisions: dict[str, dict[frozenset[int], bracket.Decision]] = defaultdict(dict)
    for slot, table in now.slots:
        decision = decided(table)
        if decision is not None:
            decisions[slot][frozenset(table.entrants)] = decision
    chosen = {slot: list(known.values())[-1] for slot, known in decisions.items()}
    while True:
        tree = _tree(now, chosen)
        better = {match.id: current for match in tree.ready if (current := decisions[match.id].get(_pair(match)))}
        if not better:
            return tree
        chosen |= better


def _tree(now: DrawInput, decisions: bracket.Results) -> bracket.Bracket:
    if "reset" in now.settings:
        return bracket.double(now.seeds, decisions, reset=now.settings["reset"])
    return bracket.single(now.seeds, decisions, third=now.settings["third"])


def decided(table: Table) -> bracket.Decision | None:
    """The decision of a table about its match; None if there is none: open, void, or a tie."""
    if not table.counts or _undecided(table):
        return None
    first, second = table.places
    one, other = table.entrants
    if first.kind is Kind.FL and second.kind is Kind.FL:
        return bracket.Decision(one, other, neither=True)
    wins = second.kind is Kind.FL or (first.kind is not Kind.FL and first.rank < second.rank)
    return bracket.Decision(one, other) if wins else bracket.Decision(other, one)


def _undecided(table: Table) -> bool:
    """Whether the table was voided or ended level, so that the match is still to be decided."""
    if table.state == "void":
        return True
    if not table.counts:
        return False
    first, second = table.places
    return first.kind is Kind.PLAYED and second.kind is Kind.PLAYED and first.rank == second.rank


def tree_is_open(tree: bracket.Bracket) -> bool:
    return any(match.state in (bracket.MatchState.READY, bracket.MatchState.WAITING) for match in tree.matches)


def _byes(tree: bracket.Bracket) -> Sequence[Bye]:
    first = [match for match in tree.matches if match.side == "winners" and match.round == 1]
    through = [match for match in first if match.state is bracket.MatchState.BYE and match.winner != bracket.NOBODY]
    return [Bye(match.winner or 0, Kind.PAB, match.reason) for match in through]


def heat_round(now: DrawInput) -> DrawResult:
    run = heats_now(now)
    if run.final:
        raise FormatError("error.bracket-over")
    if len(run.rounds) < now.number:
        raise FormatError("error.bracket-waits")
    return DrawResult(run.rounds[now.number - 1])


def heats_now(now: DrawInput) -> heats.Heats:
    results = {
        (each.number, table.number): dict(zip(table.entrants, table.places))
        for each in now.history.rounds
        for table in each.tables
        if table.counts
    }
    settings = now.settings
    return heats.run(now.seeds, results, heats.Rules(settings["seats"], settings["advance"], settings["fill"]))


def no_round(now: DrawInput) -> DrawResult:
    """Ladder and arena have no rounds: players start games themselves."""
    raise FormatError("error.no-rounds")


def _pair_roles(now: DrawInput) -> tuple[str, ...]:
    roles = now.roles(2)
    return roles if len(set(roles)) > 1 else ()
