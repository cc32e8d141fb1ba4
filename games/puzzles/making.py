"""Makes puzzles, below everything else: one match a time, from those of the site first, then from matches of bots."""

import hashlib
import json
import secrets
from collections import Counter
from datetime import timedelta
from math import ceil
from typing import Any

import structlog
from django.conf import settings
from django.core.cache import cache
from django.db.models import QuerySet
from django.utils import timezone

import engine
from accounts.infra import shutdown
from accounts.infra.best_effort_cache import ignore_errors
from engine import build
from engine.analysis.puzzles import TABLES
from engine.bot_process import SOURCES, find_home
from games import fairness
from games.analysis import program
from games.models import Analysis, Hint, Match, Puzzle
from games.puzzles import rating

MOST_A_MATCH = 5
"""So many puzzles are taken from one match."""
FIRST = 5
A_HINT_TAKES = timedelta(minutes=1)
AT_WORK = "puzzles-being-made"
WORKS_FOR = 900
"""Seconds after which a worker that looks for puzzles counts as lost."""
PLAYING_NOW = timedelta(seconds=30)
WHILE_PEOPLE_PLAY = 300
"""Seconds between two matches while somebody plays: a worker that looks for puzzles moves no bots meanwhile."""

log = structlog.get_logger("gauntlet.puzzles")


class SomebodyWaits(Exception):
    """A person needs this worker: the search is given up, and begins again another time."""


def make_some() -> int:
    """Look for puzzles in one match, if nothing else waits for this worker; how many were new. Safe to run twice."""
    if not settings.PUZZLES or _others_wait() or not _is_time():
        return 0
    # One at a time: on a slow machine the next task comes before this one is done.
    is_alone = False
    with ignore_errors():
        is_alone = cache.add(AT_WORK, 1, WORKS_FOR)
    if not is_alone:
        return 0
    try:
        return _make_one_step()
    except SomebodyWaits:
        return 0
    finally:
        with ignore_errors():
            cache.delete(AT_WORK)


def _make_one_step() -> int:
    analysis = searchable().order_by("pk").first()
    if analysis is not None:
        return _make_from_match(analysis)
    game = next_game()
    return _make_from_bots(game, secrets.choice(TABLES[game].sizes)) if game else 0


def next_game() -> str | None:
    """What bots play next: a game that has less than its share of the puzzles, by lot; None if each has its share.

    The first few come from the quickest game, so that a new site soon has some.
    """
    games = games_here()
    made = Counter(Puzzle.objects.current().values_list("game", flat=True))
    share = ceil(settings.PUZZLES / len(games))
    if made[games[0]] < min(FIRST, share):
        return games[0]
    wanting = [game for game in games if made[game] < share]
    return secrets.choice(wanting) if wanting else None


def games_here() -> list[str]:
    """The games whose puzzles can be made with the engine that this site has now."""
    is_compiled = build.name() == "compiled" or find_home() != SOURCES
    return [name for name, tables in TABLES.items() if is_compiled or not tables.compiled_only]


def searchable() -> QuerySet[Analysis]:
    """Analyses of finished matches that anybody may see, with nothing in them that was ever closed to some.

    A match that was played on from another has that match in its record; one with a club's cards is not judged.
    """
    public = Match.objects.listed_for(None).filter(
        status=Match.Status.FINISHED, sealed=False, earlier_seeds="", card_file=None, game__in=games_here()
    )
    return Analysis.objects.filter(state=Analysis.State.DONE, searched_for_puzzles=False, match__in=public)


def _others_wait() -> bool:
    """Whether a person waits for an analysis or a hint, which the same workers compute."""
    lately = timezone.now() - A_HINT_TAKES
    waiting = Hint.objects.filter(state=Hint.State.WAITING, asked_at__gt=lately)
    return Analysis.objects.filter(state=Analysis.State.WAITING).exists() or waiting.exists()


def _is_time() -> bool:
    """Whether nobody plays at the moment; where people always play, now and then all the same."""
    lately = timezone.now() - PLAYING_NOW
    if not Match.objects.filter(status=Match.Status.PLAYING, pace=0, turn_since__gt=lately).exists():
        return True
    with ignore_errors():
        return cache.add("puzzles-while-people-play", 1, WHILE_PEOPLE_PLAY)
    return False


def _make_from_match(analysis: Analysis) -> int:
    claimed = Analysis.objects.filter(pk=analysis.pk, searched_for_puzzles=False).update(searched_for_puzzles=True)
    match = Match.objects.get(pk=analysis.match_id)
    if not claimed or not match.is_current:
        return 0
    question = {
        "puzzles": "1",
        "document": fairness.transcript_of(match),
        "ended": match.cause != Match.Cause.PLAYED,
    }
    try:
        return keep(_ask_engine(question), match=match)
    except (shutdown.ShutdownRequested, SomebodyWaits):
        Analysis.objects.filter(pk=analysis.pk).update(searched_for_puzzles=False)
        raise


def _make_from_bots(game: str, players: int) -> int:
    bots = {"name": game, "players": players, "seed": f"puzzle {fairness.new_secret()}"}
    return keep(_ask_engine({"puzzles": "1", "bots": bots}), match=None)


def _ask_engine(question: dict[str, Any]) -> list[dict[str, Any]]:
    try:
        answer = program.run(question, on_progress=lambda _done, _total: _give_way())
    except RuntimeError:
        log.exception("no puzzles were found")
        return []
    return list(answer.get("puzzles", []))


def _give_way() -> None:
    if _others_wait():
        raise SomebodyWaits


def keep(found: list[dict[str, Any]], *, match: Match | None) -> int:
    """Keep what was found in a match, as far as it is new; how many were."""
    start, new = rating.first(), 0
    for each in found[:MOST_A_MATCH]:
        _puzzle, is_new = Puzzle.objects.get_or_create(
            fingerprint=fingerprint(each),
            defaults={
                "match": match,
                "game": each["game"],
                "rules_version": engine.game(each["game"]).rules_version,
                "players": each["players"],
                "seat": each["seat"],
                "document": each["document"],
                "answers": each["answers"],
                "missed": each["missed"],
                "turn": each.get("turn"),
                "worlds": each["worlds"],
                "version": each["version"],
                "budget": each["budget"],
                "rating": start.rating,
                "variance": start.variance,
            },
        )
        new += is_new
    return new


def fingerprint(found: dict[str, Any]) -> str:
    position = json.dumps([found["document"], found["seat"]], sort_keys=True)
    return hashlib.sha256(position.encode()).hexdigest()
