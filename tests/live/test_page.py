"""One open page: its outbox is bounded, and who listens is asked again when told to."""

import asyncio
from types import SimpleNamespace
from typing import Any

import pytest
from django.contrib.auth.models import AnonymousUser

from accounts.live import hub, topics
from accounts.live.consumer import OUTBOX, SOMEONE_ELSE, TRY_AGAIN, Page


def page() -> Page:
    return Page({"user": AnonymousUser(), "session": SimpleNamespace(session_key=None)})


async def test_a_page_that_does_not_read_is_told_to_start_over_and_costs_no_memory() -> None:
    stalled = page()
    for number in range(OUTBOX * 100):
        stalled.push(f"frame {number}")
    assert stalled._outbox.qsize() <= OUTBOX
    sent: list[dict[str, Any]] = []

    async def send(message: dict[str, Any]) -> None:
        sent.append(message)

    writer = asyncio.create_task(stalled.write(send))
    while not stalled._outbox.empty():
        await asyncio.sleep(0)
    writer.cancel()
    assert sent[0]["text"] == hub.RESYNC
    assert sent[-1]["text"] == f"frame {OUTBOX * 100 - 1}"


async def test_a_close_code_ends_the_conversation() -> None:
    sent: list[dict[str, Any]] = []

    async def send(message: dict[str, Any]) -> None:
        sent.append(message)

    leaving = page()
    leaving.push("last words")
    leaving.push(SOMEONE_ELSE)
    await leaving.write(send)
    assert sent == [
        {"type": "websocket.send", "text": "last words"},
        {"type": "websocket.close", "code": SOMEONE_ELSE},
    ]


class Cellar(topics.Topic):
    """Open for as long as the test says so."""

    is_open = True

    def audience(self, visitor: topics.Actor, argument: str) -> topics.Audience:
        if not self.is_open:
            raise topics.Refused
        if argument == "flooded":
            raise RuntimeError("a bug, or the database is gone")
        return topics.Audience(f"cellar.{argument}", first=lambda: f"first of {argument}")

    def receive(self, visitor: topics.Actor, argument: str, message: dict[str, Any]) -> str | None:
        self.audience(visitor, argument)
        if message.get("explode"):
            raise RuntimeError("a bug")
        return f"{argument} heard {message['say']}"


@pytest.fixture
def cellar(monkeypatch: pytest.MonkeyPatch) -> Cellar:
    topic = Cellar()
    monkeypatch.setitem(topics._topics, "cellar", topic)
    return topic


def said(listener: Page) -> list[str | int]:
    return [listener._outbox.get_nowait() for _ in range(listener._outbox.qsize())]


@pytest.mark.django_db(transaction=True)
async def test_a_topic_greets_answers_and_survives_its_own_bugs(cellar: Cellar) -> None:
    visitor = page()
    await visitor.hear({"text": '{"subscribe": "cellar.wine"}'})
    assert said(visitor) == ['{"subscribed": "cellar.wine"}', "first of wine"]
    await visitor.hear({"text": '{"to": "cellar.wine", "message": {"say": "cheers"}}'})
    assert said(visitor) == ["wine heard cheers"]
    await visitor.hear({"text": '{"to": "cellar.wine", "message": {"explode": true}}'})
    assert '"error": "failed"' in str(said(visitor)[0])
    await visitor.hear({"text": '{"to": "site", "message": {}}'})
    assert '"error": "refused"' in str(said(visitor)[0])
    await visitor.leave_all()


@pytest.mark.django_db(transaction=True)
async def test_a_page_that_could_not_subscribe_is_sent_away_to_come_back(cellar: Cellar) -> None:
    """It would sit there and hear nothing, without a word."""
    visitor = page()
    await visitor.hear({"text": '{"subscribe": "cellar.flooded"}'})
    assert said(visitor) == [TRY_AGAIN]


@pytest.mark.django_db(transaction=True)
async def test_a_listener_who_may_no_longer_listen_is_unsubscribed(cellar: Cellar) -> None:
    visitor = page()
    await visitor.hear({"text": '{"subscribe": "cellar.wine"}'})
    said(visitor)
    await visitor._recheck()
    assert said(visitor) == []
    cellar.is_open = False
    await visitor._recheck()
    assert said(visitor) == ['{"unsubscribed": "cellar.wine"}']
    assert hub.current().members.get("cellar.wine") is None
    await visitor.hear({"text": '{"to": "cellar.wine", "message": {"say": "hello?"}}'})
    assert '"error": "refused"' in str(said(visitor)[0])


def test_a_topic_is_registered_once() -> None:
    with pytest.raises(ValueError, match="user is taken"):
        topics.register("user", Cellar())
