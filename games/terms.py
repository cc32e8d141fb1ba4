"""Words of the games that are no sentences: tokens, verbs of the notation, why a match ended."""

from collections.abc import Mapping

from django.utils.functional import Promise
from django.utils.translation import pgettext_lazy

COMMON: Mapping[str, str | Promise] = {
    "undo": pgettext_lazy("move", "Take back"),
    "stop": pgettext_lazy("move", "Stop here"),
    "pass": pgettext_lazy("move", "Pass"),
    "player": pgettext_lazy("role", "Player"),
}

BY_GAME: Mapping[str, Mapping[str, str | Promise]] = {
    "infinity-gauntlet": {
        "thanos": pgettext_lazy("role", "Thanos"),
        "hero": pgettext_lazy("role", "Hero"),
        "play": pgettext_lazy("move", "Play"),
        "target": pgettext_lazy("move", "Choose player"),
        "peek": pgettext_lazy("move", "Let peek: player"),
        "power": pgettext_lazy("move", "Give power to player"),
        "send": pgettext_lazy("move", "Send to fight: player"),
        "guess": pgettext_lazy("move", "Guess"),
        "fight": pgettext_lazy("move", "Fight"),
        "hold": pgettext_lazy("move", "Do not fight"),
        "top": pgettext_lazy("move", "On top"),
        "next": pgettext_lazy("move", "Then"),
        "lose": pgettext_lazy("move", "Lose"),
        "with": pgettext_lazy("move", "Fight with"),
        "bottom": pgettext_lazy("move", "To the bottom"),
        "copy": pgettext_lazy("move", "Copy"),
        "snap": pgettext_lazy("move", "Snap"),
        "end turn": pgettext_lazy("move", "End the turn"),
        "snap-ending": pgettext_lazy("ending", "Thanos snapped his fingers."),
        "heroes-out": pgettext_lazy("ending", "The heroes had no life left."),
        "thanos-out": pgettext_lazy("ending", "Thanos had no life left."),
    },
    "thanos-rising": {
        "hero": pgettext_lazy("role", "Hero"),
        "red": pgettext_lazy("die", "red"),
        "blue": pgettext_lazy("die", "blue"),
        "green": pgettext_lazy("die", "green"),
        "purple": pgettext_lazy("die", "purple"),
        "battle": pgettext_lazy("symbol", "battle"),
        "technology": pgettext_lazy("symbol", "technology"),
        "mystic": pgettext_lazy("symbol", "mystic"),
        "cosmic": pgettext_lazy("symbol", "cosmic"),
        "double-battle": pgettext_lazy("symbol", "double battle"),
        "double-technology": pgettext_lazy("symbol", "double technology"),
        "double-mystic": pgettext_lazy("symbol", "double mystic"),
        "double-cosmic": pgettext_lazy("symbol", "double cosmic"),
        "red-die": pgettext_lazy("token", "extra red die"),
        "blue-die": pgettext_lazy("token", "extra blue die"),
        "green-die": pgettext_lazy("token", "extra green die"),
        "purple-die": pgettext_lazy("token", "extra purple die"),
        "heal": pgettext_lazy("token", "healing"),
        "stone": pgettext_lazy("token", "stone"),
        "rotate-ccw": pgettext_lazy("Thanos die", "turn anticlockwise"),
        "rotate-cw": pgettext_lazy("Thanos die", "turn clockwise"),
        "activate-other-villains": pgettext_lazy("Thanos die", "the other villains act"),
        "roll-stone-die-again": pgettext_lazy("Thanos die", "roll the stone die again"),
        # What the stones are called inside a sentence: "The {stone} stone gains a counter".
        "stone-red": pgettext_lazy("stone", "Reality"),
        "stone-orange": pgettext_lazy("stone", "Soul"),
        "stone-yellow": pgettext_lazy("stone", "Mind"),
        "stone-green": pgettext_lazy("stone", "Time"),
        "stone-blue": pgettext_lazy("stone", "Space"),
        "stone-purple": pgettext_lazy("stone", "Power"),
        "choice-recruit": pgettext_lazy("difficulty", "Recruit: the gentlest"),
        "choice-hero": pgettext_lazy("difficulty", "Hero: the usual game"),
        "choice-avenger": pgettext_lazy("difficulty", "Avenger: harder"),
        "choice-infinity": pgettext_lazy("difficulty", "Infinity: the hardest"),
        "deploy": pgettext_lazy("move", "Deploy to sector"),
        "choose": pgettext_lazy("move", "Choose"),
        "on": pgettext_lazy("move", "on"),
        "for": pgettext_lazy("move", "for"),
        "to": pgettext_lazy("move", "To"),
        "roll": pgettext_lazy("move", "Roll"),
        "use": pgettext_lazy("move", "Use"),
        "play": pgettext_lazy("move", "Play"),
        "forfeit": pgettext_lazy("move", "Forfeit"),
        "damage": pgettext_lazy("move", "Damage"),
        "hit": pgettext_lazy("move", "Hit"),
        "clear": pgettext_lazy("move", "Remove a counter:"),
        "take": pgettext_lazy("move", "Take"),
        "lose": pgettext_lazy("move", "Lose"),
        "re-roll": pgettext_lazy("move", "Roll again"),
        "turn": pgettext_lazy("move", "Turn"),
        "keep": pgettext_lazy("move", "Keep"),
        "villains-defeated": pgettext_lazy("ending", "Enough villains were defeated."),
        "stones-collected": pgettext_lazy("ending", "Thanos collected all the stones."),
        "heroes-lost": pgettext_lazy("ending", "Too many heroes fell."),
        "team-lost": pgettext_lazy("ending", "A whole team fell."),
    },
    "splendor-marvel": {
        "yellow": pgettext_lazy("token", "yellow"),
        "blue": pgettext_lazy("token", "blue"),
        "purple": pgettext_lazy("token", "purple"),
        "red": pgettext_lazy("token", "red"),
        "orange": pgettext_lazy("token", "orange"),
        "green": pgettext_lazy("token", "green"),
        "grey": pgettext_lazy("token", "grey"),
        "take": pgettext_lazy("move", "Take"),
        "recruit": pgettext_lazy("move", "Recruit"),
        "reserve": pgettext_lazy("move", "Reserve"),
        "deck": pgettext_lazy("move", "from deck"),
        "pay": pgettext_lazy("move", "Pay"),
        "for": pgettext_lazy("move", "for"),
        "return": pgettext_lazy("move", "Return"),
        "location": pgettext_lazy("move", "Location"),
        "gauntlet": pgettext_lazy("ending", "The Infinity Gauntlet was assembled."),
        "stalemate": pgettext_lazy("ending", "Nothing could change any more: all share the match."),
    },
}

ENDINGS: Mapping[str, str | Promise] = {
    "resigned": pgettext_lazy("ending", "A player resigned."),
    "timeout": pgettext_lazy("ending", "A player ran out of time."),
}


def ending(game: str, reason: str) -> str:
    """Why a match ended, as a sentence."""
    known = of_game(game)
    return known.get(f"{reason}-ending") or known.get(reason, reason)


def of_game(game: str) -> dict[str, str]:
    """Every term of a game, in the language that is active."""
    return {term: str(words) for term, words in {**COMMON, **ENDINGS, **BY_GAME.get(game, {})}.items()}
