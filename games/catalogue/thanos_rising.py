"""What the site knows of Thanos Rising beyond its rules."""

from django.utils.text import format_lazy
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from games.catalogue.spec import GameSpec, GradeField, OptionLabel

AS_DIFFICULTY = _("As the difficulty says")

# The colour of a die that something is done with: other languages have another ending there.
OBJECTS = {
    "red": pgettext_lazy("a die that is taken, put or lost", "red"),
    "blue": pgettext_lazy("a die that is taken, put or lost", "blue"),
    "green": pgettext_lazy("a die that is taken, put or lost", "green"),
    "purple": pgettext_lazy("a die that is taken, put or lost", "purple"),
}

FACES = {
    "battle": pgettext_lazy("symbol", "battle"),
    "technology": pgettext_lazy("symbol", "technology"),
    "mystic": pgettext_lazy("symbol", "mystic"),
    "cosmic": pgettext_lazy("symbol", "cosmic"),
    "double-battle": pgettext_lazy("symbol", "double battle"),
    "double-technology": pgettext_lazy("symbol", "double technology"),
    "double-mystic": pgettext_lazy("symbol", "double mystic"),
    "double-cosmic": pgettext_lazy("symbol", "double cosmic"),
}

DICE = {
    **{f"die-{colour}": words for colour, words in OBJECTS.items()},
    **{
        f"{colour} {face}": format_lazy(
            pgettext_lazy("a die that is taken, put or lost", "{colour} {face}"),
            colour=OBJECTS[colour],
            face=FACES[face],
        )
        for colour in OBJECTS
        for face in FACES
    },
    **{
        f"take {colour}": format_lazy(pgettext_lazy("move", "Take a {colour} die"), colour=words)
        for colour, words in OBJECTS.items()
    },
    **{
        f"for {colour}": format_lazy(pgettext_lazy("move", "for {colour}"), colour=words)
        for colour, words in OBJECTS.items()
    },
    **{
        f"lose {colour}": format_lazy(pgettext_lazy("move", "Lose a {colour} die"), colour=words)
        for colour, words in OBJECTS.items()
    },
}
"""Dice as sentences of the log and labels of moves have them."""

TERMS = {
    **DICE,
    **FACES,
    "hero": pgettext_lazy("role", "Hero"),
    "red": pgettext_lazy("die", "red"),
    "blue": pgettext_lazy("die", "blue"),
    "green": pgettext_lazy("die", "green"),
    "purple": pgettext_lazy("die", "purple"),
    "red-die": pgettext_lazy("token", "extra red die"),
    "blue-die": pgettext_lazy("token", "extra blue die"),
    "green-die": pgettext_lazy("token", "extra green die"),
    "purple-die": pgettext_lazy("token", "extra purple die"),
    "heal": pgettext_lazy("token", "healing"),
    "heal {card}": pgettext_lazy("move", "Heal {card}"),
    "stone": pgettext_lazy("token", "stone"),
    "rotate-ccw": pgettext_lazy("Thanos die", "turn anticlockwise"),
    "rotate-cw": pgettext_lazy("Thanos die", "turn clockwise"),
    "activate-other-villains": pgettext_lazy("Thanos die", "the other villains act"),
    "roll-stone-die-again": pgettext_lazy("Thanos die", "roll the stone die again"),
    # What the stones are called inside a sentence or a move: "Counters on the {stone} stone".
    "stone-red": pgettext_lazy("stone", "Reality"),
    "stone-orange": pgettext_lazy("stone", "Soul"),
    "stone-yellow": pgettext_lazy("stone", "Mind"),
    "stone-green": pgettext_lazy("stone", "Time"),
    "stone-blue": pgettext_lazy("stone", "Space"),
    "stone-purple": pgettext_lazy("stone", "Power"),
    "deploy": pgettext_lazy("move", "Deploy to sector"),
    "choose": pgettext_lazy("move", "Choose"),
    "choose {card}": pgettext_lazy("move", "Choose {card}"),
    "on {card}": pgettext_lazy("move", "on {card}"),
    "on {stone}": pgettext_lazy("move", "on {stone}"),
    "to": pgettext_lazy("move", "To"),
    "roll": pgettext_lazy("move", "Roll"),
    "use": pgettext_lazy("move", "Use"),
    "use {card}": pgettext_lazy("move", "Use {card}"),
    "play": pgettext_lazy("move", "Play"),
    "play {token}": pgettext_lazy("move", "Play {token}"),
    "forfeit": pgettext_lazy("move", "Forfeit"),
    "damage": pgettext_lazy("move", "Damage"),
    "damage {card}": pgettext_lazy("move", "Damage {card}"),
    "hit": pgettext_lazy("move", "Hit"),
    "hit {card}": pgettext_lazy("move", "Hit {card}"),
    "clear": pgettext_lazy("move", "Remove a counter:"),
    "clear {stone}": pgettext_lazy("move", "Remove a counter: {stone}"),
    "take": pgettext_lazy("move", "Take"),
    "lose": pgettext_lazy("move", "Lose"),
    "re-roll": pgettext_lazy("move", "Roll again"),
    "turn": pgettext_lazy("move", "Turn"),
    "keep": pgettext_lazy("move", "Keep"),
    "keep {token}": pgettext_lazy("move", "Keep {token}"),
    "villains-defeated": pgettext_lazy("ending", "Enough villains were defeated."),
    "stones-collected": pgettext_lazy("ending", "Thanos collected enough stones."),
    "heroes-lost": pgettext_lazy("ending", "Too many heroes fell."),
    "team-lost": pgettext_lazy("ending", "A whole team fell."),
    "ui-standing": pgettext_lazy("Thanos Rising table", "How the match stands"),
    "ui-villains": pgettext_lazy("Thanos Rising table", "Villains defeated"),
    "ui-heroes": pgettext_lazy("Thanos Rising table", "Heroes lost"),
    "ui-stones": pgettext_lazy("Thanos Rising table", "Stones taken"),
    "ui-wins": pgettext_lazy("Thanos Rising table", "and we win"),
    "ui-loses": pgettext_lazy("Thanos Rising table", "and all is lost"),
    "ui-turn": pgettext_lazy("Thanos Rising table", "Turn {number}"),
    "ui-sectors": pgettext_lazy("Thanos Rising table", "The three sectors"),
    "ui-sector": pgettext_lazy("Thanos Rising table", "Sector {number}"),
    "ui-thanos-faces": pgettext_lazy("Thanos Rising table", "Thanos faces sector {number}"),
    "ui-deploy-here": pgettext_lazy("Thanos Rising table", "Deploy to sector {number}"),
    "ui-deploy-short": pgettext_lazy("Thanos Rising table", "Deploy to {number}"),
    "ui-omens": pgettext_lazy("Thanos Rising table", "Stone die and Thanos die"),
    "ui-gap": pgettext_lazy("Thanos Rising table", "Empty place"),
    "ui-hero": pgettext_lazy("Thanos Rising table", "hero of type {symbol}"),
    "ui-villain": pgettext_lazy("Thanos Rising table", "villain"),
    "ui-damage": pgettext_lazy("Thanos Rising table", "damage {count} of {spaces}"),
    "ui-needs": pgettext_lazy("Thanos Rising table", "wants {symbols}"),
    "ui-assigned": pgettext_lazy("Thanos Rising table", "already on it: {symbols}"),
    "ui-new": pgettext_lazy("Thanos Rising table", "new: ready next turn"),
    "ui-used": pgettext_lazy("Thanos Rising table", "used this turn"),
    "ui-choose": pgettext_lazy("Thanos Rising table", "Choose"),
    "ui-gauntlet": pgettext_lazy("Thanos Rising table", "The gauntlet and the stones"),
    "ui-taken": pgettext_lazy("Thanos Rising table", "taken by Thanos, its power works"),
    "ui-taken-short": pgettext_lazy("Thanos Rising table", "taken"),
    "ui-counters": pgettext_lazy("Thanos Rising table", "{count} of {limit} counters"),
    # The stones by themselves, where the sentences above need another case.
    "ui-stone-red": pgettext_lazy("Thanos Rising table", "Reality"),
    "ui-stone-orange": pgettext_lazy("Thanos Rising table", "Soul"),
    "ui-stone-yellow": pgettext_lazy("Thanos Rising table", "Mind"),
    "ui-stone-green": pgettext_lazy("Thanos Rising table", "Time"),
    "ui-stone-blue": pgettext_lazy("Thanos Rising table", "Space"),
    "ui-stone-purple": pgettext_lazy("Thanos Rising table", "Power"),
    "ui-deck": pgettext_lazy("Thanos Rising table", "cards left, face down"),
    "ui-supply": pgettext_lazy("Thanos Rising table", "bonus tokens left, face down"),
    "ui-tokens": pgettext_lazy("Thanos Rising table", "Bonus tokens"),
    "ui-no-tokens": pgettext_lazy("Thanos Rising table", "No bonus tokens"),
    "ui-active": pgettext_lazy("Thanos Rising table", "on turn"),
    "ui-deployed": pgettext_lazy("Thanos Rising table", "in sector {number}"),
    "ui-team-of": pgettext_lazy("Thanos Rising table", "Team of {name}"),
    "ui-question": pgettext_lazy("Thanos Rising table", "What is asked"),
    "ui-won": pgettext_lazy("Thanos Rising table", "The heroes have won"),
    "ui-lost": pgettext_lazy("Thanos Rising table", "Thanos has won"),
    "ui-roll-goes-on": pgettext_lazy("Thanos Rising table", "The dice of this roll go to {card}."),
    "ui-to-lose": pgettext_lazy("Thanos Rising table", "Dice still to give up: {count}"),
    "ui-no-healing": pgettext_lazy("Thanos Rising table", "No damage may be removed this turn."),
    "ui-help-out": pgettext_lazy("Thanos Rising table", "You may help {name} with a bonus token."),
    "ui-dice": pgettext_lazy("Thanos Rising table", "Power dice"),
    "ui-play": pgettext_lazy("Thanos Rising table", "Play: {what}"),
    "ui-put-here": pgettext_lazy("Thanos Rising table", "What goes to {card}?"),
    "ui-play-where": pgettext_lazy("Thanos Rising table", "Where does the token go: {what}?"),
    "ui-put-where": pgettext_lazy("Thanos Rising table", "Where does the die go: {what}?"),
    "ui-cancel": pgettext_lazy("Thanos Rising table", "Cancel"),
    "ui-forfeit": pgettext_lazy("Thanos Rising table", "Forfeit this die"),
    "ui-play-now": pgettext_lazy("Thanos Rising table", "Play it now"),
    "ui-ask-choose-base": pgettext_lazy("Thanos Rising table", "Choose a base and its leader"),
    "ui-ask-deploy": pgettext_lazy("Thanos Rising table", "Deploy to a sector"),
    "ui-hint-deploy": pgettext_lazy(
        "Thanos Rising table", "You work on the cards there. Then Thanos may turn and strikes the sector he faces."
    ),
    "ui-ask-ready": pgettext_lazy("Thanos Rising table", "Roll the power dice"),
    "ui-ask-assign": pgettext_lazy("Thanos Rising table", "Put dice on a card"),
    "ui-ask-forfeit": pgettext_lazy("Thanos Rising table", "No die fits: forfeit one"),
    "ui-ask-resolve": pgettext_lazy("Thanos Rising table", "Use abilities, or stop"),
    "ui-ask-last-tokens": pgettext_lazy("Thanos Rising table", "Bonus tokens can still be played; then stop"),
    "ui-ask-damage-hero": pgettext_lazy("Thanos Rising table", "Choose a hero to take the damage"),
    "ui-ask-heal-hero": pgettext_lazy("Thanos Rising table", "Choose a hero to heal"),
    "ui-ask-damage-villain": pgettext_lazy("Thanos Rising table", "Choose a villain to hit"),
    "ui-ask-remove-counter": pgettext_lazy("Thanos Rising table", "Choose a stone to take a counter from"),
    "ui-ask-extra-die": pgettext_lazy("Thanos Rising table", "Choose the colour of the extra die"),
    "ui-ask-lose-die": pgettext_lazy("Thanos Rising table", "Choose a die to give up"),
    "ui-ask-re-roll": pgettext_lazy("Thanos Rising table", "Choose a die to roll again"),
    "ui-ask-turn-die": pgettext_lazy("Thanos Rising table", "Choose a die to turn"),
    "ui-ask-turn-to": pgettext_lazy("Thanos Rising table", "Choose its new face"),
    "ui-ask-keep-token": pgettext_lazy("Thanos Rising table", "Choose a bonus token to keep"),
    "ui-ask-over": pgettext_lazy("Thanos Rising table", "The match is over"),
}

OPTIONS = {
    "preset": OptionLabel(
        _("Difficulty"),
        _("Sets how many villains, heroes, stones and counters it takes. Below you can change each of them."),
        {
            "recruit": pgettext_lazy("difficulty", "Recruit: the gentlest"),
            "hero": pgettext_lazy("difficulty", "Hero: the usual game"),
            "avenger": pgettext_lazy("difficulty", "Avenger: harder"),
            "infinity": pgettext_lazy("difficulty", "Infinity: the hardest"),
        },
    ),
    "villains_to_defeat": OptionLabel(
        _("Defeated villains that win the match"),
        _("The match is won when this many villains are defeated. Left empty: as the difficulty says."),
    ),
    "heroes_lost_limit": OptionLabel(
        _("Fallen heroes that lose the match"),
        _("The match is lost when this many heroes have fallen. Left empty: as the difficulty says."),
    ),
    "stones_to_lose": OptionLabel(
        _("Collected stones that lose the match"),
        _("The match is lost when Thanos has collected this many stones. Left empty: as the difficulty says."),
    ),
    "team_loss": OptionLabel(
        _("When a player has no hero left"),
        "",
        {None: AS_DIFFICULTY, True: _("The match is lost"), False: _("The others fight on")},
    ),
    "starting_counters": OptionLabel(
        _("Counters on each stone at the start"),
        _("The more, the sooner Thanos collects them. Left empty: as the difficulty says."),
    ),
    "bases": OptionLabel(
        _("Bases and their leaders"),
        "",
        {"random": _("Drawn by lot"), "choose": _("Each player chooses in turn")},
    ),
    "first_player": OptionLabel(
        _("Who goes first"),
        "",
        {0: _("Drawn by lot"), 1: _("Seat 1"), 2: _("Seat 2"), 3: _("Seat 3"), 4: _("Seat 4")},
    ),
}

SPEC = GameSpec(
    name="thanos-rising",
    terms=TERMS,
    options=OPTIONS,
    sentence=_("All together, with dice, against Thanos."),
    minutes=40,
    first_difficulty="recruit",
    side_won={"player": pgettext_lazy("result", "the heroes won")},
    side_lost={"player": pgettext_lazy("result", "the heroes lost")},
    grade=(
        GradeField("defeated", _("Villains defeated"), 20, is_score=True),
        GradeField("stones", _("Stones Thanos did not get"), 6, default=6),
        GradeField("lost", _("Heroes lost"), 40, negate=True),
        GradeField("turns", _("Turns played"), 200, negate_if_won=True),
    ),
    grade_sentence=_("Villains defeated: %(defeated)s. Stones Thanos did not get: %(stones)s."),
)
