"""How fair a game is among equals: win share by role, seat, player count and option, with bots of one level.

`balance.json` beside this module has what was last recorded (`python -m engine balance GAME --record`): for each game
and number of players how many `matches` a share comes from, and the shares themselves: of `roles` where there are
several, of `seats` where all play against all, and of each value of an option where all win or lose together. The
ratings take their role offsets from it.
"""

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from engine.games import game as game_named
from engine.tournament import Entrant, Tally, tournament

RECORD = Path(__file__).with_name("balance.json")


@dataclass(frozen=True)
class Share:
    """The wins of each seat at one kind of table."""

    players: int
    option: str
    seats: tuple[Tally, ...]
    roles: dict[str, Tally]
    moves: float
    together: bool  # all seats win or lose as one


def variants(name: str) -> list[tuple[str, dict[str, Any]]]:
    """The default table, then each option at each value worth trying."""
    named: list[tuple[str, dict[str, Any]]] = [("", {})]
    for option in game_named(name).options:
        named += [(f"{option.name}={value}", {option.name: value}) for value in option.tried]
    return named


def balance(name: str, one: Entrant, games: int, seed: str, jobs: int, counts: Sequence[int] = ()) -> Iterator[Share]:
    game = game_named(name)
    for players in counts or game.players:
        for label, options in variants(name):
            yield share(name, players, one, games, seed, jobs, label, options)


def share(
    name: str, players: int, one: Entrant, games: int, seed: str, jobs: int, label: str, options: Mapping[str, Any]
) -> Share:
    roles_of = game_named(name).roles(players)
    seats = tuple(Tally() for _ in range(players))
    roles: dict[str, Tally] = {role: Tally() for role in dict.fromkeys(roles_of)}
    moves = 0
    for played in tournament(name, players, [one], games, seed, jobs, options):
        moves += played.moves
        # Every winner of a shared victory counts as one win.
        for seat, tally in enumerate(seats):
            tally.add(float(seat in played.winners))
        for role, tally in roles.items():
            tally.add(float(any(roles_of[seat] == role for seat in played.winners)))
    return Share(players, label, seats, roles, moves / max(1, seats[0].games), game_named(name).cooperative)


# -- the record


def recorded(name: str) -> dict[int, dict[str, Any]]:
    """The recorded shares of a game, by number of players; empty for a game that was never measured."""
    record: dict[str, dict[str, dict[str, Any]]] = json.loads(RECORD.read_text(encoding="utf-8"))
    return {int(players): shares for players, shares in record.get(name, {}).items()}


def record(name: str, shares: Iterable[Share]) -> None:
    """Write these shares to balance.json; they replace those for the same numbers of players."""
    kept = json.loads(RECORD.read_text(encoding="utf-8"))
    measured: dict[str, dict[str, Any]] = {}
    for share in shares:
        row = measured.setdefault(str(share.players), {"matches": share.seats[0].games})
        row.update(recorded_share(name, share, row))
    kept[name] = dict(sorted({**kept.get(name, {}), **measured}.items()))
    RECORD.write_text(json.dumps(kept, indent=2, sort_keys=True) + "\n", encoding="utf-8")


def recorded_share(name: str, share: Share, before: Mapping[str, Any]) -> dict[str, Any]:
    """The part of a share that balance.json keeps for this game."""
    game = game_named(name)
    if game.cooperative:
        option = next(option for option in game.options if option.tried)
        value = share.option.partition("=")[2] or option.default
        return {option.name: {**before.get(option.name, {}), value: round(share.seats[0].share, 4)}}
    if len(share.roles) > 1:
        return {"roles": {role: round(tally.share, 4) for role, tally in share.roles.items()}}
    return {"seats": [round(tally.share, 4) for tally in share.seats]}
