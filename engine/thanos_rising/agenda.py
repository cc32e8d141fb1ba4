"""Questions, and effects that wait for their turn.

An effect that is to happen is one number on the agenda: which effect, whose, how often still, for which seat, from
which sector. Some cannot happen without an answer: then a question is put, and the answer goes on where it stopped.

Compiled by mypyc; see `engine.build`.
"""

from typing import Final

from librt.vecs import append
from mypy_extensions import i64

from engine.thanos_rising.board import Board
from engine.thanos_rising.tables import (
    AFTER_ROLL,
    ASSIGN,
    REMOVE_DAMAGE_PER_VILLAIN_DAMAGE,
    RESOLVE,
)

VILLAIN_ACTS: Final = 255  # in place of an effect: a villain's whole ability
SOURCE: Final = 8  # where each part of an agenda item begins
LEFT: Final = 16
SEAT: Final = 24
STARTED: Final = 27  # whether part of the effect has already happened
SECTOR: Final = 28
KIND: Final = 32
BELOW_KIND: Final = (1 << 32) - 1


class Agenda(Board):
    """The table, and what is to happen on it next."""

    __slots__ = ()

    def ask(self, phase: i64, seat: i64, choices: i64, item: i64, may_pass: i64) -> bool:
        self.phase = phase
        self.seat = seat
        self.choices = choices
        self.asked = item
        self.may_pass = may_pass
        return True

    def push(self, item: i64) -> None:
        if self.depth == len(self.agenda):
            self.agenda = append(self.agenda, item)
        else:
            self.agenda[self.depth] = item
        self.depth += 1

    def push_ability(self, ability: i64, sector: i64) -> None:
        """All effects of an ability, to happen in their order."""
        effect: i64 = self.cards.first[ability] + self.cards.many[ability] - 1
        while effect >= self.cards.first[ability]:
            left: i64 = self.cards.count[effect]
            if self.cards.op[effect] == REMOVE_DAMAGE_PER_VILLAIN_DAMAGE:
                left = self.villain_damage
            self.push(effect | ability << SOURCE | left << LEFT | sector << SECTOR)
            effect -= 1

    def optional(self, ability: i64) -> i64:
        """Whether an effect can be declined: not when its hero's whole ability was asked for."""
        timing: i64 = self.cards.timing[ability]
        asked_for: bool = timing in (AFTER_ROLL, ASSIGN, RESOLVE)
        return 0 if asked_for and self.cards.many[ability] == 1 else 1
