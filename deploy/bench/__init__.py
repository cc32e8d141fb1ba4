"""Performance claims, each measured in the same run as a peer or against a target.

One module for each section. Its `rows()` yields a `Row` as soon as it is measured.
"""

from dataclasses import dataclass


@dataclass(frozen=True)
class Row:
    """One measured claim. `target` is the value we want, `peer` what we compare with (empty: nothing)."""

    what: str
    value: float
    unit: str
    target: float | None = None
    peer: str = ""
    peer_value: float | None = None
    lower_is_better: bool = False

    @property
    def reached(self) -> bool | None:
        if self.target is None:
            return None
        return self.value <= self.target if self.lower_is_better else self.value >= self.target

    @property
    def ratio(self) -> float | None:
        """How many times better than the peer."""
        if not self.peer_value or not self.value:
            return None
        return self.peer_value / self.value if self.lower_is_better else self.value / self.peer_value
