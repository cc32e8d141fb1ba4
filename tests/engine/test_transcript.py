"""Records that are not what they say are refused, with the field or the ply at fault."""

import json

import pytest

import engine
from engine.transcript import dumps, loads, transcript
from tests.engine.random_play import walk

NAME = engine.GAMES[0]


@pytest.fixture
def document():
    match = engine.game(NAME).start(2, "a record")
    for _ in walk(match, "a record"):
        pass
    return json.loads(dumps(match))


def refused(document):
    with pytest.raises(engine.TranscriptError) as error:
        engine.replay(document)
    return error.value


def test_text_and_document_are_the_same(document):
    match = engine.replay(document)
    assert loads(dumps(match)) == document == json.loads(json.dumps(transcript(match)))


@pytest.mark.parametrize("field", ["format", "game", "rules_version", "players", "seed", "options", "moves"])
def test_a_missing_field_is_named(document, field):
    del document[field]
    assert refused(document).field == field


@pytest.mark.parametrize(
    ("field", "value"),
    [("format", 2), ("game", "chess"), ("rules_version", 999), ("players", "two"), ("moves", {}), ("extra", 1)],
)
def test_a_wrong_field_is_named(document, field, value):
    document[field] = value
    assert refused(document).field == field


def test_a_player_count_the_game_does_not_take(document):
    document["players"] = 40
    assert "players" in str(refused(document))


def test_an_unknown_option(document):
    document["options"]["cheat"] = True
    assert "cheat" in str(refused(document))


@pytest.mark.parametrize("move", [None, [0], [0, "pass"], ["0", "pass", "x"], {"seat": 0}])
def test_a_move_of_another_shape_is_named_by_its_ply(document, move):
    document["moves"][2] = move
    assert refused(document).ply == 2


def test_an_illegal_move_is_named_by_its_ply(document):
    document["moves"][2][1] = "take everything"
    assert refused(document).ply == 2


def test_a_move_of_a_seat_that_is_not_there(document):
    document["moves"][1][0] = 9
    assert refused(document).ply == 1


def test_a_move_left_out_is_found_at_its_place(document):
    del document["moves"][4]
    assert refused(document).ply == 4


@pytest.mark.parametrize("text", ["", "[]", "{", '"hello"', "null"])
def test_text_that_is_no_transcript(text):
    with pytest.raises(engine.TranscriptError):
        loads(text)
