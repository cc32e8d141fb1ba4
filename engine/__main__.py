"""The engine in a terminal: `python -m engine COMMAND`."""

import argparse
import contextlib
import json
import os
import sys
from pathlib import Path
from typing import Any

import engine
from engine import terminal
from engine.analysis import analyse
from engine.balance import balance, record
from engine.bots import LEVELS, bot, budget
from engine.bots.runner import BotTable, Seated
from engine.errors import quoted
from engine.progress import Progress
from engine.reports import analysis_text, arena_report, arena_text, balance_report, balance_text
from engine.simulate import simulate
from engine.tournament import crosstable, entrants, tournament
from engine.transcript import loads


def main(arguments: list[str] | None = None) -> int:
    given = parser().parse_args(arguments)
    try:
        return int(given.run(given))
    except engine.EngineError as error:
        sys.stderr.write(f"{error}\n")
        return 2
    except BrokenPipeError:  # the reader closed the pipe
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0
    except OSError as error:
        sys.stderr.write(f"{error.filename}: {error.strerror}\n")
        return 2


def parser() -> argparse.ArgumentParser:
    top = argparse.ArgumentParser(prog="python -m engine", description="Gauntlet's engine in a terminal.")
    commands = top.add_subparsers(required=True, metavar="COMMAND")

    play = commands.add_parser("play", help="play a match against bots")
    add_table(play)
    play.add_argument("--seat", type=whole, default=1, help="your seat, from 1 (default: 1)")
    play.add_argument("--bots", default="regular", help=f"level of the others: {', '.join(LEVELS)} (default: regular)")
    play.add_argument("--save", type=Path, metavar="FILE", help="where the transcript goes (default: GAME-SEED.json)")
    play.set_defaults(run=run_play)

    replay = commands.add_parser("replay", help="step through a saved match")
    replay.add_argument("file", type=Path)
    replay.add_argument("--seat", type=whole, help="see it from this seat, from 1 (default: as a spectator)")
    replay.add_argument("--all", action="store_true", help="print every move without stopping")
    replay.set_defaults(run=run_replay)

    verify = commands.add_parser("verify", help="recompute a saved match and say whether it is genuine")
    verify.add_argument("file", type=Path)
    verify.set_defaults(run=run_verify)

    judge = commands.add_parser("analyse", help="say what a saved match gave away, and what was luck")
    judge.add_argument("file", type=Path)
    judge.add_argument("--seed", default="1", help="any text; another seed judges by other worlds (default: 1)")
    judge.add_argument("--ended", action="store_true", help="the match ended by resignation or on time")
    judge.add_argument("--json", action="store_true", help="print one JSON object")
    judge.set_defaults(run=run_analyse)

    many = commands.add_parser("simulate", help="play many random matches and report")
    add_table(many)
    many.add_argument("--games", type=whole, default=1000, help="how many (default: 1000)")
    many.add_argument("--json", action="store_true", help="print one JSON object")
    many.set_defaults(run=run_simulate)

    arena = commands.add_parser("arena", help="let bots play a tournament against each other")
    add_table(arena)
    arena.add_argument(
        "--bots", type=names, default=["expert", "regular"], help="levels, or LEVEL@ITERATIONS, separated by commas"
    )
    add_series(arena, games=200)
    arena.set_defaults(run=run_arena)

    balance = commands.add_parser("balance", help="win share by role, seat and option among equal bots")
    balance.add_argument("game", metavar="GAME", help=", ".join(engine.GAMES))
    balance.add_argument("--bot", default="regular", help="a level, or LEVEL@ITERATIONS (default: regular)")
    balance.add_argument("--players", type=int, help="only this many seats (default: every number)")
    balance.add_argument("--seed", help="any text")
    balance.add_argument("--record", action="store_true", help="keep the shares in the engine's balance.json")
    add_series(balance, games=400)
    balance.set_defaults(run=run_balance)
    return top


def add_series(command: argparse.ArgumentParser, games: int) -> None:
    command.add_argument("--games", type=whole, default=games, help=f"how many matches (default: {games})")
    command.add_argument("--iterations", type=whole, default=0, help="think by iterations instead of by the clock")
    command.add_argument("--jobs", type=whole, default=os.cpu_count() or 1, help="processes (default: one a core)")
    command.add_argument("--json", action="store_true", help="print one JSON object")


def names(text: str) -> list[str]:
    return [name.strip() for name in text.split(",") if name.strip()]


def add_table(command: argparse.ArgumentParser) -> None:
    command.add_argument("game", metavar="GAME", help=", ".join(engine.GAMES))
    command.add_argument("--players", type=int, help="how many seats (default: the fewest)")
    command.add_argument("--seed", help="any text; the same seed is the same deal (default: drawn)")
    command.add_argument(
        "--option", action="append", default=[], metavar="NAME=VALUE", help="a match option; may be repeated"
    )


def whole(text: str) -> int:
    if not text.isdigit() or int(text) < 1:
        raise argparse.ArgumentTypeError("must be a whole number of at least 1")
    return int(text)


def options(game: engine.Game, pairs: list[str]) -> dict[str, Any]:
    """NAME=VALUE as given on the command line; the kernel checks the values."""
    kinds = {option.name: option.kind for option in game.options}
    given: dict[str, Any] = {}
    for pair in pairs:
        name, equals, text = pair.partition("=")
        if not equals:
            raise engine.OptionError(pair, "must be NAME=VALUE")
        kind = kinds.get(name, str)
        if kind is str:
            given[name] = text
        elif kind is dict:
            given[name] = json_file(name, text)
        else:
            try:
                given[name] = json.loads(text.lower())
            except json.JSONDecodeError:
                raise engine.OptionError(name, f"must be {kind.__name__}, not {quoted(text)}") from None
    return given


def json_file(name: str, path: str) -> Any:
    """An option that is a whole document is given as a file's name."""
    try:
        return json.loads(Path(path).read_text(encoding="utf-8"))
    except json.JSONDecodeError as error:
        raise engine.OptionError(name, f"{path}, line {error.lineno}: {error.msg}") from error


def run_play(given: argparse.Namespace) -> int:
    game = engine.game(given.game)
    players = given.players or game.players[0]
    seed = given.seed or os.urandom(8).hex()
    match = game.start(players, seed, options(game, given.option))
    if given.seat > players:
        raise engine.OptionError("seat", f"there are {players} seats, numbered from 1")
    safe = "".join(letter if letter.isalnum() else "-" for letter in seed)
    save = given.save or Path(f"{game.name}-{safe}.json")
    level = bot(game.name, given.bots)
    seats = {seat: Seated(level, budget(game.name, given.bots)) for seat in range(players) if seat != given.seat - 1}
    terminal.play(match, given.seat - 1, BotTable(seats, seed), save)
    return 0


def run_replay(given: argparse.Namespace) -> int:
    document = loads(given.file.read_text(encoding="utf-8"))
    with contextlib.suppress(terminal.Quit):
        terminal.replay(document, given.seat and given.seat - 1, steps=not given.all and sys.stdin.isatty())
    return 0


def run_verify(given: argparse.Namespace) -> int:
    match = engine.replay(loads(given.file.read_text(encoding="utf-8")))
    ended = match.outcome.reason if match.outcome else "not finished"
    sys.stdout.write(
        f"Genuine: {match.game.title} by rules {match.game.rules_version}, {match.players} players, "
        f"{match.ply} moves, {ended}.\nFinal state {match.hash()}\n"
    )
    return 0


def run_analyse(given: argparse.Namespace) -> int:
    document = loads(given.file.read_text(encoding="utf-8"))
    with Progress("Analysing", len(document["moves"])) as bar:
        report = analyse(document, seed=given.seed, ended=given.ended, progress=lambda done, _: bar.at(done))
    terminal.print_line(json.dumps(report) if given.json else analysis_text(report))
    return 0


def run_simulate(given: argparse.Namespace) -> int:
    game = engine.game(given.game)
    players = given.players or game.players[0]
    report = simulate(given.game, players, given.games, given.seed or "simulate", options(game, given.option))
    if given.json:
        sys.stdout.write(json.dumps(report) + "\n")
        return 0
    print_line = terminal.print_line
    print_line(f"{game.title}, {players} players, {given.games:,} random matches ({report['build']} engine)")
    print_line(f"{report['games_per_second']:>12,.0f} games a second")
    print_line(f"{report['moves_per_second']:>12,.0f} moves a second, {report['moves_per_game']} a game")
    for reason, share in report["outcomes"].items():
        print_line(f"{share:>12.1%} {reason}")
    for seat, share in enumerate(report["wins_by_seat"]):
        print_line(f"{share:>12.1%} won by seat {seat + 1} ({game.roles(players)[seat]})")
    return 0


def run_arena(given: argparse.Namespace) -> int:
    game = engine.game(given.game)
    players = given.players or game.players[0]
    bots = entrants(given.game, given.bots, given.iterations)
    if len(bots) < 2:
        raise engine.OptionError("bots", "a tournament takes at least two")
    matches = list(
        tournament(
            given.game, players, bots, given.games, given.seed or "arena", given.jobs, options(game, given.option)
        )
    )
    table = crosstable(game, bots, matches)
    terminal.print_line(
        json.dumps(arena_report(game, players, table)) if given.json else arena_text(game, players, table)
    )
    return 0


def run_balance(given: argparse.Namespace) -> int:
    game = engine.game(given.game)
    one = entrants(given.game, [given.bot], given.iterations)[0]
    counts = [given.players] if given.players else []
    shares = []
    if not given.json:
        terminal.print_line(f"{game.title}, {one.name} bots, {given.games} matches a row, 95 % intervals")
    for share in balance(given.game, one, given.games, given.seed or "balance", given.jobs, counts):
        shares.append(share)
        if not given.json:
            terminal.print_line(balance_text(share))
    if given.json:
        terminal.print_line(json.dumps([balance_report(share) for share in shares]))
    if given.record:
        record(given.game, shares)
    return 0


if __name__ == "__main__":
    sys.exit(main())
