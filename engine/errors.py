"""The engine's errors. Each one names the field at fault and the reason."""

MAX_ECHO = 40
"""Characters of the caller's input that a message repeats: enough to recognise it, too few to fill a log."""


def brief(value: object) -> str:
    """A value as text for a message, cut when it is long."""
    try:
        text = value if isinstance(value, str) else repr(value)
    except ValueError:  # Python writes no number of thousands of digits
        return "a number with very many digits"
    return text if len(text) <= MAX_ECHO else text[:MAX_ECHO] + "…"


def quoted(value: object) -> str:
    """The same, and text in quotes."""
    return repr(brief(value)) if isinstance(value, str) else brief(value)


class EngineError(ValueError):
    """The caller's mistake, with a message that may be shown to users; the state is unchanged."""


class UnknownGame(EngineError):
    pass


class OptionError(EngineError):
    """A player count, seed or option that this game does not take."""

    def __init__(self, field: str, reason: str) -> None:
        super().__init__(f"{brief(field)}: {reason}")
        self.field = field
        self.reason = reason


class IllegalAction(EngineError):
    """An action that this seat may not play now."""

    def __init__(self, action: object, reason: str) -> None:
        super().__init__(f"{quoted(action)}: {reason}")
        self.action = action
        self.reason = reason


class TranscriptError(EngineError):
    """A transcript that is malformed or does not replay. `ply` is the first move at fault, None for the header."""

    def __init__(self, field: str, reason: str, ply: int | None = None) -> None:
        where = brief(field) if ply is None else f"{brief(field)}, ply {ply}"
        super().__init__(f"{where}: {reason}")
        self.field = field
        self.reason = reason
        self.ply = ply
