"""Learning from mistakes: one is set before a choice that went wrong with what one knew then, and tries again.

What is shown before the new choice comes from the record up to there, as the seat saw it. How good each answer is was
computed with the analysis, from what the seat could know; it is told after the choice only.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from django.utils.translation import gettext

import engine
from accounts.infra.errors import Refused
from engine.analysis import VERSION
from games import fairness
from games.analysis.move_words import MoveWords
from games.analysis.presentation import KINDS
from games.models import Analysis, Match, Seat
from games.play.moves import normalized

CLOSE = 0.02
"""An answer that gives away less than this is as good as the best."""


@dataclass(frozen=True)
class Mistake:
    """A choice that gave something away. `ply` is how many moves had been made before it."""

    number: int
    ply: int
    seat: int
    kind: str
    label: str
    lost: int
    played: str
    played_words: str


@dataclass(frozen=True)
class Answer:
    """One possible answer and what it was worth, in points of a hundred."""

    move: str
    words: str
    chance: int
    loss: int
    label: str
    is_yours: bool
    was_played: bool
    is_best: bool


@dataclass(frozen=True)
class Verdict:
    """How good a new answer is, beside all others, the best first."""

    verdict: str
    words: str
    best: str
    best_words: str
    worlds: int
    answers: list[Answer]


class Lesson:
    """The mistakes of one seat of an analysed match."""

    def __init__(self, match: Match, seats: Sequence[Seat], seat: int) -> None:
        if seat >= match.players:
            raise Refused(gettext("There is no such seat at this table."))
        self.match, self.seat = match, seat
        self.words = MoveWords(match, [each.name for each in seats])
        self.turns = _turns(match, seat)

    @property
    def mistakes(self) -> list[Mistake]:
        return [self.mistake(number) for number in range(1, len(self.turns) + 1)]

    def mistake(self, number: int) -> Mistake:
        turn = self._turn(number)
        worst = turn["worst"]
        return Mistake(
            number=number,
            ply=worst["ply"] - 1,
            seat=self.seat,
            kind=turn["kind"],
            label=str(KINDS[turn["kind"]]),
            lost=round(100 * worst["loss"]),
            played=worst["played"],
            played_words=self.words.of(worst["played"]),
        )

    def position(self, number: int) -> dict[str, Any]:
        """The table before the choice, as the seat saw it then, and all that had happened for it."""
        played = _position_at(self.match, self.mistake(number).ply)
        view = {**played.view(self.seat), "can_undo": False}
        return {
            "v": played.ply,
            "view": view,
            "events": played.events(self.seat),
            "undone": played.undone(),
            # Out of turn one may also do nothing, which no button of the table says.
            "may_leave": played.to_act != self.seat,
        }

    def judge(self, number: int, move: str) -> Verdict:
        """What the answer is worth; `Refused` if it was not possible."""
        worst, tried = self._turn(number)["worst"], normalized(move)
        answers = sorted(worst["answers"], key=lambda answer: (-answer["chance"], answer["loss"]))
        yours = next((answer for answer in answers if answer["move"] == tried), None)
        if yours is None:
            raise Refused(gettext("This move is not possible now."))
        played = next(answer for answer in answers if answer["move"] == worst["played"])
        best = answers[0]
        verdict = _verdict(yours, played, best)
        return Verdict(
            verdict=verdict,
            words=self._explain(verdict, yours, played, best),
            best=best["move"],
            best_words=self.words.of(best["move"]),
            worlds=worst["worlds"],
            answers=[
                Answer(
                    move=answer["move"],
                    words=self.words.of(answer["move"]),
                    chance=round(100 * answer["chance"]),
                    loss=max(0, round(100 * (best["chance"] - answer["chance"]))),
                    label=str(KINDS.get(answer["kind"], "")),
                    is_yours=answer is yours,
                    was_played=answer is played,
                    is_best=answer is best,
                )
                for answer in answers
            ],
        )

    def _turn(self, number: int) -> dict[str, Any]:
        if not 1 <= number <= len(self.turns):
            raise Refused(gettext("There is no such mistake."))
        return self.turns[number - 1]

    def _explain(self, verdict: str, yours: dict[str, Any], played: dict[str, Any], best: dict[str, Any]) -> str:
        values = {
            "yours": round(100 * yours["chance"]),
            "played": round(100 * played["chance"]),
            "best": round(100 * best["chance"]),
            "move": self.words.of(best["move"]),
        }
        if verdict == "best":
            return gettext("That is it: it wins in %(yours)s of 100 possible situations that looked the same from your "
                           "seat. What was played wins in %(played)s.") % values  # fmt: skip
        if verdict == "better":
            return gettext("Better: it wins in %(yours)s of 100 possible situations, and what was played in "
                           "%(played)s. There is something better still.") % values  # fmt: skip
        if verdict == "same":
            return gettext("That is what was played: it wins in %(played)s of 100 possible situations.") % values
        return (
            gettext("No better: it wins in %(yours)s of 100 possible situations, and what was played in %(played)s.")
            % values
        )


def _verdict(yours: dict[str, Any], played: dict[str, Any], best: dict[str, Any]) -> str:
    if best["chance"] - yours["chance"] < CLOSE:
        return "best"
    if yours is played:
        return "same"
    return "better" if yours["chance"] - played["chance"] >= CLOSE else "worse"


def _turns(match: Match, seat: int) -> list[dict[str, Any]]:
    """The turns of a seat that gave something away, as the report has them."""
    analysis = Analysis.objects.filter(match=match).first()
    if analysis is None or analysis.report is None:
        raise Refused(gettext("There is no analysis of this match yet. Ask for it beside the replay."))
    if analysis.version != VERSION:
        raise Refused(gettext("This match was analysed by an older version. Ask for the analysis again."))
    return [turn for turn in analysis.report["turns"] if turn["seat"] == seat and turn["kind"] in KINDS]


def _position_at(match: Match, ply: int) -> engine.Match:
    if not match.is_current:
        raise Refused(gettext("This match was played by older rules, which this site no longer has."))
    try:
        return fairness.position_at(match, ply)
    except engine.TranscriptError as error:
        raise Refused(gettext("The record of this match does not replay, so nothing about it is judged.")) from error
