"""The next round of a stage, from values to values: what each format needs, taken from the situation."""

from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from leagues.formats import (
    blocks,
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
from leagues.formats.field import Field
from leagues.formats.lots import lot
from leagues.formats.points import Scheme
from leagues.formats.reasons import reason
from leagues.formats.values import Bye, Entrant, History, Kind, Round, Seat, Table


@dataclass(frozen=True)
class Drawn:
    """A round, and which matches of the bracket or which groups its tables belong to, by table number."""

    round: Round
    slots: Mapping[int, str] = field(default_factory=dict)
    groups: Mapping[int, int] = field(default_factory=dict)


@dataclass(frozen=True)
class Situation:
    """All that a draw may depend on. `roles` tells the roles of a table of so many; `group` is by entrant.

    `slots` are the tables of a bracket drawn so far: the match each stood for, and who sat there. `deals` is the
    secret of duplicate rounds. `known` is the field of the history, from whoever has read it already. `quick` is for
    whoever draws thousands of rounds to see how a season may go on: small fields are then searched only briefly.
    """

    history: History
    settings: Mapping[str, Any]
    scheme: Scheme
    roles: Callable[[int], tuple[str, ...]]
    group: Mapping[int, int] = field(default_factory=dict)
    slots: Sequence[tuple[str, Table]] = ()
    deals: str = ""
    known: Field | None = None
    quick: bool = False

    @property
    def number(self) -> int:
        return self.history.next_round

    @property
    def starters(self) -> tuple[Entrant, ...]:
        """Everybody in order of seed, gone or not: plans and brackets are made for those who began."""
        return tuple(sorted(self.history.entrants, key=lambda entrant: entrant.seed))

    @property
    def seeds(self) -> list[int]:
        return [entrant.id for entrant in self.starters]

    @property
    def plan(self) -> table_swiss.Plan:
        seats, least = self.settings["seats"], self.settings["least"]
        return table_swiss.Plan(seats, min(least, seats), self.settings.get("most"))

    def planned(self, rounds: Sequence[Round]) -> Drawn:
        """Round `number` of a plan that was made for all rounds."""
        if self.number > len(rounds):
            raise FormatError("error.no-more-rounds", count=len(rounds))
        return Drawn(rounds[self.number - 1])


def largest_table(settings: Mapping[str, Any]) -> int:
    """The most who sit at a table of a stage with these settings; formats that ask for no number have tables of two."""
    return int(settings.get("seats", 2))


def swiss_round(now: Situation) -> Drawn:
    return Drawn(swiss.draw(now.history, now.scheme, _pair_roles(now), known=now.known))


def table_swiss_round(now: Situation) -> Drawn:
    return Drawn(table_swiss.draw(now.history, now.plan, now.scheme, known=now.known, quick=now.quick))


def one_vs_many_round(now: Situation) -> Drawn:
    solo, team = now.roles(2)
    return Drawn(
        one_vs_many.draw(
            now.history, now.plan, solo=solo, team=team, scheme=now.scheme, known=now.known, quick=now.quick
        )
    )


def round_robin_round(now: Situation) -> Drawn:
    return now.planned(round_robin_plan(now))


def round_robin_plan(now: Situation) -> Sequence[Round]:
    return round_robin.schedule(now.starters, double=now.settings["double"])


def block_round(now: Situation) -> Drawn:
    return now.planned(block_plan(now))


def block_plan(now: Situation) -> Sequence[Round]:
    return blocks.league(
        now.starters, now.settings["seats"], seed=now.history.seed, games=now.settings["games"] or None
    )


def pod_round(now: Situation) -> Drawn:
    return now.planned(pod_plan(now))


def pod_plan(now: Situation) -> Sequence[Round]:
    solo, team = now.roles(2)
    return blocks.pod(now.starters, solo, team)


def fixed_teams_round(now: Situation) -> Drawn:
    return Drawn(_dealt(now, teams.fixed(now.history)))


def rotating_teams_round(now: Situation) -> Drawn:
    return Drawn(_dealt(now, teams.rotating(now.history, now.plan, quick=now.quick)))


def _dealt(now: Situation, drawn: Round) -> Round:
    return duplicate.same_deal(drawn, now.deals) if now.settings["same_deal"] else drawn


def duplicate_round(now: Situation) -> Drawn:
    seats = now.settings["seats"]
    roles = now.roles(seats)
    return Drawn(duplicate.draw(now.history, seats, now.deals, roles if len(set(roles)) > 1 else (), quick=now.quick))


def group_round(now: Situation) -> Drawn:
    """The same round of every group side by side; a smaller group may be through before the others."""
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
    return Drawn(Round(now.number, tuple(tables), tuple(byes)), groups=where)


def group_plans(now: Situation) -> dict[int, Sequence[Round]]:
    members: dict[int, list[Entrant]] = defaultdict(list)
    for entrant in now.starters:
        members[now.group[entrant.id]].append(entrant)
    return {group: _group_plan(now, tuple(those)) for group, those in members.items()}


def _group_plan(now: Situation, those: tuple[Entrant, ...]) -> Sequence[Round]:
    seats = now.settings["seats"]
    if seats == 2:
        return round_robin.schedule(those, double=now.settings["double"])
    return blocks.league(those, min(seats, len(those)), seed=now.history.seed)


def dealt_groups(entrants: Sequence[Entrant], settings: Mapping[str, Any]) -> dict[int, int]:
    """Which group each entrant plays in, from 1."""
    dealt = groups.deal(entrants, settings["groups"])
    return {who: group for group, members in enumerate(dealt, 1) for who in members}


def knock_out_round(now: Situation) -> Drawn:
    """The matches of the bracket that can be played and have no table yet, on each side the earliest round of them.

    One that ended level is played again.
    """
    tree = bracket_now(now)
    drawn = {(slot, frozenset(table.entrants)) for slot, table in now.slots if not _undecided(table)}
    again = {(slot, frozenset(table.entrants)) for slot, table in now.slots if table.counts and _undecided(table)}
    tables: list[Table] = []
    slots: dict[int, str] = {}
    waiting = [match for match in tree.ready if (match.id, _pair(match)) not in drawn]
    first = {side: min(each.round for each in waiting if each.side == side) for side in {each.side for each in waiting}}
    for match in waiting:
        if match.round != first[match.side]:
            continue
        pair = [who for who in match.entrants if who is not None]
        number = len(tables) + 1
        # Who sits first is a lot; and the other way round when they play again.
        if (lot(now.history.seed, match.id) + now.number) % 2:
            pair.reverse()
        roles = _pair_roles(now) or ("", "")
        replay = (match.id, frozenset(pair)) in again
        why = reason("bracket.replay", match=match.id) if replay else match.reason
        tables.append(Table(number, tuple(Seat(who, at, roles[at - 1]) for at, who in enumerate(pair, 1)), why))
        slots[number] = match.id
    if not tables:
        raise FormatError("error.bracket-waits" if tree_is_open(tree) else "error.bracket-over")
    byes = tuple(_byes(tree)) if now.number == 1 else ()
    return Drawn(Round(now.number, tuple(tables), byes), slots=slots)


def _pair(match: bracket.Match) -> frozenset[int]:
    return frozenset(who for who in match.entrants if who is not None)


def bracket_now(now: Situation) -> bracket.Bracket:
    """The bracket as it follows from the results. After a correction one match may have had tables of several pairs:
    the result of those who meet there now is the one that is used.
    """
    said: dict[str, dict[frozenset[int], bracket.Decision]] = defaultdict(dict)
    for slot, table in now.slots:
        decision = decided(table)
        if decision is not None:
            said[slot][frozenset(table.entrants)] = decision
    chosen = {slot: list(known.values())[-1] for slot, known in said.items()}
    while True:
        tree = _tree(now, chosen)
        better = {match.id: found for match in tree.ready if (found := said[match.id].get(_pair(match)))}
        if not better:
            return tree
        chosen |= better


def _tree(now: Situation, decisions: bracket.Results) -> bracket.Bracket:
    if "reset" in now.settings:
        return bracket.double(now.seeds, decisions, reset=now.settings["reset"])
    return bracket.single(now.seeds, decisions, third=now.settings["third"])


def decided(table: Table) -> bracket.Decision | None:
    """What a table says about its match; None while it says nothing: open, void, or drawn."""
    if not table.counts or _undecided(table):
        return None
    first, second = table.places
    one, other = table.entrants
    if first.kind is Kind.FL and second.kind is Kind.FL:
        return bracket.Decision(one, other, neither=True)
    wins = second.kind is Kind.FL or (first.kind is not Kind.FL and first.rank < second.rank)
    return bracket.Decision(one, other) if wins else bracket.Decision(other, one)


def _undecided(table: Table) -> bool:
    """Void, or a game that ended level: the match is still to be decided."""
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


def heat_round(now: Situation) -> Drawn:
    run = heats_now(now)
    if run.final:
        raise FormatError("error.bracket-over")
    if len(run.rounds) < now.number:
        raise FormatError("error.bracket-waits")
    return Drawn(run.rounds[now.number - 1])


def heats_now(now: Situation) -> heats.Heats:
    results = {
        (each.number, table.number): dict(zip(table.entrants, table.places))
        for each in now.history.rounds
        for table in each.tables
        if table.counts
    }
    settings = now.settings
    return heats.run(now.seeds, results, heats.Rules(settings["seats"], settings["advance"], settings["fill"]))


def no_round(now: Situation) -> Drawn:
    """Ladder and arena: games come about by themselves."""
    raise FormatError("error.no-rounds")


def _pair_roles(now: Situation) -> tuple[str, ...]:
    roles = now.roles(2)
    return roles if len(set(roles)) > 1 else ()
