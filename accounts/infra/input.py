"""What comes from outside, as numbers and text: forms, addresses, topics, messages, JSON and files all read it here.

A number is counted in digits before it is converted: Python refuses more than 4300 of them with an error, and a
database refuses what does not fit a column. NUL and halves of surrogate pairs cannot be stored.
"""

import json
import math
from collections.abc import Iterable
from typing import Any

from django.utils.translation import gettext as _

from accounts.infra.errors import Refused

# Every number of so many digits fits into a column of 64 bits.
MAX_DIGITS = 18
LARGEST = 10**MAX_DIGITS - 1
MAX_JSON_DEPTH = 40


class Unreadable(ValueError):
    """JSON that holds something we do not take. The message is for programs, in English."""


def whole_number(text: object, *, minimum: int = 0, maximum: int = LARGEST) -> int | None:
    """The number that this text writes in plain digits, or None: no sign, no spaces, no other script's digits."""
    if not isinstance(text, str) or not 0 < len(text) <= MAX_DIGITS or not (text.isascii() and text.isdecimal()):
        return None
    number = int(text)
    return number if minimum <= number <= maximum else None


def whole_numbers(texts: Iterable[object]) -> list[int]:
    """Those of the texts that are numbers."""
    return [number for text in texts if (number := whole_number(text)) is not None]


def row_number(text: object) -> int:
    """The id that this text names; 0, which no row has, for anything else."""
    return whole_number(text) or 0


def is_storable(text: str) -> bool:
    """Whether every database can hold this text."""
    return "\0" not in text and (text.isascii() or not any("\ud800" <= letter <= "\udfff" for letter in text))


def require_storable(text: str) -> str:
    """The text, or a refusal in words."""
    if not is_storable(text):
        raise Refused(
            _("The text holds a character that cannot be stored. Delete it, or type the text again, and send it anew.")
        )
    return text


def parse_json(text: str | bytes, *, most_digits: int = MAX_DIGITS) -> Any:
    """What this JSON says, without numbers and text that nothing here could store; raises Unreadable."""

    def parse_int(digits: str) -> int:
        if len(digits) > most_digits + digits.startswith("-"):
            raise Unreadable(f"a whole number has at most {most_digits} digits")
        return int(digits)

    try:
        data = json.loads(text, parse_constant=_refuse_constant, parse_int=parse_int, parse_float=_parse_float)
    except RecursionError:
        raise Unreadable(f"at most {MAX_JSON_DEPTH} levels") from None
    except Unreadable:
        raise
    except ValueError:
        raise Unreadable("this is not JSON") from None
    _check(data, MAX_JSON_DEPTH)
    return data


def _refuse_constant(constant: str) -> None:
    raise Unreadable(f"{constant} is not JSON")


def _parse_float(digits: str) -> float:
    number = float(digits)
    if not math.isfinite(number):
        raise Unreadable("a number is too large")
    return number


def _check(data: Any, levels: int) -> None:
    if levels == 0:
        raise Unreadable(f"at most {MAX_JSON_DEPTH} levels")
    match data:
        case str():
            if not is_storable(data):
                raise Unreadable("text must not hold NUL or half a surrogate pair")
        case list():
            for each in data:
                _check(each, levels - 1)
        case dict():
            for key, value in data.items():
                _check(key, levels)
                _check(value, levels - 1)
