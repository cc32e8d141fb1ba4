"""Reasons in the reader's language, with names for entrants."""

from collections import Counter
from collections.abc import Iterable, Mapping
from fractions import Fraction
from typing import Any

from django.utils.formats import get_format
from django.utils.translation import gettext

from leagues.formats.errors import FormatError
from leagues.formats.reasons import TEMPLATES, Param, Reason, heard, rounded, word
from leagues.formats.wording import TITLES
from leagues.models import Entrant, Stage


def names(stage: Stage) -> dict[int, str]:
    """What the stage's division calls its entrants: one query."""
    return names_in(stage.division_id)


def names_in(division_id: int) -> dict[int, str]:
    return {each.pk: each.name for each in Entrant.objects.named().filter(division_id=division_id)}


def told_apart(entrants: Iterable[Entrant]) -> dict[int, str]:
    """What entrants are called where names stand alone: two of one name are told apart by handle, guests by seed."""
    listed = list(entrants)
    shared = Counter(each.name for each in listed)
    return {each.pk: each.name if shared[each.name] == 1 else f"{each.name} ({_mark(each)})" for each in listed}


def _mark(entrant: Entrant) -> str:
    if entrant.user is not None and not entrant.user.is_guest:
        return f"@{entrant.user.handle}"
    return gettext("seed %(seed)s") % {"seed": entrant.seed or "–"}


def said(why: Mapping[str, Any] | Reason | None, called: Mapping[int, str], division: str = "") -> str:
    """The sentence for a reason, as stored or as the formats give it; nothing for none.

    `division` is what the division that somebody comes from is called.
    """
    if why is None:
        return ""
    known = why if isinstance(why, Reason) else heard(why)

    def name(entrant: int) -> str:
        return called.get(entrant) or gettext("somebody")

    def text(key: str, value: Param) -> str:
        if key == "part":
            return gettext(TITLES[str(value)])
        return written(value) if isinstance(value, Fraction) else word(key, value, name)

    params = {key: text(key, value) for key, value in known.params}
    if "old" in params:
        params["old"] = f"“{division}”" if division else gettext("division %(level)s") % {"level": known["old"]}
    return gettext(TEMPLATES[known.code]) % params


def written(value: Fraction) -> str:
    """A value as the reader's language writes numbers: its decimal separator, and a true minus."""
    return rounded(value).replace(".", get_format("DECIMAL_SEPARATOR")).replace("-", "−")


def trouble(error: FormatError, called: Mapping[int, str]) -> str:
    return said(error.reason, called)
