class Refused(Exception):
    """The request cannot be done now. The message says why, in the user's language."""

    def __init__(self, message: str) -> None:
        super().__init__(message)
        self.message = message
