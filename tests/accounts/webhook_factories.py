"""News for webhooks to be told, and webhooks to tell it to."""

from datetime import timedelta

import pytest
from django.utils import timezone

from accounts.models import Delivery
from accounts.tasks import deliver_webhook
from accounts.webhooks import events as webhooks_events
from accounts.webhooks import service as webhooks
from accounts.webhooks.events import EventPayload
from tests.accounts.webhook_receiver import listening

STORIES: dict[int, EventPayload] = {}
HAPPENED = webhooks_events.declare_event(
    "tests.happened", "It happened", describe=lambda number: STORIES.get(number), colour=0x123456
)
MANY = webhooks_events.declare_event(
    "tests.many", "Often", describe=lambda number: STORIES.get(number), colour=1, patience=timedelta(seconds=15)
)


@pytest.fixture(autouse=True)
def sent(monkeypatch) -> list[int]:
    """Deliveries whose task was sent. There is no worker here: tests run the tasks themselves."""
    tasks: list[int] = []
    monkeypatch.setattr("accounts.webhooks.events.enqueue_delivery", tasks.append)
    return tasks


@pytest.fixture(autouse=True)
def stories():
    STORIES.clear()
    STORIES[7] = EventPayload({"number": 7}, "Seven came", ["Alice *won*", "@everyone lost"], "/play/seven/")
    yield
    STORIES.clear()


@pytest.fixture
def receiver(settings):
    settings.WEBHOOKS_TO_PRIVATE = True
    with listening() as found:
        yield found


def made(club, alice, url: str, shape: str = "json", events=(HAPPENED, MANY)) -> webhooks.NewSecret:
    return webhooks.create_webhook(actor=alice, club=club, name="News", url=url, shape=shape, events=events)


@pytest.fixture
def hook(club, alice, receiver) -> webhooks.NewSecret:
    return made(club, alice, receiver.url)


def owed(club, event: str = HAPPENED) -> Delivery:
    webhooks_events.emit(event, club_id=club.pk, subject=7)
    return Delivery.objects.latest("pk")


def later(delivery: Delivery) -> Delivery:
    """Its pause is over: try it again."""
    Delivery.objects.filter(pk=delivery.pk, status="waiting").update(due_at=timezone.now())
    deliver_webhook(delivery.pk)
    delivery.refresh_from_db()
    return delivery
