"""The rebuilt hero deck: everybody has seen what is shuffled, and the view says all that an imagined world rests on."""

import pytest

import engine
from engine.infinity_gauntlet import cards
from engine.rng import stream
from tests.engine.infinity_gauntlet.card_counting import TooMany, chances
from tests.engine.test_independent_worlds import bits, eager

GAME = engine.game("infinity-gauntlet")
LONG = {"heroes_life": 20, "thanos_life": 20}


def rebuilt_matches(players, seeds):
    """Matches right after a move in which the hero deck was rebuilt, with the cards that lay open before it."""
    for seed in range(seeds):
        match, rng = GAME.start(players, f"rebuilt {seed}", LONG), stream(f"rebuilt {players} {seed}", "walk")
        while match.to_act is not None and match.ply < 150:
            before = match.view(None)["table"]
            match.play(eager(match, rng))
            if match.view(None)["table"]["decks"]["heroes"]["rebuilt"] > before["decks"]["heroes"]["rebuilt"]:
                yield match, before


@pytest.mark.parametrize("players", [2, 3, 4, 6])
def test_everybody_sees_the_faceup_cards_before_they_are_shuffled(players):
    seen = 0
    for match, before in rebuilt_matches(players, 4):
        for reader in [None, *range(players)]:
            events = match.events(reader, match.ply)
            (event,) = [event for event in events if event["event"] == "rebuilt"]
            open_before = {card for seat in before["seats"][1:] for card in seat["faceup"]}
            opened = {event["card"] for event in events if event["event"] in ("played", "defeated") and event["seat"]}
            # What fell or was played in the same move may have been shuffled with the rest, or lies open now.
            open_now = {card for seat in match.view(None)["table"]["seats"][1:] for card in seat["faceup"]}
            assert set(event["cards"]) == (open_before | opened) - open_now
            assert event["count"] == len(event["cards"])
            sentence = GAME.sentence(event)
            names = {card["id"]: card["name"]["en"] for card in cards.HEROES}
            assert sentence.startswith("Thanos looks at")
            assert all(names[card] in sentence for card in event["cards"])
            seen += 1
    assert seen > 5


@pytest.mark.parametrize("players", [2, 3, 4, 6])
def test_the_new_deck_and_the_hands_are_kept_apart(players):
    """Cards held since before the shuffle are none of those that were shuffled."""
    checked = 0
    for match, _ in rebuilt_matches(players, 4):
        (event,) = [event for event in match.events(None, match.ply) if event["event"] == "rebuilt"]
        deck = match.view(None)["table"]["decks"]["heroes"]
        new = next(shuffle for shuffle in deck["shuffles"] if shuffle["rebuilt"] == deck["rebuilt"])
        older = [shuffle for shuffle in deck["shuffles"] if shuffle["rebuilt"] < deck["rebuilt"]]
        if not deck["among"]:
            assert set(new["cards"]) == set(event["cards"])
            assert sum(len(shuffle["deck"]) for shuffle in deck["shuffles"]) == deck["left"]
        assert not {card for shuffle in older for card in shuffle["cards"]} & set(event["cards"])
        checked += bool(older)
    assert checked


@pytest.mark.parametrize("players", [2, 3, 4, 5])
def test_the_view_says_all_that_an_imagined_world_rests_on(players):
    """Chances worked out from the view alone are those with which worlds are imagined, and nothing else is imagined."""
    draws, compared = 150, 0
    for number in range(6):
        match, rng = GAME.start(players, f"chances {number}", LONG), stream(f"chances {players} {number}", "walk")
        while match.to_act is not None and match.ply < 90:
            match.play(eager(match, rng))
            if match.ply % 11 or match.ply < 20:
                continue
            seat = (match.ply // 11 + number) % (players + 1) - 1
            reader = None if seat < 0 else seat
            try:
                expected = chances(match.view(reader))
            except TooMany:
                continue
            shares = imagined(match, reader, draws)
            assert set(shares) <= set(expected), "a world that the view rules out was imagined"
            for at, chance in expected.items():
                spread = 5 * (max(chance * (1 - chance), 0) / draws) ** 0.5 + 0.03
                assert abs(shares.get(at, 0) - chance) <= spread, (at, chance, shares.get(at, 0))
            compared += match.view(reader)["table"]["decks"]["heroes"]["rebuilt"] > 0
    assert compared > 3


def imagined(match, reader, draws):
    """How often each card lies where in worlds drawn for a seat; Outriders alike."""
    shares = {}
    for number in range(draws):
        state = match.imagine(reader, f"draw {number}").state
        placed = [(0, cards.THANOS_IDS[card]) for card in bits(state.hands[0])]
        placed += [(seat, cards.HERO_IDS[card]) for seat in range(1, match.players) for card in bits(state.hands[seat])]
        if state.hero_left:
            placed.append(("top", cards.HERO_IDS[int(state.hero_deck) & 15]))
        for at in set(placed):
            shares[at] = shares.get(at, 0) + 1 / draws
    return shares
