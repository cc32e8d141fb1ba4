"""Warnings and costs of a draw in the organiser's language."""

from collections.abc import Callable, Mapping
from fractions import Fraction

from django.utils.translation import gettext as _

from leagues.core.reason_text import format_fraction
from leagues.formats.hand import Concern, DrawCost, DrawWarning
from leagues.formats.values import POINT


def warning_words(warning: DrawWarning, names: Mapping[int, str]) -> str:
    called = [names.get(who, "") for who in warning.entrants]
    known = {"one": called[0], "other": called[-1], "count": warning.amount}
    match warning.concern:
        case Concern.APART:
            return _("%(one)s and %(other)s should be kept apart.") % known
        case Concern.REPEAT:
            return _("%(one)s and %(other)s meet again (meeting no. %(count)s).") % known
        case Concern.SEAT:
            return _("%(one)s has the same seat again (%(count)s times in all).") % known
        case Concern.FAR:
            known["count"] = points_words(warning.amount)
            return _("%(one)s and %(other)s are far apart in score (%(count)s points).") % known
        case Concern.BYE:
            return _("%(one)s sits out a second time.") % known


def points_words(units: int) -> str:
    return format_fraction(Fraction(units, POINT))


def cost_rows(now: DrawCost, machine: DrawCost) -> list[dict[str, object]]:
    """Each number of the cost beside the machine's, the most important first."""
    parts: tuple[tuple[str, int, int, Callable[[int], str]], ...] = (
        (_("Pairs not kept apart"), now.apart, machine.apart, str),
        (_("Second byes"), now.byes, machine.byes, str),
        (_("Meetings again"), now.repeats, machine.repeats, str),
        (_("Distance in score"), now.distance, machine.distance, points_words),
        (_("Same seat again"), now.seats, machine.seats, str),
    )
    return [
        {"title": title, "now": words(mine), "machine": words(theirs), "worse": mine > theirs, "better": mine < theirs}
        for title, mine, theirs, words in parts
    ]


def verdict_words(now: DrawCost, machine: DrawCost) -> str:
    if now == machine:
        return _("As good as the machine’s draw.")
    return _("Better than the machine’s draw.") if now < machine else _("Worse than the machine’s draw.")
