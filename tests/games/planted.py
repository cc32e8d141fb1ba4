"""A match with a planted blunder: Thanos can snap, which wins at once, and never does. The deal is fixed."""

from accounts.models import User
from engine.kernel import Match as Played
from engine.rng import stream
from games import engine_match
from games.models import Match, Move
from games.play.moves import play_move
from games.tables import start
from tests.factories import fresh, open_table_with

SECRET = "snap 1"
OPTIONS = {"heroes_life": 6, "thanos_life": 2}
SNAP = "snap"


def planted_match(thanos: User, hero: User) -> Match:
    return play_the_rest(begin_before_the_blunder(thanos, hero)[0])


def begin_before_the_blunder(thanos: User, hero: User) -> tuple[Match, str]:
    """The match where Thanos can snap for the first time, and the move that is planted instead."""
    match = open_table_with(thanos, hero, game="infinity-gauntlet", options=OPTIONS, draws_seats=False)
    Match.objects.filter(pk=match.pk).update(secret=SECRET)
    match = start.start(person=thanos, match=fresh(match))
    for move in planned_moves(match):
        current = engine_match.load(match)
        if SNAP in legal_moves(current):
            return match, move
        match = play(match, current, move)
    raise AssertionError("this deal has no snap")


def play_the_rest(match: Match) -> Match:
    for move in planned_moves(match)[match.ply :]:
        match = play(match, engine_match.load(match), move)
    assert not match.is_playing
    return match


def planned_moves(match: Match) -> list[str]:
    """All moves of the match, none of them a snap."""
    current = engine_match.load(match)
    walked, rng, moves = current.game.start(current.players, current.seed, current.options), stream(SECRET, "walk"), []
    while walked.to_act is not None:
        others = [move for move in legal_moves(walked) if move != SNAP]
        moves.append(others[rng.below(len(others))])
        walked.play(moves[-1])
    return moves


def legal_moves(current: Played) -> list[str]:
    return [current.notation(action) for action in current.legal()]


def play(match: Match, current: Played, move: str) -> Match:
    assert current.to_act is not None
    play_move(match=match, ply=match.ply, seat=current.to_act, move=move, by=Move.By.PERSON)
    return fresh(match)
