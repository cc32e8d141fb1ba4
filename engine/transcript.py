"""The record of a match as a document: save, load, replay, verify.

A record needs the rules it was played by: `rules_version` names them, and a record of other rules is refused rather
than replayed into something that never happened.
"""

import json
from typing import Any

from engine.errors import EngineError, IllegalAction, TranscriptError, UnknownGame, brief, quoted
from engine.games import game
from engine.kernel import Match

FORMAT = 1
FIELDS = {
    "format": int,
    "game": str,
    "rules_version": int,
    "players": int,
    "seed": str,
    "options": dict,
    "moves": list,
}


def transcript(match: Match) -> dict[str, Any]:
    """All that is needed to rebuild the match. It includes the seed, so it stays secret while the match runs."""
    if match.imagined:
        raise EngineError("an imagined match has no record: it was not played from a seed")
    return {
        "format": FORMAT,
        "game": match.game.name,
        "rules_version": match.game.rules_version,
        "players": match.players,
        "seed": match.seed,
        "options": match.options,
        "moves": [[entry.seat, entry.move, entry.digest] for entry in match.entries],
    }


def dumps(match: Match) -> str:
    """The transcript as text, one move a line, so that a person can read it and a diff shows a single move."""
    document = transcript(match)
    moves = document.pop("moves")
    head = json.dumps(document, indent=1, ensure_ascii=False)[:-2]
    lines = ",\n".join("  " + json.dumps(move, ensure_ascii=False) for move in moves)
    return f'{head},\n "moves": [\n{lines}\n ]\n}}\n'


def loads(text: str) -> dict[str, Any]:
    """A document from text, with its fields checked; `TranscriptError` names what is wrong."""
    try:
        document = json.loads(text)
    except json.JSONDecodeError as error:
        raise TranscriptError("file", f"not a transcript: {error.msg} at line {error.lineno}") from error
    check_shape(document)
    return dict(document)


def check_shape(document: Any) -> None:
    if not isinstance(document, dict):
        raise TranscriptError("file", "not a transcript: it must be one JSON object")
    for field, kind in FIELDS.items():
        if field not in document:
            raise TranscriptError(field, "missing; the file may be cut short")
        if type(document[field]) is not kind:
            raise TranscriptError(field, f"must be {kind.__name__}, not {type(document[field]).__name__}")
    for field in document:
        if field not in FIELDS:
            raise TranscriptError(str(field), "unknown field")
    if document["format"] != FORMAT:
        raise TranscriptError("format", f"this engine reads format {FORMAT}, not {brief(document['format'])}")
    for ply, move in enumerate(document["moves"]):
        match move:
            case [int(), str(), str()]:
                pass
            case _:
                raise TranscriptError("moves", "must be [seat, move, digest]", ply)


def opened(document: dict[str, Any]) -> Match:
    """The match of a checked document before its first move."""
    try:
        played = game(document["game"])
    except UnknownGame as error:
        raise TranscriptError("game", str(error)) from error
    if document["rules_version"] != played.rules_version:
        raise TranscriptError(
            "rules_version",
            f"played by rules {brief(document['rules_version'])}; here {played.title} has rules {played.rules_version}",
        )
    try:
        return played.start(document["players"], document["seed"], document["options"])
    except EngineError as error:
        raise TranscriptError("header", str(error)) from error


def step(match: Match, move: list[Any], ply: int) -> None:
    """Play one recorded move and check that it led to the recorded state."""
    seat, text, digest = move
    try:
        match.repeat(seat, text)
    except IllegalAction as error:
        raise TranscriptError("moves", f"seat {brief(seat)} cannot play {error}", ply) from error
    if match.entries[-1].digest != digest:
        raise TranscriptError(
            "moves",
            f"{quoted(text)} leads to another state than recorded: seed, options or a move were edited",
            ply,
        )


def replay(document: dict[str, Any]) -> Match:
    """The match that a document records; `TranscriptError` names the field or the ply at fault, and the reason."""
    check_shape(document)
    match = opened(document)
    for ply, move in enumerate(document["moves"]):
        step(match, move, ply)
    return match
