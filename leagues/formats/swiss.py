"""Swiss for two seats: equal scores meet, nobody meets twice, seats alternate.

Score groups are drawn from the top, each as a minimum-cost matching together with as much of the groups below as
needed; a group's pairs are kept only if everybody below can still be paired. If somebody is drawn up or down, the
groups below are compared too, because the choice affects how closely they can be paired. What counts, in this order: no
pair that is to be kept apart; no meeting again; least distance in score, the top group first; nobody drawn up or down
twice in two rounds; the seat that is due; top half of the group against the bottom half; and if all is equal, the lot.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import IntEnum
from fractions import Fraction
from functools import lru_cache
from itertools import groupby
from math import gcd

from leagues.formats.errors import FormatError
from leagues.formats.lots import lot
from leagues.formats.matching import Edge, least_cost, pairable
from leagues.formats.points import NORMAL, Scheme
from leagues.formats.reasons import Reason, reason
from leagues.formats.score_table import ScoreTable
from leagues.formats.swiss_preferences import NO_FLOATS, Due, Floats, Seating, clash, first_seat, floats, seating
from leagues.formats.values import POINT, Bye, History, Kind, Round, Seat, Table

NARROW = 24
"""In a group larger than WIDE only partners this near the ideal one are compared, so that 2 000 draw in a second."""
WIDE = 128
FORESIGHT = 64
"""The most players for whom the groups below are compared before somebody is drawn up or down."""
FINE_BITS = 36
"""The largest number that encodes the distances of the groups below, each before the next."""


class Leeway(IntEnum):
    """Which rules may be broken if no complete draw exists otherwise. Forbidden pairs are never drawn."""

    NOTHING = 0
    SEATS = 1
    REPEATS = 2
    APART = 3


@dataclass(frozen=True, slots=True)
class Player:
    """All that a draw needs to know about an entrant."""

    id: int
    score: int
    seed: int
    met: dict[int, int]
    barred: frozenset[int]
    apart: frozenset[int]
    seating: Seating
    floats: Floats
    lot: int

    def excluded(self, other: "Player", leeway: Leeway) -> bool:
        if other.id in self.barred:
            return True
        if leeway < Leeway.APART and other.id in self.apart:
            return True
        if leeway < Leeway.REPEATS and other.id in self.met:
            return True
        return leeway < Leeway.SEATS and clash(self.seating, other.seating) is Due.ABSOLUTE


def draw(
    history: History, scheme: Scheme = NORMAL, roles: tuple[str, ...] = (), *, known: ScoreTable | None = None
) -> Round:
    """The next round. Raises FormatError if those who may not meet leave no complete draw.

    `known` is the score table of this history and scheme, if the caller has it already.
    """
    field = known or ScoreTable(history, scheme)
    players = _players(field)
    if len(players) < 2:
        raise FormatError("error.too-few", count=len(players), least=2)
    byes = list(history.absences())
    if len(players) % 2:
        bye = _bye(field, players)
        byes.append(bye)
        players = [player for player in players if player.id != bye.entrant]
    leeway = next((each for each in Leeway if _completable(players, each)), None)
    if leeway is None:
        raise FormatError("error.impossible", entrant=_stuck(players).id)
    pairs: list[tuple[Player, Player]] = []
    left = players
    while left:
        new_pairs = _top_group(left, leeway)
        if not new_pairs:
            raise AssertionError("a round that can be completed was not: this is a bug, not a hard draw")
        pairs += new_pairs
        taken = {player.id for pair in new_pairs for player in pair}
        left = [player for player in left if player.id not in taken]
    return Round(history.next_round, _tables(pairs, roles), tuple(byes))


def _players(field: ScoreTable) -> list[Player]:
    history = field.history
    barred, apart = _others(history.forbidden), _others(history.separated_now())
    recent = floats(field)
    present = field.order(entrant.id for entrant in history.present())
    return [
        Player(
            id=who,
            score=field.score[who],
            seed=field.entrants[who].seed,
            met=field.company.met[who],
            barred=frozenset(barred.get(who, ())),
            apart=frozenset(apart.get(who, ())),
            seating=seating(field, who),
            floats=recent.get(who, NO_FLOATS),
            lot=lot(history.seed, history.next_round, who),
        )
        for who in present
    ]


def _others(pairs: frozenset[frozenset[int]]) -> dict[int, set[int]]:
    """By entrant, the others of their pairs."""
    others: dict[int, set[int]] = {}
    for pair in pairs:
        for who in pair:
            others.setdefault(who, set()).update(pair - {who})
    return others


def _bye(field: ScoreTable, players: list[Player]) -> Bye:
    """The lowest score without a bye yet, then fewest rounds missed, then lowest seed, if the rest can be drawn."""
    eligible = [player for player in players if not field.had(player.id, (Kind.PAB, Kind.FW))]
    claims = sorted(
        eligible or players, key=lambda player: (player.score, field.unplayed_rounds(player.id), -player.seed)
    )
    for leeway in (Leeway.SEATS, Leeway.REPEATS, Leeway.APART):
        for passed, player in enumerate(claims):
            if not _completable([other for other in players if other is not player], leeway):
                continue
            if not eligible:
                why = reason("bye.PAB-again", entrant=player.id)
            elif passed:
                why = reason("bye.PAB-passed", entrant=player.id, passed=passed)
            else:
                why = reason("bye.PAB", entrant=player.id, score=Fraction(player.score, POINT))
            return Bye(player.id, Kind.PAB, why)
    raise FormatError("error.impossible", entrant=_stuck(players).id)


def _completable(players: Sequence[Player], leeway: Leeway) -> bool:
    """Whether these can all be paired.

    If everybody may meet at least half of the field, they can (Dirac 1952: such a graph has a Hamiltonian cycle, so an
    even one has a perfect matching). Only near the end of a long event a matching has to be searched for.
    """
    count = len(players)
    if count % 2:
        return False
    absolute = [0, 0, 0]
    if leeway < Leeway.SEATS:
        for player in players:
            if player.seating.due is Due.ABSOLUTE:
                absolute[player.seating.wants] += 1
    most = 0
    for player in players:
        excluded = len(player.barred) + (len(player.met) if leeway < Leeway.REPEATS else 0)
        excluded += len(player.apart) if leeway < Leeway.APART else 0
        if player.seating.due is Due.ABSOLUTE:
            excluded += absolute[player.seating.wants]
        most = max(most, excluded)
    if count - 1 - most >= count // 2:
        return True
    edges = [
        (a, b)
        for a, player in enumerate(players)
        for b in range(a + 1, count)
        if not player.excluded(players[b], leeway)
    ]
    return pairable(count, edges)


def _stuck(players: Sequence[Player]) -> Player:
    """The entrant to name in the error: the one with the fewest possible opponents."""
    return min(players, key=lambda player: sum(not player.excluded(other, Leeway.APART) for other in players))


def _top_group(left: list[Player], leeway: Leeway) -> list[tuple[Player, Player]]:
    """Pairs for everybody in the highest score group, such that the rest can still be drawn."""
    groups = [list(group) for _, group in groupby(left, key=lambda player: player.score)]
    top = len(groups[0])
    foresight = len(left) <= FORESIGHT
    if leeway < Leeway.REPEATS:
        for depth in range(1 + top % 2, 2 if foresight else len(groups) + 1):
            for narrow in (True, False) if top > WIDE else (False,):
                top_pairs = _solve(groups[:depth], leeway, narrow=narrow)
                if _stands(top_pairs, left, top, leeway, sure=not narrow):
                    return _looked_further(top_pairs, groups, depth, left, leeway)
    # Compare everybody who is left. A complete draw exists, so this always finds one.
    return _solve(groups, leeway, narrow=False, complete=True)


def _looked_further(
    found: list[tuple[Player, Player]], groups: list[list[Player]], depth: int, left: list[Player], leeway: Leeway
) -> list[tuple[Player, Player]]:
    """The pairs; if they draw somebody up or down, the best pairs when one more group is compared."""
    if depth == len(groups) or all(one.score == other.score for one, other in found):
        return found
    farther = groups[: depth + 1]
    if sum(map(len, farther)) > 2 * WIDE:
        return found
    better = _solve(farther, leeway, narrow=False)
    return better if _stands(better, left, len(groups[0]), leeway, sure=True) else found


def _stands(found: list[tuple[Player, Player]], left: list[Player], top: int, leeway: Leeway, *, sure: bool) -> bool:
    """Whether everybody in the group is paired and the rest can be drawn.

    The result of a narrow search is only used if at most the odd player goes down, which cannot be improved.
    """
    covered = {player.id for pair in found for player in pair}
    if any(player.id not in covered for player in left[:top]):
        return False
    if not sure and sum(one.score != other.score for one, other in found) > top % 2:
        return False
    return _completable([player for player in left if player.id not in covered], leeway)


def _solve(
    groups: list[list[Player]], leeway: Leeway, *, narrow: bool, complete: bool = False
) -> list[tuple[Player, Player]]:
    """The least costly pairs for the first group; with `complete`, for everybody.

    A small window also compares the pairs below the first group, so that it takes players who are not needed there.
    """
    nodes = [(depth, place, player) for depth, group in enumerate(groups) for place, player in enumerate(group)]
    sizes = [len(group) for group in groups]
    top = sizes[0]
    last = -1 if complete or len(groups) == 1 else len(groups) - 1
    ahead = not narrow and len(nodes) <= 2 * WIDE
    below = _weights_below(groups)
    step = len(nodes) // 2 + 1
    seats = {Due.NONE: 0, Due.MILD: 1, Due.STRONG: step, Due.ABSOLUTE: step * step}
    edges: list[tuple[int, int]] = []
    costs: list[tuple[int, ...]] = []
    for a, (depth, place, player) in enumerate(nodes if ahead or complete else nodes[:top]):
        met, barred, wish, score, down = player.met, player.barred, player.seating, player.score, player.floats.down
        apart = player.apart
        inner, outer, half, weight = 0 < depth < last, depth == last, sizes[depth] // 2, below[depth]
        for b in _partners(a, len(nodes), top, narrow=narrow):
            other_depth, other_place, other = nodes[b]
            # As in `excluded`, with the clash computed once.
            if other.id in barred or (other.id in met and leeway < Leeway.REPEATS):
                continue
            if other.id in apart and leeway < Leeway.APART:
                continue
            unmet = clash(wish, other.seating)
            if unmet is Due.ABSOLUTE and leeway < Leeway.SEATS:
                continue
            distance = score - other.score
            if distance:
                fold = sizes[depth] - 1 - place + other_place
                again = down + other.floats.up
            else:
                fold = abs(other_place - place - half)
                again = 0
            costs.append(
                (
                    int(other.id in apart),
                    met.get(other.id, 0),
                    0 if depth else distance,
                    # A window leaves some of its lower groups unpaired: as few as possible, its last group's last.
                    -inner - (0 < other_depth < last),
                    weight * distance,
                    -outer - (other_depth == last),
                    again,
                    seats[unmet],
                    fold * fold,
                    (player.lot ^ other.lot) & 0xFFFF,
                )
            )
            edges.append((a, b))
    packed: list[Edge] = [(a, b, cost) for (a, b), cost in zip(edges, _packed(costs, len(nodes) // 2))]
    matching = least_cost(len(nodes), packed, len(nodes) if complete else top)
    return [(nodes[a][2], nodes[b][2]) for a, b in matching if a < top]


def _weights_below(groups: list[list[Player]]) -> list[int]:
    """The weight of a distance in each group below the first: more than all distances in the groups below it.

    If the numbers would get too large, the lowest groups get the same weight.
    """
    if len(groups) < 3:
        return [0] * len(groups)
    lowest = groups[-1][0].score
    unit = gcd(*(group[0].score - lowest for group in groups)) or 1
    most = [len(group) * (group[0].score - lowest) // unit for group in groups]
    for same in range(len(groups) - 1, 0, -1):
        weights = [0] * same + [1] * (len(groups) - same)
        total = sum(most[same:])
        for group in range(same - 1, 0, -1):
            weights[group] = total + 1
            total += weights[group] * most[group]
        if total < 1 << FINE_BITS:
            return weights
    return [0] + [1] * (len(groups) - 1)


def _partners(a: int, count: int, top: int, *, narrow: bool) -> range | list[int]:
    """The partners to try for node `a`: all after it, or those near the ideal one and the best of the next group."""
    if not narrow:
        return range(a + 1, count)
    fold = a + top // 2
    near = list(range(max(a + 1, fold - NARROW), min(top, fold + NARROW + 1)))
    if a >= top - 2 * NARROW:
        near += range(top, min(count, top + NARROW))
    return near


def _packed(costs: list[tuple[int, ...]], pairs: int) -> list[int]:
    """Each tuple as one number, so that sums over `pairs` pairs compare like tuples of sums.

    Every criterion gets as many digits as its values need; rustworkx takes 127 bits in all. If that is not enough, the
    last criteria are dropped.
    """
    total = [0] * len(costs)
    bits = 0
    for column in zip(*costs):
        unit = gcd(*column) or 1
        base = (max(0, *column) - min(0, *column)) // unit * pairs + 1
        bits += base.bit_length()
        if base == 1:
            continue
        if bits > 108:
            break
        total = [before * base + each // unit for before, each in zip(total, column)]
    return total


def _tables(pairs: list[tuple[Player, Player]], roles: tuple[str, ...]) -> tuple[Table, ...]:
    ordered = sorted(pairs, key=lambda pair: (-pair[0].score, -pair[1].score, pair[0].seed))
    tables = []
    for number, (one, other) in enumerate(ordered, 1):
        first, second = (
            (one, other) if first_seat(one.seating, other.seating, even_table=number % 2 == 0) else (other, one)
        )
        seats = tuple(
            Seat(player.id, seat, roles[seat - 1] if roles else "") for seat, player in ((1, first), (2, second))
        )
        tables.append(Table(number, seats, _why(one, other)))
    return tuple(tables)


def _why(one: Player, other: Player) -> Reason:
    if other.id in one.met:
        return reason("swiss.repeat")
    if one.score == other.score:
        return _level(one.score)
    return _float(one.id, one.score, other.id, other.score)


@lru_cache(maxsize=1024)
def _level(score: int) -> Reason:
    return reason("swiss.level", score=Fraction(score, POINT))


@lru_cache(maxsize=4096)
def _float(who: int, score: int, opponent: int, lower: int) -> Reason:
    return reason(
        "swiss.float", entrant=who, higher=Fraction(score, POINT), opponent=opponent, lower=Fraction(lower, POINT)
    )
