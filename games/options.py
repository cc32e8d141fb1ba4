"""A game's options in the reader's language: what each is called, what it does, what its values mean."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from django.utils.functional import Promise
from django.utils.translation import gettext, pgettext_lazy
from django.utils.translation import gettext_lazy as _

import engine

AS_DIFFICULTY = _("As the difficulty says")


@dataclass(frozen=True)
class Words:
    """`choices` are the values a form offers, in their order; without them a number is typed in."""

    label: str | Promise
    help: str | Promise = ""
    choices: Mapping[Any, str | Promise] = field(default_factory=dict)


KNOWN: Mapping[str, Mapping[str, Words]] = {
    "infinity-gauntlet": {
        "heroes_life": Words(_("Life of the heroes"), _("Left empty: 6.")),
        "thanos_life": Words(
            _("Life of Thanos"), _("Left empty: 4 with two or three players, 5 with four, 6 with five, 7 with six.")
        ),
    },
    "splendor-marvel": {
        "points": Words(_("Infinity Points to win"), _("How many the Infinity Gauntlet asks for; usually 16.")),
        "stall_rounds": Words(
            _("Rounds without a recruit that end the match"),
            _("Then the points decide, as in any match. Usually 15: normal play never comes near it."),
        ),
    },
    "thanos-rising": {
        "preset": Words(
            _("Difficulty"),
            _("Sets how many villains, heroes, stones and counters it takes. Below you can change each of them."),
            {
                "recruit": pgettext_lazy("difficulty", "Recruit: the gentlest"),
                "hero": pgettext_lazy("difficulty", "Hero: the usual game"),
                "avenger": pgettext_lazy("difficulty", "Avenger: harder"),
                "infinity": pgettext_lazy("difficulty", "Infinity: the hardest"),
            },
        ),
        "villains_to_defeat": Words(
            _("Defeated villains that win the match"),
            _("The match is won when this many villains are defeated. Left empty: as the difficulty says."),
        ),
        "heroes_lost_limit": Words(
            _("Fallen heroes that lose the match"),
            _("The match is lost when this many heroes have fallen. Left empty: as the difficulty says."),
        ),
        "stones_to_lose": Words(
            _("Collected stones that lose the match"),
            _("The match is lost when Thanos has collected this many stones. Left empty: as the difficulty says."),
        ),
        "team_loss": Words(
            _("When a player has no hero left"),
            "",
            {None: AS_DIFFICULTY, True: _("The match is lost"), False: _("The others fight on")},
        ),
        "starting_counters": Words(
            _("Counters on each stone at the start"),
            _("The more, the sooner Thanos collects them. Left empty: as the difficulty says."),
        ),
        "bases": Words(
            _("Bases and their leaders"),
            "",
            {"random": _("Drawn by lot"), "choose": _("Each player chooses in turn")},
        ),
        "first_player": Words(
            _("Who goes first"),
            "",
            {0: _("Drawn by lot"), 1: _("Seat 1"), 2: _("Seat 2"), 3: _("Seat 3"), 4: _("Seat 4")},
        ),
    },
}


def words_of(game: str, option: engine.Option) -> Words:
    """Its words, or the engine's own for an option that has none yet."""
    return KNOWN.get(game, {}).get(option.name) or Words(option.help)


def label_of(game: str, name: str) -> str:
    """What people call an option, or the number of players; an option that there is none of has only its name."""
    if name == "players":
        return gettext("Players")
    known = KNOWN.get(game, {}).get(name)
    return str(known.label) if known else name


def shown(game: engine.Game) -> list[engine.Option]:
    """The options that a form offers: whole documents are for those who use the engine by itself."""
    return [option for option in game.options if option.kind is not dict]


def told(game: str, given: Mapping[str, Any]) -> list[dict[str, Any]]:
    """The options of a match that differ from the usual, in words."""
    found = []
    for option in shown(engine.game(game)):
        if option.name in given:
            words = words_of(game, option)
            value = given[option.name]
            found.append({"words": words.label, "value": words.choices.get(value, value)})
    return found
