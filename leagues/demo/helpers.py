"""The people of the demo, and what its leagues have in common."""

from collections.abc import Callable, Sequence
from datetime import datetime, time, timedelta
from typing import Any

from django.utils import timezone

from accounts.models import Club, Membership, Role, User
from accounts.notifications.service import resolve
from leagues.calendar import club_clock
from leagues.core import consent, format_catalogue
from leagues.demo.rating_history import strength
from leagues.entries import registration
from leagues.models import Division, Entrant, League, Pairing, Result, Round, Stage
from leagues.odds import inputs, refresh
from leagues.odds.simulation import monte_carlo
from leagues.odds.simulation.values import NoOdds
from leagues.results import recording, reporting
from leagues.results.recording import Places
from leagues.rounds import closing, draw
from leagues.seasons import setup

WEEK = timedelta(weeks=1)
THURSDAY = 3
# Enough for the chart of past odds; today's odds are computed in full once the site runs.
RUNS = 200


def club() -> Club | None:
    """The demo's club: the first one of the site."""
    return Club.objects.open().order_by("pk").first()


def owner_of(club: Club) -> User:
    return Membership.objects.get(club=club, role=Role.OWNER).user


def person(handle: str) -> User:
    return User.objects.get(handle=handle)


def create_league(club: Club, name: str, game: str, about: str) -> League | None:
    """Create a league; None if the club already has it."""
    if League.objects.filter(club=club, name=name).exists():
        return None
    return setup.create_league(actor=owner_of(club), club=club, name=name, game=game, about=about)


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
    """Create a season of one division and one stage that opened some weeks ago; returns its stage."""
    starts_at = timezone.now() - weeks * WEEK
    season = setup.add_season(actor=organiser, league=league, name=name, starts_at=starts_at, **terms)
    division = setup.add_division(actor=organiser, season=season, name="Main event")
    stage = setup.add_stage(actor=organiser, division=division, format=format, settings=settings, planned=planned)
    setup.open_registration(actor=organiser, season=season, quiet=True)
    return stage


def play(organiser: User, stage: Stage, number: int, ended: datetime, enter: Callable[[Pairing], object]) -> Round:
    """Draw a round, enter its results and close it at a time in the past.

    Results are entered before publishing, so that no online table opens for a finished game.
    """
    round_ = draw.draw_next_round(actor=organiser, stage=stage, number=number)
    for pairing in tables_of(round_):
        enter(pairing)
    draw.publish(actor=organiser, round=round_, opens_at=ended - WEEK)
    closing.close_round(actor=organiser, round=round_)
    Round.objects.filter(pk=round_.pk).update(drawn_at=ended - WEEK, published_at=ended - WEEK, closed_at=ended)
    if format_catalogue.FORMATS[stage.format].is_planned:
        _store_odds(stage.division)
    return round_


def enter(owner: User, division: Division, person: User) -> Entrant:
    """Enter a member, who agrees to play."""
    entrant = registration.add_person(actor=owner, division=division, person=person)
    _agree(division, [person])
    return entrant


def enter_team(owner: User, division: Division, name: str, people: Sequence[User], bots: Sequence[str]) -> Entrant:
    entrant = registration.add_team(actor=owner, division=division, name=name, members=people, bots=bots)
    _agree(division, people)
    return entrant


def _agree(division: Division, people: Sequence[User]) -> None:
    for person in people:
        consent.agree(division.season, person)
        resolve(person, registration.ADDED_KIND, path=division.season.get_absolute_url())


def settle(pairing: Pairing, places: Places, grade: Sequence[int] = ()) -> None:
    """An organiser who does not play at the table enters the result; if all do, one reports and another confirms."""
    seated = reporting.players(pairing)
    organisers = reporting.organisers(pairing.round.stage.division.season)
    actor = next((each for each in organisers if each not in seated), organisers[0])
    if actor in seated and (pairing.where == Pairing.Where.ONLINE or not pairing.round.is_published):
        # An online match would have been recorded by the site; before the round is published nobody else could confirm.
        checked = recording.validate_places(pairing, places)
        confirmed, source = Result.Kind.CONFIRMED, Result.Source.ORGANISER
        locked = recording.lock_pairing(pairing)
        recording.record_result(pairing=locked, kind=confirmed, source=source, places=checked, by=None, grade=grade)
        return
    made = reporting.enter_result(actor=actor, pairing=pairing, places=places, grade=grade)
    if made.kind == Result.Kind.REPORTED:
        # Of a round that is not published yet only organisers know.
        other = min(reporting.can_answer(pairing, actor), key=lambda each: each not in organisers)
        reporting.answer(person=other, result=made, agrees=True)
    # Nobody has to read about the past of a demo.
    resolve(None, reporting.ENTERED_KIND, reporting.REPORTED_KIND, path=pairing.get_absolute_url())


def tables_of(round_: Round) -> list[Pairing]:
    rows = Pairing.objects.filter(round=round_).order_by("number")
    return list(rows.prefetch_related("seats__entrant__user", "seats__entrant__members__user"))


def table_of(round_: Round, person: User) -> Pairing:
    return next(each for each in tables_of(round_) if person in reporting.players(each))


def people_who_can_answer(pairing: Pairing) -> list[User]:
    """The people at the table who can report and answer: no guests and no bots."""
    return [person for person in reporting.players(pairing) if not person.is_guest and not person.is_bot]


def by_strength(pairing: Pairing) -> Places:
    """Places by strength alone, so that the standings are easy to follow."""
    strengths = [strength(seat.entrant.user) for seat in pairing.seats.select_related("entrant__user")]
    ranks = [1 + sum(other > mine for other in strengths) for mine in strengths]
    return [place(rank) for rank in ranks]


def place(rank: int) -> dict[str, int]:
    """A place with a matching score."""
    return {"rank": rank, "score": 18 - 2 * rank}


def sides(pairing: Pairing) -> Places:
    """The stronger side wins, Thanos or the heroes; playing alone is worth a bonus."""
    alone, *others = [strength(seat.entrant.user) for seat in pairing.seats.select_related("entrant__user")]
    won = alone + 10 > sum(others) / len(others)
    return [{"rank": 1 if (at == 0) == won else 2, "score": None} for at in range(len(others) + 1)]


def _store_odds(division: Division) -> None:
    """Compute odds for the chart. Only for planned formats: drawing rounds in every simulated run takes too long."""
    try:
        rest = inputs.load_remaining_season(division)
        refresh.store_for_chart(division, rest, monte_carlo.odds(rest, seed="demo", runs=RUNS, weigh=False))
    except NoOdds:
        return


def evening(club: Club, days: int, hour: int) -> datetime:
    """A moment about so many days from now, on the club's clock, never on the day of its nights."""
    day = club_clock.today(club) + timedelta(days=days)
    if day.weekday() == THURSDAY:
        day += timedelta(days=1)
    return club_clock.moment(day, time(hour), club_clock.zone_of(club))
