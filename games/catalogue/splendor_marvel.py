"""What the site knows of Splendor: Marvel beyond its rules."""

from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from games.catalogue.spec import GameSpec, OptionLabel

TERMS = {
    "yellow": pgettext_lazy("token", "yellow"),
    "blue": pgettext_lazy("token", "blue"),
    "purple": pgettext_lazy("token", "purple"),
    "red": pgettext_lazy("token", "red"),
    "orange": pgettext_lazy("token", "orange"),
    "green": pgettext_lazy("token", "green"),
    "grey": pgettext_lazy("token", "grey"),
    "take": pgettext_lazy("move", "Take"),
    "recruit": pgettext_lazy("move", "Recruit"),
    "recruit {card}": pgettext_lazy("move", "Recruit {card}"),
    "reserve": pgettext_lazy("move", "Reserve"),
    "reserve {card}": pgettext_lazy("move", "Reserve {card}"),
    "deck": pgettext_lazy("move", "from deck"),
    "pay": pgettext_lazy("move", "Pay"),
    "for": pgettext_lazy("move", "for"),
    "return": pgettext_lazy("move", "Return"),
    "location": pgettext_lazy("move", "Location"),
    "gauntlet": pgettext_lazy(
        "ending", "The Infinity Gauntlet was assembled. Only players who have assembled it can win."
    ),
    "stalemate": pgettext_lazy("ending", "Nothing could change any more: the points decided."),
    "no-recruits": pgettext_lazy("ending", "Nobody recruited for too many rounds: the points decided."),
    "ui-letter-yellow": pgettext_lazy("letter of yellow", "Y"),
    "ui-letter-blue": pgettext_lazy("letter of blue", "B"),
    "ui-letter-purple": pgettext_lazy("letter of purple", "P"),
    "ui-letter-red": pgettext_lazy("letter of red", "R"),
    "ui-letter-orange": pgettext_lazy("letter of orange", "O"),
    "ui-question": pgettext_lazy("Splendor table", "What is asked"),
    "ui-market": pgettext_lazy("Splendor table", "Market"),
    "ui-supply": pgettext_lazy("Splendor table", "Supply"),
    "ui-locations": pgettext_lazy("Splendor table", "Locations"),
    "ui-no-locations": pgettext_lazy("Splendor table", "All are taken."),
    "ui-others": pgettext_lazy("Splendor table", "Other teams"),
    "ui-yours": pgettext_lazy("Splendor table", "Yours:"),
    "ui-bonuses": pgettext_lazy("Splendor table", "Bonuses"),
    "ui-tokens": pgettext_lazy("Splendor table", "Tokens"),
    "ui-reserved": pgettext_lazy("Splendor table", "Reserved"),
    "ui-none-reserved": pgettext_lazy("Splendor table", "No card yet."),
    "ui-only-you": pgettext_lazy("Splendor table", "only you see it"),
    "ui-hidden-card": pgettext_lazy("Splendor table", "Reserved card, level {level}, hidden"),
    "ui-level": pgettext_lazy("Splendor table", "Level {level}"),
    "ui-deck": pgettext_lazy("Splendor table", "Deck of level {level}, cards left: {count}"),
    "ui-empty": pgettext_lazy("Splendor table", "Empty place"),
    "ui-points": pgettext_lazy("Splendor table", "points: {count}"),
    "ui-gives": pgettext_lazy("Splendor table", "gives: {colour}"),
    "ui-costs": pgettext_lazy("Splendor table", "costs: {cost}"),
    "ui-covered": pgettext_lazy("Splendor table", "{cost} (covered by your bonuses)"),
    "ui-needs": pgettext_lazy("Splendor table", "needs bonuses: {cost}"),
    "ui-tags": pgettext_lazy("Splendor table", "Avengers tags: {count}"),
    "ui-time-stone": pgettext_lazy("Splendor table", "Time Stone"),
    "ui-can-reserve": pgettext_lazy("Splendor table", "can be reserved"),
    "ui-reserve-top": pgettext_lazy("Splendor table", "Reserve the top card"),
    "ui-tile": pgettext_lazy("Splendor table", "Avengers Assemble"),
    "ui-tile-free": pgettext_lazy("Splendor table", "For the first with three tags"),
    "ui-tile-held": pgettext_lazy("Splendor table", "{name}, tags: {count}"),
    "ui-gauntlet": pgettext_lazy("Splendor table", "Infinity Gauntlet"),
    "ui-points-of": pgettext_lazy("Splendor table", "points: {points} of {goal}"),
    "ui-missing": pgettext_lazy("Splendor table", "still missing: {stones}"),
    "ui-all-stones": pgettext_lazy("Splendor table", "all six stones"),
    "ui-assembled": pgettext_lazy("Splendor table", "Gauntlet ready"),
    "ui-acts": pgettext_lazy("Splendor table", "choosing"),
    "ui-winner": pgettext_lazy("Splendor table", "winner"),
    "ui-supply-of": pgettext_lazy("Splendor table", "{token}, in the supply: {count}"),
    "ui-you-have": pgettext_lazy("Splendor table", "{token}, you have: {count}"),
    "ui-taken": pgettext_lazy("Splendor table", "Taken"),
    "ui-pay": pgettext_lazy("Splendor table", "Pay"),
    "ui-grey-for": pgettext_lazy("Splendor table", "Grey in place of {colour}"),
    "ui-undo": pgettext_lazy("Splendor table", "Undo"),
    "ui-over": pgettext_lazy("Splendor table", "The match is over."),
    "ui-wait": pgettext_lazy("Splendor table", "{name} is choosing."),
    "ui-ask-choose": pgettext_lazy("Splendor table", "Take tokens or pick a card"),
    "ui-ask-take": pgettext_lazy("Splendor table", "Take the next token"),
    "ui-ask-pay": pgettext_lazy("Splendor table", "{card}: pay, or let a grey token stand in for a colour?"),
    "ui-ask-return": pgettext_lazy("Splendor table", "You hold {count} tokens and may keep 10: give one back"),
    "ui-ask-location": pgettext_lazy("Splendor table", "You have earned more than one location: choose"),
    "ui-ask-pass": pgettext_lazy("Splendor table", "Nothing is left to take, reserve or recruit: you pass"),
    "ui-stalling": pgettext_lazy(
        "Splendor table", "Rounds without a recruit: {count}. At {limit} the match ends and the points decide."
    ),
}

OPTIONS = {
    "points": OptionLabel(_("Infinity Points to win"), _("How many the Infinity Gauntlet asks for; usually 16.")),
    "stall_rounds": OptionLabel(
        _("Rounds without a recruit that end the match"),
        _("Then the points decide, as in any match. Usually 15: normal play never comes near it."),
    ),
}

SPEC = GameSpec(
    name="splendor-marvel",
    terms=TERMS,
    options=OPTIONS,
    sentence=_("Recruit heroes, collect points and fill the gauntlet."),
    minutes=25,
)
