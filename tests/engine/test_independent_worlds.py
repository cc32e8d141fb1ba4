"""What a bot is handed does not depend on what its seat cannot know: checked with worlds made at the shuffle itself.

Two matches whose shuffles differ in two cards are played side by side, move for move. As long as a seat is told the
same in both, to the byte, everything that its bot is handed must be the same too, down to the last attribute. No code
that keeps or draws knowledge has a part in making these worlds: the deal differs, and the rules do the rest.
"""

import re
import sys

import pytest
from librt.vecs import vec

import engine
from engine.bots import Situation
from engine.infinity_gauntlet import card_moves, deal, knowledge
from engine.infinity_gauntlet import cards as gauntlet_cards
from engine.rng import Rng, stream
from engine.splendor_marvel import cards as splendor_cards
from tests.engine.random_play import TABLES, known_to

interpreted_only = pytest.mark.skipif(
    not knowledge.__file__.endswith(".py"), reason="the shuffle of a compiled build cannot be reached"
)
tables = pytest.mark.parametrize(("name", "players"), TABLES)
LONG = {"heroes_life": 20, "thanos_life": 20}


# -- making two worlds


class Shuffles:
    """Stands in for the shuffle of Infinity Gauntlet: remembers every result, and swaps two cards in one of them."""

    def __init__(self, monkeypatch):
        self.again()
        for module in (deal, card_moves):
            monkeypatch.setattr(module, "shuffled", self)

    def again(self, number=None, pair=(0, 0)):
        self.results, self.number, self.pair = [], number, pair

    def __call__(self, deck, count, luck):
        caller = sys._getframe(1).f_code.co_name
        side = "heroes" if caller == "rebuild" or not self.results else "thanos"
        deck = knowledge.shuffled(deck, count, luck)
        places = [deck >> 4 * place & 15 for place in range(count)]
        if len(self.results) == self.number:
            swap = dict(zip(self.pair, reversed(self.pair), strict=True))
            places = [swap.get(card, card) for card in places]
            deck = sum(card << 4 * place for place, card in enumerate(places))
        self.results.append((side, places))
        return deck


def other_gauntlet(game, players, seed, shuffles, history, rng):
    """A start in which one shuffle, of the set-up or later, comes out otherwise; and the names that change places.

    The two cards are such as lie hidden at some point of the match, more often than not where much has been seen.
    """
    eventful = [at for at in history if any(at[0].state.loose)]
    match, so_far = (eventful or history)[rng.below(len(eventful or history))]
    side = "thanos" if rng.below(4) == 0 else "heroes"
    state = match.state
    if side == "thanos":
        hidden = set(bits(state.hands[0])) | packed(state.thanos_deck, state.thanos_left)
    else:
        hidden = packed(state.hero_deck, state.hero_left).union(*(bits(hand) for hand in state.hands[1:players]))
    number = max(index for index, result in enumerate(so_far) if result[0] == side)
    choices = sorted(hidden & set(so_far[number][1]))
    pair = (choices[rng.below(len(choices))], choices[rng.below(len(choices))]) if choices else (0, 0)
    names = gauntlet_cards.THANOS_IDS if side == "thanos" else gauntlet_cards.HERO_IDS
    shuffles.again(number, pair)
    return game.start(players, seed, LONG), (names[pair[0]], names[pair[1]])


def bits(mask):
    return [card for card in range(16) if mask >> card & 1]


def packed(deck, left):
    return {int(deck) >> 4 * place & 15 for place in range(left)}


def swapped(pile, rng, first, end):
    """The pile with two of its cards from `first` to `end` swapped, and which they are."""
    one, other = first + rng.below(end - first), first + rng.below(end - first)
    changed = vec[knowledge.i64](pile)
    changed[one], changed[other] = pile[other], pile[one]
    return changed, int(pile[one]), int(pile[other])


def other_splendor(match, rng):
    state = match.state
    level = rng.below(3)
    start, size = (0, 40, 70)[level], (40, 30, 20)[level]
    drawn = (state.drawn >> 6 * level) & 63
    state.deck, one, other = swapped(state.deck, rng, start + drawn, start + size)
    return splendor_cards.CARD_IDS[one], splendor_cards.CARD_IDS[other]


def other_thanos(match, rng):
    state = match.state
    state.deck, one, other = swapped(state.deck, rng, int(state.revealed), len(state.deck))
    state.supply, _, _ = swapped(state.supply, rng, int(state.drawn), len(state.supply))
    return state.cards.ids[one], state.cards.ids[other]


# -- comparing what a bot is handed


def differences(one, other, path="situation", seen=None):
    """Where two objects differ, in everything that can be reached from them."""
    seen = set() if seen is None else seen
    if one is other or (id(one), id(other)) in seen:
        return []
    seen.add((id(one), id(other)))
    if type(one) is not type(other):
        return [path]
    if one is None or isinstance(one, int | float | str | bytes):
        return [] if one == other else [path]
    if isinstance(one, dict):
        if one.keys() != other.keys():
            return [path]
        parts = [(f"{path}[{key!r}]", one[key], other[key]) for key in one]
    elif isinstance(one, list | tuple) or hasattr(one, "__getitem__"):
        if len(one) != len(other):
            return [path]
        parts = [(f"{path}[{index}]", one[index], other[index]) for index in range(len(one))]
    else:
        names = {name for kind in type(one).__mro__ for name in getattr(kind, "__slots__", ())}
        names |= set(getattr(one, "__dict__", ()))
        parts = [(f"{path}.{name}", getattr(one, name), getattr(other, name)) for name in sorted(names)]
    return [place for part in parts for place in differences(part[1], part[2], part[0], seen)]


def with_other_luck(match):
    """The same match with luck to come that is another: nobody can know that either."""
    twin = match.clone()
    for kind in type(twin.state).__mro__:
        for name in getattr(kind, "__slots__", ()):
            if isinstance(getattr(twin.state, name), Rng):
                setattr(twin.state, name, stream("other luck", name))
    return twin


def renamed(move, names):
    """The move with the two cards' names exchanged."""
    one, other = names
    swap = {one: other, other: one}
    return re.sub(r"[a-z0-9-]+", lambda word: swap.get(word.group(), word.group()), move)


def follow(twin, entry, names, seat, wanted, since, shuffles):
    """Play a move in the other world that looks like the entry to this seat; the match after it, or None."""
    already = list(shuffles.results)
    for move in dict.fromkeys([renamed(entry.move, names), entry.move]):
        shuffles.results = list(already)
        after = twin.clone()
        try:
            after.play(move, entry.seat)
        except engine.IllegalAction:
            continue
        if known_to(after, seat, since) == wanted:
            return after
    return None


def eager(match, rng):
    """A random action; looks at the deck, fights and hidden reserves are taken more often than not."""
    legal = match.legal()
    keen = [
        action
        for action in legal
        if any(word in match.notation(action) for word in ("doctor-strange", "fight", "hulk", "deck", "maw", "reality"))
    ]
    choices = keen if keen and rng.below(3) else legal
    return choices[rng.below(len(choices))]


@interpreted_only
@tables
def test_what_a_bot_is_handed_is_the_same_in_worlds_its_seat_cannot_tell_apart(name, players, monkeypatch):
    shuffles = Shuffles(monkeypatch)
    game, compared = engine.game(name), 0
    gauntlet = name == "infinity-gauntlet"
    matches, worlds = (4, 5) if gauntlet else (2, 2)  # where little is hidden, little can come out
    for number in range(matches):
        rng, seed = stream(f"{name} {players} {number}", "independent worlds"), f"worlds {number}"
        shuffles.again()
        match = game.start(players, seed, LONG if gauntlet else {})
        history = [(match.clone(), list(shuffles.results))]
        while match.to_act is not None and match.ply < 60:
            match.play(eager(match, rng))
            history.append((match.clone(), list(shuffles.results)))
        for seat in range(players):
            for _ in range(worlds):
                if gauntlet:
                    twin, names = other_gauntlet(game, players, seed, shuffles, history, rng)
                else:
                    twin = game.start(players, seed)
                    names = (other_splendor if name == "splendor-marvel" else other_thanos)(twin, rng)
                compared += side_by_side([at[0] for at in history], twin, names, seat, shuffles)
    assert compared > 20


def side_by_side(history, twin, names, seat, shuffles):
    """Follow the recorded match in the other world while the seat sees the same; how often the two differed."""
    different = 0
    for match in history:
        if match.ply:
            wanted = known_to(match, seat, match.ply)
            twin = follow(twin, match.entries[-1], names, seat, wanted, match.ply, shuffles)
        if twin is None or known_to(twin, seat, match.ply) != known_to(match, seat, match.ply):
            return different
        if twin.state.ints() != match.state.ints() and match.ply % 3 == 0:
            different += 1
            here, there = Situation(match, seat), Situation(with_other_luck(twin), seat)
            assert differences(here, there) == []
            assert (here.view, here.events) == (there.view, there.events)
    return different
