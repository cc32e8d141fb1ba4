"""The coach of a tutorial: how far its script has come, which moves it asks for, what the others answer.

Nothing is stored. The place in the script follows from the moves of the record, so a tutorial that was left goes on at
the same step. A match whose record is not that of the script is played on without a coach.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from django.utils.translation import get_language, gettext

import engine
from accounts.infra.errors import Refused
from engine.kernel import Entry
from games import engine_match
from games.catalogue import texts
from games.catalogue.tutorials.contents import Reply, Tutorial, tutorial
from games.models import Match


@dataclass(frozen=True)
class Place:
    """Where a script stands: the step that waits for these moves, or a reply of the others, or neither at its end."""

    step: int | None = None
    moves: tuple[str, ...] = ()
    reply: Reply | None = None

    @property
    def is_done(self) -> bool:
        return self.step is None and self.reply is None


def place_in(script: Tutorial, entries: Sequence[Entry]) -> Place | None:
    """The place after these entries; None if they are not those of the script."""
    said = [(entry.seat, entry.move) for entry in entries]
    at = 0
    parts: list[tuple[tuple[str, ...], tuple[Reply, ...]]] = [
        ((), script.first),
        *((step.moves, step.then) for step in script.steps),
    ]
    for number, (moves, replies) in enumerate(parts, start=-1):
        left = list(moves)
        while left:
            if at == len(said):
                return Place(step=number, moves=tuple(left))
            seat, move = said[at]
            if seat != script.seat or move not in left:
                return None
            left.remove(move)
            at += 1
        for reply in replies:
            if at == len(said):
                return Place(reply=reply)
            if said[at] != reply:
                return None
            at += 1
    return Place()


def place_of(match: Match, played: engine.Match) -> Place | None:
    """The place of a running tutorial in its script; None without a coach."""
    script = tutorial(match.game) if match.is_tutorial else None
    if script is None or not match.is_playing or match.secret != script.seed:
        return None
    return place_in(script, played.entries)


def is_guiding(match: Match, played: engine.Match) -> bool:
    """Whether only what the coach asks for may be played now."""
    place = place_of(match, played)
    return place is not None and not place.is_done


def check(match: Match, move: str) -> None:
    """Refuse, kindly and in words, what the coach has not asked for."""
    place = place_of(match, engine_match.load(match))
    if place is None or place.step is None or move in place.moves:
        return
    raise Refused(gettext("That comes later. Now: %(ask)s") % {"ask": _words(match, place.step)["ask"]})


def replies(match: Match, played: engine.Match) -> list[Reply] | None:
    """What a bot plays next by the script: nothing while it waits for the reader; None once the bots are free."""
    place = place_of(match, played)
    if place is None or place.is_done:
        return None
    return [place.reply] if place.reply else []


def serialize(match: Match) -> dict[str, Any] | None:
    """All steps for the page, each with the ply it begins at, in the reader's language; None without a coach."""
    if not (match.is_tutorial and match.is_current) or place_of(match, engine_match.load(match)) is None:
        return None
    script = tutorial(match.game)
    assert script is not None
    steps, ply = [], len(script.first)
    for number, step in enumerate(script.steps):
        steps.append({"ply": ply, "moves": list(step.moves), "at": step.at, **_words(match, number)})
        ply += len(step.moves) + len(step.then)
    return {"steps": steps, "plies": script.plies, "ending": _named(match, script.ending)}


NOTHING: dict[str, Any] = {"state": "none", "step": None, "steps": 0, "says": [], "ask": "", "moves": []}


def current(match: Match) -> dict[str, Any]:
    """What the coach says at this moment, for programs."""
    script = tutorial(match.game)
    place = place_of(match, engine_match.load(match)) if match.is_tutorial and match.is_current else None
    if script is None or place is None:
        return NOTHING
    told = {**NOTHING, "steps": len(script.steps)}
    if place.is_done:
        return {**told, "state": "done", "says": [_named(match, script.ending)]}
    if place.step is None:
        return {**told, "state": "waiting"}
    words = _words(match, place.step)
    return {
        **told,
        "state": "asking",
        "step": place.step + 1,
        "says": [each["text"] for each in words["says"]],
        "ask": words["ask"],
        "moves": list(dict.fromkeys(place.moves)),
    }


def _words(match: Match, number: int) -> dict[str, Any]:
    script = tutorial(match.game)
    assert script is not None
    step = script.steps[number]
    says = [{"text": _named(match, each.text), "at": each.at} for each in step.says]
    return {"says": says, "ask": _named(match, step.ask)}


def _named(match: Match, text: object) -> str:
    """A text of the coach with the names of its cards, as the table writes them."""
    script = tutorial(match.game)
    assert script is not None
    called = texts.names(texts.built_in(match.game), get_language() or "en")
    return str(text).format_map({word: called.get(card, card) for word, card in script.named.items()})
