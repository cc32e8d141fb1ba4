"""What the formats say when they cannot do what they were asked."""

from leagues.formats.reasons import Param, Reason, reason, say


class FormatError(ValueError):
    """The organiser's to solve, in words fit to be shown; nothing was drawn."""

    def __init__(self, code: str, **params: Param) -> None:
        self.reason: Reason = reason(code, **params)
        super().__init__(say(self.reason))
