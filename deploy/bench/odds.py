"""Whether title odds come true: seasons of people whose strengths are known here and only estimated there.

A club of 24 plays rated games of two, seats and winners drawn from true strengths; the real fold makes ratings of
them; the real odds code is asked for the title of a round robin of eight; then that round robin is played many times
with the true strengths. Odds are right if, of all that were given 30 to 40 %, about 35 % came true, and if the
favourite wins as often as said, whether people are alike or far apart, and after 3 rated games each as after 30.
"""

import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from math import sqrt

from deploy.bench import Row
from leagues import rounds
from leagues.formats.points import NORMAL
from leagues.formats.values import Entrant, History
from leagues.odds import spreads
from leagues.odds.campaign import Campaign
from leagues.odds.luck import Dice
from leagues.odds.simulation import Tally
from leagues.odds.values import Estimates, Position, Rest, Rules, Strengths
from leagues.ratings.book import Book, Fact
from leagues.ratings.kinds import SCALE, START, Kind

SPREADS = (100, 150, 200, 250)
GAMES = (3, 10, 30)
CLUB, FIELD = 24, 8
CLUBS = 400
"""Simulated clubs for each setting; the favourite's sampling error is then about one point."""
RUNS = 240
"""Seasons behind each chance that is given. Half of them say who is the favourite and in which tenth a chance lies, the
other half how large it is: the largest of several chances that are a little off would seem too large."""
PLAYED = 60
"""How often each season is really played."""
FEW = 30
"""Clubs."""
FAVOURITE, TENTH = 4.0, 5.0
"""Percentage points that a favourite, and the chances of any tenth, may be off, beyond the sampling error."""
Z95 = 1.96

ROUND_ROBIN = Rules(
    rounds.round_robin_round,
    "standings",
    "bench",
    {"double": False},
    rounds.round_robin_plan,
    fixed=True,
    round_robin=True,
)


@dataclass(frozen=True)
class Said:
    """One chance that was given, the same by other runs, how often it came true, and in which club."""

    club: int
    first: float
    second: float
    came_true: float
    favourite: bool


@dataclass(frozen=True)
class Compared:
    """Chances of a kind: how many, given and come true on average, and one standard error of the difference."""

    count: int
    given: float
    came_true: float
    error: float

    @property
    def off(self) -> float:
        return self.given - self.came_true


def rows(*, clubs: int = CLUBS, quick: bool = False) -> Iterator[Row]:
    """Quick rows only show that it runs: one setting, two clubs."""
    if quick:
        clubs = 2
    for spread in SPREADS[:1] if quick else SPREADS:
        for games in GAMES[:1] if quick else GAMES:
            said = list(setting(spread, games, clubs))
            where = f"spread {spread}, {games} games"
            yield _row(f"{where}: favourite", compared([each for each in said if each.favourite]), FAVOURITE)
            for tenth in range(10):
                alike = [each for each in said if min(9, int(10 * each.first)) == tenth]
                if alike:
                    yield _row(f"{where}: given {10 * tenth}-{10 * tenth + 10} %", compared(alike), TENTH)


def _row(what: str, found: Compared, most: float) -> Row:
    sampling = 100 * Z95 * found.error
    beside = (
        f"given {100 * found.given:.1f} %, came true {100 * found.came_true:.1f} %, n {found.count}, "
        f"sampling error ±{sampling:.1f}"
    )
    return Row(what, round(100 * abs(found.off), 1), "points", round(most + sampling, 1), beside, lower_is_better=True)


def compared(said: Sequence[Said]) -> Compared:
    """Chances of one club hang together, so the error is that of the clubs' means."""
    given = sum(each.second for each in said) / len(said)
    came_true = sum(each.came_true for each in said) / len(said)
    by_club: dict[int, float] = {}
    for each in said:
        by_club[each.club] = by_club.get(each.club, 0.0) + each.second - each.came_true - (given - came_true)
    error = sqrt(sum(each**2 for each in by_club.values())) / len(said)
    if len(by_club) < FEW:
        # A handful of clubs does not show how much clubs differ: then it is the error of one throw a case.
        error = max(error, sqrt(given * (1 - given) / len(said)))
    return Compared(len(said), given, came_true, error)


def setting(spread: int, games: int, clubs: int, first: int = 0) -> Iterator[Said]:
    for club in range(first, first + clubs):
        yield from one_club(spread, games, club)


def one_club(spread: int, games: int, club: int) -> Iterator[Said]:
    rng = random.Random(f"{spread} {games} {club}")
    true = {who: START + round(rng.gauss(0, spread) * SCALE) for who in range(1, CLUB + 1)}
    book = rated(rng, true, games)
    seed = f"{spread} {games} {club}"
    half = RUNS // 2
    given = titles(season(estimated(book)), seed, 0, half)
    again = titles(season(estimated(book)), seed, half, RUNS)
    truth = Estimates({who: true[who] for who in range(1, FIELD + 1)})
    came_true = titles(season((truth,)), f"true {seed}", 0, PLAYED)
    favourite = max(given, key=lambda who: (given[who], -who))
    for who in given:
        yield Said(club, given[who], again[who], came_true[who], who == favourite)


def rated(rng: random.Random, true: dict[int, int], games: int) -> Book:
    """The club's ratings after so many games each, on average, all of them within a few weeks."""
    book = Book(Kind.FREE_FOR_ALL, {})
    begun = datetime(2026, 1, 1, tzinfo=UTC)
    people = sorted(true)
    for number in range(len(people) * games // 2):
        one, other = rng.sample(people, 2)
        wins = rng.random() < 1 / (1 + 10 ** ((true[other] - true[one]) / (400 * SCALE)))
        seats = [[one, 1 if wins else 2, False, ""], [other, 2 if wins else 1, False, ""]]
        book.play(Fact(number, f"bench:{number}", begun + timedelta(hours=number), seats, "", False))
    return book


def estimated(book: Book) -> tuple[Estimates, ...]:
    """What odds are made from, as `leagues.odds.reading` does it from rows."""
    known = {who: book.standing(who) for who in range(1, CLUB + 1)}
    people = [(now.rating, now.variance) for now in known.values() if now is not None]
    found = []
    for spread in spreads.likely(people, book.entry):
        numbers = {}
        for who in range(1, FIELD + 1):
            now = known[who]
            unrated = (book.entry, spread.points**2 * SCALE)
            numbers[who] = spreads.estimate(now.rating, now.variance, 0, spread, book.entry) if now else unrated
        means = {who: mean for who, (mean, _) in numbers.items()}
        variances = {who: variance for who, (_, variance) in numbers.items()}
        found.append(Estimates(means, variances, weight=spread.weight))
    return tuple(found)


def season(estimates: tuple[Estimates, ...]) -> Rest:
    """A round robin without tie-breaks: who ends level shares the title."""
    entrants = tuple(Entrant(who, who, 1500) for who in range(1, FIELD + 1))
    return Rest(
        Position(ROUND_ROBIN, History("bench", entrants)),
        NORMAL,
        (),
        lambda size: ("",) * size,
        Strengths(Kind.FREE_FOR_ALL, estimates),
    )


def titles(rest: Rest, seed: str, begin: int, end: int) -> dict[int, float]:
    """Each one's share of the titles in these runs."""
    campaign, tally = Campaign(rest), Tally()
    for run in range(begin, end):
        tally.add(campaign.play(Dice(seed, run)))
    return {row.entrant: row.title for row in tally.rows(end - begin, 0, 0)}
