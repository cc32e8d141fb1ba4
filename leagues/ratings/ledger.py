"""The ledger of rated results: recorded, corrected and voided.

No rating is computed here. A row shows whether it has been applied yet, and `pending` applies it soon after. So a
result can be recorded at any time, even while a long recomputation is running.
"""

from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
from typing import Any

from celery import current_app
from django.db import transaction

import engine
from accounts.infra.batches import BATCH, batches
from accounts.infra.on_commit import after_commit
from accounts.models import User
from games.models import Match
from leagues.elo import initial_offsets
from leagues.elo.result_types import STANDARD, FinishedTable, RatingKind, SeatResult
from leagues.models import RatedResult, RatingPool
from leagues.models.rating import kind_of
from leagues.ratings import site_bots

SETTLE = "leagues.tasks.settle"
MOST_PLAYERS = 12


class NotRatable(ValueError):
    """These seats are not a possible result of this game; the message says why."""


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
    """Record how a table ended; recording it again changes nothing. `source` is its permanent name: "match:KEY"."""
    ended = FinishedTable(source, game, finished_at, seats, scenario, mode, match.pk if match else None, batch)
    record_all(tables=[ended], actor=actor)
    return RatedResult.objects.filter(source=source).order_by("-version")[0]


@transaction.atomic
def record_all(*, tables: Sequence[FinishedTable], actor: User | None = None) -> None:
    """The same for many tables at once, such as an import. All of them, or none."""
    bots = site_bots.accounts(seat.bot_key for ended in tables for seat in ended.seats if seat.bot_key)
    rows = [_rows(ended.game, ended.seats, bots) for ended in tables]
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
        # Results that are already recorded stay as they are.
        ignore_conflicts=True,
        batch_size=BATCH,
    )
    for pool in pools.values():
        request_update(pool.pk)


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
    """Write the next version of a result, which replaces all before; it can also restore a voided one.

    Nothing is written if nothing differs.
    """
    last = _lock_result(source)
    if last is None:
        raise NotRatable(f"there is no result {source!r} to correct")
    rows = _rows(last.pool.game, seats, site_bots.accounts(seat.bot_key for seat in seats if seat.bot_key))
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
    """Void a result; None if there is none."""
    last = _lock_result(source)
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
    """The pool of a game, created with its first result."""
    seeds = initial_offsets.initial_offsets(game, kind_of(game), engine.game(game).solo_role)
    pool, _made = RatingPool.objects.get_or_create(game=game, mode=mode, defaults={"seeds": seeds})
    return pool


def _lock_result(source: str) -> RatedResult | None:
    """The newest version, under a lock on the first one, so that versions are written one at a time."""
    # Not a lock on the key: `pending` may refer to the row meanwhile.
    if RatedResult.objects.select_for_update(no_key=True).filter(source=source, version=1).first() is None:
        return None
    return RatedResult.objects.select_related("pool").filter(source=source).order_by("-version")[0]


def _supersede(last: RatedResult, **fields: Any) -> RatedResult:
    # Only this column: `pending` may be writing `folded` at the same moment.
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
    request_update(last.pool_id)
    return following


def _rows(game: str, seats: Sequence[SeatResult], bots: Mapping[str, int]) -> list[list[Any]]:
    """The seats as they are stored, after a check."""
    seats = sorted(seats, key=lambda seat: seat.index)
    check(game, seats)
    return [[bots.get(seat.bot_key, seat.user_id), seat.rank, bool(seat.left), seat.role] for seat in seats]


def check(game: str, seats: Sequence[SeatResult]) -> None:
    """Refuse seats that no table of this game can have."""
    kind, solo_role = kind_of(game), engine.game(game).solo_role
    if not 2 <= len(seats) <= MOST_PLAYERS:
        raise NotRatable(f"a rated table has 2 to {MOST_PLAYERS} seats, not {len(seats)}")
    if [seat.index for seat in seats] != list(range(len(seats))):
        raise NotRatable("the seats must be numbered from 0 without a gap")
    if any(seat.rank < 1 or (kind is RatingKind.COOPERATIVE and seat.rank > 2) for seat in seats):
        raise NotRatable("a rank is 1 or more, and in a cooperative game 1 or 2")
    if kind is RatingKind.ONE_VS_MANY and sum(seat.role == solo_role for seat in seats) != 1:
        raise NotRatable(f"exactly one seat plays as {solo_role}")
    people = [seat.user_id for seat in seats if not seat.bot_key]
    if None in people or len(set(people)) != len(people):
        raise NotRatable("every seat belongs to an account or a site bot, and nobody sits twice")


def _people(tables: Iterable[Sequence[Sequence[Any]]]) -> set[int]:
    """The people, without bots, who sat at these tables."""
    everyone = {seat[0] for seats in tables for seat in seats}
    return {
        user
        for some in batches(everyone)
        for user in User.objects.filter(pk__in=some, is_bot=False).values_list("pk", flat=True)
    }


def request_update(pool_id: int) -> None:
    after_commit(_send, pool_id)


def _send(pool_id: int) -> None:
    # Not retried: the sweep finds rows that were not applied.
    current_app.send_task(SETTLE, [pool_id], queue="league", ignore_result=True, retry=False)
