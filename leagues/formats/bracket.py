"""Elimination brackets, single and double. A bracket is a pure function of seeds and results.

Match ids never change: `W2-1` is the first match of the second winners' round, `L3-2` of the losers' side, `T` the
match for third place, `F` the final of a double elimination and `F2` its reset.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from types import MappingProxyType

from leagues.formats.errors import FormatError
from leagues.formats.reasons import Reason, reason

NOBODY = -1
"""Stands for the entrant of a place that stays empty."""

LARGEST = 4096
LARGEST_DOUBLE = 256


class MatchState(StrEnum):
    WAITING = "waiting"
    READY = "ready"
    DONE = "done"
    BYE = "bye"
    UNNEEDED = "unneeded"


@dataclass(frozen=True, slots=True)
class Decision:
    """A confirmed result. It names both entrants, so that after a correction it cannot count for another pair.

    `neither` puts both out: nobody came.
    """

    winner: int
    loser: int
    neither: bool = False


Results = Mapping[str, Decision]


@dataclass(frozen=True, slots=True)
class Source:
    """Where an entrant comes from: seed `of`, or the winner or loser of match `of`."""

    kind: str
    of: int | str


@dataclass(frozen=True, slots=True)
class Frame:
    """A match of the empty bracket: its id, side, round on that side, and two sources."""

    id: str
    side: str
    round: int
    sources: tuple[Source, Source]


@dataclass(frozen=True, slots=True)
class Match:
    id: str
    side: str
    round: int
    sources: tuple[Source, Source]
    entrants: tuple[int | None, int | None]
    state: MatchState
    winner: int | None
    loser: int | None
    reason: Reason


@dataclass(frozen=True, slots=True)
class Bracket:
    """All matches in playing order, and reasons for the results that no longer fit anywhere."""

    matches: tuple[Match, ...]
    orphans: tuple[Reason, ...] = ()

    def match(self, id: str) -> Match:
        return next(match for match in self.matches if match.id == id)

    @property
    def ready(self) -> tuple[Match, ...]:
        return tuple(match for match in self.matches if match.state is MatchState.READY)


def seed_order(size: int) -> list[int]:
    """Seeds from the top of the bracket to the bottom, so that 1 and 2 can only meet in the final."""
    order = [1, 2]
    while len(order) < size:
        both = 2 * len(order) + 1
        order = [seed for old in order for seed in (old, both - old)]
    return order


def bracket_size(count: int, most: int) -> int:
    if not 2 <= count <= most:
        raise FormatError("error.size", count=count, most=most)
    return 1 << (count - 1).bit_length()


def single(seeds: Sequence[int], results: Results, *, third: bool = False) -> Bracket:
    """`seeds` are entrants, strongest first; `results` are by match id."""
    size = bracket_size(len(seeds), LARGEST)
    return resolve([*winners_side(size), *_third(size, wanted=third)], seeds, results)


def double(seeds: Sequence[int], results: Results, *, reset: bool = True) -> Bracket:
    """Two lives: the loser of a match drops to the losers' side and may return in the final."""
    size = bracket_size(len(seeds), LARGEST_DOUBLE)
    return resolve([*winners_side(size), *losers_side(size), *_finals(size, reset=reset)], seeds, results)


def winners_side(size: int) -> Iterator[Frame]:
    order = seed_order(size)
    for at in range(size // 2):
        pair = Source("seed", order[2 * at]), Source("seed", order[2 * at + 1])
        yield Frame(f"W1-{at + 1}", "winners", 1, pair)
    for number in range(2, size.bit_length()):
        for at in range(size >> number):
            pair = Source("winner", f"W{number - 1}-{2 * at + 1}"), Source("winner", f"W{number - 1}-{2 * at + 2}")
            yield Frame(f"W{number}-{at + 1}", "winners", number, pair)


def _third(size: int, *, wanted: bool) -> Iterator[Frame]:
    if wanted and size > 2:
        semi = size.bit_length() - 2
        yield Frame("T", "third", 1, (Source("loser", f"W{semi}-1"), Source("loser", f"W{semi}-2")))


# In which order the losers of a winners' round drop. Searched over all combinations: the first chance of meeting the
# same opponent again comes as late as these orders allow.
Order = Callable[[list[str]], list[str]]


def natural(drops: list[str]) -> list[str]:
    return drops


def reverse(drops: list[str]) -> list[str]:
    return drops[::-1]


def half_shift(drops: list[str]) -> list[str]:
    middle = len(drops) // 2
    return drops[middle:] + drops[:middle]


def reversed_halves(drops: list[str]) -> list[str]:
    return half_shift(drops[::-1])


def pair_flip(drops: list[str]) -> list[str]:
    return [drops[at ^ 1] for at in range(len(drops))]


DROPS: Mapping[int, tuple[Order, ...]] = MappingProxyType(
    {
        2: (),
        4: (natural,),
        8: (reverse, natural),
        16: (reverse, natural, natural),
        32: (reverse, half_shift, natural, natural),
        64: (reverse, half_shift, reversed_halves, natural, natural),
        128: (reverse, half_shift, reversed_halves, natural, natural, natural),
        256: (reverse, half_shift, reversed_halves, pair_flip, natural, natural, natural),
    }
)


def losers_side(size: int) -> Iterator[Frame]:
    """Losers of the first round meet; then rounds with dropped players and rounds among survivors alternate."""
    for at in range(size // 4):
        pair = Source("loser", f"W1-{2 * at + 1}"), Source("loser", f"W1-{2 * at + 2}")
        yield Frame(f"L1-{at + 1}", "losers", 1, pair)
    for number, order in enumerate(DROPS[size], 2):
        count = size >> number
        here = 2 * number - 2
        for at, dropped in enumerate(order([f"W{number}-{at + 1}" for at in range(count)])):
            pair = Source("loser", dropped), Source("winner", f"L{here - 1}-{at + 1}")
            yield Frame(f"L{here}-{at + 1}", "losers", here, pair)
        for at in range(count // 2):
            pair = Source("winner", f"L{here}-{2 * at + 1}"), Source("winner", f"L{here}-{2 * at + 2}")
            yield Frame(f"L{here + 1}-{at + 1}", "losers", here + 1, pair)


def _finals(size: int, *, reset: bool) -> Iterator[Frame]:
    last = size.bit_length() - 1
    survivor = Source("winner", f"L{2 * last - 2}-1") if size > 2 else Source("loser", "W1-1")
    yield Frame("F", "final", 1, (Source("winner", f"W{last}-1"), survivor))
    if reset:
        yield Frame("F2", "final", 2, (Source("winner", "F"), Source("loser", "F")))


def resolve(frames: Sequence[Frame], seeds: Sequence[int], results: Results) -> Bracket:
    """Compute the bracket from the results in one pass. Byes advance at once, however many in a row."""
    if len(set(seeds)) != len(seeds):
        raise FormatError("error.entrant-twice")
    known: dict[str, Match] = {}
    orphans = []
    for frame in frames:
        first, second = (_arrival(source, seeds, known) for source in frame.sources)
        result = results.get(frame.id)
        match = _reset(frame, known["F"], result) if frame.id == "F2" else _match(frame, first, second, result)
        known[frame.id] = match
        if result is not None and match.state is not MatchState.DONE:
            orphans.append(_orphan(frame.id, result))
    orphans += [_orphan(id, result) for id, result in results.items() if id not in known]
    return Bracket(tuple(known.values()), tuple(orphans))


def _arrival(source: Source, seeds: Sequence[int], known: Mapping[str, Match]) -> int | None:
    """The entrant who comes from here, NOBODY for a place that stays empty, None while it is open."""
    if isinstance(source.of, int):
        return seeds[source.of - 1] if source.of <= len(seeds) else NOBODY
    match = known[source.of]
    return match.winner if source.kind == "winner" else match.loser


def _orphan(id: str, result: Decision) -> Reason:
    return reason("bracket.orphan", match=id, winner=result.winner, loser=result.loser)


def _match(frame: Frame, first: int | None, second: int | None, result: Decision | None) -> Match:
    pair = (first, second)
    state, winner, loser, why = MatchState.WAITING, None, None, _path(frame)
    if NOBODY in pair:
        # The one who arrives advances and nobody drops from here, even before the entrant is known.
        other = second if first == NOBODY else first
        state = MatchState.WAITING if other is None else MatchState.BYE
        winner, loser = other, NOBODY
        if other is not None:
            why = reason("bracket.empty") if other == NOBODY else reason("bracket.bye", entrant=other)
    elif first is not None and second is not None:
        state = MatchState.READY
        if result is not None and {result.winner, result.loser} == {first, second}:
            state = MatchState.DONE
            winner, loser = (NOBODY, NOBODY) if result.neither else (result.winner, result.loser)
    return Match(frame.id, frame.side, frame.round, frame.sources, pair, state, winner, loser, why)


def _reset(frame: Frame, final: Match, result: Decision | None) -> Match:
    """Played only if the unbeaten side lost the final."""
    if final.state is MatchState.DONE and final.winner == final.entrants[1]:
        return replace(_match(frame, final.winner, final.loser, result), reason=reason("bracket.reset"))
    over = final.state in (MatchState.DONE, MatchState.BYE)
    state = MatchState.UNNEEDED if over else MatchState.WAITING
    why = reason("bracket.no-reset") if over else reason("bracket.reset")
    return Match(frame.id, frame.side, frame.round, frame.sources, (None, None), state, None, None, why)


def _path(frame: Frame) -> Reason:
    first, second = frame.sources
    if first.kind == "seed":
        return reason("bracket.seeds", first=first.of, second=second.of)
    if frame.side == "final":
        return reason("bracket.final")
    if frame.side == "third":
        return reason("bracket.third")
    if first.kind == "loser":
        code = "bracket.losers" if second.kind == "loser" else "bracket.drop"
        return reason(code, first=first.of, second=second.of)
    return reason("bracket.path", first=first.of, second=second.of)


def places(bracket: Bracket) -> list[tuple[int, tuple[int, ...]]]:
    """The entrants who are out with their places, best first; those who lose in the same round share one.

    A place is one more than the number who survive the round, so it is final once listed.
    """
    first = [match for match in bracket.matches if match.id.startswith("W1-")]
    left = sum(who != NOBODY for match in first for who in match.entrants)
    listed: list[tuple[int, tuple[int, ...]]] = []
    for wave in _waves(bracket):
        fallen = [_fallen(match) for match in wave]
        left -= sum(1 if out is None else len(out) for out in fallen)
        out = tuple(who for each in fallen for who in each or ())
        if out:
            listed.append((left + 1, out))
        if wave[0].id == "T":
            left -= 1
            if wave[0].winner not in (None, NOBODY):
                listed.append((left + 1, (wave[0].winner,)))
    decider = bracket.matches[-1]
    if decider.state is MatchState.UNNEEDED or decider.id == "T":
        decider = bracket.matches[-2]
    if decider.winner not in (None, NOBODY):
        listed.append((1, (decider.winner,)))
    return listed[::-1]


def _fallen(match: Match) -> tuple[int, ...] | None:
    """Who is eliminated by this match; None while that is open."""
    if match.loser is None:
        return None
    if match.winner == NOBODY and match.state is MatchState.DONE:
        return tuple(who for who in match.entrants if who is not None)
    return () if match.loser == NOBODY else (match.loser,)


def _waves(bracket: Bracket) -> list[list[Match]]:
    """Matches that eliminate somebody, in the order of the places they decide, worst first."""
    doubled = any(match.id == "F" for match in bracket.matches)
    third = any(match.id == "T" for match in bracket.matches)
    last = max(match.round for match in bracket.matches if match.side == "winners")
    waves: dict[tuple[int, int], list[Match]] = {}
    for match in bracket.matches:
        if match.side == "winners":
            if doubled and match.state is MatchState.DONE and match.winner == NOBODY:
                # Neither came: both are out in the round to which one of them would have dropped.
                waves.setdefault((0, max(1, 2 * match.round - 2)), []).append(match)
            elif not doubled and not (third and match.round == last - 1):
                waves.setdefault((2 if match.round == last else 0, match.round), []).append(match)
        elif match.side != "final":
            waves.setdefault((1 if match.id == "T" else 0, match.round), []).append(match)
        elif match.state is not MatchState.UNNEEDED and (match.id == "F2" or not _resets(bracket)):
            waves.setdefault((2, match.round), []).append(match)
    return [waves[key] for key in sorted(waves)]


def _resets(bracket: Bracket) -> bool:
    return bracket.matches[-1].id == "F2" and bracket.matches[-1].state is not MatchState.UNNEEDED
