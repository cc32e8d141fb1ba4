"""The rules of Thanos Rising as they are played here, in words of ours."""

from django.utils.translation import gettext_lazy as _

from games.catalogue.rulebooks.contents import Rulebook, Ruling, Step

TURN = (
    Step(
        ("card hawkeye", "card mantis", "card outrider-a"),
        _("Deploy your team to a sector. Its three cards are those you can work on in this turn."),
    ),
    Step(
        ("stone-die red", "thanos-die rotate-cw"),
        _(
            "Two dice for Thanos: a stone gains a counter, and he turns, wakes villains or rolls for one more stone. "
            "Then he strikes the heroes of the sector he faces, and its villains act."
        ),
    ),
    Step(
        ("die red battle", "die red mystic", "die red double-battle"),
        _(
            "Roll your power dice. Of each roll put at least one die on a card that lacks its symbol, and all on the "
            "same card; if none fits, forfeit one. Roll the rest again."
        ),
    ),
    Step(
        ("card hawkeye", "coin battle"),
        _(
            "A hero with all symbols joins your team. A villain with all symbols takes 1 damage, and that brings you "
            "a bonus token."
        ),
    ),
    Step(
        ("gem red", "gem blue", "gem purple"),
        _(
            "At the end cards with damage on every space are out, and Thanos takes each stone with five counters or "
            "more."
        ),
    ),
)

RULINGS = (
    Ruling(
        _(
            "On the villain face the villains of the other sectors act first, clockwise from Thanos; then he "
            "strikes. No villain acts twice by it."
        ),
        _("The die comes before the attack, and no villain is in both groups."),
    ),
    Ruling(
        _("Until the end of the turn a hero with damage on every space can still be healed or recruited."),
        _("Who is defeated is looked at only when the turn ends."),
    ),
    Ruling(
        _("Damage never goes beyond a card’s spaces."),
        _("There is no place for more, so a full hero cannot be picked for damage."),
    ),
    Ruling(
        _(
            "A die is forfeited only when none fits a card of the sector. Paying for an ability of your own hero "
            "is always possible instead."
        ),
        _("Every roll costs a die, but a useful one before a wasted one."),
    ),
    Ruling(
        _("Both symbols of a double face go to the same card; what it does not lack is lost."),
        _("A die lies on one card."),
    ),
    Ruling(
        _("Dice put at most 1 damage on a villain in a turn. Abilities may add more, and each damage brings a token."),
        _("The published answers of the game say so."),
    ),
    Ruling(
        _(
            "A bonus token with a symbol does not replace the die that each roll must give, and goes to cards of the "
            "sector only."
        ),
        _("A token helps dice; it does not save them."),
    ),
    Ruling(
        _("Heroes and tokens gained in a turn are of no use before the next."),
        _("They arrive when the turn is already ending, also those that abilities bring."),
    ),
    Ruling(
        _("Used tokens, and those looked at but not kept, are shuffled into a new supply when the old one is empty."),
        _("The published answers of the game say so."),
    ),
    Ruling(
        _(
            "A counter may still be taken off a stone with five before the turn ends. A stone’s power works from "
            "the next turn on, each time it is rolled."
        ),
        _("Stones are collected at the end of a turn and not before."),
    ),
    Ruling(
        _(
            "The power of the red stone stops abilities and tokens that heal, for this turn; a recruit still leaves "
            "the damage behind."
        ),
        _("Recruiting always clears damage; the stone speaks of removing it."),
    ),
    Ruling(
        _("An ability turns a die or rolls it again only before any die of that roll is put on a card or forfeited."),
        _("Dice that were put somewhere stay as they are."),
    ),
    Ruling(
        _("An extra die comes only if the box still has one of that colour."),
        _("The published answers of the game say so."),
    ),
    Ruling(
        _("When the deck is empty, gaps in the sectors stay empty and the match goes on."),
        _("The published answers of the game say so."),
    ),
    Ruling(
        _("A turn that both wins and loses is won."),
        _("The rules give the heroes the benefit."),
    ),
)

EXAMPLE = (
    Step(
        ("card hawkeye",),
        _(
            "Your base is {base}: four red dice. You deploy to the sector of {hawkeye}, who asks for three battle "
            "symbols."
        ),
    ),
    Step(
        ("die red battle", "die red battle", "die red mystic", "die red technology"),
        _(
            "First roll: two battle, a mystic, a technology. Both battle dice go to {hawkeye}; one symbol is still "
            "missing."
        ),
    ),
    Step(
        ("die red technology", "die red cosmic", "card outrider-a"),
        _(
            "Second roll: technology and cosmic. Neither helps {hawkeye}, so technology goes to {outrider}, who is in"
            " the sector too: no die has to be forfeited."
        ),
    ),
    Step(
        ("die red double-battle", "card hawkeye"),
        _("Third roll, one die: a double battle. {hawkeye} lacks one symbol; the second is lost."),
    ),
    Step(
        ("card hawkeye",),
        _(
            "All three are there: {hawkeye} joins your team without damage and can be used from your next turn on. "
            "What lies on {outrider} is gone."
        ),
    ),
)

RULEBOOK = Rulebook(
    turn=TURN,
    rulings=RULINGS,
    example=EXAMPLE,
    named={"hawkeye": "hawkeye", "base": "avengers-compound", "outrider": "outrider-a"},
)
