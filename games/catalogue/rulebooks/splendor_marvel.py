"""The rules of Splendor: Marvel as they are played here, in words of ours."""

from django.utils.translation import gettext_lazy as _

from games.catalogue.rulebooks.contents import Rulebook, Ruling, Step, Symbol
from games.catalogue.splendor_marvel import TERMS

COLOUR = _("One of the five colours: pays for cards, and as a bonus saves one token of its colour on every later card.")

TURN = (
    Step(("token yellow", "token blue", "token red"), _("Take three tokens of different colours; or …")),
    Step(
        ("token purple", "token purple"), _("… take two of one colour, if at least four of it lie in the supply; or …")
    ),
    Step(
        ("back 2", "token grey"),
        _("… reserve a card, open or unseen from a deck, and gain a grey token while there is one; or …"),
    ),
    Step(
        ("card 1-2",),
        _("… recruit a card of the market or of your reserve. Pay what its lower edge shows, less your bonuses."),
    ),
    Step(
        ("token green", "tag", "place 1a"),
        _(
            "Then the turn ends: the Time Stone with your first level 3 card, the Avengers tile, tokens above ten "
            "back, one location if your bonuses meet it."
        ),
    ),
)

SYMBOLS = (
    *(Symbol(f"token {colour}", TERMS[colour], COLOUR) for colour in ("yellow", "blue", "purple", "red", "orange")),
    Symbol(
        "card 3-1",
        _("Corners of a card"),
        _("Top left points, Avengers tags and the Time Stone; top right the bonus it gives; below its cost."),
    ),
    Symbol("token grey", _("Grey token"), _("Stands in for any colour. It comes with a reservation.")),
    Symbol(
        "token green",
        _("Time Stone"),
        _("Comes with your first level 3 card. It pays for nothing and is never returned, but the gauntlet needs it."),
    ),
    Symbol(
        "tag",
        _("Avengers tag"),
        _(
            "The first team with three or more takes the Avengers Assemble tile, 3 points. It moves to a team with "
            "more tags."
        ),
    ),
)

RULINGS = (
    Ruling(
        _("With three or more colours in the supply exactly three different tokens are taken, or two alike."),
        _("Taking fewer is allowed only where there are fewer colours."),
    ),
    Ruling(
        _("A card reserved face up stays known to all; one from a deck is known to its owner alone."),
        _("Everybody saw the first, and nobody the second."),
    ),
    Ruling(
        _("Coloured tokens are spent before grey ones. You are asked only if you could do otherwise."),
        _("It is what nearly everybody wants, and the choice stays yours."),
    ),
    Ruling(
        _("The Avengers Assemble tile moves right after a recruit, before locations and the end are looked at."),
        _("Its points can decide whether somebody has enough."),
    ),
    Ruling(
        _("The end is tested only when a round is complete."),
        _(
            "So all have had the same number of turns, and a team that loses the tile in between has not ended "
            "the match."
        ),
    ),
    Ruling(
        _(
            "Whoever can act must act, also by recruiting a hidden reserved card. Only a player who can do "
            "nothing passes."
        ),
        _("A pass would otherwise be a move that the rules do not have."),
    ),
    Ruling(
        _(
            "When all pass in one round, when no card and no location is left to gain, or when nobody recruits for 15 "
            "rounds, the match is over and the points decide."
        ),
        _("Otherwise two players could take and return tokens for ever. The number is an option of the table."),
    ),
    Ruling(
        _("A card cannot be reserved and recruited in the same turn."),
        _("A turn is one action."),
    ),
)

EXAMPLE = (
    Step(("card 1-2",), _("You have recruited {rocket}: a yellow bonus.")),
    Step(
        ("card 1-9", "token yellow", "token grey"),
        _("You want {knight}, which costs 3 yellow, and hold 1 yellow and 1 grey token."),
    ),
    Step(
        ("card 1-2", "token yellow", "token grey"),
        _(
            "The bonus covers one, the yellow token the second, and the grey one stands in for the third. Both tokens"
            " return to the supply."
        ),
    ),
    Step(
        ("card 1-9",),
        _("{knight} now lies before you and is a blue bonus. A new card of level 1 fills the gap in the market."),
    ),
    Step(
        ("place 1a",),
        _("If your bonuses met a location now, it would be yours for 3 points. Tokens never count for that."),
    ),
)

RULEBOOK = Rulebook(
    turn=TURN,
    symbols=SYMBOLS,
    rulings=RULINGS,
    example=EXAMPLE,
    named={"rocket": "1-2", "knight": "1-9"},
)
