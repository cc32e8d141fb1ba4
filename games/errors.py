from accounts.infra.errors import Refused


class Stale(Exception):
    """Another move came first. `ply` is the current ply of the match."""

    def __init__(self, ply: int) -> None:
        super().__init__(f"the match is at ply {ply}")
        self.ply = ply


class OptionRefused(Refused):
    """The rules do not allow an option's value; `option` is its name in the engine."""

    def __init__(self, option: str, message: str) -> None:
        super().__init__(message)
        self.option = option


class Illegal(Exception):
    """The engine refused the move; the match is untouched. `choices` is what the seat could have played instead."""

    def __init__(self, reason: str, choices: list[str]) -> None:
        super().__init__(reason)
        self.choices = choices
