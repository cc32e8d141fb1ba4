"""Reasons in the reader's language, with names for entrants."""

from collections import Counter
from collections.abc import Iterable, Mapping
from fractions import Fraction
from typing import Any

from django.utils.formats import get_format
from django.utils.translation import gettext, pgettext

from leagues.formats.errors import FormatError
from leagues.formats.reasons import TEMPLATES, Param, Reason, from_json, rounded, word
from leagues.formats.tiebreaks.registry import PARTS
from leagues.models import Entrant, Stage


def entrant_names(stage: Stage) -> dict[int, str]:
    """The names of the entrants of a stage's division; one query."""
    return entrant_names_in_division(stage.division_id)


def entrant_names_in_division(division_id: int) -> dict[int, str]:
    return {each.pk: each.name for each in Entrant.objects.named().filter(division_id=division_id)}


def unique_names(entrants: Iterable[Entrant]) -> dict[int, str]:
    """Names that are unique in a list: players of the same name get their handle added, guests their seed."""
    listed = list(entrants)
    shared = Counter(each.name for each in listed)
    return {each.pk: each.name if shared[each.name] == 1 else f"{each.name} ({_mark(each)})" for each in listed}


def _mark(entrant: Entrant) -> str:
    if entrant.user is not None and not entrant.user.is_guest:
        return f"@{entrant.user.handle}"
    return gettext("seed %(seed)s") % {"seed": entrant.seed or "–"}


def render_reason(why: Mapping[str, Any] | Reason | None, called: Mapping[int, str], division: str = "") -> str:
    """The sentence for a reason, stored or as a value; empty for None.

    `division` is the name of the division that an entrant comes from.
    """
    if why is None:
        return ""
    known = why if isinstance(why, Reason) else from_json(why)

    def name(entrant: int) -> str:
        return called.get(entrant) or gettext("somebody")

    def text(key: str, value: Param) -> str:
        if key == "part":
            return tie_break_title(str(value))
        return format_fraction(value) if isinstance(value, Fraction) else word(key, value, name)

    params = {key: text(key, value) for key, value in known.params}
    if "old" in params:
        named = gettext("“%(division)s”") % {"division": division}
        params["old"] = named if division else gettext("division %(level)s") % {"level": known["old"]}
    return gettext(TEMPLATES[known.code]) % params


def tie_break_title(code: str) -> str:
    """The name of a tie-break in "decided by ..."."""
    return gettext(PARTS[code].title)


def tie_break_short(code: str) -> str:
    """The heading of a tie-break's column."""
    return pgettext("tie-break", PARTS[code].short)


def format_fraction(value: Fraction) -> str:
    """A number in the reader's language: its decimal separator, and a real minus sign."""
    return rounded(value).replace(".", get_format("DECIMAL_SEPARATOR")).replace("-", "−")


def render_format_error(error: FormatError, called: Mapping[int, str]) -> str:
    return render_reason(error.reason, called)
