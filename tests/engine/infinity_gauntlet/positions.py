"""Made-up positions: a test names the cards that matter, and the others go where they do no harm."""

from librt.vecs import vec
from mypy_extensions import i64

import engine
from engine.infinity_gauntlet import cards
from engine.infinity_gauntlet.knowledge import NOTHING_SEEN, SEATS
from engine.infinity_gauntlet.legal_moves import PLAY
from engine.state import Log
from tests.engine.infinity_gauntlet.invariants import check

GAME = engine.game("infinity-gauntlet")
FILLERS = ("vision", "iron-man", "doctor-strange", "thor", "ant-man-wasp", "star-lord")


def position(
    players=3, turn=0, thanos=(), heroes=None, faceup=None, deck=None, thanos_faceup=None, thanos_deck=None,
    power=None, heroes_life=6, thanos_life=5,
):  # fmt: skip
    """A match in which the seat `turn` has drawn and is about to play.

    `thanos` and `heroes[seat]` are hands by card id, the drawn card included; heroes not named hold a filler. `deck`
    and `thanos_deck` are the decks from the top; what is then named nowhere lies faceup before the last hero and
    Thanos. Without a deck, all that is left is the deck, and `faceup[seat]` and `thanos_faceup` lie open.
    """
    match = GAME.start(players, "position")
    state = match.state
    named = {card for hand in (heroes or {}).values() for card in hand} | {
        card for pile in (faceup or {}).values() for card in pile
    }
    spare = [card for card in FILLERS if card not in named and card not in (deck or ())]
    hands = {seat: list((heroes or {}).get(seat) or [spare.pop(0)]) for seat in range(1, players)}
    if turn and len(hands[turn]) == 1:
        hands[turn].append(spare.pop(0))
    used = [card for hand in hands.values() for card in hand] + [c for pile in (faceup or {}).values() for c in pile]
    rest = [card for card in cards.HERO_IDS if card not in used and card not in (deck or ())]
    open_cards = {seat: list((faceup or {}).get(seat, ())) for seat in range(1, players)}
    if deck is not None:
        open_cards[players - 1] += rest
    state.hands = row({seat: hero_mask(hand) for seat, hand in hands.items()})
    state.faceup = row({seat: hero_mask(pile) for seat, pile in open_cards.items()})
    state.hero_deck, state.hero_left = packed([cards.HERO_IDS.index(c) for c in (rest if deck is None else deck)])
    left = list(range(13))
    hand, pile = taken(left, thanos), taken(left, thanos_faceup or ())
    order = taken(left, thanos_deck or ())
    if thanos_deck is None:
        order, left = left, []
    state.hands[0] = sum(1 << card for card in hand)
    state.faceup[0] = sum(1 << card for card in pile + left)
    state.thanos_deck, state.thanos_left = packed(order)
    state.power = row(power or {})
    state.heroes_life, state.thanos_life = heroes_life, thanos_life
    state.known, state.loose, state.ruled, state.shed = row({}), row({}), row({}), row({})
    state.depth = vec[i64]([NOTHING_SEEN] * SEATS)
    state.cycle = vec[i64]([0] * 16)
    state.phase, state.turn, state.seat, state.turns_left = PLAY, turn, turn, 1
    if players == 2:
        state.turns_left = 2
    state.log = Log()
    check(state)
    return match


def row(values):
    return vec[i64]([values.get(seat, 0) for seat in range(SEATS)])


def hero_mask(hand):
    return sum(1 << cards.HERO_IDS.index(card) for card in hand)


def taken(left, names):
    """Take these Thanos cards out of `left`, an Outrider at a time."""
    cards_taken = []
    for name in names:
        card = next(card for card in left if cards.THANOS_IDS[card] == name)
        left.remove(card)
        cards_taken.append(card)
    return cards_taken


def packed(order):
    return sum(card << 4 * place for place, card in enumerate(order)), len(order)


def moves(match, seat=None):
    """The legal moves of a seat (by default the one to act) in words."""
    seat = match.to_act if seat is None else seat
    return [match.notation(action, seat) for action in match.legal(seat)]


def play(match, *texts):
    for text in texts:
        match.play(text)
        check(match.state)


def seen(match, looking, seat):
    """What `looking` sees of a seat."""
    return match.view(looking)["table"]["seats"][seat]


def hand(match, seat):
    return seen(match, seat, seat)["cards"]


def event_names(match, seat, since=0):
    return [event["event"] for event in match.events(seat, since)]


def table(match, seat=None):
    return match.view(seat)["table"]
