"""Bots that people bring, raced: numbers without holes, one seat, one fault, one delivery."""

import pytest
from django.db import transaction

from accounts import clubs
from accounts.models import Delivery
from accounts.webhooks import events as webhooks_events
from accounts.webhooks import service as webhooks
from games.models import BotChallenge, BotEvent, BotFault, Seat
from games.user_bots import challenges, events
from games.user_bots import service as user_bots_service
from tests.factories import GAME, create_user, open_table_with
from tests.games.play.test_races import RACERS, done, race
from tests.games.user_bots.test_user_bots import table_for_two

pytestmark = pytest.mark.usefixtures("any_database")


@pytest.fixture
def robo() -> user_bots_service.NewKey:
    return user_bots_service.create(
        owner=create_user("olive"), handle="robo", name="R", about="", games=[GAME], accepts="anyone"
    )


def test_numbers_are_without_holes_and_in_the_order_of_their_commits(robo):
    match = open_table_with(robo.bot.owner, bots=1)
    seen: list[list[int]] = []

    def append_turns() -> None:
        for _ in range(5):
            with transaction.atomic():
                events.append(robo.bot.pk, BotEvent.Kind.TURN, match)
            # Whoever sees a number can see all before it.
            seen.append(list(BotEvent.objects.order_by("seq").values_list("seq", flat=True)))

    race(*[append_turns] * RACERS)
    assert len(seen) == 5 * RACERS
    assert all(numbers == list(range(1, len(numbers) + 1)) for numbers in seen)
    assert max(map(len, seen)) == 5 * RACERS


def test_accepted_by_many_it_sits_once(robo):
    match = table_for_two(robo.bot.owner)
    made = challenges.challenge(person=robo.bot.owner, match=match, bot=robo.bot)
    race(*[lambda: challenges.accept(bot=robo.bot, challenge=made)] * RACERS)
    assert Seat.objects.filter(match=match, user=robo.bot.user).count() == 1
    assert BotChallenge.objects.get().status == "accepted"


def test_asked_by_many_it_is_asked_once(robo):
    match = table_for_two(robo.bot.owner)
    ask = race(*[lambda: challenges.challenge(person=robo.bot.owner, match=match, bot=robo.bot)] * RACERS)
    assert len(done(ask)) == 1
    assert BotEvent.objects.count() == 1


def test_illegal_moves_at_once_are_counted_in_one_row(robo):
    match = open_table_with(robo.bot.owner, bots=1)
    race(*[lambda: events.record_fault(robo.bot, match, BotFault.Kind.ILLEGAL, "no")] * RACERS)
    assert BotFault.objects.get().count == RACERS


def test_standings_that_change_at_once_are_one_piece_of_news(monkeypatch):
    monkeypatch.setattr("accounts.webhooks.events.enqueue_delivery", lambda delivery_id: None)
    owner = create_user("olive")
    club = clubs.create_club(founder=owner, name="The Round Table")
    terms = {"name": "News", "url": "https://news.example/", "shape": "json", "events": ["standings.changed"]}
    webhooks.create_webhook(actor=owner, club=club, **terms)

    def changed() -> None:
        with transaction.atomic():
            webhooks_events.emit("standings.changed", club_id=club.pk, subject=1)

    changed()
    race(*[changed] * RACERS)
    assert Delivery.objects.count() == 1
