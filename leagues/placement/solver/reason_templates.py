"""The English sentence for each reason of a plan. Ids of people, nights, slots and tables become names.

The `_` around them marks them for translation; the translations are in the site's catalogues.
"""


def _(text: str) -> str:
    return text


TEMPLATES = {
    # Why a table has no slot
    "why.no-slots": _("There is no night yet on which it could be played."),
    "why.window": _("No slot lies within the time of round %(round)s."),
    "why.away": _(
        "There is no slot to which all can come. Missing most often: %(person)s (%(missing)s of %(slots)s slots)."
    ),
    "why.busy": _("In the slots to which all could come, somebody plays in another league."),
    "why.full": _("Slots to which all can come: %(together)s. Every board is taken there."),
    "why.playing": _(
        "Slots to which all can come: %(together)s. Somebody at the table already plays then, or often enough that "
        "night."
    ),
    "why.crowded": _(
        "Slots to which all can come: %(together)s. In %(playing)s of them somebody plays already, in the others every "
        "board is taken."
    ),
    # The smallest change that would help
    "change.longer": _("A longer search would find it a place."),
    "change.availability": _("It could be placed if %(person)s could come on %(night)s."),
    "change.board": _("It could be placed with one more board: %(slot)s."),
    "change.unlock": _("It could be placed if %(table)s were not locked."),
    "change.window": _("It could be placed if round %(round)s had more time."),
    "change.slot": _("It could be placed with one more slot at the end of %(night)s."),
    "change.night": _("It could be placed on one more night like %(night)s, if all at the table can come."),
}
