class Refused(Exception):
    """What was asked cannot be done now; the message says why, in the person's language."""

    def __init__(self, message: str) -> None:
        super().__init__(message)
        self.message = message
