"""Match options: typed, documented, with defaults, checked before a match starts."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from engine.errors import OptionError, brief


@dataclass(frozen=True)
class Option:
    """One setting of a game. `kind` is int, bool, str or dict (a dict is a whole document, with its own `check`)."""

    name: str
    kind: type
    default: Any
    help: str
    least: int | None = None
    most: int | None = None
    choices: tuple[Any, ...] = ()
    check: Callable[[Any], None] | None = None
    tried: tuple[Any, ...] = ()  # the values whose effect `python -m engine balance` reports

    def checked(self, value: Any) -> Any:
        if value is None and self.default is None:
            return None
        given = type(value)
        if given is not self.kind:
            raise OptionError(self.name, f"must be {self.kind.__name__}, not {given.__name__}")
        if self.choices and value not in self.choices:
            raise OptionError(self.name, f"must be one of {', '.join(map(str, self.choices))}, not {brief(value)}")
        if self.least is not None and value < self.least:
            raise OptionError(self.name, f"must be at least {self.least}, not {brief(value)}")
        if self.most is not None and value > self.most:
            raise OptionError(self.name, f"must be at most {self.most}, not {brief(value)}")
        if self.check is not None:
            self.check(value)
        return value


def resolve(known: tuple[Option, ...], given: Mapping[str, Any]) -> dict[str, Any]:
    """Every option with its value: the given one, checked, or the default."""
    names = [option.name for option in known]
    for name in given:
        if name not in names:
            raise OptionError(str(name), f"unknown option; this game has {', '.join(names) or 'none'}")
    return {option.name: option.checked(given.get(option.name, option.default)) for option in known}
