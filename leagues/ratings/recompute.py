"""One recomputation of a pool: reads results, writes changes and present numbers where they differ."""

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import date, datetime, timedelta

from django.db.models import Q, QuerySet

from accounts.infra.batches import BATCH, batches
from accounts.models import User
from leagues.elo import pool_spread, pool_state
from leagues.elo.deviation import first_variance, sure_days, utc_day
from leagues.elo.pool_spread import Moments
from leagues.elo.pool_state import Entry, Fact, Numbers, Offset, PoolState
from leagues.elo.result_types import METHOD, RatingKind
from leagues.models import BoardDigest, RatedResult, Rating, RatingChange, RatingOffset, RatingPool, Refold
from leagues.ratings import broadcast, restore, site_bots

WINDOW = 20_000
"""Results read at a time. If more than these are to be recomputed, the recomputation starts at the first result."""
NAMED = 20
"""How many sources a recomputation lists as its cause."""

TALLIES = ("wins", "solo_wins", "team_wins", "met_people", "took_people", "met_bots", "took_bots")
NUMBERS = ("rating", "games", "solo_delta", "solo_games", "team_delta", "team_games", "as_solo", "as_team")
VARIANCES = ("variance", "solo_variance", "team_variance", "covariance")
SURE = ("sure_until", "solo_sure_until", "team_sure_until")
KEPT = ("is_bot", "is_guest", *NUMBERS, *VARIANCES, *SURE, *TALLIES, "last_at")


@dataclass
class Report:
    """What a recomputation did: results read, changes written and superseded, present numbers corrected."""

    results: int = 0
    changes: int = 0
    superseded: int = 0
    ratings: int = 0
    offsets: int = 0

    @property
    def differs(self) -> bool:
        return bool(self.changes or self.superseded or self.ratings or self.offsets)


class PoolRecompute:
    """Recomputes from the moment `since`, or everything if it is None."""

    def __init__(
        self,
        pool: RatingPool,
        *,
        since: datetime | None,
        sources: Sequence[str],
        progress: Callable[[int], None] | None = None,
    ) -> None:
        self.pool = pool
        self.since = since
        self.sources = sources
        self.progress = progress
        self.report = Report()
        self.refold: Refold | None = None
        self.state = PoolState(pool.kind, pool.seeds, pool.solo_role)
        self.state.register_bots((), site_bots.earlier_versions())
        self.met: set[int] = set()
        self.guests: set[int] = set()
        self.afresh = since is None or self._facts().filter(counts_at__gte=since).count() > WINDOW
        # Of everyone if everything is recomputed, else of those whose changes differ.
        self.tallies: dict[int, Counter[str]] = defaultdict(Counter)
        self.last_at: dict[int, datetime] = {}
        self.largest = 0

    def run(self) -> Report:
        removed = RatedResult.objects.filter(pool=self.pool, counts=False, folded=True)
        if self.since is not None:
            # One that was corrected just now may be older than `since`: its changes stay, so it waits for the next run.
            removed = removed.filter(counts_at__gte=self.since)
        gone = list(removed.values_list("pk", flat=True))
        for facts, old in self._windows():
            self._meet(facts, old)
            if not self.afresh:
                assert self.since is not None
                restore.restore(self.state, self.pool, self.since, self.met, old)
            self._fold(facts, old)
            self._mark((fact.id for fact in facts), folded=True)
            self.report.results += len(facts)
            if self.progress:
                self.progress(self.report.results)
        self._mark(gone, folded=False)
        people = self._write_ratings()
        self._write_offsets()
        self._write_pool(people)
        self._sign()
        if self.report.differs:
            BoardDigest.objects.filter(pool=self.pool, is_stale=False).update(is_stale=True)
            broadcast.ratings_changed(self.pool)
        return self.report

    # -- reading

    def _facts(self) -> "QuerySet[RatedResult]":
        """The results that count and have a time. One that was recorded just now waits for the next run."""
        return RatedResult.objects.filter(pool=self.pool, counts=True, counts_at__isnull=False)

    def _windows(self) -> Iterator[tuple[list[Fact], list[Entry]]]:
        """Results in order, each window with the stored changes of the same period."""
        if not self.afresh:
            yield self._read(self.since, None), self._standing(self.since, None)
            return
        begin = None
        while True:
            facts = self._read(begin, WINDOW + 1)
            if len(facts) <= WINDOW:
                yield facts, self._standing(begin, None)
                return
            # Results of one moment are ordered by source, so they must be in one window.
            cut = facts[-1].at
            facts = [fact for fact in facts if fact.at < cut] or self._read(cut, None, upto=cut)
            end = facts[-1].at
            yield facts, self._standing(begin, end)
            begin = end + timedelta(microseconds=1)

    def _read(self, begin: datetime | None, most: int | None, *, upto: datetime | None = None) -> list[Fact]:
        rows = self._facts()
        if begin is not None:
            rows = rows.filter(counts_at__gte=begin)
        if upto is not None:
            rows = rows.filter(counts_at__lte=upto)
        columns = ("pk", "source", "counts_at", "seats", "scenario", "bots_only", "batch")
        facts = [Fact(*row) for row in rows.order_by("counts_at").values_list(*columns)[:most]]
        # By code points, independent of the database's collation.
        return sorted(facts, key=lambda fact: fact.order)

    def _standing(self, begin: datetime | None, end: datetime | None) -> list[Entry]:
        """The stored changes of a period, in order."""
        if self.since is not None:
            if end is not None and end < self.since:
                return []
            begin = self.since if begin is None else max(begin, self.since)
        rows = RatingChange.objects.standing().filter(pool=self.pool)
        if begin is not None:
            rows = rows.filter(at__gte=begin)
        if end is not None:
            rows = rows.filter(at__lte=end)
        stored = rows.order_by().values_list("at", "result__batch", "result__source", "seat", *Entry._fields)
        return [Entry(*row[4:]) for row in sorted(stored, key=lambda row: (row[0], row[1] or row[2], row[2], row[3]))]

    def _meet(self, facts: Sequence[Fact], old: Sequence[Entry]) -> None:
        users = {seat[0] for fact in facts for seat in fact.seats} | {entry.user_id for entry in old}
        users |= {earlier for user in users for earlier in self.state.earlier_versions.get(user, ())}
        for some in batches(users - self.met):
            known = User.objects.filter(Q(is_bot=True) | Q(is_guest=True), pk__in=some).values_list("pk", "is_guest")
            self.guests.update(user for user, is_guest in known if is_guest)
            self.state.register_bots((user for user, is_guest in known if not is_guest), {})
        self.met |= users

    # -- applying

    def _fold(self, facts: Sequence[Fact], old: Sequence[Entry]) -> None:
        stood: dict[int, list[Entry]] = defaultdict(list)
        for entry in old:
            stood[entry.result_id].append(entry)
        fresh: list[Entry] = []
        gone: list[Entry] = []
        for batch in pool_state.batches(facts):
            made: dict[int, list[Entry]] = {fact.id: [] for fact in batch}
            for entry in self.state.play_batch(batch):
                self.last_at[entry.user_id] = entry.at
                made[entry.result_id].append(entry)
            for number, entries in made.items():
                if self.afresh:
                    self._tally(entries, 1)
                before = stood.pop(number, [])
                if before != entries and (self.since is None or batch[0].at >= self.since):
                    fresh += entries
                    gone += before
        gone += [entry for entries in stood.values() for entry in entries]
        if not self.afresh:
            self._tally(fresh, 1)
            self._tally(gone, -1)
        self._supersede({entry.result_id for entry in gone})
        rows = [RatingChange(pool=self.pool, **entry._asdict()) for entry in fresh]
        RatingChange.objects.bulk_create(rows, batch_size=BATCH)
        self.report.changes += len(fresh)
        self.report.superseded += len(gone)

    def _tally(self, entries: Iterable[Entry], sign: int) -> None:
        roles = self.pool.kind is RatingKind.ONE_VS_MANY
        for entry in entries:
            tally = self.tallies[entry.user_id]
            tally["wins"] += sign * entry.won
            if roles:
                tally["solo_wins" if entry.role == self.state.solo_role else "team_wins"] += sign * entry.won
            tally["met_people"] += sign * entry.met_people
            tally["took_people"] += sign * entry.took_people
            tally["met_bots"] += sign * entry.met_bots
            tally["took_bots"] += sign * entry.took_bots

    # -- writing

    def _supersede(self, results: Iterable[int]) -> None:
        for some in batches(results):
            if self.refold is None:
                self.refold = Refold.objects.create(
                    pool=self.pool,
                    since=self.since,
                    sources=list(dict.fromkeys(self.sources))[:NAMED],
                    method=METHOD if self.pool.method != METHOD else None,
                )
            RatingChange.objects.standing().filter(result__in=some).update(superseded_by=self.refold)

    def _mark(self, results: Iterable[int], *, folded: bool) -> None:
        for some in batches(results):
            RatedResult.objects.filter(pk__in=some, folded=not folded).update(folded=folded)

    def _write_ratings(self) -> Moments:
        """Write the ratings that differ; delete those of players without a game.

        Returns the sums from which the spread of all people is estimated.
        """
        kept: dict[int, Rating] = {}
        for some in [None] if self.afresh else batches(self.tallies):
            rows = Rating.objects.filter(pool=self.pool)
            kept.update((row.user_id, row) for row in (rows if some is None else rows.filter(user__in=some)))
        written = [rating for user in self.tallies if (rating := self._rating(user, kept.get(user))) is not None]
        emptied = [row.pk for user, row in kept.items() if self.state.numbers_of(user) is None]
        for some in batches(emptied):
            Rating.objects.filter(pk__in=some).delete()
        Rating.objects.bulk_create(
            written, batch_size=BATCH, update_conflicts=True, unique_fields=["pool", "user"], update_fields=KEPT
        )
        moves = [abs(rating.rating - kept[rating.user_id].rating) for rating in written if rating.user_id in kept]
        self.largest = max(moves, default=0)
        self.report.ratings += len(written) + len(emptied)
        return self._moments(kept.values())

    def _moments(self, kept: Iterable[Rating]) -> Moments:
        """The sums over all people: computed anew, or the stored ones updated by those who moved."""
        if self.afresh:
            return self.state.moments()
        first = first_variance(self.pool.kind)
        before = (pool_spread.moments(row.rating, row.variance, first) for row in kept if not row.is_bot)
        people = ((user, self.state.numbers_of(user)) for user in self.tallies if user not in self.state.bots)
        now = (pool_spread.moments(numbers.rating, numbers.variance, first) for _user, numbers in people if numbers)
        return pool_spread.changed(self.pool.moments, before, now)

    def _rating(self, user: int, before: Rating | None) -> Rating | None:
        """The row to write; None if it is right already, or if there should be none."""
        numbers = self.state.numbers_of(user)
        if numbers is None:
            return None
        tally = self.tallies[user]
        base = {} if self.afresh or before is None else {name: getattr(before, name) for name in TALLIES}
        has_roles = self.pool.kind is RatingKind.ONE_VS_MANY
        last_at = self.last_at.get(user) or self._last_at(user)
        now = Rating(
            pool=self.pool,
            user_id=user,
            is_bot=user in self.state.bots,
            is_guest=user in self.guests,
            rating=numbers.rating,
            games=numbers.games,
            solo_delta=numbers.solo,
            solo_games=numbers.solo_games,
            team_delta=numbers.team,
            team_games=numbers.games - numbers.solo_games if has_roles else 0,
            as_solo=numbers.rating + numbers.solo,
            as_team=numbers.rating + numbers.team,
            **{name: getattr(numbers, name) for name in VARIANCES},
            **dict(zip(SURE, self._sure(user, numbers, last_at))),
            last_at=last_at,
            **{name: base.get(name, 0) + tally[name] for name in TALLIES},
        )
        same = before is not None and all(getattr(before, name) == getattr(now, name) for name in KEPT)
        return None if same else now

    def _sure(self, user: int, numbers: Numbers, last_at: datetime) -> list[date | None]:
        """Until when the rating and the two role ratings are not provisional; a bot's are for ever."""
        until: list[date | None] = []
        for variance in (numbers.variance, numbers.solo_variance, numbers.team_variance):
            days = sure_days(variance)
            if days is None:
                until.append(None)
            else:
                until.append(date.max if user in self.state.bots else utc_day(last_at) + timedelta(days=days))
        return until

    def _last_at(self, user: int) -> datetime:
        mine = RatingChange.objects.standing().filter(pool=self.pool, user=user)
        return mine.order_by("-at").values_list("at", flat=True)[0]

    def _write_offsets(self) -> None:
        kept = {(row.players, row.name): row for row in RatingOffset.objects.filter(pool=self.pool)}
        now = {(offset.players, offset.name): offset for offset in self.state.offsets()}
        changed = [offset for key, offset in now.items() if key not in kept or _differs(kept[key], offset)]
        dropped = [row.pk for key, row in kept.items() if key not in now]
        RatingOffset.objects.filter(pk__in=dropped).delete()
        RatingOffset.objects.bulk_create(
            [
                RatingOffset(
                    pool=self.pool,
                    players=each.players,
                    name=each.name,
                    value=each.value,
                    games=each.games,
                    variance=each.variance,
                )
                for each in changed
            ],
            update_conflicts=True,
            unique_fields=["pool", "players", "name"],
            update_fields=["value", "games", "variance"],
        )
        self.report.offsets += len(changed) + len(dropped)

    def _write_pool(self, people: Moments) -> None:
        """Write the numbers of the pool as a whole."""
        estimate = pool_spread.estimate(people, self.pool.kind)
        now = {
            "method": METHOD,
            "entry_twentieths": self.state.updater.entry,
            "moments": people,
            "centre": estimate.centre,
            "spread": estimate.spread,
        }
        changed = [name for name, value in now.items() if getattr(self.pool, name) != value]
        for name in changed:
            setattr(self.pool, name, now[name])
        if changed:
            self.pool.save(update_fields=changed)
            self.report.offsets += 1

    def _sign(self) -> None:
        """Write what the recomputation did to its row."""
        if self.refold is not None:
            self.refold.results = self.report.results
            self.refold.changes = self.report.changes
            self.refold.people = self.report.ratings
            self.refold.largest = self.largest
            self.refold.save()


def _differs(row: RatingOffset, offset: Offset) -> bool:
    return (row.value, row.games, row.variance) != (offset.value, offset.games, offset.variance)
