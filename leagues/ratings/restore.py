"""Restores a pool as it was at some moment, from the changes since then and the present numbers."""

from collections.abc import Iterable, Sequence
from datetime import UTC, datetime

from accounts.infra.batches import batches
from leagues.elo.deviation import overall, utc_day
from leagues.elo.pool_state import Entry, Numbers, Offset, PoolState
from leagues.elo.result_types import RatingKind
from leagues.models import RatedResult, Rating, RatingOffset, RatingPool


def restore(state: PoolState, pool: RatingPool, since: datetime, users: Iterable[int], old: Sequence[Entry]) -> None:
    """Load the pool's state just before `since`; `old` are the changes from then on, in order.

    A player with changes since then had the numbers from which the first of them started; the others are unchanged.
    """
    _restore_players(state, pool, users, old)
    _restore_offsets(state, pool, old)
    state.restore_entry(old[0].entry if old else pool.entry_twentieths)
    day = since.astimezone(UTC).replace(hour=0, minute=0, second=0, microsecond=0)
    of_bots = RatedResult.objects.filter(pool=pool, counts=True, bots_only=True)
    state.bots_on = (day.date(), of_bots.filter(counts_at__gte=day, counts_at__lt=since).count())


def _restore_players(state: PoolState, pool: RatingPool, users: Iterable[int], old: Sequence[Entry]) -> None:
    first: dict[int, Entry] = {}
    for entry in old:
        first.setdefault(entry.user_id, entry)
    for some in batches(users):
        for rating in Rating.objects.filter(pool=pool, user__in=some):
            begin = first.get(rating.user_id)
            past = _present(rating) if begin is None else _before(pool, begin)
            # A player without an earlier game is not restored, so that a bot's new version inherits again.
            if past.games:
                state.restore(rating.user_id, past)


def _present(rating: Rating) -> Numbers:
    return Numbers(
        rating.rating,
        rating.games,
        rating.variance,
        utc_day(rating.last_at).toordinal(),
        solo=rating.solo_delta,
        solo_games=rating.solo_games,
        team=rating.team_delta,
        solo_variance=rating.solo_variance,
        team_variance=rating.team_variance,
        covariance=rating.covariance,
    )


def _before(pool: RatingPool, begin: Entry) -> Numbers:
    day = utc_day(begin.at).toordinal() - begin.idle_days
    if pool.kind is not RatingKind.ONE_VS_MANY:
        return Numbers(begin.before, begin.games, begin.variance, day)
    played, other = (begin.role_before, begin.variance), (begin.other_before, begin.other_variance)
    alone = begin.role == pool.solo_role
    solo, team = (played, other) if alone else (other, played)
    return Numbers(
        begin.before,
        begin.games,
        overall(solo[1], team[1], begin.covariance),
        day,
        solo=solo[0],
        solo_games=begin.role_games if alone else begin.games - begin.role_games,
        team=team[0],
        solo_variance=solo[1],
        team_variance=team[1],
        covariance=begin.covariance,
    )


def _restore_offsets(state: PoolState, pool: RatingPool, old: Sequence[Entry]) -> None:
    kept = {
        (row.players, row.name): Offset(row.players, row.name, row.value, row.games, row.variance)
        for row in RatingOffset.objects.filter(pool=pool)
    }
    scenarios = _scenarios(old) if pool.kind is RatingKind.COOPERATIVE else {}
    first: dict[tuple[int, str], Offset] = {}
    for entry in old:
        name = str(entry.seat) if pool.kind is RatingKind.FREE_FOR_ALL else scenarios.get(entry.result_id, "")
        known = Offset(entry.players, name, entry.offset, entry.offset_games, entry.offset_variance)
        first.setdefault((entry.players, name), known)
    for offset in (kept | first).values():
        state.restore_offset(offset)


def _scenarios(old: Sequence[Entry]) -> dict[int, str]:
    scenarios: dict[int, str] = {}
    for some in batches({entry.result_id for entry in old}):
        scenarios.update(RatedResult.objects.filter(pk__in=some).values_list("pk", "scenario"))
    return scenarios
