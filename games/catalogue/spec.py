"""What the site knows of a game beyond its rules: one `GameSpec` a game, in the module of this folder named after it.

A game without one works too: it has its role and option names as the engine writes them, and the plain table.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from importlib import import_module
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any, TypeAlias

from django.utils.translation import gettext_lazy as _
from django.utils.translation import ngettext_lazy

if TYPE_CHECKING:
    from django.utils.functional import _StrPromise

Words: TypeAlias = "str | _StrPromise"

RATING_NOTES: Mapping[str, Words] = {
    "about": _(
        "Everyone has a number for each role, and the rating is the mean of the two. Who plays alone is measured "
        "against the mean of the others, who share what they win or lose."
    ),
    "offsets": _("What the table’s size gives the one who plays alone"),
    "team": ngettext_lazy("There is one on this side, who takes it all.", "The %(team)s share the change.", "team"),
}
"""What the leaderboards of a game say in which one plays against many."""


@dataclass(frozen=True)
class OptionLabel:
    """`choices` are the values a form offers, in their order; without them a number is typed in."""

    label: Words
    help: Words = ""
    choices: Mapping[Any, Words] = field(default_factory=dict)


@dataclass(frozen=True)
class GradeField:
    """A number that a team reports beside whether it won. It counts for the team, or where it is negated, against it.

    `default` stands for a number that nobody gave; `is_score` marks the one that is the team's score.
    """

    name: str
    label: Words
    maximum: int
    default: int = 0
    negate: bool = False
    negate_if_won: bool = False
    is_score: bool = False

    def graded(self, given: int | None, won: bool) -> int:
        """The number as a grade has it: more is better."""
        value = self.default if given is None else given
        return -value if self.negate or (self.negate_if_won and won) else value

    def asked(self, graded: int) -> int:
        """The number as it was reported."""
        return abs(graded) if self.negate or self.negate_if_won else graded


@dataclass(frozen=True)
class GameSpec:
    """Names, words and forms of one game.

    `terms` are its words that are no sentences, `role_plurals` what several of one role are called, `side_won` and
    `side_lost` say that the side of a role won or lost together, as the part of a sentence. `grade` are the
    numbers a team reports, in the order of the engine's grades after the first, which says whether it won;
    `grade_sentence` tells a grade to readers. `rating_notes` replace sentences of `RATING_NOTES`. `sentence` says what
    the game is, `minutes` how long a match takes; `first_difficulty` is the one that a newcomer begins with.
    """

    name: str
    terms: Mapping[str, Words] = field(default_factory=dict)
    options: Mapping[str, OptionLabel] = field(default_factory=dict)
    role_plurals: Mapping[str, Words] = field(default_factory=dict)
    side_won: Mapping[str, Words] = field(default_factory=dict)
    side_lost: Mapping[str, Words] = field(default_factory=dict)
    grade: tuple[GradeField, ...] = ()
    grade_sentence: Words = ""
    only_remarks: bool = False
    rating_notes: Mapping[str, Words] = field(default_factory=dict)
    sentence: Words = ""
    minutes: int = 0
    first_difficulty: str = ""

    @property
    def picture(self) -> str:
        """The static file with the game's picture, where it has one."""
        return f"games/{self.name}/picture.svg"

    @property
    def table_module(self) -> str:
        """The static file of the game's own table, where it has one."""
        return f"games/{self.name}/table.js"

    @property
    def rules_template(self) -> str:
        """The page of rules beside the table, where it has one."""
        return f"games/rules/{self.name}.html"

    def grade_of(self, won: bool, given: Mapping[str, int | None]) -> list[int]:
        """How a team's play compares on one deal, as the engine grades it: more is better."""
        return [int(won), *(each.graded(given.get(each.name), won) for each in self.grade)]

    def reported(self, grade: list[int]) -> dict[str, int]:
        """The numbers that a grade was made of; nothing for a grade of another kind."""
        if len(grade) != len(self.grade) + 1:
            return {}
        return {"won": grade[0]} | {each.name: each.asked(value) for each, value in zip(self.grade, grade[1:])}

    def score_of(self, given: Mapping[str, int | None]) -> int | None:
        """The number among those reported that is the team's score."""
        return next((given.get(each.name) for each in self.grade if each.is_score), None)

    def rating_note(self, name: str) -> Any:
        """A sentence of the leaderboards: one of `RATING_NOTES`, in the game's own words where it has them."""
        return self.rating_notes.get(name) or RATING_NOTES[name]


_registered: dict[str, GameSpec] = {}


def register(spec: GameSpec) -> None:
    """Add what the site should know of a game that lies in another package."""
    if _registered.get(spec.name, spec) != spec:
        raise ValueError(f"there is a description of {spec.name} already")
    _registered[spec.name] = spec


def spec(game: str) -> GameSpec:
    """What is known of a game; a plain description where nobody wrote one."""
    if game not in _registered:
        module = f"{__package__}.{game.replace('-', '_')}"
        _registered[game] = import_module(module).SPEC if find_spec(module) else GameSpec(game)
    return _registered[game]
