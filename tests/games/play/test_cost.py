"""What a move costs: how many statements, looks into the cache, requests to a bot process and frames. Never more than
one of each for a whole turn of a bot, however many plies it has."""

import json
from collections import Counter

import pytest
from django.core.cache import cache
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from engine import bot_process
from games import engine_match, topics
from games.models import Match, Move
from games.play import bot_turns, fair_share
from games.realtime import broadcast
from games.tables import exhibition
from tests.factories import create_user, first_move, fresh, play_one_move, started_match

PAGE = topics.MatchPage()


@pytest.fixture
def requests(monkeypatch) -> list[int]:
    """How many moves were chosen in each request to a bot process."""
    made: list[int] = []
    pool = bot_process.shared_pool()

    class Counted:
        def play(self, *args, **kwargs):
            chosen = pool.play(*args, **kwargs)
            made.append(len(chosen.moves))
            return chosen

    monkeypatch.setattr(bot_turns, "shared_pool", Counted)
    return made


@pytest.fixture
def frames(monkeypatch, django_capture_on_commit_callbacks) -> list[tuple[str, dict]]:
    """What is published, by group."""
    sent: list[tuple[str, dict]] = []
    monkeypatch.setattr(
        broadcast, "publish_all", lambda frames: sent.extend((group, json.loads(text)) for group, text in frames)
    )
    return sent


def statements(queries: CaptureQueriesContext) -> Counter[str]:
    """By their first word."""
    return Counter(query["sql"].split()[0] for query in queries.captured_queries)


def noted_in(seen: list[str]):
    """Django does not know the text of a statement that PostgreSQL has prepared, once it has run."""

    def note(execute, sql, params, many, context):
        seen.append(sql.split()[0])
        return execute(sql, params, many, context)

    return note


def bots_alone(game: str = "splendor-marvel", players: int = 4) -> Match:
    return exhibition.start_exhibition(game=game, players=players, pace=0)


def test_a_move_of_a_person_is_one_query_and_one_transaction(any_database):
    alice, bob = create_user("alice"), create_user("bob")
    match = started_match(alice, bob)
    PAGE.receive(alice, match.key, {"ply": 0, "move": first_move(match)})  # the SQL is made, the match is cached
    for ply in range(1, 4):
        mover = (alice, bob)[fresh(match).to_act]
        move = first_move(fresh(match))
        seen: list[str] = []
        with CaptureQueriesContext(connection) as queries, connection.execute_wrapper(noted_in(seen)):
            assert PAGE.receive(mover, match.key, {"ply": ply, "move": move}) is None
        # PostgreSQL takes the update and the insert as one statement, which is a transaction by itself.
        is_one = any_database == "postgresql"
        assert seen == ["SELECT", *(["WITH"] if is_one else ["BEGIN", "UPDATE", "INSERT"])]
        assert len(queries) == len(seen) + (not is_one)  # and a commit
    assert fresh(match).ply == Move.objects.filter(match=match).count() == 4


@pytest.mark.parametrize(("game", "players"), [("splendor-marvel", 4), ("thanos-rising", 3), ("infinity-gauntlet", 4)])
def test_many_plies_of_bots_are_one_request_and_one_transaction(game, players, db, requests):
    match = bots_alone(game, players)
    bot_turns.take_bot_turns(match_id=match.pk)
    before, requests[:] = fresh(match).ply, []
    with CaptureQueriesContext(connection) as queries:
        played = bot_turns.take_bot_turns(match_id=match.pk)
    if fresh(match).is_playing:
        assert played >= bot_turns.SLICE
        # The table, the claim of the ply, and what was played.
        assert statements(queries) == {"SELECT": 1, "UPDATE": 2, "INSERT": 1}
    assert requests == [played]
    assert fresh(match).ply - before == played
    assert Move.objects.filter(match=match).count() == fresh(match).ply


@pytest.mark.parametrize(("game", "players"), [("splendor-marvel", 3), ("thanos-rising", 3)])
def test_a_turn_where_a_person_sits_is_one_frame_for_each_audience(
    game, players, alice, requests, frames, settings, django_capture_on_commit_callbacks
):
    settings.BOT_PACE = 100
    match = started_match(alice, game=game, bots=players - 1)
    while (match := fresh(match)).to_act == 0:
        if play_one_move(match).ply == match.ply:  # bots who could help are asked first
            Match.objects.filter(pk=match.pk).update(bot_due=timezone.now())
            bot_turns.take_bot_turns(match_id=match.pk)
    turns = 0
    while (match := fresh(match)).bot_due and match.to_act != 0 and turns < 4:
        Match.objects.filter(pk=match.pk).update(bot_due=timezone.now())
        frames[:], requests[:] = [], []
        with django_capture_on_commit_callbacks(execute=True):
            played = bot_turns.take_bot_turns(match_id=match.pk)
        if not played:
            break
        turns += 1
        shown = [(group.partition("/")[2], frame) for group, frame in frames if frame["event"] == "match"]
        assert sorted(audience for audience, _ in shown) == ["public", "seat-0"]
        for _, frame in shown:
            assert (frame["since"], frame["v"]) == (match.ply, match.ply + played)
            assert frame["view"]["ply"] == frame["v"]
        # One bot's turn; another one may help with a token.
        assert 0 not in {entry.seat for entry in engine_match.load(fresh(match)).entries[match.ply :]}
        assert requests[0] == played
    assert turns


def test_what_spectators_get_is_what_the_row_keeps(alice, bob, frames, django_capture_on_commit_callbacks):
    match = started_match(alice, bob)
    with django_capture_on_commit_callbacks(execute=True):
        PAGE.receive(alice, match.key, {"ply": 0, "move": first_move(match)})
    views = {group.partition("/")[2]: frame["view"] for group, frame in frames if frame["event"] == "match"}
    # Who is at the table is not looked up for it: other frames say so.
    assert not any("here" in seat for _, frame in frames if frame["event"] == "match" for seat in frame["seats"])
    made = json.loads(json.dumps(engine_match.load(fresh(match)).view(None)))
    assert views["public"] == fresh(match).snapshot == made
    assert {name: view["seat"] for name, view in views.items()} == {"public": None, "seat-0": 0, "seat-1": 1}


def counted(looks: list[str], name: str, look):
    """Note each look into the cache; what a look for many does inside is its own affair."""

    def noted(*args, **kwargs):
        inside = bool(looks) and looks[-1] == ""
        looks.extend([] if inside else [name, ""])
        try:
            return look(*args, **kwargs)
        finally:
            if not inside:
                looks.pop()

    return noted


def test_the_queue_is_ranked_by_as_many_looks_for_many_tables_as_for_two(alice, bob, monkeypatch):
    looks: list[str] = []
    for name in ("get", "get_many"):
        monkeypatch.setattr(cache, name, counted(looks, name, getattr(cache, name)), raising=False)
    for tables in (2, 6):
        while Match.objects.filter(status="playing").count() < tables:
            bots_alone()
        looks.clear()
        with CaptureQueriesContext(connection) as queries:
            assert len(fair_share.next_matches(0)) == tables
        assert statements(queries) == {"SELECT": 1}
        assert "snapshot" not in queries.captured_queries[0]["sql"].partition(" FROM ")[0]
        assert looks == ["get_many"]
    # Where people play, one more look says who of them is there.
    match = started_match(alice, bob, bots=1)
    Match.objects.filter(pk=match.pk).update(bot_due=timezone.now())
    looks.clear()
    assert match.pk in fair_share.next_matches(0)
    assert looks == ["get_many", "get_many"]


def test_a_bot_process_that_dies_in_a_turn_costs_only_the_move_at_which_it_does(db, monkeypatch):
    """The next attempts ask for one move at a time, so that only the one that fails is replaced."""
    match = bots_alone("splendor-marvel", 2)
    pool, most = bot_process.shared_pool(), []

    class Dies:
        def play(self, document, order, **kwargs):
            most.append(order.most)
            if len(document["moves"]) == 2 or order.most > 2:
                raise bot_process.Crashed("the bot process died")
            return pool.play(document, order, **kwargs)

    monkeypatch.setattr(bot_turns, "shared_pool", Dies)
    while (match := fresh(match)).ply < 3:
        bot_turns.take_bot_turns(match_id=match.pk)
        Match.objects.filter(pk=match.pk).update(bot_held=None)
    assert [move.by for move in Move.objects.filter(match=match).order_by("ply")[:3]] == ["bot", "bot", "fallback"]
    assert 1 in most
