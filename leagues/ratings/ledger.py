"""Facts for the ratings: how a table ended, what was put right later, and what never happened.

Nothing is computed here. A fact that the fold has not followed yet is visible as such in its row, and `settling`
folds it soon after; so a result can be taken down at any time, even while a long refold is running.
"""

from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
from typing import Any

from celery import current_app
from django.db import transaction

from accounts.effects import after_commit
from accounts.models import User
from games.models import Match
from leagues.models import RatedResult, RatingPool
from leagues.ratings import housebots, seeds
from leagues.ratings.batches import BATCH, batches
from leagues.ratings.kinds import SOLO, STANDARD, Ended, Kind, SeatResult, kind_of

SETTLE = "leagues.tasks.settle"
MOST_PLAYERS = 12


class NotRatable(ValueError):
    """These seats cannot be a result of this game; the message says why."""


def record(
    *,
    source: str,
    game: str,
    finished_at: datetime,
    seats: Sequence[SeatResult],
    scenario: str = "",
    mode: str = STANDARD,
    match: Match | None = None,
    batch: str = "",
    actor: User | None = None,
) -> RatedResult:
    """Take down how a table ended; said again, it changes nothing. `source` names it for ever: "match:KEY"."""
    ended = Ended(source, game, finished_at, seats, scenario, mode, match.pk if match else None, batch)
    record_all(tables=[ended], actor=actor)
    return RatedResult.objects.filter(source=source).order_by("-version")[0]


@transaction.atomic
def record_all(*, tables: Sequence[Ended], actor: User | None = None) -> None:
    """The same for many tables at once: an evening, or a past that is brought along. All of them, or none."""
    bots = housebots.accounts(seat.bot_key for ended in tables for seat in ended.seats if seat.bot_key)
    rows = [_rows(kind_of(ended.game), ended.seats, bots) for ended in tables]
    people = _people(rows)
    pools = {key: pool_for(*key) for key in {(ended.game, ended.mode) for ended in tables}}
    RatedResult.objects.bulk_create(
        [
            RatedResult(
                source=ended.source,
                pool=pools[ended.game, ended.mode],
                match_id=ended.match_id,
                finished_at=ended.finished_at,
                batch=ended.batch,
                counts_at=None if ended.batch else ended.finished_at,
                scenario=ended.scenario,
                seats=seats,
                bots_only=not any(seat[0] in people for seat in seats),
                recorded_by=actor,
            )
            for ended, seats in zip(tables, rows)
        ],
        # What is known already stands as it is.
        ignore_conflicts=True,
        batch_size=BATCH,
    )
    for pool in pools.values():
        settle_soon(pool.pk)


@transaction.atomic
def correct(
    *,
    source: str,
    seats: Sequence[SeatResult],
    finished_at: datetime | None = None,
    scenario: str | None = None,
    actor: User | None = None,
    reason: str = "",
) -> RatedResult:
    """The next version of a result, in place of all before; also brings back one that was void.

    What is right already stays as it is.
    """
    last = _hold(source)
    if last is None:
        raise NotRatable(f"there is no result {source!r} to correct")
    rows = _rows(last.pool.kind, seats, housebots.accounts(seat.bot_key for seat in seats if seat.bot_key))
    finished_at = finished_at or last.finished_at
    scenario = last.scenario if scenario is None else scenario
    if last.counts and (last.seats, last.finished_at, last.scenario) == (rows, finished_at, scenario):
        return last
    return _supersede(
        last,
        finished_at=finished_at,
        scenario=scenario,
        seats=rows,
        bots_only=not _people([rows]),
        recorded_by=actor,
        reason=reason,
    )


@transaction.atomic
def void(*, source: str, actor: User | None = None, reason: str = "") -> RatedResult | None:
    """From now on this result never happened; None when nothing is known of it."""
    last = _hold(source)
    if last is None or last.void:
        return last
    return _supersede(
        last,
        finished_at=last.finished_at,
        scenario=last.scenario,
        seats=last.seats,
        bots_only=last.bots_only,
        recorded_by=actor,
        reason=reason,
        void=True,
        counts=False,
    )


def newest(source: str) -> RatedResult | None:
    return RatedResult.objects.filter(source=source).order_by("-version").first()


def pool_for(game: str, mode: str = STANDARD) -> RatingPool:
    """The pool of a game, opened when its first result comes."""
    pool, _made = RatingPool.objects.get_or_create(game=game, mode=mode, defaults={"seeds": seeds.of(game)})
    return pool


def _hold(source: str) -> RatedResult | None:
    """The newest version, read under a lock on the first: versions are made one at a time."""
    if RatedResult.objects.select_for_update().filter(source=source, version=1).first() is None:
        return None
    return RatedResult.objects.select_related("pool").filter(source=source).order_by("-version")[0]


def _supersede(last: RatedResult, **fields: Any) -> RatedResult:
    # Only this one column: the fold may be writing `folded` at the same moment.
    RatedResult.objects.filter(pk=last.pk).update(counts=False)
    following = RatedResult(
        source=last.source,
        version=last.version + 1,
        pool=last.pool,
        match_id=last.match_id,
        batch=last.batch,
        counts_at=None if last.batch else fields["finished_at"],
        **fields,
    )
    following.save()
    settle_soon(last.pool_id)
    return following


def _rows(kind: Kind, seats: Sequence[SeatResult], bots: Mapping[str, int]) -> list[list[Any]]:
    """The seats as they are kept, once they make sense."""
    seats = sorted(seats, key=lambda seat: seat.index)
    check(kind, seats)
    return [[bots.get(seat.bot_key, seat.user_id), seat.rank, bool(seat.left), seat.role] for seat in seats]


def check(kind: Kind, seats: Sequence[SeatResult]) -> None:
    """Refuse seats, in their order, that no table of such a game can have."""
    if not 2 <= len(seats) <= MOST_PLAYERS:
        raise NotRatable(f"a rated table has 2 to {MOST_PLAYERS} seats, not {len(seats)}")
    if [seat.index for seat in seats] != list(range(len(seats))):
        raise NotRatable("the seats must be numbered from 0 without a gap")
    if any(seat.rank < 1 or (kind is Kind.COOPERATIVE and seat.rank > 2) for seat in seats):
        raise NotRatable("a rank is 1 or more, and in a cooperative game 1 or 2")
    if kind is Kind.ONE_VS_MANY and sum(seat.role == SOLO for seat in seats) != 1:
        raise NotRatable(f"exactly one seat plays as {SOLO}")
    people = [seat.user_id for seat in seats if not seat.bot_key]
    if None in people or len(set(people)) != len(people):
        raise NotRatable("every seat belongs to an account or a house bot, and nobody sits twice")


def _people(tables: Iterable[Sequence[Sequence[Any]]]) -> set[int]:
    """Who of those who sat at these tables is no bot."""
    everyone = {seat[0] for seats in tables for seat in seats}
    return {
        user
        for some in batches(everyone)
        for user in User.objects.filter(pk__in=some, is_bot=False).values_list("pk", flat=True)
    }


def settle_soon(pool_id: int) -> None:
    after_commit(_send, pool_id)


def _send(pool_id: int) -> None:
    # Not tried again: the row says what is owed, and the sweep finds it.
    current_app.send_task(SETTLE, [pool_id], queue="league", ignore_result=True, retry=False)
