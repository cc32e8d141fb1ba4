"""Events, sentences and names."""

from string import Formatter

from engine.infinity_gauntlet import cards, words
from tests.engine.infinity_gauntlet.positions import GAME, moves, play, position
from tests.engine.walks import walk

SECRET = {"drew-card", "peeked-card", "fought-cards", "looked-cards", "bottomed-card"}


def test_every_kind_of_event_happens_and_can_be_said():
    said = {}
    for number in range(40):
        match = GAME.start(2 + number % 5, f"words {number}")
        for _ in walk(match, "words"):
            pass
        for seat in range(match.players):
            for event in match.events(seat):
                said[event["event"]] = GAME.sentence(event)
        assert not {event["event"] for event in match.events(None)} & SECRET
    play_a_pass(said)
    assert set(said) == set(words.SENTENCES)
    assert all(sentence[0].isupper() and sentence.endswith(".") for sentence in said.values())


def play_a_pass(said):
    match = position(thanos=["thanos"])
    assert moves(match) == ["pass"]
    play(match, "pass")
    for event in match.events(None):
        said[event["event"]] = GAME.sentence(event)


def test_a_sentence_has_a_place_for_nothing_but_what_its_event_tells():
    for kind in words.KINDS.values():
        places = {name for _, name, _, _ in Formatter().parse(kind.sentence) if name}
        assert places <= {"seat", *kind.operands}


def test_secrets_reach_only_those_who_saw_them():
    match = position(players=4, heroes={1: ["gamora"]}, thanos=["black-dwarf", "soul-stone", "thanos"])
    play(match, "play black-dwarf", "fight 1", "with soul-stone")
    said = {"event": "fought-cards", "seat": 1, "card": "gamora", "thanos_card": "soul-stone"}
    for seat in (0, 1, 2, 3, None):
        told = [{name: event[name] for name in event if name != "ply"} for event in match.events(seat)]
        assert (said in told) == (seat in (0, 1))


def test_every_card_has_a_name_in_three_languages():
    for card in (*cards.HERO_IDS, *cards.THANOS_IDS):
        assert set(words.NAMES[card]) == {"en", "it", "pl"}
    assert words.NAMES["mind-stone"] == {"en": "Mind Stone", "it": "Gemma della Mente", "pl": "Kamień Umysłu"}
    assert words.NAMES["black-dwarf"]["pl"] == "Czarny Karzeł"
