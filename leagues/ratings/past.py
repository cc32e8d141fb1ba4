"""A pool as it stood at some moment, read back from the changes since and from the present numbers."""

from collections.abc import Iterable, Sequence
from datetime import UTC, datetime

from leagues.models import RatedResult, Rating, RatingOffset, RatingPool
from leagues.ratings.batches import batches
from leagues.ratings.book import Book, Entry, Numbers, Offset
from leagues.ratings.deviation import overall, utc_day
from leagues.ratings.kinds import SOLO, Kind


def restore(book: Book, pool: RatingPool, since: datetime, users: Iterable[int], old: Sequence[Entry]) -> None:
    """Let the book stand where it stood just before `since`; `old` are the changes from then on, in their order.

    Whoever has changes since then stood where the first of them began; everyone else stands where they stood.
    """
    _restore_players(book, pool, users, old)
    _restore_offsets(book, pool, old)
    book.restore_entry(old[0].entry if old else pool.entry_twentieths)
    day = since.astimezone(UTC).replace(hour=0, minute=0, second=0, microsecond=0)
    of_bots = RatedResult.objects.filter(pool=pool, counts=True, bots_only=True)
    book.bots_on = (day.date(), of_bots.filter(counts_at__gte=day, counts_at__lt=since).count())


def _restore_players(book: Book, pool: RatingPool, users: Iterable[int], old: Sequence[Entry]) -> None:
    first: dict[int, Entry] = {}
    for entry in old:
        first.setdefault(entry.user_id, entry)
    for some in batches(users):
        for rating in Rating.objects.filter(pool=pool, user__in=some):
            begin = first.get(rating.user_id)
            past = _present(rating) if begin is None else _before(pool.kind, begin)
            # Whoever had no game before is nobody yet: a bot's new version inherits anew.
            if past.games:
                book.restore(rating.user_id, past)


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


def _before(kind: Kind, begin: Entry) -> Numbers:
    day = utc_day(begin.at).toordinal() - begin.idle_days
    if kind is not Kind.ONE_VS_MANY:
        return Numbers(begin.before, begin.games, begin.variance, day)
    played, other = (begin.role_before, begin.variance), (begin.other_before, begin.other_variance)
    solo, team = (played, other) if begin.role == SOLO else (other, played)
    return Numbers(
        begin.before,
        begin.games,
        overall(solo[1], team[1], begin.covariance),
        day,
        solo=solo[0],
        solo_games=begin.role_games if begin.role == SOLO else begin.games - begin.role_games,
        team=team[0],
        solo_variance=solo[1],
        team_variance=team[1],
        covariance=begin.covariance,
    )


def _restore_offsets(book: Book, pool: RatingPool, old: Sequence[Entry]) -> None:
    kept = {
        (row.players, row.name): Offset(row.players, row.name, row.value, row.games, row.variance)
        for row in RatingOffset.objects.filter(pool=pool)
    }
    scenarios = _scenarios(old) if pool.kind is Kind.COOPERATIVE else {}
    first: dict[tuple[int, str], Offset] = {}
    for entry in old:
        name = str(entry.seat) if pool.kind is Kind.FREE_FOR_ALL else scenarios.get(entry.result_id, "")
        known = Offset(entry.players, name, entry.offset, entry.offset_games, entry.offset_variance)
        first.setdefault((entry.players, name), known)
    for offset in (kept | first).values():
        book.restore_offset(offset)


def _scenarios(old: Sequence[Entry]) -> dict[int, str]:
    found: dict[int, str] = {}
    for some in batches({entry.result_id for entry in old}):
        found.update(RatedResult.objects.filter(pk__in=some).values_list("pk", "scenario"))
    return found
