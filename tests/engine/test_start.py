"""What a match refuses to start from: the field and the reason, and nothing started."""

import pytest

import engine

NAME = engine.GAMES[0]


def test_an_unknown_game_names_those_there_are():
    with pytest.raises(engine.UnknownGame, match=NAME):
        engine.game("chess")


@pytest.mark.parametrize("name", engine.GAMES)
@pytest.mark.parametrize("players", [0, 1, 7, -2, True, "2", 2.0, None])
def test_a_wrong_player_count(name, players):
    with pytest.raises(engine.OptionError, match="players"):
        engine.game(name).start(players, "seed")


@pytest.mark.parametrize("seed", ["", None, 7, b"x"])
def test_a_seed_that_is_no_text(seed):
    with pytest.raises(engine.OptionError, match="seed"):
        engine.game(NAME).start(2, seed)


@pytest.mark.parametrize("name", engine.GAMES)
def test_an_unknown_option(name):
    with pytest.raises(engine.OptionError, match="colour: unknown option"):
        engine.game(name).start(engine.game(name).players[0], "seed", {"colour": "red"})


@pytest.mark.parametrize(
    ("name", "option"), [(name, option) for name in engine.GAMES for option in engine.game(name).options]
)
def test_every_option_is_documented_and_refuses_another_type(name, option):
    assert option.help
    with pytest.raises(engine.OptionError, match=option.name):
        engine.game(name).start(engine.game(name).players[0], "seed", {option.name: 1.5})


def test_options_that_are_no_mapping():
    with pytest.raises(engine.OptionError, match="options"):
        engine.game(NAME).start(2, "seed", ["red"])
