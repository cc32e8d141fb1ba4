"""How fair a game is among equals: win share by role, seat, player count and option, with bots of one level."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from engine.arena import Entrant, Tally, tournament
from engine.games import game as game_named


@dataclass(frozen=True)
class Share:
    """The wins of each seat at one kind of table."""

    players: int
    option: str
    seats: tuple[Tally, ...]
    roles: dict[str, Tally]
    moves: float


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
        # A shared victory is shared: the seats' shares sum to one where somebody wins alone or together against others.
        for seat, tally in enumerate(seats):
            tally.add(float(seat in played.winners))
        for role, tally in roles.items():
            tally.add(float(any(roles_of[seat] == role for seat in played.winners)))
    return Share(players, label, seats, roles, moves / max(1, seats[0].games))
