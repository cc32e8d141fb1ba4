"""Who knows what: hidden cards, imagined worlds, events."""

from collections import Counter
from itertools import permutations

import pytest

from engine.rng import stream
from engine.splendor_marvel.cards import CARD_NAMES, LEVELS
from engine.splendor_marvel.components import DECK_START
from engine.splendor_marvel.packed_counts import lane, one
from tests.engine.random_play import walk
from tests.engine.splendor_marvel.positions import Position, ident, number


def small_world():
    """Level 3 is down to two cards in the deck; one hidden in each hand, one reserved face up."""
    at = Position().reserves(0, "Thor", hidden=True).reserves(1, "Hulk", hidden=True).reserves(1, "Nova")
    while lane(at.state.drawn, 2) < LEVELS[2] - 2:
        at.recruits(0, CARD_NAMES[at.top(2)])
    return at


def world(state):
    """All that can be hidden at level 3: the card in each hand and the deck in order."""
    start = DECK_START[2] + lane(state.drawn, 2)
    return (state.teams[0].card_at(0), state.teams[1].card_at(0), *list(state.deck)[start : DECK_START[2] + LEVELS[2]])


@pytest.mark.parametrize("seat", [0, 1, None])
def test_imagined_worlds_are_all_those_that_fit_and_equally_often(seat):
    at = small_world()
    truth = world(at.state)
    known = [] if seat is None else [seat]
    unknown = [place for place in range(4) if place not in known]
    wanted = set()
    for order in permutations(truth[place] for place in unknown):
        fitting = list(truth)
        for place, card in zip(unknown, order, strict=True):
            fitting[place] = card
        wanted.add(tuple(fitting))
    each = 200
    rng = stream("worlds", "test")
    counts = Counter()
    for _ in range(each * len(wanted)):
        twin = at.state.clone()
        twin.determinise(-1 if seat is None else seat, rng)
        counts[world(twin)] += 1
        assert twin.teams[1].card_at(1) == number("Nova"), "what all have seen stays"
    assert set(counts) == wanted
    assert all(abs(count - each) < 5 * each**0.5 for count in counts.values())


def test_levels_are_imagined_apart():
    at = small_world()
    for number_ in range(20):
        twin = at.match.imagine(0, f"{number_}").state
        assert sorted(world(twin)) == sorted(world(at.state))


def test_a_shared_deck_is_not_touched_by_imagining():
    at = small_world()
    before = list(at.state.deck)
    at.match.imagine(None, "any")
    assert list(at.state.deck) == before


def test_a_card_reserved_face_up_stays_known_to_all():
    at = Position().market("Rocket").play(f"reserve {ident('Rocket')}")
    for viewer in (1, None):
        assert at.match.imagine(viewer, "any").view(viewer)["table"]["teams"][0]["reserved"][0]["card"] == "1-2"


def test_a_hidden_card_is_known_to_all_once_recruited():
    at = Position().reserves(0, "Rocket", hidden=True).tokens(0, yellow=1, red=2).play(f"recruit {ident('Rocket')}")
    assert at.seat(0, 1)["cards"] == [ident("Rocket")]
    assert at.seat(0, 1)["reserved"] == []


@pytest.mark.parametrize("players", [2, 3, 4])
def test_what_is_told_of_a_move_is_no_more_than_can_be_seen_afterwards(players):
    """Play the same move in a world that a seat cannot tell from the true one: when the tables then look alike to
    it, the events must be alike as well. A blind reserve that everyone sees, for one, would not be."""
    match, twins, compared = Position(players).match, {}, 0
    for _ in walk(match, "tales"):
        for seat, twin in twins.items():
            entry = match.entries[-1]
            if entry.move in [twin.notation(action) for action in twin.legal()]:
                twin.play(entry.move)
                if twin.view(seat) == match.view(seat):
                    assert twin.events(seat, match.ply) == match.events(seat, match.ply)
                    compared += 1
        twins = {seat: match.imagine(seat, f"tales {match.ply}") for seat in [*range(players), None]}
    assert compared > match.ply


def test_every_event_makes_a_sentence():
    names = set()
    for players in (2, 3, 4):
        for number_ in range(6):
            match = Position(players).match.game.start(players, f"said {number_}", {"points": 10})
            for _ in walk(match, f"said {number_}"):
                pass
            for event in match.events(0):
                sentence = match.game.sentence(event)
                assert sentence[0].isupper()
                assert sentence.endswith(".")
                assert "{" not in sentence
                names.add(event["event"])
    assert names >= {
        "took",
        "reserved",
        "reserved-unseen",
        "drew",
        "got-grey",
        "paid",
        "recruited",
        "revealed",
        "ended",
    }
    assert names >= {"time-stone", "got-tile", "won-tile", "returned", "assembled"}


def test_sentences_use_names():
    at = Position(3).market("Rocket").tokens(0, yellow=1, red=1, grey=1).play(f"recruit {ident('Rocket')}")
    sentences = [at.match.game.sentence(event) for event in at.match.events(1)]
    assert sentences[:2] == ["Seat 1 recruits Rocket (1-2).", "Seat 1 pays 1 yellow, 1 red, 1 grey."]


def test_drawing_is_luck_and_taking_is_not():
    state = Position().state
    state.apply(183)
    assert state.luck == 12
    state = Position().state
    state.apply(180)
    assert (state.luck, state.drawn) == (13, 5 * one(0) + 4 * one(1) + 4 * one(2))


def test_the_picture_shows_a_seat_what_it_may_know():
    at = Position().reserves(0, "Rocket", hidden=True).recruits(1, "Gamora").market("Vulture")
    own, other = (at.match.game.terminal_view(at.match.view(seat)) for seat in (0, 1))
    assert "reserved unseen by others: 1-2  Rocket" in own
    assert "Rocket" not in other
    assert "reserved: a card of level 1" in other
    assert "Seat 2 (you): 5 points, 0 tags\n  tokens: 1 green\n  bonuses: 1 blue" in other
    assert "  1-8  Vulture          yellow, 1 point          for 4 red" in own


def test_moves_are_explained():
    explain = Position().match.game.explain_move
    assert (
        explain("recruit 2-22")
        == "recruit 2-22 Ghost Rider      red, 2 points            for 2 yellow, 4 blue, 1 purple"
    )
    assert explain("location 4b") == "location 4b Triskelion, for bonuses 4 purple, 4 orange"
    assert explain("take blue") == "take blue"
    assert explain("reserve deck 2") == "reserve deck 2"
