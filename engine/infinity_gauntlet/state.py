"""The rules of Infinity Gauntlet: A Love Letter Game, in the order of the rulebook's turn.

On a turn a player draws a card, plays one of the cards in hand and uses its effect. Thanos holds two cards between
turns, each hero one. The match ends when a team has no life left or when Thanos snaps.

Rulings, where the rulebook is silent or where its words need a decision:

- Thanos is seat 0, the hero players sit clockwise from seat 1. With two players the hero takes two turns in a row.
- Heroes guess 1 to 7, Thanos 1 to 6; no number is excluded.
- When a hero's guess is right Thanos chooses which card falls. He is asked whenever the others cannot know that there
  is only one such card, even when he holds only one: so the question never reveals that he holds two.
- A snap is a choice, offered with every question of Thanos's own turn except which cards to put under the deck. After
  the effect he is asked once more, snap or end of turn, whenever the faceup stones and the size of his hand leave it
  possible; so the question does not reveal what he holds.
- With nothing but the Thanos card in hand, or nothing at all, Thanos passes. A pass reveals what he holds, as it does
  at a real table.
- The Time Stone copies any other faceup Thanos card, played or defeated; with none there it does nothing. What is
  optional on the copied card stays optional.
- The Mind Stone discards all matching cards first, one life each while there is one; redraws follow in play order.
- A card that returns to an empty deck becomes the deck; it is not drawn at once.
- A guess, peek or fight against an empty hand does nothing; the questions that lead to it are not asked.
- Thanos sees which of his cards a hero looks at: he is the one who shows it.
- When everyone can see that there is only one choice (one hero to name, one card to fight with), it is made without
  asking.
- Cards put under the deck go one below the other: the last one named lies lowest.

Compiled by mypyc; see `engine.build`.
"""

from mypy_extensions import i64

from engine.bitset import lowest, size
from engine.infinity_gauntlet import event_kinds
from engine.infinity_gauntlet.determinization import redraw, redraw_decks
from engine.infinity_gauntlet.knowledge import ALL_THANOS, HEROES_OF, STONES, THANOS_OF  # fmt: skip
from engine.infinity_gauntlet.legal_moves import (  # fmt: skip
    A_NUMBER,
    A_SEAT,
    ARRANGE,
    ARRANGE_TOP,
    BOTTOM,
    BOTTOM_ONE,
    CHALLENGE,
    CHOSEN_MAY_FIGHT,
    COPY,
    COPY_FACEUP,
    DONE,
    END,
    FIGHT,
    FIGHT_ONE,
    FIGHT_TWO,
    GIVE_POWER,
    GUESS,
    GUESS_ALL,
    GUESS_ONE,
    GUESS_THANOS,
    HERO_EFFECT,
    HIGH_FALLS,
    LOSE,
    LOW_FALLS,
    MAY_FIGHT_THANOS,
    NO,
    PLAY,
    SNAP,
    TAKE_ONE,
    TAKE_THREE,
    TARGET,
    TEAMMATE_PEEKS,
    THANOS_CARD,
    THANOS_EFFECT,
    TIME_STONE,
    WITH,
    YES,
    LegalMoves,
    one_outrider,
)
from engine.rng import Rng


class GauntletState(LegalMoves):
    """One match; `deal` makes it."""

    __slots__ = ()

    def clone(self) -> "GauntletState":
        twin = GauntletState(
            self.players, self.rng.clone(), self.hero_luck.clone(), self.thanos_luck.clone(),
            self.hands[:], self.faceup[:], self.power[:], self.known[:], self.loose[:], self.depth[:], self.ruled[:],
            self.shed[:], self.cycle[:],
        )  # fmt: skip
        self.copy_to(twin)
        return twin

    def determinise(self, seat: i64, rng: Rng) -> None:
        redraw(self, seat, self.count if self.phase == LOSE and not self.over else 0, rng)

    def redraw(self, rng: Rng) -> None:
        redraw_decks(self, rng)

    def reward(self, seat: i64) -> float:
        return 1.0 if (seat == 0) == self.thanos_won() else 0.0

    def thanos_won(self) -> bool:
        return self.heroes_life == 0 or self.ending == event_kinds.SNAP_ENDING

    # -- what an answer does

    def apply(self, action: i64) -> None:
        if action == SNAP:
            self.log_event(event_kinds.SNAPPED, 0, -1, self.hands[0])
            self.luck += 1
            self.show_hand()
            self.end(event_kinds.SNAP_ENDING)
        elif self.phase == PLAY:
            if action == DONE:
                self.pass_turn()
            elif self.turn == 0:
                self.play_thanos(action - THANOS_CARD)
            else:
                self.play_hero(action)
        elif self.phase == TARGET:
            self.log_event(event_kinds.TARGETED, self.turn, -1, action - A_SEAT)
            self.aim(action - A_SEAT)
        elif self.phase == GUESS:
            self.guess(action - A_NUMBER)
        elif self.phase == FIGHT:
            self.answer_fight(action == YES)
        elif self.phase == ARRANGE:
            self.arrange(action)
        elif self.phase == LOSE:
            self.defeat_thanos(action - THANOS_CARD)
            self.end_turn()
        elif self.phase == CHALLENGE:
            self.challenge(action)
        elif self.phase == WITH:
            self.fight_as_thanos(action - THANOS_CARD)
        elif self.phase == BOTTOM:
            self.bottom(action - THANOS_CARD)
            self.count -= 1
            if self.count == 0:
                self.end_turn()
        elif self.phase == COPY:
            self.copy(action - THANOS_CARD)
        else:
            self.next_turn()

    def ask(self, phase: i64, seat: i64) -> None:
        self.phase = phase
        self.seat = seat

    # -- the turn

    def begin_turn(self, seat: i64) -> None:
        self.turn = seat
        self.target = 0
        self.count = 0
        if seat == 0:
            self.draw_thanos()
        else:
            self.draw_hero(seat)
        self.ask(PLAY, seat)

    def play_hero(self, card: i64) -> None:
        self.reveal_hero(self.turn, card)
        self.card = card
        self.log_event(event_kinds.PLAYED, self.turn, -1, card)
        self.use_hero(HERO_EFFECT[card])

    def play_thanos(self, card: i64) -> None:
        self.reveal_thanos(card)
        self.faceup[0] |= i64(1) << card
        self.card = card
        self.log_event(event_kinds.PLAYED, 0, -1, card)
        self.use_thanos(THANOS_EFFECT[card])

    def pass_turn(self) -> None:
        """Nothing in hand that can be played: Thanos himself, or no card at all."""
        self.luck += 1
        self.show_hand()
        self.log_event(event_kinds.PASSED, 0)
        self.end_turn()

    def end_turn(self) -> None:
        if self.over:
            return
        if self.turn == 0 and size(self.faceup[0] & STONES) + size(self.hands[0]) >= size(STONES):
            self.ask(END, 0)
        else:
            self.next_turn()

    def next_turn(self) -> None:
        if self.turn == 0:
            self.turns_left = 2 if self.players == 2 else 1
            self.begin_turn(1)
        else:
            self.turns_left -= 1
            if self.turns_left > 0:
                self.begin_turn(self.turn)
            elif self.turn + 1 < self.players:
                self.turns_left = 1
                self.begin_turn(self.turn + 1)
            else:
                self.begin_turn(0)

    # -- hero effects

    def use_hero(self, effect: i64) -> None:
        alone: bool = self.players == 2
        if effect == GUESS_THANOS:
            self.ask_or_end(GUESS)
        elif effect == TEAMMATE_PEEKS:
            if self.players > 3:
                self.ask_or_end(TARGET)
            else:
                self.aim(1 if alone else 3 - self.turn)
        elif effect == MAY_FIGHT_THANOS:
            self.target = self.turn
            self.ask_or_end(FIGHT)
        elif effect == GIVE_POWER:
            if alone:
                self.aim(1)
            else:
                self.ask(TARGET, self.turn)
        elif effect == ARRANGE_TOP:
            self.look(self.turn)
            self.ask(ARRANGE, self.turn)
        elif alone:
            self.aim(1)
        else:
            self.ask_or_end(TARGET)

    def ask_or_end(self, phase: i64) -> None:
        """Ask the next question, unless Thanos's hand is empty, as everyone can see: then the effect does nothing."""
        if self.hands[0]:
            self.ask(phase, self.turn)
        else:
            self.end_turn()

    def aim(self, seat: i64) -> None:
        """The hero player that an effect needs is named, or the only one there is."""
        effect: i64 = self.effect()
        self.target = seat
        if effect == GUESS_ONE:
            self.ask(GUESS, 0)
        elif effect == CHOSEN_MAY_FIGHT:
            if self.hands[0]:
                self.ask(FIGHT, seat)
            else:
                self.end_turn()
        else:
            if effect == TEAMMATE_PEEKS:
                self.peek(seat)
            elif effect == GIVE_POWER:
                self.take_power(seat, 1)
            elif effect == LOW_FALLS:
                self.strike(seat, HEROES_OF[1] | HEROES_OF[2] | HEROES_OF[3])
            else:
                self.strike(seat, HEROES_OF[3] | HEROES_OF[4] | HEROES_OF[5] | HEROES_OF[6])
            self.end_turn()

    def guess(self, number: i64) -> None:
        if self.turn:
            self.log_event(event_kinds.GUESSED_THANOS, self.turn, -1, number)
            self.guess_thanos(number)
        elif self.effect() == GUESS_ONE:
            self.log_event(event_kinds.GUESSED_HERO, 0, -1, number, self.target)
            self.strike(self.target, HEROES_OF[number])
            self.end_turn()
        else:
            self.log_event(event_kinds.GUESSED_ALL, 0, -1, number)
            self.strike_all(HEROES_OF[number])
            self.end_turn()

    def guess_thanos(self, number: i64) -> None:
        self.luck += 1
        if self.hands[0] & THANOS_OF[number] == 0:
            self.rule_out(0, THANOS_OF[number])
            self.log_event(event_kinds.MISSED, 0, -1, number)
            self.end_turn()
        elif size(self.hands[0]) > 1 and size(one_outrider(ALL_THANOS & ~self.faceup[0] & THANOS_OF[number])) > 1:
            self.count = number
            self.ask(LOSE, 0)
        else:
            self.defeat_thanos(lowest(self.hands[0] & THANOS_OF[number]))
            self.end_turn()

    def answer_fight(self, fights: bool) -> None:
        if fights:
            self.fight(self.target, self.any_of_hand())
        else:
            self.log_event(event_kinds.DECLINED, self.target)
        self.end_turn()

    def arrange(self, card: i64) -> None:
        if self.count == 0:
            self.jumble_top(self.turn)
        place: i64 = self.count
        while (self.hero_deck >> (4 * place)) & 15 != card:
            place += 1
        change: i64 = ((self.hero_deck >> (4 * place)) ^ (self.hero_deck >> (4 * self.count))) & 15
        self.hero_deck ^= (change << (4 * place)) | (change << (4 * self.count))
        self.count += 1
        if self.count == 2:
            self.log_event(event_kinds.ARRANGED, self.turn)
            self.end_turn()

    # -- Thanos effects

    def use_thanos(self, effect: i64) -> None:
        if effect == GUESS_ALL:
            self.ask(GUESS, 0)
        elif effect in (GUESS_ONE, LOW_FALLS, HIGH_FALLS):
            if self.players == 2:
                self.aim(1)
            else:
                self.ask(TARGET, 0)
        elif effect in (FIGHT_ONE, FIGHT_TWO):
            self.ask_or_end(CHALLENGE)
        elif effect in (TAKE_ONE, TAKE_THREE):
            self.take_power(0, 1 if effect == TAKE_ONE else 3)
            self.end_turn()
        elif effect == COPY_FACEUP:
            self.use_time_stone()
        else:
            self.draw_and_bottom(1 if effect == BOTTOM_ONE else 2)

    def strike(self, seat: i64, falling: i64) -> None:
        """A hero's card is defeated if it is one of these; if not, everyone knows that it is none of them."""
        self.luck += 1
        if self.hands[seat] & falling:
            self.defeat_hero(seat)
        else:
            self.rule_out(seat, falling)
            self.log_event(event_kinds.SPARED, seat)

    def strike_all(self, falling: i64) -> None:
        self.luck += 1
        hit: i64 = 0
        seat: i64 = 1
        while seat < self.players and not self.over:
            if self.hands[seat] & falling:
                hit |= i64(1) << seat
                self.lose_hero(seat)
            else:
                self.rule_out(seat, falling)
                self.log_event(event_kinds.SPARED, seat)
            seat += 1
        seat = 1
        while seat < self.players and not self.over:
            if (hit >> seat) & 1:
                self.draw_hero(seat)
            seat += 1

    def challenge(self, action: i64) -> None:
        if action == NO:
            self.log_event(event_kinds.DECLINED, 0)
            self.end_turn()
        else:
            self.target = action - A_SEAT
            self.log_event(event_kinds.TARGETED, 0, -1, self.target)
            if size(self.hands[0]) > 1:
                self.ask(WITH, 0)
            else:
                self.fight_as_thanos(lowest(self.hands[0]))

    def fight_as_thanos(self, card: i64) -> None:
        self.fight(self.target, card)
        self.count += 1
        if not self.over and self.effect() == FIGHT_TWO and self.count == 1:
            self.ask_or_end(CHALLENGE)
        else:
            self.end_turn()

    def draw_and_bottom(self, most: i64) -> None:
        """Ebony Maw, Reality Stone: draw, then put as many under the deck."""
        self.count = most if most < self.thanos_left else self.thanos_left
        drawn: i64 = 0
        while drawn < self.count:
            self.draw_thanos()
            drawn += 1
        if self.count:
            self.ask(BOTTOM, 0)
        else:
            self.end_turn()

    def use_time_stone(self) -> None:
        others: i64 = one_outrider(self.faceup[0] & ~TIME_STONE)
        if others == 0:
            self.end_turn()
        elif size(others) == 1:
            self.copy(lowest(others))
        else:
            self.ask(COPY, 0)

    def copy(self, card: i64) -> None:
        self.card = card
        self.log_event(event_kinds.COPIED, 0, -1, card)
        self.use_thanos(THANOS_EFFECT[card])
