"""Infinity Gauntlet: a hero gains power, learns a card of Thanos and names it, and fights him."""

from django.utils.translation import gettext_lazy as _

from games.catalogue.tutorials.contents import Say, Step, Tutorial

STEPS = (
    Step(
        _("Play {falcon}."),
        ("play falcon",),
        says=(
            Say(_("You are a hero. You and the other hero play together against Thanos."), "[data-must=others]"),
            Say(
                _("This is your team’s life, and Thanos has his own. A team without life has lost."),
                "[data-must=team] .life, .thanos .life",
            ),
            Say(
                _("A turn is short: draw a card, play one of your two, keep the other. You have drawn already."),
                "[data-must=own]",
            ),
        ),
    ),
    Step(
        _("Take the power token yourself."),
        ("power 1",),
        says=(
            Say(_("{falcon} is a 4: a hero gets a power token. It counts 2 more in a fight."), "[data-must=question]"),
        ),
        then=((2, "play black-widow"), (0, "play proxima-midnight")),
    ),
    Step(
        _("Play {nebula}, a 1."),
        ("play nebula",),
        says=(
            Say(
                _("Your partner played {widow}, a 2, so you saw a card of Thanos. The table remembers it for you."),
                ".thanos .hidden-hand",
            ),
            Say(
                _("It is {outrider}, a 1. A hero card 1 names a number: if Thanos holds it, that card is defeated."),
                ".thanos .hidden-hand",
            ),
        ),
    ),
    Step(
        _("Name the 1."),
        ("guess 1",),
        says=(
            Say(
                _("The dots under a number count the cards that you have not seen. The eye marks what you know."),
                "[data-move^=guess]",
            ),
        ),
        then=(
            (0, "lose outrider"),
            (2, "play scarlet-witch"),
            (2, "top hulk"),
            (2, "next iron-man"),
            (0, "play power-stone"),
        ),
    ),
    Step(
        _("Play {hulk}, a 3."),
        ("play hulk",),
        says=(
            Say(_("Right: {outrider} is defeated, and Thanos has lost 1 life."), ".thanos .life"),
            Say(
                _(
                    "Thanos gathers stones: those he plays stay in the gauntlet. With all six, there or in his hand, "
                    "he may snap and wins."
                ),
                ".thanos .glory",
            ),
            Say(
                _("Your partner looked at the hero deck with {witch} and put {hulk} on top for you."),
                "[data-must=own]",
            ),
        ),
    ),
    Step(
        _("Fight."),
        ("fight",),
        says=(
            Say(
                _("A 3 may fight: your {marvel}, a 6, against a random card of Thanos. The lower number is defeated."),
                "[data-must=question]",
            ),
            Say(
                _("Whoever has a power token spends one in every fight: 2 more for you, and 2 more for him."),
                "[data-must=question]",
            ),
        ),
    ),
)

TUTORIAL = Tutorial(
    seed="tutorial 474",
    players=3,
    seat=1,
    first=((0, "play space-stone"), (0, "hold")),
    steps=STEPS,
    ending=_("You know the game: draw, play one of two cards, and take all his life before he has six stones."),
    named={
        "falcon": "falcon",
        "nebula": "nebula",
        "widow": "black-widow",
        "outrider": "outrider",
        "witch": "scarlet-witch",
        "hulk": "hulk",
        "marvel": "captain-marvel",
    },
)
