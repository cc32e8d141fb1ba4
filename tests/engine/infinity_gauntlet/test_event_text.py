"""Events, sentences and names."""

from string import Formatter

from engine.infinity_gauntlet import cards, event_text
from tests.engine.infinity_gauntlet.positions import GAME, moves, play, position
from tests.engine.random_play import walk

SECRET = {"drew-card", "peeked-card", "fought-cards", "looked-cards", "bottomed-card"}


def test_every_kind_of_event_happens_and_can_be_said():
    sentences = {}
    for number in range(40):
        match = GAME.start(2 + number % 5, f"words {number}")
        for _ in walk(match, "words"):
            pass
        for seat in range(match.players):
            for event in match.events(seat):
                sentences[event["event"]] = GAME.sentence(event)
        assert not {event["event"] for event in match.events(None)} & SECRET
    play_a_pass(sentences)
    assert set(sentences) == set(event_text.SENTENCES)
    assert all(sentence[0].isupper() and sentence.endswith(".") for sentence in sentences.values())


def play_a_pass(sentences):
    match = position(thanos=["thanos"])
    assert moves(match) == ["pass"]
    play(match, "pass")
    for event in match.events(None):
        sentences[event["event"]] = GAME.sentence(event)


def test_a_sentence_has_a_place_for_nothing_but_what_its_event_tells():
    for kind in event_text.KINDS.values():
        places = {name for _, name, _, _ in Formatter().parse(kind.sentence) if name}
        assert places <= {"seat", *kind.operands}


def test_secrets_reach_only_those_who_saw_them():
    match = position(players=4, heroes={1: ["gamora"]}, thanos=["black-dwarf", "soul-stone", "thanos"])
    play(match, "play black-dwarf", "fight 1", "with soul-stone")
    sentences = {"event": "fought-cards", "seat": 1, "card": "gamora", "thanos_card": "soul-stone"}
    for seat in (0, 1, 2, 3, None):
        events = [{name: event[name] for name in event if name != "ply"} for event in match.events(seat)]
        assert (sentences in events) == (seat in (0, 1))


def test_every_card_has_a_name_in_three_languages():
    for card in (*cards.HERO_IDS, *cards.THANOS_IDS):
        assert set(event_text.NAMES[card]) == {"en", "it", "pl"}
    assert event_text.NAMES["mind-stone"] == {"en": "Mind Stone", "it": "Gemma della Mente", "pl": "Kamień Umysłu"}
    assert event_text.NAMES["black-dwarf"]["pl"] == "Czarny Karzeł"
