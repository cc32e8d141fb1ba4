"""What tournaments and balance runs have to say, for people and for programs."""

from typing import Any

from engine.arena import Table, Tally, elo
from engine.balance import Share
from engine.kernel import Game


def per_cent(tally: Tally) -> str:
    low, high = tally.interval
    return f"{tally.share:6.1%} ({low:.1%}-{high:.1%}, {tally.games})"


def told(tally: Tally) -> dict[str, Any]:
    low, high = tally.interval
    return {"share": tally.share, "low": low, "high": high, "games": tally.games}


def arena_report(game: Game, players: int, table: Table) -> dict[str, Any]:
    ratings = elo(table)
    return {
        "game": game.name,
        "players": players,
        "matches": table.matches,
        "duels": [{"bot": one, "against": other, **told(tally)} for (one, other), tally in table.duels.items()],
        "roles": [{"bot": one, "role": role, **told(tally)} for (one, role), tally in table.roles.items()],
        "elo": {name: {"rating": rating, "error": error} for name, (rating, error) in ratings.items()},
        "seconds_per_move": {name: table.seconds[name] / max(1, table.answers[name]) for name in table.names},
        "slowest_move": table.slowest,
    }


def arena_text(game: Game, players: int, table: Table) -> str:
    lines = [f"{game.title}, {players} players, {table.matches} matches; shares with 95 % intervals and duels"]
    wide = max(len(name) for name in table.names) + 2
    lines.append("\n" + " " * wide + "".join(f"{'v ' + name:<34}" for name in table.names))
    for one in table.names:
        cells = [table.duels.get((one, other)) for other in table.names]
        lines.append(f"{one:<{wide}}" + "".join(f"{per_cent(cell) if cell else '':<34}" for cell in cells))
    lines.append("")
    for (name, role), tally in sorted(table.roles.items(), key=lambda row: (row[0][1], row[0][0])):
        lines.append(f"{name:<{wide}}wins {per_cent(tally)} as {role}")
    lines.append("")
    for name, (rating, error) in sorted(elo(table).items(), key=lambda row: -row[1][0]):
        pace = table.seconds[name] / max(1, table.answers[name])
        lines.append(
            f"{name:<{wide}}Elo {rating:+6.0f} ± {error:.0f}, {pace * 1000:.1f} ms a move, "
            f"slowest {table.slowest[name] * 1000:.0f} ms"
        )
    return "\n".join(lines)


def balance_report(share: Share) -> dict[str, Any]:
    return {
        "players": share.players,
        "option": share.option,
        "seats": [told(tally) for tally in share.seats],
        "roles": {role: told(tally) for role, tally in share.roles.items()},
        "moves_per_game": share.moves,
    }


def balance_text(share: Share) -> str:
    rows = [(f"seat {number}", tally) for number, tally in enumerate(share.seats, 1)]
    if len(share.roles) > 1:
        rows = list(share.roles.items())
    elif share.together:
        rows = [("all", share.seats[0])]
    told_rows = "; ".join(f"{name} {per_cent(tally)}" for name, tally in rows)
    return f"{share.players} players {share.option or 'default':<28} {told_rows}; {share.moves:.0f} moves"
