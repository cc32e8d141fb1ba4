"""The ladder: challenge somebody a few places up; the winner gets the place. The order follows from the events.

Days are whole numbers passed in by the caller; there is no clock here.
"""

from collections.abc import Iterable
from dataclasses import dataclass, replace
from enum import StrEnum

from leagues.formats.errors import FormatError
from leagues.formats.reasons import Reason, reason


@dataclass(frozen=True)
class Rules:
    """Challenge at most `reach` places up; after `days` without an answer the challenger has won.

    Whoever is challenged may decline `declines` times in a row, and keeps the place.
    """

    reach: int = 3
    days: int = 14
    declines: int = 0


@dataclass(frozen=True, slots=True)
class Challenge:
    challenger: int
    target: int
    day: int


@dataclass(frozen=True, slots=True)
class Ladder:
    """The order from the top, and the open challenges, oldest first."""

    order: tuple[int, ...] = ()
    open: tuple[Challenge, ...] = ()

    def place(self, who: int) -> int:
        if who not in self.order:
            raise FormatError("error.challenge-off", entrant=who)
        return self.order.index(who) + 1


class Kind(StrEnum):
    JOIN = "join"
    LEAVE = "leave"
    CHALLENGE = "challenge"
    ANSWER = "answer"
    DECLINE = "decline"
    RESULT = "result"


@dataclass(frozen=True, slots=True)
class Event:
    """Something that happened on a day. `other` is the challenged one, `winner` who won a game."""

    kind: Kind
    day: int
    entrant: int
    other: int = 0
    winner: int = 0


def replay(events: Iterable[Event], rules: Rules = Rules(), today: int = 0) -> tuple[Ladder, tuple[Reason, ...]]:  # noqa: B008
    """The ladder on day `today`, and a reason for each event and each lapsed challenge, in order."""
    ladder, reasons = Ladder(), []
    answered: set[tuple[int, int]] = set()
    for event in events:
        ladder, lapsed = expire(ladder, event.day, rules, frozenset(answered))
        reasons += lapsed
        if event.kind is Kind.ANSWER:
            _open(ladder, event.entrant, event.other)
            answered.add((event.entrant, event.other))
            continue
        ladder, why = _apply_event(ladder, event, rules)
        answered &= {(each.challenger, each.target) for each in ladder.open}
        reasons.append(why)
    ladder, lapsed = expire(ladder, today, rules, frozenset(answered))
    return ladder, (*reasons, *lapsed)


def _apply_event(ladder: Ladder, event: Event, rules: Rules) -> tuple[Ladder, Reason]:
    if event.kind is Kind.JOIN:
        return join(ladder, event.entrant)
    if event.kind is Kind.LEAVE:
        return leave(ladder, event.entrant)
    if event.kind is Kind.CHALLENGE:
        return challenge(ladder, event.entrant, event.other, event.day, rules)
    if event.kind is Kind.DECLINE:
        return decline(ladder, event.entrant, event.other)
    return result(ladder, event.entrant, event.other, event.winner)


def join(ladder: Ladder, who: int) -> tuple[Ladder, Reason]:
    if who in ladder.order:
        raise FormatError("error.entrant-twice")
    why = reason("ladder.joined", entrant=who, place=len(ladder.order) + 1)
    return replace(ladder, order=(*ladder.order, who)), why


def leave(ladder: Ladder, who: int) -> tuple[Ladder, Reason]:
    """Everybody below moves up; open challenges of the one who left are cancelled."""
    ladder.place(who)
    still = tuple(each for each in ladder.open if who not in (each.challenger, each.target))
    order = tuple(each for each in ladder.order if each != who)
    return Ladder(order, still), reason("ladder.left", entrant=who)


def challenge(ladder: Ladder, challenger: int, target: int, day: int, rules: Rules) -> tuple[Ladder, Reason]:
    if challenger == target:
        raise FormatError("error.challenge-self")
    own, theirs = ladder.place(challenger), ladder.place(target)
    if theirs > own:
        raise FormatError("error.challenge-down", challenger=challenger, target=target)
    if own - theirs > rules.reach:
        raise FormatError("error.challenge-far", challenger=challenger, target=target, reach=rules.reach)
    if any({each.challenger, each.target} == {challenger, target} for each in ladder.open):
        raise FormatError("error.challenge-open", challenger=challenger, target=target)
    why = reason("ladder.challenge", challenger=challenger, from_place=own, target=target, to_place=theirs)
    return replace(ladder, open=(*ladder.open, Challenge(challenger, target, day))), why


def result(ladder: Ladder, challenger: int, target: int, winner: int) -> tuple[Ladder, Reason]:
    """The winner has the better of the two places."""
    game = _open(ladder, challenger, target)
    if winner not in (challenger, target):
        raise FormatError("error.challenge-off", entrant=winner)
    ladder = replace(ladder, open=tuple(each for each in ladder.open if each is not game))
    loser = target if winner == challenger else challenger
    place, above = ladder.place(winner), ladder.place(loser)
    if place < above:
        return ladder, reason("ladder.held", winner=winner, place=place)
    order = [who for who in ladder.order if who != winner]
    order.insert(above - 1, winner)
    return replace(ladder, order=tuple(order)), reason("ladder.taken", winner=winner, place=above)


def decline(ladder: Ladder, challenger: int, target: int) -> tuple[Ladder, Reason]:
    """The challenge is off, and everybody keeps their place."""
    game = _open(ladder, challenger, target)
    still = tuple(each for each in ladder.open if each is not game)
    return replace(ladder, open=still), reason("ladder.declined", target=target, challenger=challenger)


def expire(
    ladder: Ladder, today: int, rules: Rules, answered: frozenset[tuple[int, int]] = frozenset()
) -> tuple[Ladder, list[Reason]]:
    """The challenger wins challenges that were not answered in time, oldest first."""
    reasons = []
    for game in ladder.open:
        late = today - game.day >= rules.days and (game.challenger, game.target) not in answered
        if late and game in ladder.open:
            ladder, _ = result(ladder, game.challenger, game.target, game.challenger)
            reasons.append(reason("ladder.unanswered", target=game.target, days=rules.days, challenger=game.challenger))
    return ladder, reasons


def _open(ladder: Ladder, challenger: int, target: int) -> Challenge:
    for each in ladder.open:
        if (each.challenger, each.target) == (challenger, target):
            return each
    raise FormatError("error.challenge-none", challenger=challenger, target=target)
