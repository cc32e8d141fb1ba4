"""The rules of Infinity Gauntlet as they are played here, in words of ours."""

from django.utils.translation import gettext_lazy as _

from games.catalogue.rulebooks.contents import Rulebook, Ruling, Step, Symbol

TURN = (
    Step(("back thanos", "back heroes"), _("Draw a card from your deck. Thanos now holds three cards, a hero two.")),
    Step(
        ("card captain-america", "card vision"),
        _("Choose one card of your hand and play it faceup. What you keep stays secret."),
    ),
    Step(("clash", "power", "eye"), _("Do what it says: guess a number, look at a card, fight, or take power tokens.")),
    Step(
        ("heart",),
        _(
            "A defeated card costs its team 1 life. It goes faceup and its owner draws another; stones and the card "
            "{thanos} go back into the deck after that."
        ),
    ),
    Step(
        ("gauntlet mind-stone,soul-stone,power-stone",),
        _(
            "Stones that Thanos has played stay before him. With all six, on the table or in his hand, he may snap "
            "in his turn, and wins."
        ),
    ),
)

SYMBOLS = (
    Symbol("heart", _("Life"), _("What a team has left. A team without life has lost.")),
    Symbol(
        "power",
        _("Power token"),
        _(
            "Counts 2 more in a fight. Whoever has one must spend exactly one in every fight. The supply never runs "
            "out."
        ),
    ),
    Symbol(
        "clash", _("Fight"), _("Two cards are compared in secret: the lower one is defeated, and a tie defeats none.")
    ),
    Symbol("eye", _("A card you have seen"), _("The table remembers it for you as long as it is certainly there.")),
    Symbol(
        "gauntlet mind-stone,soul-stone,space-stone,power-stone,reality-stone,time-stone",
        _("The gauntlet"),
        _("Lit stones lie faceup before Thanos. Six of them, those in his hand included, let him snap."),
    ),
)

RULINGS = (
    Ruling(
        _("Heroes guess from 1 to 7, Thanos from 1 to 6."),
        _("Those are the numbers in the other side’s deck, and no number is excluded."),
    ),
    Ruling(
        _(
            "After a right guess Thanos says which card falls, even if he holds only one of that number, unless "
            "everybody knows that it can be only one."
        ),
        _("Being asked must not reveal that he holds two of that number."),
    ),
    Ruling(
        _(
            "Thanos may snap at any question of his own turn, except while he puts cards under his deck, and once "
            "more when his card is done. It is never automatic."
        ),
        _(
            "The English and the Italian rules say that he can; the Polish ones read as if it happened by itself. "
            "We follow the two."
        ),
    ),
    Ruling(
        _("The card {thanos} is never played. If Thanos holds nothing else, he passes."),
        _("Nothing else is possible, and at a real table everybody would see it too."),
    ),
    Ruling(
        _(
            "A hero card 5 with fewer than three cards left: they are taken, all faceup hero cards, the 5 too, are "
            "shuffled into a new deck, and more are taken from it until there are three. With exactly three left "
            "nothing is shuffled."
        ),
        _("So the card always shows three, and a deck that suffices is left alone."),
    ),
    Ruling(
        _(
            "{mind_stone}: all matching cards fall first, 1 life each, until no life is left; then the heroes "
            "redraw in play order."
        ),
        _("The match ends the moment a team has no life left."),
    ),
    Ruling(
        _(
            "{space_stone}: the second fight is against another hero, with two players against the same one. The "
            "first fight is over before it, new cards drawn."
        ),
        _("Without the first fight there is no second: it follows from it."),
    ),
    Ruling(
        _("{time_stone}: copies any other faceup card of Thanos, played or defeated. With none there it does nothing."),
        _("The card speaks of cards in front of him, and both kinds lie there. What was optional stays optional."),
    ),
    Ruling(
        _("A card that returns to an empty deck becomes the deck and is not drawn at once."),
        _("The redraw comes before the shuffle, so that nobody draws back what has just fallen."),
    ),
    Ruling(
        _("Against an empty hand guesses, looks and fights do nothing."),
        _("There is no card to which it could happen."),
    ),
    Ruling(
        _("A hero sent to fight by a card 6 decides alone, and fights with their own card and tokens."),
        _("The card gives that player the chance, not the order."),
    ),
    Ruling(
        _("Nobody learns what a team-mate has seen."),
        _("Players may not tell each other about cards they have seen, so the table does not either."),
    ),
)

EXAMPLE = (
    Step(("card iron-man", "card hulk", "power"), _("A hero holds {iron_man}, draws {hulk} and has one power token.")),
    Step(
        ("card hulk", "clash"),
        _(
            "The hero plays {hulk}, which allows a fight, and says yes. The card that fights is the one kept in hand:"
            " {iron_man}, number 6."
        ),
    ),
    Step(
        ("back thanos", "card thanos"),
        _("Thanos holds the cards {time_stone} and {thanos}. Chance picks the card {thanos}, number 7."),
    ),
    Step(
        ("card iron-man", "power", "card thanos"),
        _("The token must be spent: 6 + 2 = 8 against 7. The card {thanos} is defeated and costs its owner 1 life."),
    ),
    Step(
        ("back thanos",),
        _(
            "Thanos draws a new card first. Then the card {thanos} is shuffled back into his deck, as always when it "
            "falls."
        ),
    ),
    Step(
        ("card iron-man",),
        _(
            "Without the token it would have been 6 against 7: {iron_man} would have fallen and the heroes would have"
            " lost 1 life."
        ),
    ),
)

RULEBOOK = Rulebook(
    turn=TURN,
    symbols=SYMBOLS,
    rulings=RULINGS,
    example=EXAMPLE,
    named={
        "hulk": "hulk",
        "iron_man": "iron-man",
        "thanos": "thanos",
        "time_stone": "time-stone",
        "mind_stone": "mind-stone",
        "space_stone": "space-stone",
    },
)
