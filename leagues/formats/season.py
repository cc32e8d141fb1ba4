"""The season league: a pyramid of divisions, and who goes up and down between seasons.

Division d has 2^(d-1) leagues of seven. The movements follow from the final tables alone, so they can be shown before
the season is closed and computed again with the same outcome.
"""

from collections.abc import Mapping, Sequence
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

    `up` and `down` are how many go up and down from that league.
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

    @property
    def merit(self) -> tuple[int, int, Fraction, int]:
        """The order in which places are given away: higher division, better place, more points a game."""
        return self.division, self.place, -Fraction(self.points, max(1, self.games)), self.league


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
    """Leagues of seven from the top and of eight at the bottom; of six where seven do not come out; else even ones."""
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
    moves = [
        Move(each.entrant, each.division, None, reason("season.gone", entrant=each.entrant, old=each.division))
        for each in finished
        if each.entrant in leaving
    ]
    for division in places:
        moves += [_move(who, division, records.get(who), returning.get(who), bottom) for who in places[division]]
    divisions = tuple(
        tuple(tuple(league) for league in snake(places[division], len(rooms[division - 1]))) for division in places
    )
    return Close(tuple(moves), divisions)


def _aim(each: Finished, bottom: int) -> int:
    """The best of a league go up, the last go down."""
    if each.place <= each.up:
        return max(1, each.division - 1)
    if each.place > each.size - each.down and each.division < bottom:
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
    """Who keeps a place when there are too many: those from above, then who earned it, then by place; guests last."""
    record = records.get(who)
    if record is None:
        return 3, _order(who, records)
    rank = 0 if record.division < division else 1 if record.division > division else 2
    return rank, _order(who, records)


def _rise(who: int, division: int, aims: Mapping[int, int], records: Mapping[int, Finished]) -> tuple[int, int, object]:
    """Who takes a free place: the division below by place, then those who were to leave this one, then the rest."""
    record = records.get(who)
    if record is None:
        return aims[who], 2, _order(who, records)
    return aims[who], int(record.division <= division), _order(who, records)


def _move(who: int, division: int, record: Finished | None, returned: int | None, bottom: int) -> Move:
    if record is None:
        why = (
            reason("season.new", entrant=who) if returned is None else reason("season.back", entrant=who, old=returned)
        )
        return Move(who, returned, division, why)
    old, place, aim = record.division, record.place, _aim(record, bottom)
    if division < aim:
        code = "season.spared" if division == old else "season.fill"
    elif division > aim:
        code = "season.squeezed"
    elif division < old:
        code = "season.up" if place == 1 else "season.up-placed"
    elif division > old:
        code = "season.down"
    else:
        code = "season.champion" if place == 1 and old == 1 else "season.stay"
    params: dict[str, int] = {"entrant": who}
    if code != "season.champion":
        params["old"] = old
    if code not in ("season.up", "season.champion"):
        params["place"] = place
    return Move(who, old, division, reason(code, **params))
