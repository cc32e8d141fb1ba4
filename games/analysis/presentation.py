"""The analysis of a match in words and as a drawing, for the page beside the replay."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from django.utils.translation import gettext, gettext_lazy

from engine.analysis import VERSION
from games.analysis.move_words import MoveWords
from games.models import Analysis, Match, Seat

WHY_NOT = {
    "rules": gettext_lazy("This match was played by older rules, which this site no longer has."),
    "record": gettext_lazy("The record of this match does not replay, so nothing about it is judged."),
    "cut": gettext_lazy("The record stops before the end of the match."),
    "first-turn": gettext_lazy("The match ended in its first turn: there is nothing to judge."),
    "called-off": gettext_lazy("The match ended so early that nobody won or lost."),
    "cards": gettext_lazy("The match was played with a club’s own cards; the chances are known only for the site’s."),
    "game": gettext_lazy("There is no analysis for this game."),
    "hopeless": gettext_lazy("Club players never win at this difficulty: no move makes a difference one can measure."),
    "failed": gettext_lazy("The analysis failed. The reason is in the log of this site."),
}
KINDS = {
    "inaccuracy": gettext_lazy("Inaccuracy"),
    "mistake": gettext_lazy("Mistake"),
    "blunder": gettext_lazy("Blunder"),
}
WIDTH, HEIGHT = 340, 120
CLEAR = 1.96
"""Luck is named as good or bad when it is so many standard errors from none."""


@dataclass(frozen=True)
class Line:
    """A side's curve."""

    name: str
    number: int
    points: str


@dataclass(frozen=True)
class Mark:
    """A turning point on the drawing and in the list."""

    ply: int
    x: str
    y: str
    name: str
    change: int
    by_luck: bool


@dataclass(frozen=True)
class Row:
    """What one side, or one seat of a side, gave away and what luck gave it."""

    name: str
    number: int | None
    luck: int | None
    luck_error: int
    given_away: int
    accuracy: int | None
    contested: int


@dataclass(frozen=True)
class Turn:
    """A turn that gave something away. `before` is the ply at which its worst choice was open."""

    before: int
    seat: int
    name: str
    kind: str
    label: str
    lost: int
    played: str
    better: str
    notation: str


@dataclass(frozen=True)
class Known:
    """What one seat could know of its chances, and how much there is to learn for it."""

    seat: int
    name: str
    points: str
    mistakes: int


@dataclass(frozen=True)
class Panel:
    """What is known of a match's analysis: nothing yet, how far it is, why there is none, or all of it."""

    state: str = ""
    percent: int = 0
    why_not: str = ""
    shown: "Shown | None" = None
    can_ask: bool = True


def panel(match: Match, seats: Sequence[Seat], mine: int | None) -> Panel:
    """For a reader who may read the record; `mine` is their seat."""
    analysis = Analysis.objects.filter(match=match).first()
    if analysis is None:
        return Panel()
    shown = None if analysis.report is None else Shown(match, seats, analysis.report, mine)
    return Panel(
        state=analysis.state,
        percent=100 * analysis.done // max(1, analysis.total),
        why_not=why_not(analysis),
        shown=shown,
        can_ask=analysis.state != Analysis.State.WAITING and analysis.version != VERSION,
    )


def why_not(analysis: Analysis) -> str:
    """Why there is no report, in the reader's language."""
    return str(WHY_NOT.get(analysis.why_not, ""))


class Shown:
    """A report as the page shows it."""

    def __init__(self, match: Match, seats: Sequence[Seat], report: dict[str, Any], mine: int | None) -> None:
        self.report = report
        self.names = [seat.name for seat in seats]
        self.mine = mine
        self.last = max(1, match.ply)
        self.words = MoveWords(match, self.names)
        self.width, self.height = WIDTH, HEIGHT
        self.judged = bool(report["judged"])
        self.is_small = report["budget"] != "standard"
        self.has_accuracy = any(side["accuracy"] is not None for side in report["sides"])
        self.sides = [self.side_name(side["seats"]) for side in report["sides"]]
        self.lines = [Line(name, number, self.points(number)) for number, name in enumerate(self.sides)]
        self.marks = [self.mark(point) for point in report["turning_points"]]
        self.rows = self.make_rows()
        self.turns = [self.turn(turn) for turn in report["turns"] if turn["kind"] in KINDS]
        self.known = [self.known_to(of) for of in report["seats"]]
        self.can_learn = report["version"] == VERSION and bool(self.turns)
        self.sentence = self.sum_up()

    def side_name(self, seats: list[int]) -> str:
        return ", ".join(self.names[seat] for seat in seats)

    # -- the drawing

    def x(self, ply: int) -> float:
        return round(WIDTH * ply / self.last, 1)

    @staticmethod
    def y(chance: float) -> float:
        return round(HEIGHT * (1 - chance), 1)

    def points(self, side: int) -> str:
        return " ".join(f"{self.x(point['ply'])},{self.y(point['chances'][side])}" for point in self.report["curve"])

    def known_to(self, of: dict[str, Any]) -> Known:
        points = " ".join(f"{self.x(ply)},{self.y(chance)}" for ply, chance in of["believed"])
        mistakes = sum(turn.seat == of["seat"] for turn in self.turns)
        return Known(of["seat"], self.names[of["seat"]], points, mistakes)

    def mark(self, point: dict[str, Any]) -> Mark:
        ply, side = point["ply"], point["side"]
        chance = next(each["chances"][side] for each in self.report["curve"] if each["ply"] == ply)
        change = round(100 * point["change"])
        return Mark(ply, str(self.x(ply)), str(self.y(chance)), self.sides[side], change, point["by"] == "luck")

    # -- numbers

    def make_rows(self) -> list[Row]:
        rows = []
        for number, side in enumerate(self.report["sides"]):
            rows.append(self.row(self.sides[number], number, side))
            if len(side["seats"]) > 1 and self.judged:
                rows += [self.row(self.names[seat], None, self.report["seats"][seat]) for seat in side["seats"]]
        return rows

    @staticmethod
    def row(name: str, number: int | None, of: dict[str, Any]) -> Row:
        luck = round(100 * of["luck"]) if "luck" in of else None
        error = round(100 * CLEAR * of.get("luck_error", 0))
        return Row(name, number, luck, error, round(100 * of["given_away"]), of["accuracy"], of["contested"])

    def turn(self, turn: dict[str, Any]) -> Turn:
        worst = turn["worst"]
        return Turn(
            before=worst["ply"] - 1,
            name=self.names[turn["seat"]],
            kind=turn["kind"],
            label=str(KINDS[turn["kind"]]),
            lost=round(100 * turn["loss"]),
            seat=turn["seat"],
            played=self.words.of(worst["played"]),
            better=self.words.of(worst["better"]),
            notation=worst["better"],
        )

    # -- words

    def sum_up(self) -> str:
        """The match in one sentence: for a player about their own part, for others about the side that did best."""
        if self.mine is None:
            return self.sum_up_for_others()
        side = next(side for side in self.report["sides"] if self.mine in side["seats"])
        values = {
            "lost": round(100 * self.report["seats"][self.mine]["given_away"]),
            "luck": abs(round(100 * side["luck"])),
        }
        is_clear = abs(side["luck"]) > CLEAR * side["luck_error"]
        if not self.judged:
            if not is_clear:
                return gettext("Luck made no clear difference for you.")
            if side["luck"] > 0:
                return gettext("Luck gave you %(luck)s%% of a win.") % values
            return gettext("Luck took %(luck)s%% of a win from you.") % values
        if not is_clear:
            return gettext("You gave away %(lost)s%% of a win, and luck made no clear difference.") % values
        if side["luck"] > 0:
            return gettext("You gave away %(lost)s%% of a win, and luck gave you %(luck)s%%.") % values
        return gettext("You gave away %(lost)s%% of a win, and luck took %(luck)s%% from you.") % values

    def sum_up_for_others(self) -> str:
        """About the side that stood best at the end."""
        last = self.report["curve"][-1]["chances"]
        number = max(range(len(last)), key=lambda side: last[side])
        side = self.report["sides"][number]
        values = {
            "name": self.sides[number],
            "lost": round(100 * side["given_away"]),
            "luck": str(round(100 * side["luck"])).replace("-", "−"),
        }
        if self.judged:
            return gettext("%(name)s: gave away %(lost)s%% of a win; luck was worth %(luck)s%%.") % values
        return gettext("%(name)s: luck was worth %(luck)s%% of a win.") % values
