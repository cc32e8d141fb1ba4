"""A pool as it stood at some moment, read back from the changes since and from the present numbers."""

from collections.abc import Iterable, Sequence
from datetime import UTC, datetime

from leagues.models import RatedResult, Rating, RatingOffset, RatingPool
from leagues.ratings.batches import batches
from leagues.ratings.book import Book, Entry, Numbers, Offset
from leagues.ratings.kinds import SOLO, Kind


def restore(book: Book, pool: RatingPool, since: datetime, users: Iterable[int], old: Sequence[Entry]) -> None:
    """Let the book stand where it stood just before `since`; `old` are the changes from then on, in their order.

    Whoever has changes since then stood where the first of them began; everyone else stands where they stood.
    """
    _restore_players(book, pool, users, old)
    _restore_offsets(book, pool, old)
    day = since.astimezone(UTC).replace(hour=0, minute=0, second=0, microsecond=0)
    of_bots = RatedResult.objects.filter(pool=pool, counts=True, bots_only=True)
    book.bots_on = (day.date(), of_bots.filter(finished_at__gte=day, finished_at__lt=since).count())


def _restore_players(book: Book, pool: RatingPool, users: Iterable[int], old: Sequence[Entry]) -> None:
    first: dict[int, Entry] = {}
    roles: dict[tuple[int, bool], int] = {}
    for entry in old:
        first.setdefault(entry.user_id, entry)
        roles.setdefault((entry.user_id, entry.role == SOLO), entry.role_before)
    for some in batches(users):
        for rating in Rating.objects.filter(pool=pool, user__in=some):
            user = rating.user_id
            begin = first.get(user)
            past = _present(rating) if begin is None else _before(rating, begin, roles)
            # Whoever had no game before is nobody yet: a bot's new version inherits anew.
            if past.games:
                book.restore(user, past)


def _present(rating: Rating) -> Numbers:
    return Numbers(rating.rating, rating.games, rating.solo_delta, rating.solo_games, rating.team_delta)


def _before(rating: Rating, begin: Entry, roles: dict[tuple[int, bool], int]) -> Numbers:
    solo_games = begin.role_games if begin.role == SOLO else begin.games - begin.role_games
    return Numbers(
        begin.before,
        begin.games,
        solo=roles.get((rating.user_id, True), rating.solo_delta),
        solo_games=solo_games,
        team=roles.get((rating.user_id, False), rating.team_delta),
    )


def _restore_offsets(book: Book, pool: RatingPool, old: Sequence[Entry]) -> None:
    kept = {
        (row.players, row.name): Offset(row.players, row.name, row.value, row.games)
        for row in RatingOffset.objects.filter(pool=pool)
    }
    scenarios = _scenarios(old) if pool.kind is Kind.COOPERATIVE else {}
    first: dict[tuple[int, str], Offset] = {}
    for entry in old:
        name = str(entry.seat) if pool.kind is Kind.FREE_FOR_ALL else scenarios.get(entry.result_id, "")
        first.setdefault((entry.players, name), Offset(entry.players, name, entry.offset, entry.offset_games))
    for offset in (kept | first).values():
        book.restore_offset(offset)


def _scenarios(old: Sequence[Entry]) -> dict[int, str]:
    found: dict[int, str] = {}
    for some in batches({entry.result_id for entry in old}):
        found.update(RatedResult.objects.filter(pk__in=some).values_list("pk", "scenario"))
    return found
