"""Promotion and relegation: a pyramid of divisions, and who moves between seasons.

Division d has 2^(d-1) leagues of seven. The movements follow from the final tables alone, so they can be shown before
the season is closed and computed again with the same outcome.
"""

from collections import Counter
from collections.abc import Mapping, Sequence, Set
from dataclasses import dataclass
from fractions import Fraction

from leagues.formats.errors import FormatError
from leagues.formats.heats import snake
from leagues.formats.reasons import Reason, reason

LEAGUE = 7
DOWN = 2


@dataclass(frozen=True, slots=True)
class Finished:
    """Where an entrant ended: division and league from 1, place there, how many were in it, points in units, games.

    Several may share a place; `line` numbers them 1, 2, 3 in order and decides who moves. `up` and `down` are how
    many go up and down from that league.
    """

    entrant: int
    division: int
    league: int
    place: int
    size: int
    points: int
    games: int
    up: int = 1
    down: int = DOWN
    line: int = 0
    """By default the place, which then must not be shared."""

    @property
    def order(self) -> int:
        return self.line or self.place

    @property
    def merit(self) -> tuple[int, int, Fraction, int]:
        """The order in which places are given away: higher division, better place, more points a game."""
        return self.division, self.order, -Fraction(self.points, max(1, self.games)), self.league


@dataclass(frozen=True, slots=True)
class Move:
    """From division `old` to `new`; None outside the season."""

    entrant: int
    old: int | None
    new: int | None
    reason: Reason


@dataclass(frozen=True, slots=True)
class Close:
    """Everybody's movement, and next season's leagues by division."""

    moves: tuple[Move, ...]
    divisions: tuple[tuple[tuple[int, ...], ...], ...]


def league_sizes(count: int) -> list[int]:
    """Leagues of seven, with some of eight at the bottom; else with some of six; else of equal size."""
    if count < 2:
        raise FormatError("error.too-few", count=count, least=2)
    leagues, over = divmod(count, LEAGUE)
    if leagues and over <= leagues:
        return [LEAGUE] * (leagues - over) + [LEAGUE + 1] * over
    short = LEAGUE - over
    if leagues and short <= leagues + 1:
        return [LEAGUE] * (leagues + 1 - short) + [LEAGUE - 1] * short
    leagues = max(1, leagues + (count > LEAGUE))
    return [count // leagues + (at < count % leagues) for at in range(leagues)]


def layout(count: int) -> tuple[tuple[int, ...], ...]:
    """League sizes by division: one league, then two, then four; the last division takes what is left."""
    sizes = league_sizes(count)
    divisions: list[tuple[int, ...]] = []
    while sizes:
        width = 1 << len(divisions)
        divisions.append(tuple(sizes[:width]))
        sizes = sizes[width:]
    return tuple(divisions)


def close(
    finished: Sequence[Finished],
    *,
    leaving: frozenset[int] = frozenset(),
    returning: Mapping[int, int] | None = None,
    joining: Sequence[int] = (),
    rooms: Sequence[Sequence[int]] | None = None,
) -> Close:
    """Next season. `returning` maps entrants to the division they last played in.

    `rooms` are the sizes of the leagues by division, for as many as there will be; by default the pyramid of sevens.
    """
    returning = returning or {}
    finished = sorted(finished, key=lambda each: each.merit)
    staying = [each for each in finished if each.entrant not in leaving]
    listed = [*(each.entrant for each in finished), *returning, *joining]
    if len(set(listed)) != len(listed):
        raise FormatError("error.entrant-twice")
    count = len(staying) + len(returning) + len(joining)
    rooms = layout(count) if rooms is None else rooms
    if sum(map(sum, rooms)) != count:
        raise FormatError("error.rooms", count=count, rooms=sum(map(sum, rooms)))
    last, bottom = len(rooms), max((each.division for each in finished), default=1)
    aims = {each.entrant: _aim(each, bottom) for each in staying}
    aims |= {who: old + 1 for who, old in returning.items()}
    aims |= dict.fromkeys(joining, last)
    records = {each.entrant: each for each in staying}
    places = _fill({who: min(aim, last) for who, aim in aims.items()}, records, [sum(room) for room in rooms])
    level = Counter((each.division, each.league, each.place) for each in finished)
    played = Counter(each.division for each in finished)
    smaller = {division for division, room in enumerate(rooms, 1) if sum(room) < played[division]}
    moves = [
        Move(each.entrant, each.division, None, reason("season.gone", entrant=each.entrant, old=each.division))
        for each in finished
        if each.entrant in leaving
    ]
    for division in places:
        for who in places[division]:
            record = records.get(who)
            shared = record is not None and level[record.division, record.league, record.place] > 1
            moves.append(_move(who, division, record, returning.get(who), bottom, smaller, shared=shared))
    divisions = tuple(
        tuple(tuple(league) for league in snake(places[division], len(rooms[division - 1]))) for division in places
    )
    return Close(tuple(moves), divisions)


def _aim(each: Finished, bottom: int) -> int:
    """The best of a league go up, the last go down."""
    if each.order <= each.up:
        return max(1, each.division - 1)
    if each.order > each.size - each.down and each.division < bottom:
        return each.division + 1
    return each.division


def _fill(aims: dict[int, int], records: Mapping[int, Finished], rooms: Sequence[int]) -> dict[int, list[int]]:
    """Give each division exactly as many as it has room for, from the top."""
    left = dict(aims)
    places: dict[int, list[int]] = {}
    for division, room in enumerate(rooms, 1):
        here = [who for who, aim in left.items() if aim <= division]
        if len(here) > room:
            here = sorted(here, key=lambda who: _claim(who, division, records))[:room]
        taken = set(here)
        below = [who for who in left if who not in taken]
        below.sort(key=lambda who: _rise(who, division, left, records))
        here += below[: room - len(here)]
        places[division] = sorted(here, key=lambda who: _order(who, records))
        for who in here:
            del left[who]
    return places


def _order(who: int, records: Mapping[int, Finished]) -> tuple[bool, tuple[int, int, Fraction, int], int]:
    """By record; those without one come last."""
    record = records.get(who)
    return record is None, record.merit if record else (0, 0, Fraction(0), 0), who


def _claim(who: int, division: int, records: Mapping[int, Finished]) -> tuple[int, object]:
    """Priority for a place if there are too many: from above, then who earned it, then by place; returners last."""
    record = records.get(who)
    if record is None:
        return 3, _order(who, records)
    rank = 0 if record.division < division else 1 if record.division > division else 2
    return rank, _order(who, records)


def _rise(who: int, division: int, aims: Mapping[int, int], records: Mapping[int, Finished]) -> tuple[int, int, object]:
    """Priority for a free place: the division below by place, then those who were to be relegated, then the others."""
    record = records.get(who)
    if record is None:
        return aims[who], 2, _order(who, records)
    return aims[who], int(record.division <= division), _order(who, records)


def _move(
    who: int,
    division: int,
    record: Finished | None,
    returned: int | None,
    bottom: int,
    smaller: Set[int],
    *,
    shared: bool = False,
) -> Move:
    """Where an entrant goes, and why. `smaller` are the divisions with fewer places than people who played there."""
    if record is None:
        why = (
            reason("season.new", entrant=who) if returned is None else reason("season.back", entrant=who, old=returned)
        )
        return Move(who, returned, division, why)
    old, place, aim = record.division, record.place, _aim(record, bottom)
    if division < aim:
        code = "season.spared" if division == old else "season.fill"
    elif division > aim:
        code = _why_lower(old, division, aim, smaller)
    elif division < old:
        code = "season.up-shared" if shared else "season.up" if place == 1 else "season.up-placed"
    elif division > old:
        code = "season.down-shared" if shared else "season.down"
    elif shared:
        code = "season.stay-shared"
    else:
        code = "season.champion" if place == 1 and old == 1 else "season.stay"
    params: dict[str, int] = {"entrant": who}
    if code != "season.champion":
        params["old"] = old
    if code not in ("season.up", "season.champion"):
        params["place"] = place
    return Move(who, old, division, reason(code, **params))


def _why_lower(old: int, division: int, aim: int, smaller: Set[int]) -> str:
    """The code of the reason why somebody plays lower than their place alone would mean."""
    if division == old:
        return "season.full"
    return "season.squeezed" if aim == old and old in smaller else "season.displaced"
