"""What a person reads in the terminal: names beside the words that moves are written in."""

import engine
from engine.thanos_rising.cards import card_texts
from tests.engine.thanos_rising.scripted_table import Table, sector_with

GAME = engine.game("thanos-rising")


def test_the_picture_calls_everything_by_its_name():
    table = Table(
        sectors=sector_with("outrider-a", "proxima-midnight", "the-collector"),
        teams={0: ["star-lord"]},
        tokens={0: ["green-die"]},
    )
    terminal_view = GAME.terminal_view(table.match.view(0))
    for name in ("General Outrider A", "Proxima Midnight", "The Collector", "Star-Lord", "Avengers Compound"):
        assert name in terminal_view
    assert "orange Soul Stone 0/" in terminal_view
    assert "tokens: 1 green die" in terminal_view
    hyphened = {word for word, name in card_texts("name").items() if "-" in word and name != word}
    assert not [word for word in hyphened if word in terminal_view]


def test_a_move_is_glossed_with_the_name_of_its_card():
    assert GAME.explain_move("red battle on outrider-b") == "red battle on outrider-b: General Outrider B"
    assert GAME.explain_move("choose sanctum-sanctorum") == "choose sanctum-sanctorum: Sanctum Sanctorum"
    assert GAME.explain_move("clear orange") == "clear orange: Soul Stone"
    assert GAME.explain_move("play battle on hulk").startswith("play battle on hulk: Hulk. ")
    assert GAME.explain_move("use the-collector").startswith("use the-collector: The Collector. turn one die")
    assert GAME.explain_move("keep green-die") == f"keep green-die: {card_texts('summary')['green-die']}"


def test_a_move_about_a_die_is_not_taken_for_one_about_a_stone():
    for move in ("take red", "lose green", "forfeit red battle", "turn red cosmic", "to mystic", "deploy 2", "roll"):
        assert GAME.explain_move(move) == move
