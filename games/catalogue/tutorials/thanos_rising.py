"""Thanos Rising: a turn that recruits a hero, the partner's turn, and a turn that strikes a villain."""

from django.utils.translation import gettext_lazy as _

from games.catalogue.tutorials.contents import Say, Step, Tutorial

HAWKEYE = "[data-card=hawkeye]"
MAW = "[data-card=ebony-maw]"

STEPS = (
    Step(
        _("Deploy to sector 3."),
        ("deploy 3",),
        says=(
            Say(
                _("You and your partner stand together against Thanos. Defeat 7 villains, and both win."),
                "[data-must=standing]",
            ),
            Say(
                _("Each sector has three cards. Choose a sector for this turn: {hawkeye} is easy for your dice."),
                "[data-sector='2']",
            ),
        ),
    ),
    Step(
        _("Put a battle die on {hawkeye}: touch the die, then the card."),
        ("red battle on hawkeye",),
        says=(
            Say(
                _("Thanos came first: a stone got a counter. He takes a stone with 5, and with all six you lose."),
                "[data-must=stones]",
            ),
            Say(
                _("Then he turned to sector 2 and struck. Your team is not there, so it was spared."),
                "[data-sector='1']",
            ),
            Say(_("The villain there acted too: {maw} gave one more stone a counter."), MAW),
            Say(_("Now your dice. {hawkeye} wants three battle symbols, and you rolled them."), HAWKEYE),
        ),
    ),
    Step(
        _("Put a second battle die on {hawkeye}."),
        ("red battle on hawkeye",),
        says=(Say(_("Of each roll put as many dice as you like, but all on one card."), HAWKEYE),),
    ),
    Step(
        _("Roll the other two dice again."),
        ("roll",),
        says=(
            Say(
                _("You could put a third one there. But dice that you keep can be rolled again: let us see that once."),
                "[data-must=question]",
            ),
        ),
    ),
    Step(
        _("Put the die with two battle symbols on {hawkeye}."),
        ("red double-battle on hawkeye",),
        says=(Say(_("Each roll must give one die at least. This one shows its symbol twice."), HAWKEYE),),
    ),
    Step(
        _("Stop: the turn is done."),
        ("stop",),
        says=(
            Say(
                _(
                    "{hawkeye} has all his symbols, and joins your team when the turn ends. The last die completes no "
                    "other card."
                ),
                HAWKEYE,
            ),
        ),
        then=(
            (1, "deploy 3"),
            (1, "red battle on okoye"),
            (1, "roll"),
            (1, "red battle on nebula"),
            (1, "blue cosmic on nebula"),
            (1, "roll"),
            (1, "blue cosmic on nebula"),
        ),
    ),
    Step(
        _("Deploy to sector 2."),
        ("deploy 2",),
        says=(
            Say(_("{hawkeye} is on your team now."), "[data-must=own]"),
            Say(_("Villains are the way to win. {maw} wants one symbol each of three kinds."), MAW),
        ),
    ),
    Step(
        _("Take the blue die."),
        ("take blue",),
        says=(
            Say(
                _("{america} adds a die when another battle hero is on the team. Blue dice show most technology."),
                "[data-must=question]",
            ),
        ),
    ),
    Step(
        _("Put the technology die on {maw}."),
        ("red technology on ebony-maw",),
        says=(
            Say(
                _("{hawkeye} could roll one die again. You need not: there is a technology symbol."),
                "[data-must=own]",
            ),
        ),
    ),
    Step(_("Roll the rest again."), ("roll",)),
    Step(_("Put the mystic die on {maw}."), ("blue mystic on ebony-maw",)),
    Step(_("Roll once more: a cosmic symbol is missing."), ("roll",)),
    Step(_("There it is: put the cosmic die on {maw}."), ("red cosmic on ebony-maw",)),
    Step(
        _("Stop, and see what happens to {maw}."),
        ("stop",),
        says=(
            Say(
                _("A villain with all symbols takes 1 damage, and you draw a bonus token for it."),
                MAW,
            ),
        ),
    ),
)

TUTORIAL = Tutorial(
    seed="tutorial 5",
    players=2,
    seat=0,
    options={"preset": "recruit", "first_player": 1, "bases": "avengers-compound,wakanda"},
    steps=STEPS,
    ending=_("You know the game: recruit, then strike villains. Your bonus token helps on anyone’s turn, from now on."),
    named={"hawkeye": "hawkeye", "maw": "ebony-maw", "america": "captain-america"},
    level="regular",
)
