"""What a person's analysed matches say together: luck, accuracy over time, and which choices cost them most."""

import json
from collections import defaultdict
from dataclasses import dataclass, field, replace
from datetime import datetime
from math import sqrt
from typing import Any

from django.utils.translation import get_language, gettext

from accounts.access import Actor
from accounts.models import User
from engine.analysis import METHODS, VERSION
from engine.analysis.judges import STANDARD
from engine.analysis.report import LEFT, accuracy_of
from games.analysis.presentation import CLEAR
from games.catalogue import texts
from games.models import Analysis, Match, Seat

LATEST = 30
"""So many of the latest analysed matches of a game are read."""
FEWEST_TURNS = 10
"""A kind of choice is named once a person has made it so often."""


@dataclass(frozen=True)
class Analysed:
    """One match: parts of a win that luck gave, what was given away, and how much was at stake where it counts.

    `contested` choices are those of which an accuracy is made; none, where the game or the match has no accuracy.
    """

    key: str
    at: datetime
    luck: float
    luck_error: float
    given_away: float
    accuracy: int | None
    contested: int = 0
    contested_loss: float = 0.0
    stake: float = 0.0


@dataclass(frozen=True)
class ChoiceKind:
    """A kind of choice by the verb of the move, and what it gives away on average, in parts of a win."""

    verb: str
    words: str
    turns: int
    loss: float

    @property
    def points(self) -> float:
        return round(100 * max(0.0, self.loss), 1)


@dataclass(frozen=True)
class Skill:
    """One game of a person; matches from the oldest to the latest."""

    game: str
    matches: list[Analysed]
    kinds: list[ChoiceKind] = field(default_factory=list)

    @property
    def luck(self) -> int:
        """All of it, in points of a hundred."""
        return round(100 * sum(match.luck for match in self.matches))

    @property
    def luck_error(self) -> int:
        return round(100 * CLEAR * sqrt(sum(match.luck_error**2 for match in self.matches)))

    @property
    def contested(self) -> int:
        """The choices of all matches that the accuracy is made of."""
        return sum(match.contested for match in self.matches)

    @property
    def accuracies(self) -> list[int]:
        """After each match, of all so far, once there are enough choices: one match has too few of them."""
        lost, stake, contested, found = 0.0, 0.0, 0, []
        for match in self.matches:
            lost, stake = lost + match.contested_loss, stake + match.stake
            contested += match.contested
            accuracy = accuracy_of(lost, stake, contested)
            if match.contested and accuracy is not None:
                found.append(accuracy)
        return found

    @property
    def accuracy(self) -> int | None:
        return self.accuracies[-1] if self.accuracies else None

    @property
    def strongest(self) -> ChoiceKind | None:
        return min(self.kinds, key=lambda kind: kind.loss) if len(self.kinds) > 1 else None

    @property
    def weakest(self) -> ChoiceKind | None:
        return max(self.kinds, key=lambda kind: kind.loss) if len(self.kinds) > 1 else None

    @property
    def luck_points(self) -> str:
        """The sum of the luck, match by match, as the points of a line of 96 by 28."""
        total, sums = 0.0, [0.0]
        for match in self.matches:
            total += match.luck
            sums.append(total)
        return _line(sums)

    @property
    def accuracy_points(self) -> str:
        return _line([float(value) for value in self.accuracies]) if len(self.accuracies) > 1 else ""

    @property
    def sentence(self) -> str:
        values = {"luck": abs(self.luck)}
        if abs(self.luck) <= self.luck_error:
            return gettext("Luck made no clear difference so far.")
        if self.luck > 0:
            return gettext("Luck gave %(luck)s%% of a win in all.") % values
        return gettext("Luck took %(luck)s%% of a win in all.") % values


def skills_of(person: User, reader: Actor) -> list[Skill]:
    """Game by game, from matches that this reader may see in lists. An older judge's numbers are left out."""
    listed = Match.objects.listed_for(reader).filter(status=Match.Status.FINISHED)
    seats = dict(Seat.objects.filter(user=person, match__analysis__state=Analysis.State.DONE, match__in=listed)
                 .values_list("match_id", "index"))  # fmt: skip
    reports = (
        Analysis.objects.filter(match_id__in=seats, version=VERSION)
        .order_by("-match__finished_at")
        .values_list("match_id", "match__game", "match__key", "match__finished_at",
                     "budget", "report__sides", "report__seats", "report__turns")
    )  # fmt: skip
    by_game: dict[str, list[Any]] = defaultdict(list)
    for match_id, game, *rest in reports[: LATEST * 3]:
        if len(by_game[game]) < LATEST:
            by_game[game].append((seats[match_id], *rest))
    return [_skill(game, rows[::-1]) for game, rows in sorted(by_game.items())]


def _skill(game: str, rows: list[Any]) -> Skill:
    matches, losses = [], defaultdict(list)
    for seat, key, at, budget, sides, seats, turns in rows:
        side = next(side for side in sides if seat in side["seats"])
        own = seats[seat]
        match = Analysed(key, at, side["luck"], side["luck_error"], own["given_away"], own["accuracy"])
        if METHODS[game].ranks_players and budget == STANDARD:
            match = replace(match, contested=own["contested"], contested_loss=own["contested_loss"], stake=own["stake"])
        matches.append(match)
        for turn in turns:
            if turn["seat"] == seat:
                losses[turn["worst"]["played"].partition(" ")[0]].append(turn["loss"])
    words = json.loads(texts.encoded(game, get_language() or "en")[0])["terms"]
    kinds = [
        ChoiceKind(verb, _words(words, verb), len(lost), sum(lost) / len(lost))
        for verb, lost in sorted(losses.items())
        if len(lost) >= FEWEST_TURNS
    ]
    return Skill(game, matches, kinds)


def _words(terms: dict[str, str], verb: str) -> str:
    return gettext("play no token") if verb == LEFT else str(terms.get(verb, verb)).rstrip(":")


def _line(values: list[float]) -> str:
    low, high = min(values), max(values)
    spread = high - low or 1.0
    step = 96 / max(1, len(values) - 1)
    return " ".join(
        f"{number * step:.1f},{26 - 24 * (value - low) / spread:.1f}" for number, value in enumerate(values)
    )
