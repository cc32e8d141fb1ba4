"""Imagined worlds: all that agree with what a seat has seen, no others, each as likely as any other."""

import json
from collections import Counter

import pytest

from engine.infinity_gauntlet import cards
from engine.playout import buffer
from engine.rng import stream
from tests.engine.infinity_gauntlet import brute_force_worlds
from tests.engine.infinity_gauntlet.invariants import bits, check
from tests.engine.infinity_gauntlet.positions import GAME, hand, play, position, seen, table
from tests.engine.random_play import walk

acts = buffer()


def imagined(state, onlooker, times):
    """How often each world comes up."""
    rng, counts = stream("imagined", str(onlooker)), Counter()
    for _ in range(times):
        twin = state.clone()
        twin.determinise(-1 if onlooker is None else onlooker, rng)
        counts[brute_force_worlds.world(twin)] += 1
    return counts


def follow(state, onlooker, moves):
    """Play moves given in words or by a chooser; the real state, and every world the onlooker must then consider."""
    possible = brute_force_worlds.deals(state, onlooker)
    for move in moves:
        if state.over:
            break
        count = state.legal(acts)
        words = {GAME.notation(state, state.seat, acts[index]): acts[index] for index in range(count)}
        action = words[move] if isinstance(move, str) else words[move(list(words))]
        try:
            after, rows = brute_force_worlds.played(state, action)
            possible = brute_force_worlds.followed(possible, state, action, after, rows, onlooker, acts)
        except brute_force_worlds.Rebuilt:
            break
        state = after
        assert brute_force_worlds.world(state) in possible
    return state, possible


def assert_exact(state, possible, onlooker):
    """All possible worlds come up, no other does, and none more often than luck allows."""
    times = 40 * len(possible)
    counts = imagined(state, onlooker, times)
    assert set(counts) == set(possible)
    assert max(counts.values()) < 40 + 6.5 * 40**0.5
    assert min(counts.values()) > 40 - 5.5 * 40**0.5
    views = {json.dumps(GAME.view(each, onlooker), sort_keys=True) for each in possible.values()}
    assert len(views) == 1


@pytest.mark.parametrize("onlooker", [1, 2])
@pytest.mark.parametrize("seed", range(2))
def test_random_moves_leave_exactly_the_worlds_that_trying_them_all_finds(seed, onlooker):
    after_random_moves(seed, onlooker)


@pytest.mark.slow
@pytest.mark.parametrize("onlooker", [0, 1, 2, None])
@pytest.mark.parametrize("seed", range(6))
def test_random_moves_leave_exactly_those_worlds_for_everybody(seed, onlooker):
    after_random_moves(seed, onlooker)


def after_random_moves(seed, onlooker):
    luck = stream(f"worlds {seed}", "moves")
    heroes, thanos = list(cards.HERO_IDS), [card for card in cards.THANOS_IDS if card != "outrider"]
    for deck in (heroes, thanos):
        for last in range(len(deck) - 1, 0, -1):
            other = luck.below(last + 1)
            deck[last], deck[other] = deck[other], deck[last]
    match = position(
        turn=1, heroes={1: heroes[:2], 2: heroes[2:3]}, deck=heroes[3:6], thanos=thanos[:2], thanos_deck=thanos[2:4],
        heroes_life=9, thanos_life=9,
    )  # fmt: skip
    state, possible = follow(match.state, onlooker, [lambda words: words[luck.below(len(words))]] * 7)
    assert_exact(state, possible, onlooker)


def scripted(onlooker, *moves, **rest):
    state, possible = follow(position(**rest).state, onlooker, moves)
    assert_exact(state, possible, onlooker)
    return state, possible


@pytest.mark.parametrize("onlooker", [0, 1, 2])
def test_a_missed_guess_is_honoured(onlooker):
    scripted(
        onlooker, "play nebula", "guess 2", turn=1, heroes={1: ["nebula", "hulk"]}, deck=["thor", "gamora"],
        thanos=["outrider", "mind-stone"], thanos_deck=["corvus-glaive", "soul-stone"],
    )  # fmt: skip


@pytest.mark.parametrize("onlooker", [1, 2])
def test_after_a_miss_a_new_card_may_be_the_guessed_one_but_the_old_ones_are_not(onlooker):
    moves = ("play nebula", "guess 2", "play falcon", "power 1", "play corvus-glaive", "target 1")
    state, possible = scripted(
        onlooker, *moves, turn=1, heroes={1: ["nebula", "iron-man"], 2: ["falcon"]}, deck=["thor", "gamora", "vision"],
        thanos=["outrider", "mind-stone"], thanos_deck=["corvus-glaive", "soul-stone"],
    )  # fmt: skip
    soul = cards.THANOS_IDS.index("soul-stone")
    assert not any(each.hands[0] >> soul & 1 for each in possible.values())
    assert 2 in GAME.view(state, onlooker)["seats"][0]["ruled_out"]


@pytest.mark.parametrize("onlooker", [0, 1])
def test_a_card_seen_and_then_perhaps_put_under_the_deck_is_in_hand_or_there(onlooker):
    moves = ("play gamora", "play falcon", "play ebony-maw", "bottom thanos")
    state, _ = scripted(
        onlooker, *moves, players=2, turn=1, heroes={1: ["gamora", "falcon"]}, deck=["thor", "vision", "hulk"],
        thanos=["outrider", "thanos"], thanos_deck=["ebony-maw", "mind-stone", "soul-stone"],
    )  # fmt: skip
    assert [fact["bottom"] for fact in GAME.view(state, 1)["seats"][0]["hand_or_bottom"]] == [1]


@pytest.mark.parametrize("onlooker", [0, 1])
@pytest.mark.parametrize("thanos_card", ["outrider", "soul-stone", "power-stone"])
def test_what_a_fight_tells_those_who_did_not_see_the_cards(onlooker, thanos_card):
    scripted(
        onlooker, "play black-dwarf", "fight 2", f"with {thanos_card}", heroes={2: ["gamora"]},
        deck=["thor", "nebula", "falcon"], thanos=["black-dwarf", thanos_card, "thanos"], thanos_deck=["ebony-maw"],
        power={2: 1} if thanos_card == "power-stone" else {},
    )  # fmt: skip


@pytest.mark.parametrize("onlooker", [1, 2])
def test_looked_at_cards_are_followed_through_draws_and_a_second_look(onlooker):
    moves = ("play vision", "top thor", "next nebula", "play scarlet-witch", "top gamora", "next nebula")
    state, _ = scripted(
        onlooker, *moves, players=4, turn=1, heroes={1: ["vision", "hulk"], 2: ["scarlet-witch"], 3: ["iron-man"]},
        deck=["thor", "nebula", "gamora", "falcon"], thanos=["outrider", "thanos"], thanos_deck=[],
    )  # fmt: skip
    if onlooker == 1:
        deck = GAME.view(state, 1)["decks"]["heroes"]
        assert deck["among"] == [
            {"cards": ["nebula", "gamora"], "hands": [3], "deck": [0, 1], "shuffles": [{"rebuilt": 0, "count": 1}]}
        ]


def test_after_a_rebuild_hands_hold_old_cards_and_the_deck_the_shuffled_ones():
    match = position(
        turn=1, heroes={1: ["falcon", "hulk"], 2: ["thor"]}, thanos=["thanos", "outrider"], deck=["gamora"]
    )
    play(match, "play falcon", "power 1")
    old = {"hulk", "thor", "gamora"}
    for onlooker in (0, None):
        for number in range(50):
            twin = match.imagine(onlooker, f"{number}")
            assert set(hand(twin, 1) + hand(twin, 2)) == old


def test_a_look_at_a_short_deck_mixes_old_and_new_cards_in_the_top_three_and_nowhere_else():
    match = position(turn=1, heroes={1: ["vision", "hulk"], 2: ["iron-man"]}, thanos=["thanos"], deck=["thor"])
    play(match, "play vision")
    play(match, "top " + table(match, 1)["decks"]["heroes"]["top"][1])
    old = [cards.HERO_IDS.index(card) for card in ("hulk", "thor")]
    held, places, rng = Counter(), Counter(), stream("short", "deck")
    for _ in range(1200):
        twin = match.state.clone()
        twin.determinise(2, rng)
        check(twin)
        mine = bits(twin.hands[1])[0]
        assert mine in old
        held[mine] += 1
        other = old[1 - old.index(mine)]
        places[brute_force_worlds.unpacked(twin.hero_deck, twin.hero_left).index(other)] += 1
    assert min(held.values()) > 500
    assert set(places) == {0, 1, 2}
    assert min(places.values()) > 320


def test_two_outriders_cannot_be_told_apart():
    match = position(
        players=2,
        turn=1,
        heroes={1: ["gamora", "black-widow"]},
        thanos=["outrider", "outrider"],
        thanos_deck=["thanos"],
    )
    play(match, "play gamora", "play black-widow")
    assert seen(match, 1, 0)["cards"][0] == "outrider"
    match = position(
        players=2, turn=1, heroes={1: ["gamora", "black-widow"]}, thanos=["outrider", "outrider"],
        thanos_deck=["thanos", "mind-stone", "ebony-maw"],
    )  # fmt: skip
    play(match, "play gamora")
    play(match, "play black-widow")
    assert seen(match, 1, 0)["cards"] == ["outrider"]  # twice the same one, for all the hero knows
    play(match, "play outrider", "guess 6")
    assert seen(match, 1, 0)["cards"] == []  # it may be the one that was played


@pytest.mark.parametrize("players", range(2, 7))
def test_a_world_within_a_world_is_sound_for_every_seat(players):
    match = GAME.start(players, f"within {players}")
    for _ in walk(match, "within"):
        for seat in (match.ply % players, (match.ply + 1) % players):
            twin = match.imagine(seat, f"{match.ply}")
            other = (seat + 1) % players
            inner = twin.imagine(other, f"{match.ply} again")
            check(inner.state)
            assert table(inner, other) == table(twin, other)


def test_what_two_others_share_is_imagined_no_better_than_the_table_can_tell():
    """Thanos and hero 2 saw each other's cards in a tie. Hero 1 saw that they did, not what; nor what became of it."""
    match = position(
        thanos=["black-dwarf", "power-stone", "outrider"], heroes={1: ["hulk"], 2: ["falcon"]},
        deck=["thor", "vision", "gamora", "nebula", "iron-man", "star-lord", "doctor-strange"],
    )  # fmt: skip
    play(match, "play black-dwarf", "fight 2", "with power-stone")
    assert shared(match) == (1.0, 1.0)
    play(match, "play thor", "hold", "play vision", "top gamora", "next nebula")
    thanos_knows, hero_knows = shared(match)
    assert 0.35 < thanos_knows < 0.65
    assert hero_knows == 1.0
    play(match, "play outrider", "target 1", "guess 6")
    assert 0.5 < shared(match)[1] < 0.8


def shared(match, times=200):
    """In how many of the worlds of hero 1 Thanos knows the card of hero 2, and hero 2 one of his."""
    rng, thanos_knows, hero_knows = stream("shared", str(match.ply)), 0, 0
    for _ in range(times):
        twin = match.state.clone()
        twin.determinise(1, rng)
        check(twin)
        thanos_knows += bool(twin.known[0] & twin.hands[2])
        hero_knows += any(twin.depth_of(2, card) == 0 for card in bits(twin.hands[0]))
    return thanos_knows / times, hero_knows / times


def test_worlds_after_a_match_that_ended_with_a_guess_hold_no_such_card():
    """Thanos loses his last life to a guess: what he held when it was named is gone, and the worlds must do without."""
    match = GAME.start(5, "_=Gp¬û;í")
    for _ in walk(match, match.seed):
        pass
    assert match.outcome.reason == "thanos-out"
    for seat in [*range(5), None]:
        assert match.imagine(seat, "afterwards").view(seat) == match.view(seat)


def test_which_card_of_a_hand_came_from_an_older_jumble_is_not_betrayed_when_one_is_laid():
    """Hero 3 holds a card from places looked at long ago and one that was not; the newer jumble is used up."""
    match = position(players=4, turn=3, heroes={3: ["falcon", "black-widow"]}, thanos=["thanos"])
    falcon, widow = (cards.HERO_IDS.index(card) for card in ("falcon", "black-widow"))
    worlds = []
    for looked_at in (falcon, widow):
        state = match.state.clone()
        state.jumble_before = 1 << looked_at | 1 << (state.hero_deck & 15)
        state.apply(falcon)
        state.determinise(1, stream("older", "jumble"))
        worlds.append(state.ints())
    assert worlds[0] == worlds[1]
