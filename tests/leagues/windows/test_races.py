"""The deadline and people at the same moment: real threads on both kinds of database."""

from datetime import timedelta

import pytest
from django.utils import timezone

from leagues.models import Pairing, Result
from leagues.results import reporting
from leagues.rounds import tables
from leagues.seasons import setup
from leagues.windows import deadlines, time_proposals
from tests.factories import create_club, create_user
from tests.games.play.test_races import race
from tests.leagues.windows.conftest import fresh, seated

pytestmark = pytest.mark.usefixtures("any_database")


@pytest.fixture
def cast():
    alice, olga, bob = create_user("alice"), create_user("olga"), create_user("bob")
    club = create_club(alice, olga, bob)
    return alice, olga, bob, setup.create_league(actor=alice, club=club, name="League", game="splendor-marvel")


def late(pairing: Pairing) -> Pairing:
    """Its window has just closed."""
    Pairing.objects.filter(pk=pairing.pk).update(closes_at=timezone.now() - timedelta(seconds=1))
    return fresh(pairing)


def test_a_deadline_and_a_result_at_once_give_one_result(cast):
    alice, olga, bob, league = cast
    pairing = late(seated(league, alice, [alice, bob]))
    places = [{"rank": 2}, {"rank": 1}]
    race(
        deadlines.sweep,
        lambda: reporting.enter_result(actor=olga, pairing=pairing, places=places),
        deadlines.sweep,
    )
    assert Result.objects.filter(pairing=pairing).count() == 1
    assert Result.objects.get(pairing=pairing).in_force
    assert fresh(pairing).state == Pairing.State.CONFIRMED


def test_a_deadline_and_the_last_who_comes(cast):
    """Either they play, or the table is decided: never both."""
    alice, _olga, bob, league = cast
    pairing = seated(league, alice, [alice, bob])
    tables.mark_present(person=alice, pairing=pairing)
    pairing = late(pairing)
    race(deadlines.sweep, lambda: tables.mark_present(person=bob, pairing=pairing), deadlines.sweep)
    table = fresh(pairing)
    decided = Result.objects.filter(pairing=pairing).count()
    assert (table.match is None) == (decided == 1)
    assert decided <= 1


def test_one_hour_is_not_given_to_two_tables(cast):
    alice, olga, bob, league = cast
    when = timezone.now() + timedelta(days=1)
    suggested = []
    for other in (alice, olga):
        pairing = seated(league, alice, [bob, other])
        suggested.append((other, time_proposals.propose(person=bob, pairing=pairing, times=[when]).times.get()))
    race(*[lambda who=who, time=time: time_proposals.accept(person=who, time=time) for who, time in suggested])
    assert Pairing.objects.filter(starts_at=when).count() == 1
