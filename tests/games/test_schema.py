"""What the server really sends fits the schemas of games/schema, which the types of the scripts are made from."""

import json
import re
from functools import cache

import pytest
from django.conf import settings
from django.test import Client
from jsonschema import Draft202012Validator
from referencing import Registry, Resource

import engine
from games import chat, engine_match, schema, topics
from games.catalogue import texts
from games.realtime import frames, groups
from games.schema import typescript
from games.tables import leaving
from games.tables.setup import Clock
from tests.engine.random_play import TABLES, walk
from tests.factories import create_user, finished_match, fresh, logged_in, started_match, two_turns_each

STEP = 3  # how many plies lie between two that are checked
MATCHES: list[tuple[str, int, dict]] = [
    *((game, players, {}) for game, players in TABLES),
    ("thanos-rising", 4, {"bases": "choose", "preset": "recruit"}),
    ("thanos-rising", 2, {"preset": "infinity", "villains_to_defeat": 1}),
    ("splendor-marvel", 2, {"points": 30, "stall_rounds": 5}),
    ("infinity-gauntlet", 3, {"heroes_life": 30, "thanos_life": 30}),
]


@cache
def checker(file: str, name: str) -> Draft202012Validator:
    resources = [(document["$id"], Resource.from_contents(document)) for document in schema.load_all().values()]
    reference = {"$ref": f"{file}.schema.json#/$defs/{name}"}
    return Draft202012Validator(reference, registry=Registry().with_resources(resources))


def check(file: str, name: str, value: object) -> None:
    checker(file, name).validate(json.loads(json.dumps(value)))


def audiences(players: int) -> list[int | None]:
    return [None, *range(players)]


@pytest.mark.parametrize("document", schema.load_all().values(), ids=schema.load_all())
def test_every_schema_is_one(document):
    Draft202012Validator.check_schema(document)


def test_every_game_has_a_schema():
    assert set(schema.load_all()) == {"page", *engine.GAMES}


@pytest.mark.parametrize(("game", "players", "options"), MATCHES)
def test_every_seat_of_a_random_match_is_sent_what_the_schema_says(game, players, options):
    match = engine.game(game).start(players, seed="schema", options=options)
    plies = 0
    for _ in walk(match, f"{game} {players}"):
        if plies % STEP and match.outcome is None:
            plies += 1
            continue
        for seat in audiences(players):
            check(game, "View", match.view(seat))
            for event in match.events(seat, max(0, match.ply - STEP)):
                check(game, "Event", event)
                check("page", "Event", event)
        plies += 1
    assert match.outcome is not None
    assert plies > STEP


@pytest.mark.parametrize("game", engine.GAMES)
def test_a_view_with_a_field_more_or_less_does_not_fit(game):
    view = engine.game(game).start(2, seed="schema").view(0)
    assert checker(game, "View").is_valid(view)
    assert not checker(game, "View").is_valid({**view, "secret": 1})
    assert not checker(game, "View").is_valid({**view, "table": {**view["table"], "secret": 1}})
    for name in view["table"]:
        less = {key: value for key, value in view["table"].items() if key != name}
        assert not checker(game, "View").is_valid({**view, "table": less}), name


@pytest.mark.parametrize("language", [code for code, _ in settings.LANGUAGES])
@pytest.mark.parametrize("game", engine.GAMES)
def test_the_words_of_a_game(game, language):
    check(game, "Words", json.loads(texts.encoded(game, language)[0]))


@pytest.mark.parametrize("game", engine.GAMES)
def test_every_frame_of_a_match(game, alice, bob, monkeypatch, django_capture_on_commit_callbacks):
    """From the start to the end: moves, presence, chat and refusals, with a clock, to every audience."""
    sent: list[str] = []
    monkeypatch.setattr("games.realtime.broadcast.publish", lambda group, text: sent.append(text))
    monkeypatch.setattr("games.realtime.broadcast.publish_all", lambda pairs: sent.extend(text for _, text in pairs))
    with django_capture_on_commit_callbacks(execute=True):
        match = started_match(alice, bob, game=game)
        match = two_turns_each(match)
        chat.post_line(person=alice, match=match, remark="nice")
        topics.record_presence(match, 0, True)
        if leaving.resign(person=alice, match=match):
            leaving.resign(person=bob, match=match)
    of_match = [json.loads(text) for text in sent if f'"key":"{match.key}"' in text]
    assert {frame["event"] for frame in of_match} >= {"started", "match", "table", "chat", "presence"}
    for frame in of_match:
        check("page", "Frame", frame)
        if frame["event"] == "match":
            check(game, "View", frame["view"])


def test_every_refusal(alice, bob, charlie):
    match = started_match(alice, bob)
    legal = engine_match.load(match).view(0)["legal"][0]
    messages = [
        (alice, {"ply": 5, "move": legal}, "stale"),
        (alice, {"ply": 0, "move": "take everything"}, "illegal"),
        (charlie, {"ply": 0, "move": legal}, "foreign"),
        (alice, {"ply": "none", "move": 3}, "malformed"),
    ]
    for visitor, message, code in messages:
        frame = json.loads(topics.MatchPage().receive(visitor, match.key, message))
        assert frame["code"] == code
        check("page", "RefusedFrame", frame)


def state_in(page: bytes) -> dict:
    found = re.search(r'<script id="table-state"[^>]*>(.*?)</script>', page.decode(), re.DOTALL)
    assert found
    return json.loads(found[1])


@pytest.mark.parametrize("game", engine.GAMES)
def test_the_state_inside_the_pages(game, db):
    """The page of a running match and its replay, as a player, as a spectator and without an account."""
    people = [create_user(name) for name in ("alice", "bob", "dora")]
    match = started_match(*people, game=game)
    match = two_turns_each(match)
    visitors = [logged_in(people[0]), logged_in(create_user("watcher")), Client()]
    for visitor in visitors:
        check("page", "MatchState", state_in(visitor.get(match.get_absolute_url()).content))
    match = finished_match(match)
    for visitor in visitors:
        check("page", "MatchState", state_in(visitor.get(match.get_absolute_url()).content))
        state = state_in(visitor.get(f"{match.get_absolute_url()}replay/").content)
        check("page", "ReplayState", state)
        check("page", "Ply", visitor.get(f"{state['links']['plies']}?seat=1&from=1").json()["plies"][0])


def test_a_clock_fits(alice, bob):
    match = started_match(alice, bob, clock=Clock("live", bank=600, increment=20))
    around = frames.surroundings(fresh(match), list(match.seats.select_related("user")))
    assert around["clock"]["running"] == 0
    for seat in groups.audiences(match):
        check("page", "MatchFrame", json.loads(frames.match_frame(match, engine_match.load(match), seat, 0, around)))


def test_the_types_of_the_scripts_are_made_from_the_schemas():
    assert typescript.FILE.read_text(encoding="utf-8") == typescript.text(), "run python3 manage.py schema"


def test_a_schema_that_cannot_be_written_as_a_type_is_an_error():
    with pytest.raises(typescript.UnknownSchema):
        typescript.write({"type": "string", "pattern": "^a"}, "")
