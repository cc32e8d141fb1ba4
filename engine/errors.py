"""What the engine says when it is asked for something it cannot do. Every error names the field and the reason."""


class EngineError(ValueError):
    """The caller's mistake, in words fit to be shown; the state is unchanged."""


class UnknownGame(EngineError):
    pass


class OptionError(EngineError):
    """A player count, seed or option that this game does not take."""

    def __init__(self, field: str, reason: str) -> None:
        super().__init__(f"{field}: {reason}")
        self.field = field
        self.reason = reason


class IllegalAction(EngineError):
    """An action that this seat may not play now."""

    def __init__(self, action: object, reason: str) -> None:
        super().__init__(f"{action!r}: {reason}")
        self.action = action
        self.reason = reason


class TranscriptError(EngineError):
    """A record that is not one, or that does not replay. `ply` is the first move at fault, None for the header."""

    def __init__(self, field: str, reason: str, ply: int | None = None) -> None:
        where = field if ply is None else f"{field}, ply {ply}"
        super().__init__(f"{where}: {reason}")
        self.field = field
        self.reason = reason
        self.ply = ply
