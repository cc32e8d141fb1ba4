class Stale(Exception):
    """Somebody else's move came first: an answer, not an error. `ply` is where the match stands now."""

    def __init__(self, ply: int) -> None:
        super().__init__(f"the match is at ply {ply}")
        self.ply = ply


class Illegal(Exception):
    """The engine refused the move; the match is untouched."""
