"""Why: a code and its parameters, and the English sentence for each code.

A `Reason` is data, so that it can be stored, compared and said in any language. The site translates a template
through its catalogues and puts in names for entrant numbers; `say` does the same in English.
"""

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from leagues.formats.wording import ERRORS, TITLES, WORDS

Param = int | str | Fraction
TEMPLATES: Mapping[str, str] = {**WORDS, **ERRORS}
NAMES = {code: frozenset(re.findall(r"%\((\w+)\)s", text)) for code, text in TEMPLATES.items()}


ENTRANTS = frozenset({"entrant", "opponent", "solo", "winner", "loser", "challenger", "target"})
"""Parameters that are an entrant's number and shown as a name."""


@dataclass(frozen=True, slots=True)
class Reason:
    code: str
    params: tuple[tuple[str, Param], ...] = ()

    def __getitem__(self, name: str) -> Param:
        return dict(self.params)[name]


def reason(code: str, **params: Param) -> Reason:
    """A reason whose parameters are exactly those its sentence needs; anything else is a bug."""
    if NAMES[code] != params.keys():
        raise KeyError(f"{code} takes {sorted(NAMES[code])}, not {sorted(params)}")
    return Reason(code, tuple(params.items()))


def told(why: Reason) -> dict[str, Any]:
    """The reason as JSON-able values; a fraction becomes a list of two."""
    params = {
        key: [value.numerator, value.denominator] if isinstance(value, Fraction) else value for key, value in why.params
    }
    return {"code": why.code, "params": params}


def heard(data: Mapping[str, Any]) -> Reason:
    """The reason that `told` told; what its sentence needs no more is left out."""
    kept = {key: value for key, value in data["params"].items() if key in NAMES[data["code"]]}
    params = {key: Fraction(*value) if isinstance(value, list) else value for key, value in kept.items()}
    return reason(data["code"], **params)


def say(why: Reason, name: Callable[[int], str] = "no. {}".format, templates: Mapping[str, str] = TEMPLATES) -> str:
    """The sentence, with `name` telling what an entrant is called."""
    return templates[why.code] % {key: word(key, value, name) for key, value in why.params}


def word(key: str, value: Param, name: Callable[[int], str]) -> str:
    if isinstance(value, int) and key in ENTRANTS:
        return name(value)
    if key == "part":
        return TITLES[str(value)]
    if key == "old":
        return f"division {value}"
    return rounded(value) if isinstance(value, Fraction) else str(value)


def rounded(value: Fraction) -> str:
    """For reading only: whole as it is, otherwise to two decimals, a half away from zero."""
    if value.denominator == 1:
        return str(value.numerator)
    hundredths = int(abs(value) * 100 + Fraction(1, 2))
    return f"{'-' if value < 0 else ''}{hundredths // 100}.{hundredths % 100:02d}"
