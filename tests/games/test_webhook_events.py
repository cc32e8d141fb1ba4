"""What a club's webhooks are told about its tables."""

import json

import pytest

from accounts import clubs
from accounts.models import Delivery
from accounts.webhooks import service as webhooks
from games import webhook_events
from games.models import Match
from games.tables import leaving
from games.user_bots import service as user_bots
from tests.factories import finished_match, open_table_with, started_match


@pytest.fixture
def club(alice, bob):
    club = clubs.create_club(founder=alice, name="The Round Table")
    webhooks.create_webhook(
        actor=alice, club=club, name="News", url="https://news.example/", shape="json", events=[webhook_events.FINISHED]
    )
    return club


def test_a_finished_match_is_owed_to_its_clubs_webhooks_with_what_a_visitor_sees(club, alice, bob):
    match = finished_match(started_match(alice, bob, club=club, rated=True))
    delivery = Delivery.objects.get()
    assert (delivery.event, delivery.subject) == ("match.finished", match.pk)
    story = webhook_events.describe_finished(match.pk)
    assert story.path == match.get_absolute_url()
    assert [seat["handle"] for seat in story.object["seats"]] == ["alice", "bob"]
    assert {seat["rank"] for seat in story.object["seats"]} <= {1, 2}
    assert match.secret not in json.dumps(story.object)
    assert set(story.object) == {"key", "game", "rated", "cause", "finished_at", "seats"}


def test_a_bot_that_somebody_brought_is_told_as_a_bot(club, alice, bob):
    robo = user_bots.create(
        owner=bob, handle="robo", name="Robo", about="", games=["splendor-marvel"], accepts="anyone"
    )
    match = started_match(alice, robo.bot.user, club=club)
    leaving.resign(person=alice, match=match)
    story = webhook_events.describe_finished(match.pk)
    assert {seat["handle"]: seat["bot"] for seat in story.object["seats"]} == {"alice": False, "robo": True}


def test_a_resigned_match_is_told_too(club, alice, bob):
    match = started_match(alice, bob, club=club)
    leaving.resign(person=bob, match=match)
    story = webhook_events.describe_finished(Delivery.objects.get().subject)
    assert story.object["cause"] == "resigned"
    assert [seat["left"] for seat in story.object["seats"]] == ["", "resigned"]


@pytest.mark.parametrize("hidden", [{"visibility": "link"}, {"visibility": "club"}, {"sealed": True}])
def test_what_visitors_do_not_see_is_no_news(club, alice, bob, hidden):
    match = started_match(alice, bob, club=club)
    Match.objects.filter(pk=match.pk).update(**hidden)
    leaving.resign(person=bob, match=match)
    assert not Delivery.objects.exists()
    assert webhook_events.describe_finished(match.pk) is None


def test_a_table_of_no_club_is_nobodys_news(club, alice, bob):
    leaving.resign(person=bob, match=started_match(alice, bob))
    assert not Delivery.objects.exists()


def test_a_match_that_is_not_over_is_not_described(club, alice, bob):
    match = open_table_with(alice, bob, club=club)
    assert webhook_events.describe_finished(match.pk) is None
    assert Match.objects.get(pk=match.pk).is_open
