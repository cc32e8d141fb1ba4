"""Splendor: Marvel: tokens, a first card, a reservation, and a second card that bonus and grey token make cheaper."""

from django.utils.translation import gettext_lazy as _

from games.catalogue.tutorials.contents import Say, Step, Tutorial

STEPS = (
    Step(
        _("Take two orange tokens."),
        ("take orange", "take orange"),
        says=(
            Say(_("These are cards to recruit. The lower edge of a card shows what it costs."), "[data-must=board]"),
            Say(
                _("A turn is one action. With tokens you save up: two of one colour, if at least four lie there …"),
                "[data-must=supply]",
            ),
        ),
        then=((1, "take yellow"), (1, "take purple"), (1, "take red")),
    ),
    Step(
        _("Take a blue, a purple and an orange token."),
        ("take blue", "take purple", "take orange"),
        says=(Say(_("… or three of different colours, as your opponent just did."), "[data-must=supply]"),),
        then=((1, "take yellow"), (1, "take purple"), (1, "take blue")),
    ),
    Step(
        _("Touch {quake} and recruit it."),
        ("recruit 1-31",),
        says=(
            Say(
                _("{quake} costs 1 blue, 1 purple and 3 orange: you have just that."),
                "[data-card='1-31']",
            ),
        ),
        then=((1, "recruit 1-35"),),
    ),
    Step(
        _("Touch {machine} and reserve it."),
        ("reserve 2-7",),
        says=(
            Say(
                _("{quake} stays with you as a red bonus: every card that asks for red is cheaper by one now."),
                "[data-must=own] .columns",
            ),
            Say(
                _("You may reserve a card for later. It brings a grey token, which stands in for any colour."),
                "[data-card='2-7']",
            ),
        ),
        then=((1, "take yellow"), (1, "take red"), (1, "take purple")),
    ),
    Step(
        _("Take a blue, a red and an orange token."),
        ("take blue", "take red", "take orange"),
        says=(
            Say(
                _("{soldier} costs 2 blue, 2 red and 1 orange. The bonus pays a red, the grey token a blue."),
                "[data-card='1-23']",
            ),
        ),
        then=((1, "take yellow"), (1, "take red"), (1, "take blue")),
    ),
    Step(
        _("Recruit {soldier}."),
        ("recruit 1-23",),
        says=(
            Say(
                _("Some cards have Avengers tags. The first team with three or more gets this tile, worth 3 points."),
                "[data-tile]",
            ),
        ),
        then=((1, "reserve 2-25"),),
    ),
    Step(
        _("Take a yellow, a purple and an orange token."),
        ("take yellow", "take purple", "take orange"),
        says=(
            Say(
                _("A location is yours for 3 points as soon as your bonuses fill it. Tokens do not count there."),
                "[data-place]",
            ),
            Say(
                _("To end the match: 16 points, a bonus of each colour, and the Time Stone of a level 3 card."),
                "[data-must=own] .score",
            ),
        ),
    ),
)

TUTORIAL = Tutorial(
    seed="tutorial 65",
    players=2,
    seat=0,
    steps=STEPS,
    ending=_("You know the game: save up, recruit, and let every card make the next one cheaper."),
    named={"quake": "1-31", "machine": "2-7", "soldier": "1-23"},
)
