"""Nobody is sent what their seat may not know: not in a frame, a page, a replay in progress or an answer."""

import json
import re

import pytest
import time_machine
from django.test import Client

import engine
from engine.rng import stream
from games import engine_match, help_state, topics
from games.models import Match, Move, Seat
from games.play.moves import commit, play_move
from games.presentation.glance import glance
from games.realtime import frames, groups
from tests.factories import create_user, fresh, started_match

GAMES = ("infinity-gauntlet", "splendor-marvel", "thanos-rising")


def seats_of(match: Match) -> list[Seat]:
    return list(match.seats.select_related("user").order_by("index"))


@pytest.fixture
def sent(monkeypatch, django_capture_on_commit_callbacks) -> list[tuple[str, str]]:
    found: list[tuple[str, str]] = []
    monkeypatch.setattr("games.realtime.broadcast.publish", lambda group, text: found.append((group, text)))
    monkeypatch.setattr("games.realtime.broadcast.publish_all", found.extend)
    return found


@pytest.mark.parametrize("game", GAMES)
def test_a_frame_depends_only_on_what_its_audience_may_know(game, db):
    """The same frame from the truth and from any world that the seat cannot tell from it."""
    match = started_match(*(create_user(name) for name in ("alice", "bob", "dora")), game=game)
    rng = stream(game, "walk")
    for step in range(60):
        match = fresh(match)
        if not match.is_playing:
            break
        current = engine_match.load(match)
        seats, known = seats_of(match), engine_match.load(match)
        with time_machine.travel(match.turn_since, tick=False):
            around = frames.surroundings(match, seats, known)
            public = frames.help_frame(match, seats, known)
            for seat in groups.audiences(match):
                told = frames.match_frame(match, current, seat, 0, around, seats)
                imagined = current.imagine(seat, f"world {step}")
                assert told == frames.match_frame(match, imagined, seat, 0, around, seats)
                # What goes to everyone holds nothing that even a spectator could not work out.
                assert public == frames.help_frame(match, seats, imagined)
                assert around == frames.surroundings(match, seats, imagined)
        legal = current.legal()
        move = current.notation(legal[rng.below(len(legal))])
        play_move(match=match, ply=match.ply, seat=current.to_act, move=move, by="bot")


@pytest.mark.parametrize("game", GAMES)
def test_a_glance_shows_what_a_spectator_knows(game, db):
    match = started_match(*(create_user(name) for name in ("alice", "bob", "dora")), game=game)
    rng = stream(game, "glance")
    for step in range(40):
        match = fresh(match)
        if not match.is_playing:
            break
        current = engine_match.load(match)
        shown = glance(match)
        match.snapshot = current.imagine(None, f"world {step}").view(None)
        assert shown["rows"] == glance(match)["rows"]
        assert [each["score"] for each in shown["seats"]] == [each["score"] for each in glance(match)["seats"]]
        legal = current.legal()
        move = current.notation(legal[rng.below(len(legal))])
        play_move(match=fresh(match), ply=match.ply, seat=current.to_act, move=move, by="bot")


@pytest.mark.parametrize("game", GAMES)
def test_nothing_that_is_published_holds_seed_digest_or_hash(
    game, alice, bob, sent, django_capture_on_commit_callbacks
):
    match = started_match(alice, bob, game=game)
    rng = stream(game, "walk")
    with django_capture_on_commit_callbacks(execute=True):
        while (match := fresh(match)).is_playing:
            current = engine_match.load(match)
            legal = current.legal()
            move = current.notation(legal[rng.below(len(legal))])
            play_move(match=match, ply=match.ply, seat=current.to_act, move=move, by="bot")
    everything = "".join(text for _, text in sent)
    assert len(sent) >= match.ply * 3
    assert match.secret not in everything
    digests = Move.objects.filter(match=match).values_list("digest", flat=True)
    # An eight-digit run of hexadecimal can stand in no other part of a frame but a key, which has other letters.
    assert not {digest for digest in digests if re.search(rf"(?<![0-9a-z]){digest}(?![0-9a-z])", everything)}


def test_a_card_drawn_unseen_is_told_to_its_owner_alone(alice, bob, charlie, sent, django_capture_on_commit_callbacks):
    match = started_match(alice, bob)
    with django_capture_on_commit_callbacks(execute=True):
        play_move(match=match, ply=0, seat=0, move="reserve deck 1", by="bot")
    match = fresh(match)
    card = engine_match.load(match).view(0)["table"]["teams"][0]["reserved"][0]["card"]
    by_group = {group: text for group, text in sent if '"event":"match"' in text}
    assert f'"{card}"' in by_group[groups.audience(match, 0)]
    for audience in (None, 1):
        assert f'"{card}"' not in by_group[groups.audience(match, audience)]
    for reader, may_know in ((alice, True), (bob, False), (charlie, False), (None, False)):
        client = Client()
        if reader:
            client.force_login(reader)
        for path in ("", "state/", "state/?after=0"):
            body = client.get(f"/play/{match.key}/{path}").content.decode()
            assert (f'"{card}"' in body) == may_know, (reader, path)


def test_a_secret_answer_is_in_nobody_elses_frame(alice, bob, sent, django_capture_on_commit_callbacks):
    """What a hero looks at in Infinity Gauntlet is theirs; the notation of moves is in no frame at all."""
    match = started_match(alice, bob, game="infinity-gauntlet")
    rng = stream("secret", "walk")
    with django_capture_on_commit_callbacks(execute=True):
        while (match := fresh(match)).is_playing:
            current = engine_match.load(match)
            legal = current.legal()
            move = current.notation(legal[rng.below(len(legal))])
            play_move(match=match, ply=match.ply, seat=current.to_act, move=move, by="bot")
    for group, text in sent:
        frame = json.loads(text)
        if frame["event"] != "match":
            continue
        seat = frame["view"]["seat"]
        assert group == groups.audience(match, seat)
        assert set(frame) == {
            "event", "key", "v", "since", "view", "events", "undone", "status", "seats", "clock", "result", "tempo",
            "next_in", "help",
        }  # fmt: skip


def test_a_bots_whole_turn_is_one_frame_and_hides_what_each_must_not_know(
    alice, bob, sent, django_capture_on_commit_callbacks
):
    """Several plies in one frame: what a bot drew unseen is in nobody's frame, what it did is in everybody's."""
    match = started_match(alice, bob, bots=1)
    current = engine_match.load(match)
    turn, before = help_state.turn_of(current), current.to_act
    for move in ("reserve deck 1", "take red", "take blue", "take orange"):
        current.play(move)
    with django_capture_on_commit_callbacks(execute=True):
        commit(match=match, played=current, by="bot", turn=turn, before=before)
    found = [(group, json.loads(text)) for group, text in sent if '"event":"match"' in text]
    assert [(frame["since"], frame["v"]) for _, frame in found] == [(0, 4)] * 3
    card = current.view(0)["table"]["teams"][0]["reserved"][0]["card"]
    assert {group: f'"{card}"' in json.dumps(frame) for group, frame in found} == {
        groups.audience(match, None): False,
        groups.audience(match, 0): True,
        groups.audience(match, 1): False,
    }
    assert Move.objects.filter(match=match).count() == 4


def test_a_seat_is_told_by_the_connection_and_not_by_the_message(alice, bob):
    match = started_match(alice, bob)
    topic = topics.MatchPage()
    assert topic.audience(alice, match.key).group.endswith("seat-0")
    answer = json.loads(topic.receive(bob, match.key, {"ply": 0, "move": "take red", "seat": 0}))
    assert (answer["event"], answer["code"]) == ("refused", "illegal")
    assert fresh(match).ply == 0


def test_while_places_are_taken_everybody_listens_to_the_same(alice, bob):
    """A place is not yet a seat: after the draw somebody else's view may go to it."""
    from tests.factories import open_table_with

    match = open_table_with(alice, bob)
    assert topics.MatchPage().audience(alice, match.key).group == groups.audience(match, None)


def test_engine_games_are_all_here():
    assert set(GAMES) == set(engine.GAMES)
