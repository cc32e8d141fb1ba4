"""Playing and stepping through matches in a terminal."""

import os
import sys
from pathlib import Path
from typing import Any

from engine.bots.runner import BotTable
from engine.errors import IllegalAction
from engine.kernel import ANEW, BACK, MAX_NAMED, UNDO, Match
from engine.transcript import dumps, opened, step

HELP = "Type a move (any unique beginning will do) or its number; also: undo, log, help, quit."


class Quit(Exception):
    """The player left; the match so far is kept."""


def ask(prompt: str) -> str:
    try:
        return input(prompt).strip()
    except EOFError:
        raise Quit from None


def print_line(text: str = "") -> None:
    sys.stdout.write(text + "\n")


# -- playing


def play(match: Match, seat: int, bots: BotTable, save: Path | None) -> None:
    """A person in `seat` and bots in the others, until the match ends or the person leaves."""
    print_line(f"{match.game.title}: you are {seat_name(match, seat)}. {HELP}")
    printed, left_at = 0, -1
    try:
        while match.to_act is not None:
            printed = print_events(match, seat, printed)
            if match.to_act != seat and match.legal(seat) and left_at != match.ply:
                left_at = match.ply
                answer(match, seat, "Enter: do nothing. > ")
            elif not bots.move(match):
                answer(match, seat)
        print_events(match, seat, printed)
        print_line(ending(match))
    except (Quit, KeyboardInterrupt):
        print_line("\nLeft the table.")
    if save is not None:
        save.write_text(dumps(match), encoding="utf-8")
        print_line(f"The transcript is in {save}: step through it with  {python()} -m engine replay {save}")


def answer(match: Match, seat: int, prompt: str = "> ") -> None:
    """Ask until the player has made one move, or has declined to act out of turn."""
    print_line("\n" + match.game.terminal_view(match.view(seat)))
    moves = [match.notation(action, seat) for action in match.legal(seat)]
    for number, move in enumerate(moves, 1):
        print_line(f"  {number:>3}  {match.game.explain_move(move)}")
    while True:
        text = " ".join(ask(prompt).lower().split())
        if not text and match.to_act != seat:
            return
        if text in ("quit", "q", "exit"):
            raise Quit
        if text in ("help", "?", ""):
            print_line(HELP)
            continue
        if text == "log":
            for event in match.events(seat):
                print_line("  " + match.game.sentence(event))
            continue
        try:
            if text == UNDO:
                match.undo(seat)
            else:
                match.play(chosen(text, moves), seat)
            return
        except IllegalAction as error:
            print_line(f"Not possible: {error.reason}")


def chosen(text: str, moves: list[str]) -> str:
    """The move that the typed text means: its number, itself, or a beginning that only it has."""
    if text.isdigit() and 1 <= int(text) <= len(moves):
        return moves[int(text) - 1]
    if text in moves:
        return text
    near = [move for move in moves if move.startswith(text)]
    if len(near) == 1:
        return near[0]
    if near:
        raise IllegalAction(text, f"that could be {some(near)}")
    raise IllegalAction(text, f"choose a number from 1 to {len(moves)}, or one of: {some(moves)}")


def some(moves: list[str]) -> str:
    """Moves in a message, the first few where there are many."""
    return ", ".join(moves[:MAX_NAMED]) + (", ..." if len(moves) > MAX_NAMED else "")


def print_events(match: Match, seat: int | None, since: int) -> int:
    """Print what happened from ply `since` on; the ply to continue from."""
    for event in match.events(seat, since):
        print_line("  · " + match.game.sentence(event))
    return match.ply + 1


def python() -> str:
    """The Python that runs this, as one would type it in this folder."""
    here = os.path.relpath(sys.executable)
    return sys.executable if here.startswith("..") else here


def ending(match: Match) -> str:
    outcome = match.outcome
    assert outcome is not None
    winners = " and ".join(seat_name(match, seat) for seat in outcome.winners) or "Nobody"
    return f"\n{winners} won: {outcome.reason}. Scores: {', '.join(map(str, outcome.scores))}."


def seat_name(match: Match, seat: int) -> str:
    role = match.game.roles(match.players)[seat]
    return f"seat {seat + 1}" if role == "player" else f"seat {seat + 1} ({role})"


# -- replaying


def replay(document: dict[str, Any], seat: int | None, steps: bool) -> None:
    """Show a recorded match move by move; with `steps`, wait for the person after each."""
    match = opened(document)
    moves: list[list[Any]] = document["moves"]
    print_line(f"{match.game.title}, {match.players} players, {len(moves)} moves, seed {match.seed!r}")
    if steps:
        print_line("Enter: next move; a number: go to that ply; t: the table; q: leave.")
    while match.ply < len(moves):
        if steps:
            text = ask(f"[{match.ply}/{len(moves)}] ").lower()
            if text in ("q", "quit"):
                return
            if text == "t":
                print_line(match.game.terminal_view(match.view(seat)))
                continue
            if text.isdigit():
                match = at(document, min(int(text), len(moves)))
                print_line(match.game.terminal_view(match.view(seat)))
                continue
        ply = match.ply
        step(match, moves[ply], ply)
        print_line(f"{ply:>4}  {seat_name(match, moves[ply][0])}: {moves[ply][1]}")
        if moves[ply][1] == UNDO:
            print_line(f"        Seat {moves[ply][0] + 1} takes back “{taken_back(moves, ply)}”.")
        elif moves[ply][1].startswith(BACK):
            print_line(f"        Seat {moves[ply][0] + 1} goes back to move {moves[ply][1].removeprefix(BACK)}.")
        elif moves[ply][1] == ANEW:
            print_line(f"        What seat {moves[ply][0] + 1} cannot know is drawn anew.")
        for event in match.events(seat, ply + 1):
            print_line("        " + match.game.sentence(event))
    print_line(
        ending(match) if match.outcome else f"\nThe record ends here; {seat_name(match, match.to_act or 0)} is to act."
    )


def taken_back(moves: list[list[Any]], ply: int) -> str:
    """The move that the undo at `ply` takes back: the latest one that nothing took back before."""
    kept: list[int] = []
    for number, (_, move, _) in enumerate(moves[:ply]):
        if move == UNDO:
            kept.pop()
        elif move.startswith(BACK):
            del kept[kept.index(int(move.removeprefix(BACK))) :]
        else:
            kept.append(number)
    return str(moves[kept[-1]][1])


def at(document: dict[str, Any], ply: int) -> Match:
    """The match before move `ply`."""
    match = opened(document)
    for number, move in enumerate(document["moves"][:ply]):
        step(match, move, number)
    return match
