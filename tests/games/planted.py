"""A match with a planted blunder: Thanos can snap, which wins at once, and never does. The deal is fixed."""

from accounts.models import User
from engine.rng import stream
from games import engine_match
from games.models import Match, Move
from games.play.moves import play_move
from games.tables import start
from tests.factories import open_table_with

SECRET = "snap 1"
OPTIONS = {"heroes_life": 6, "thanos_life": 2}


def planted_match(thanos: User, hero: User) -> Match:
    match = open_table_with(thanos, hero, game="infinity-gauntlet", options=OPTIONS, draws_seats=False)
    Match.objects.filter(pk=match.pk).update(secret=SECRET)
    match = start.start(person=thanos, match=Match.objects.get(pk=match.pk))
    rng = stream(SECRET, "walk")
    while (match := Match.objects.get(pk=match.pk)).is_playing:
        current = engine_match.load(match)
        moves = [current.notation(action) for action in current.legal()]
        others = [move for move in moves if move != "snap"]
        move = others[rng.below(len(others))]
        assert current.to_act is not None
        play_move(match=match, ply=match.ply, seat=current.to_act, move=move, by=Move.By.PERSON)
    return match
