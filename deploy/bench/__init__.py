"""Performance claims, each measured beside a peer or a limit in the same run.

One module a part of the house, each with `rows()` that yields a `Row` as soon as it is measured.
"""

from dataclasses import dataclass


@dataclass(frozen=True)
class Row:
    """One measured claim. `reach` is what we want, `peer` whom we stand beside (None: nobody to be had)."""

    what: str
    value: float
    unit: str
    reach: float | None = None
    peer: str = ""
    peer_value: float | None = None
    lower_is_better: bool = False

    @property
    def reached(self) -> bool | None:
        if self.reach is None:
            return None
        return self.value <= self.reach if self.lower_is_better else self.value >= self.reach

    @property
    def ratio(self) -> float | None:
        """How many times better than the peer."""
        if not self.peer_value or not self.value:
            return None
        return self.peer_value / self.value if self.lower_is_better else self.value / self.peer_value
