"""Playing and stepping through matches in a terminal."""

import os
import sys
from pathlib import Path
from typing import Any

from engine.bots.company import Company
from engine.errors import IllegalAction
from engine.kernel import MOST_NAMED, UNDO, Match
from engine.transcript import dumps, opened, step

HELP = "Type a move (any unique beginning will do) or its number; also: undo, log, help, quit."


class Quit(Exception):
    """The person left; what was played so far is kept."""


def ask(prompt: str) -> str:
    try:
        return input(prompt).strip()
    except EOFError:
        raise Quit from None


def say(text: str = "") -> None:
    sys.stdout.write(text + "\n")


# -- playing


def play(match: Match, seat: int, bots: Company, save: Path | None) -> None:
    """A person in `seat`, bots in every other one, until the end or until the person leaves."""
    say(f"{match.game.title}: you are {seat_name(match, seat)}. {HELP}")
    heard, left_at = 0, -1
    try:
        while match.to_act is not None:
            heard = tell(match, seat, heard)
            if match.to_act != seat and match.legal(seat) and left_at != match.ply:
                left_at = match.ply
                answer(match, seat, "Enter leaves it. > ")
            elif not bots.move(match):
                answer(match, seat)
        tell(match, seat, heard)
        say(ending(match))
    except (Quit, KeyboardInterrupt):
        say("\nLeft the table.")
    if save is not None:
        save.write_text(dumps(match), encoding="utf-8")
        say(f"The transcript is in {save}: step through it with  {python()} -m engine replay {save}")


def answer(match: Match, seat: int, prompt: str = "> ") -> None:
    """Ask until the person has answered one question, or has left one that is not theirs to answer."""
    say("\n" + match.game.picture(match.view(seat)))
    moves = [match.notation(action, seat) for action in match.legal(seat)]
    for number, move in enumerate(moves, 1):
        say(f"  {number:>3}  {match.game.gloss(move)}")
    while True:
        text = " ".join(ask(prompt).lower().split())
        if not text and match.to_act != seat:
            return
        if text in ("quit", "q", "exit"):
            raise Quit
        if text in ("help", "?", ""):
            say(HELP)
            continue
        if text == "log":
            for event in match.events(seat):
                say("  " + match.game.sentence(event))
            continue
        try:
            if text == UNDO:
                match.undo(seat)
            else:
                match.play(chosen(text, moves), seat)
            return
        except IllegalAction as error:
            say(f"Not possible: {error.reason}")


def chosen(text: str, moves: list[str]) -> str:
    """The move that a person's words mean: its number, itself, or a beginning that only it has."""
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
    return ", ".join(moves[:MOST_NAMED]) + (", ..." if len(moves) > MOST_NAMED else "")


def tell(match: Match, seat: int | None, since: int) -> int:
    """Say what happened from ply `since` on; where to go on from."""
    for event in match.events(seat, since):
        say("  · " + match.game.sentence(event))
    return match.ply + 1


def python() -> str:
    """The Python that runs this, as a person would type it from here."""
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
    say(f"{match.game.title}, {match.players} players, {len(moves)} moves, seed {match.seed!r}")
    if steps:
        say("Enter: next move; a number: go to that ply; t: the table; q: leave.")
    while match.ply < len(moves):
        if steps:
            text = ask(f"[{match.ply}/{len(moves)}] ").lower()
            if text in ("q", "quit"):
                return
            if text == "t":
                say(match.game.picture(match.view(seat)))
                continue
            if text.isdigit():
                match = at(document, min(int(text), len(moves)))
                say(match.game.picture(match.view(seat)))
                continue
        ply = match.ply
        step(match, moves[ply], ply)
        say(f"{ply:>4}  {seat_name(match, moves[ply][0])}: {moves[ply][1]}")
        if moves[ply][1] == UNDO:
            say(f"        Seat {moves[ply][0] + 1} takes back “{taken_back(moves, ply)}”.")
        for event in match.events(seat, ply + 1):
            say("        " + match.game.sentence(event))
    say(ending(match) if match.outcome else f"\nThe record ends here; {seat_name(match, match.to_act or 0)} is to act.")


def taken_back(moves: list[list[Any]], ply: int) -> str:
    """The move that the undo at `ply` is about: the latest before it that no other undo has taken back."""
    standing: list[str] = []
    for _, move, _ in moves[:ply]:
        if move == UNDO:
            standing.pop()
        else:
            standing.append(move)
    return standing[-1]


def at(document: dict[str, Any], ply: int) -> Match:
    """The match as it stood before move `ply`."""
    match = opened(document)
    for number, move in enumerate(document["moves"][:ply]):
        step(match, move, number)
    return match
