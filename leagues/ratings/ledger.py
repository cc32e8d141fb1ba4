"""The only writer of ratings: facts come in by `record`, `correct` and `void`; `settle` folds them."""

from collections.abc import Sequence
from datetime import datetime

from accounts.models import User
from games.models import Match
from leagues.models import RatedResult
from leagues.ratings.kinds import STANDARD, SeatResult


def record(
    *,
    source: str,
    game: str,
    finished_at: datetime,
    seats: Sequence[SeatResult],
    scenario: str = "",
    mode: str = STANDARD,
    match: Match | None = None,
    actor: User | None = None,
) -> RatedResult:
    """Take down how a table ended; said again, it changes nothing. `source` names it for ever: "match:KEY"."""
    raise NotImplementedError


def correct(
    *,
    source: str,
    seats: Sequence[SeatResult],
    finished_at: datetime | None = None,
    scenario: str | None = None,
    actor: User | None = None,
    reason: str = "",
) -> RatedResult:
    """The next version of a result, in place of all before; also brings back one that was void."""
    raise NotImplementedError


def void(*, source: str, actor: User | None = None, reason: str = "") -> RatedResult | None:
    """From now on this result never happened; None when nothing is known of it."""
    raise NotImplementedError
