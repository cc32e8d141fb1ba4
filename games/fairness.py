"""Fair shuffles: the secret is promised before the match, mixed with the players' words, and told at the end."""

import hashlib
import secrets
from collections.abc import Iterable
from dataclasses import dataclass

import engine
from engine import transcript
from games.models import Match, Move

LONGEST_WORD = 40


def new_secret() -> str:
    return secrets.token_hex(24)


def commitment(secret: str) -> str:
    """What is shown from the moment a table opens: it binds the house to the secret and tells nothing of it."""
    return hashlib.sha256(secret.encode()).hexdigest()


def tidy(word: str) -> str:
    return " ".join(word.split())[:LONGEST_WORD]


def mixed(secret: str, words: Iterable[str]) -> str:
    """The seed of the match: the house's secret, then the players' words in the order of their seats."""
    return " / ".join([secret, *(word for word in words if word)])


def seed_of(match: Match) -> str:
    words = match.seats.order_by("index").values_list("word", flat=True)
    return mixed(match.secret, words)


def bot_seed(match: Match, ply: int, seat: int) -> str:
    """Luck for one bot's answer: the same however often the task is run, and no clue to the decks."""
    return hashlib.sha256(f"{match.secret} bot {ply} {seat}".encode()).hexdigest()


def record_of(match: Match) -> dict[str, object]:
    """The transcript as the database has it; `python -m engine verify` reads the same document."""
    moves = Move.objects.filter(match=match).order_by("ply").values_list("seat", "notation", "digest")
    return {
        "format": transcript.FORMAT,
        "game": match.game,
        "rules_version": match.rules_version,
        "players": match.players,
        "seed": seed_of(match),
        "options": match.options,
        "moves": [list(move) for move in moves],
    }


@dataclass(frozen=True)
class Verdict:
    """What a recomputation found. `fault` names the first thing that is wrong, in the engine's words."""

    promise_kept: bool
    replays: bool
    result_agrees: bool
    plies: int
    digest: str
    fault: str = ""

    @property
    def is_fair(self) -> bool:
        return self.promise_kept and self.replays and self.result_agrees


def verify(*, match: Match) -> Verdict:
    """Recompute a finished match from its record alone: nothing remembered, nothing cached."""
    promise_kept = commitment(match.secret) == match.commitment
    try:
        replayed = engine.replay(record_of(match))
    except engine.TranscriptError as error:
        return Verdict(promise_kept, False, False, match.ply, "", str(error))
    return Verdict(
        promise_kept=promise_kept,
        replays=replayed.ply == match.ply,
        result_agrees=_result_agrees(match, replayed),
        plies=replayed.ply,
        digest=replayed.hash(),
    )


def _result_agrees(match: Match, replayed: engine.Match) -> bool:
    if match.cause != Match.Cause.PLAYED:
        # Ended by resignation or on time: the record stops where the match did.
        return replayed.outcome is None
    outcome = replayed.outcome
    if outcome is None:
        return False
    scores = tuple(match.seats.order_by("index").values_list("score", flat=True))
    return outcome.reason == match.reason and outcome.scores == scores
