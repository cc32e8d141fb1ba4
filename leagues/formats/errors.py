"""The error that formats raise."""

from leagues.formats.reasons import Param, Reason, reason, render


class FormatError(ValueError):
    """A draw or ranking is not possible. The reason can be shown to the organiser, who has to solve it."""

    def __init__(self, code: str, **params: Param) -> None:
        self.reason: Reason = reason(code, **params)
        super().__init__(render(self.reason))
