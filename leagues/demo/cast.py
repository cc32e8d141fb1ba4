"""Who is who in the demo, and what its leagues have in common."""

from collections.abc import Callable
from datetime import datetime, time, timedelta
from typing import Any

from django.utils import timezone

from accounts.models import Club, Membership, Role, User
from leagues import catalogue, close, competitions, draw, results
from leagues.demo.past import strength
from leagues.models import Division, League, Pairing, Round, Stage
from leagues.odds import reading, refresh, simulation
from leagues.odds.values import NoOdds
from leagues.results import Places
from leagues.scheduling import clock

WEEK = timedelta(weeks=1)
THURSDAY = 3
# Enough for a curve of the past: the chances of today are worked out in full once the house is open.
RUNS = 200


def club() -> Club | None:
    """The demo's own club: the first of the house."""
    return Club.objects.open().order_by("pk").first()


def owner_of(club: Club) -> User:
    return Membership.objects.get(club=club, role=Role.OWNER).user


def person(handle: str) -> User:
    return User.objects.get(handle=handle)


def found(club: Club, name: str, game: str, about: str) -> League | None:
    """A new league; None where the club has it already."""
    if League.objects.filter(club=club, name=name).exists():
        return None
    return competitions.found_league(actor=owner_of(club), club=club, name=name, game=game, about=about)


def season(
    organiser: User,
    league: League,
    name: str,
    format: str,
    *,
    settings: dict[str, Any] | None = None,
    planned: int | None = None,
    weeks: int = 0,
    **terms: Any,
) -> Stage:
    """A season of one division and one stage that opened so many weeks ago; its stage."""
    starts_at = timezone.now() - weeks * WEEK
    made = competitions.add_season(actor=organiser, league=league, name=name, starts_at=starts_at, **terms)
    division = competitions.add_division(actor=organiser, season=made, name="Main event")
    stage = competitions.add_stage(
        actor=organiser, division=division, format=format, settings=settings, planned=planned
    )
    competitions.open_registration(actor=organiser, season=made)
    return stage


def play(organiser: User, stage: Stage, number: int, ended: datetime, enter: Callable[[Pairing], object]) -> Round:
    """A round that is behind them: its results are in, and it was closed then.

    They are entered before anything is published, so that no table opens for a game that is over.
    """
    round_ = draw.pair(actor=organiser, stage=stage, number=number)
    for pairing in tables_of(round_):
        enter(pairing)
    draw.publish(actor=organiser, round=round_, opens_at=ended - WEEK)
    close.close_round(actor=organiser, round=round_)
    Round.objects.filter(pk=round_.pk).update(drawn_at=ended - WEEK, published_at=ended - WEEK, closed_at=ended)
    if catalogue.FORMATS[stage.format].is_planned:
        _remember_odds(stage.division)
    return round_


def tables_of(round_: Round) -> list[Pairing]:
    rows = Pairing.objects.filter(round=round_).order_by("number")
    return list(rows.prefetch_related("seats__entrant__user", "seats__entrant__members__user"))


def table_of(round_: Round, person: User) -> Pairing:
    return next(each for each in tables_of(round_) if person in results.players(each))


def voices(pairing: Pairing) -> list[User]:
    """Those of the table who can say something: guests and bots cannot."""
    return [person for person in results.players(pairing) if not person.is_guest and not person.is_bot]


def by_strength(pairing: Pairing) -> Places:
    """Strength decides, and with it the points at the end: a league without surprises shows its tables best."""
    strengths = [strength(seat.entrant.user) for seat in pairing.seats.select_related("entrant__user")]
    ranks = [1 + sum(other > mine for other in strengths) for mine in strengths]
    return [place(rank) for rank in ranks]


def place(rank: int) -> dict[str, int]:
    """With points that go with it."""
    return {"rank": rank, "score": 18 - 2 * rank}


def sides(pairing: Pairing) -> Places:
    """Thanos alone, or the others: whoever is stronger, with what sitting alone is worth."""
    alone, *others = [strength(seat.entrant.user) for seat in pairing.seats.select_related("entrant__user")]
    won = alone + 10 > sum(others) / len(others)
    return [{"rank": 1 if (at == 0) == won else 2, "score": None} for at in range(len(others) + 1)]


def _remember_odds(division: Division) -> None:
    """For the chart, which goes from round to round; where rounds are drawn anew in every run it would take long."""
    try:
        rest = reading.rest_of(division)
        refresh.remember(division, rest, simulation.odds(rest, seed="demo", runs=RUNS, weigh=False))
    except NoOdds:
        return


def evening(club: Club, days: int, hour: int) -> datetime:
    """About so many days from now, on the club's clock; never on the day of its nights."""
    day = clock.today(club) + timedelta(days=days)
    if day.weekday() == THURSDAY:
        day += timedelta(days=1)
    return clock.moment(day, time(hour), clock.zone_of(club))
