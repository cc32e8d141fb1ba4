"""Why: a code and its parameters, and the English sentence for each code.

A `Reason` is data, so that it can be stored, compared and shown in any language. The site translates a template and
fills in names for entrant ids; `render` does the same in English.
"""

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from leagues.formats.reason_templates import ERRORS, WORDS

Param = int | str | Fraction
TEMPLATES: dict[str, str] = {}
NAMES: dict[str, frozenset[str]] = {}


def declare(sentences: Mapping[str, str]) -> None:
    """Add reasons by code. Codes are stored in databases, so they never change."""
    for code, text in sentences.items():
        if TEMPLATES.setdefault(code, text) != text:
            raise ValueError(f"there is a reason {code} already")
        NAMES[code] = frozenset(re.findall(r"%\((\w+)\)s", text))


declare(WORDS)
declare(ERRORS)


ENTRANTS = frozenset({"entrant", "opponent", "solo", "winner", "loser", "challenger", "target"})
"""Parameters that are an entrant's id and shown as a name."""


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


def to_json(why: Reason) -> dict[str, Any]:
    """The reason as JSON-able values; a fraction becomes a list of two."""
    params = {
        key: [value.numerator, value.denominator] if isinstance(value, Fraction) else value for key, value in why.params
    }
    return {"code": why.code, "params": params}


def from_json(data: Mapping[str, Any]) -> Reason:
    """The reverse of `to_json`; parameters that the sentence no longer needs are dropped."""
    kept = {key: value for key, value in data["params"].items() if key in NAMES[data["code"]]}
    params = {key: Fraction(*value) if isinstance(value, list) else value for key, value in kept.items()}
    return reason(data["code"], **params)


def render(why: Reason, name: Callable[[int], str] = "no. {}".format, templates: Mapping[str, str] = TEMPLATES) -> str:
    """The sentence; `name` returns the name of an entrant."""
    return templates[why.code] % {key: word(key, value, name) for key, value in why.params}


def word(key: str, value: Param, name: Callable[[int], str]) -> str:
    if isinstance(value, int) and key in ENTRANTS:
        return name(value)
    if key == "part":
        from leagues.formats.tiebreaks.registry import PARTS  # circular: it imports reasons

        return PARTS[str(value)].title
    if key == "old":
        return f"division {value}"
    return rounded(value) if isinstance(value, Fraction) else str(value)


def rounded(value: Fraction) -> str:
    """For display: whole numbers as they are, others to two decimals, half away from zero."""
    if value.denominator == 1:
        return str(value.numerator)
    hundredths = int(abs(value) * 100 + Fraction(1, 2))
    return f"{'-' if value < 0 else ''}{hundredths // 100}.{hundredths % 100:02d}"
