"""Fair shuffles: the site commits to a secret, mixes in the players' words, and publishes the secret at the end."""

import hashlib
import secrets
from collections.abc import Iterable
from dataclasses import dataclass

import engine
from engine import transcript
from engine.kernel import ANEW_SEED
from games.models import Match, Move

MAX_WORD_LENGTH = 40


def new_secret() -> str:
    return secrets.token_hex(24)


def commitment(secret: str) -> str:
    """The hash that is public from the moment a table opens: it fixes the secret without revealing it."""
    return hashlib.sha256(secret.encode()).hexdigest()


def normalize_word(word: str) -> str:
    return " ".join(word.split())[:MAX_WORD_LENGTH]


def combine_seed(secret: str, words: Iterable[str]) -> str:
    """The seed of the match: the site's secret, then the players' words in the order of their seats."""
    return " / ".join([secret, *(word for word in words if word)])


def seed_of(match: Match) -> str:
    """Its own; before it that of the match that this one was played on from."""
    words = match.seats.order_by("index").values_list("word", flat=True)
    own = combine_seed(match.secret, words)
    return f"{match.earlier_seeds}{ANEW_SEED}{own}" if match.is_played_on else own


def transcript_of(match: Match) -> dict[str, object]:
    """The transcript as the database has it; `python -m engine verify` reads the same document."""
    moves = Move.objects.filter(match=match).order_by("ply").values_list("seat", "notation", "digest")
    return {
        "format": transcript.FORMAT,
        "game": match.game,
        "rules_version": match.rules_version,
        "players": match.players,
        "seed": seed_of(match),
        "options": match.engine_options,
        "moves": [list(move) for move in moves],
    }


def position_at(match: Match, ply: int) -> engine.Match:
    """The match after so many plies of its record, each checked; `TranscriptError` for other rules or an edited one."""
    document = transcript_of(match)
    document["moves"] = document["moves"][:ply]  # type: ignore[index]
    played = engine.replay(document)
    if played.ply != ply:
        raise engine.TranscriptError("moves", "missing; the record is cut short", played.ply)
    return played


@dataclass(frozen=True)
class Verdict:
    """The result of a recomputation. `fault` is the first error, as the engine reports it."""

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
    """Recompute a finished match from its record alone, without any cache."""
    promise_kept = commitment(match.secret) == match.commitment
    if match.card_file is not None and not match.card_file.is_intact:
        return Verdict(promise_kept, False, False, match.ply, "", "the card file was changed after the match")
    try:
        replayed = engine.replay(transcript_of(match))
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
