"""The results of tournaments and balance runs, as text and as JSON."""

from typing import Any

from engine.balance import Share
from engine.kernel import Game
from engine.tournament import Table, Tally, elo


def per_cent(tally: Tally) -> str:
    low, high = tally.interval
    return f"{tally.share:6.1%} ({low:.1%}-{high:.1%}, {tally.games})"


def tally_report(tally: Tally) -> dict[str, Any]:
    low, high = tally.interval
    return {"share": tally.share, "low": low, "high": high, "games": tally.games}


def arena_report(game: Game, players: int, table: Table) -> dict[str, Any]:
    ratings = elo(table)
    return {
        "game": game.name,
        "players": players,
        "matches": table.matches,
        "duels": [{"bot": one, "against": other, **tally_report(tally)} for (one, other), tally in table.duels.items()],
        "roles": [{"bot": one, "role": role, **tally_report(tally)} for (one, role), tally in table.roles.items()],
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
        "seats": [tally_report(tally) for tally in share.seats],
        "roles": {role: tally_report(tally) for role, tally in share.roles.items()},
        "moves_per_game": share.moves,
    }


def balance_text(share: Share) -> str:
    rows = [(f"seat {number}", tally) for number, tally in enumerate(share.seats, 1)]
    if len(share.roles) > 1:
        rows = list(share.roles.items())
    elif share.together:
        rows = [("all", share.seats[0])]
    shares = "; ".join(f"{name} {per_cent(tally)}" for name, tally in rows)
    return f"{share.players} players {share.option or 'default':<28} {shares}; {share.moves:.0f} moves"


def analysis_text(report: dict[str, Any]) -> str:
    """An analysis for the terminal: each side's luck and losses, then every turn that gave something away."""
    lines = []
    for side in report["sides"]:
        seats = ", ".join(str(seat + 1) for seat in side["seats"])
        lost = f", gave away {100 * side['given_away']:.0f} points" if report["judged"] else ""
        accuracy = "" if side["accuracy"] is None else f", accuracy {side['accuracy']} ({side['contested']} choices)"
        luck = f"luck {100 * side['luck']:+.0f} points (±{196 * side['luck_error']:.0f})"
        lines.append(f"seat {seats}: {luck}{lost}{accuracy}")
    for turn in report["turns"]:
        if turn["kind"] != "fine":
            worst = turn["worst"]
            better = f"; better: {worst['better']}" if worst["better"] else ""
            lines.append(
                f"move {worst['ply']}, seat {turn['seat'] + 1}: {turn['kind']}, {100 * turn['loss']:.0f} points, "
                f"{worst['played']}{better}"
            )
    if report["budget"] != "standard":
        lines.append("A small budget, since the engine is not compiled: read it as a hint.")
    return "\n".join(lines)
