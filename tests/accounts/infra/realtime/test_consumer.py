"""One open page: its outbox is bounded, and who listens is asked again when told to."""

import asyncio
import json
import time
from types import SimpleNamespace
from typing import Any

import pytest
from django.contrib.auth.models import AnonymousUser

from accounts.infra.realtime import consumer, hub, topics
from accounts.infra.realtime.consumer import OUTBOX, SESSION_CHANGED, TRY_AGAIN, SocketSession


def page() -> SocketSession:
    return SocketSession({"user": AnonymousUser(), "session": SimpleNamespace(session_key=None)})


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
    leaving.push(SESSION_CHANGED)
    await leaving.write(send)
    assert sent == [
        {"type": "websocket.send", "text": "last words"},
        {"type": "websocket.close", "code": SESSION_CHANGED},
    ]


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize(
    "text",
    [
        '{"subscribe": "season.' + "9" * 5000 + '"}',
        '{"subscribe": "match.\\u0000"}',
        '{"subscribe": "club.\\ud800"}',
        '{"to": "match.x", "message": {"after": ' + "9" * 5000 + "}}",
        '{"to": "match.x", "message": {"after": 1e999}}',
    ],
)
async def test_nonsense_is_refused_and_the_socket_stays_open(text: str) -> None:
    visited = page()
    await visited.handle_message({"text": text})
    answer = visited._outbox.get_nowait()
    assert isinstance(answer, str)
    assert json.loads(answer)["error"] in ("garbled", "refused")
    assert visited._outbox.empty()


class Cellar(topics.Topic):
    """Open for as long as the test says so."""

    is_open = True

    def audience(self, visitor: topics.Visitor, argument: str) -> topics.Audience:
        if not self.is_open:
            raise topics.TopicDenied
        if argument == "flooded":
            raise RuntimeError("a bug, or the database is gone")
        return topics.Audience(f"cellar.{argument}", first=lambda: f"first of {argument}")

    def receive(self, visitor: topics.Visitor, argument: str, message: dict[str, Any]) -> str | None:
        self.audience(visitor, argument)
        if message.get("explode"):
            raise RuntimeError("a bug")
        return f"{argument} heard {message['say']}"


@pytest.fixture
def cellar(monkeypatch: pytest.MonkeyPatch) -> Cellar:
    topic = Cellar()
    monkeypatch.setitem(topics._topics, "cellar", topic)
    return topic


def sent_to(listener: SocketSession) -> list[str | int]:
    return [listener._outbox.get_nowait() for _ in range(listener._outbox.qsize())]


@pytest.mark.django_db(transaction=True)
async def test_a_topic_greets_answers_and_survives_its_own_bugs(cellar: Cellar) -> None:
    visitor = page()
    await visitor.handle_message({"text": '{"subscribe": "cellar.wine"}'})
    assert sent_to(visitor) == ['{"subscribed": "cellar.wine"}', "first of wine"]
    await visitor.handle_message({"text": '{"to": "cellar.wine", "message": {"say": "cheers"}}'})
    assert sent_to(visitor) == ["wine heard cheers"]
    await visitor.handle_message({"text": '{"to": "cellar.wine", "message": {"explode": true}}'})
    assert '"error": "failed"' in str(sent_to(visitor)[0])
    await visitor.handle_message({"text": '{"to": "site", "message": {}}'})
    assert '"error": "refused"' in str(sent_to(visitor)[0])
    await visitor.leave_all()


@pytest.mark.django_db(transaction=True)
async def test_a_page_that_could_not_subscribe_is_sent_away_to_come_back(cellar: Cellar) -> None:
    """It would sit there and hear nothing, without a word."""
    visitor = page()
    await visitor.handle_message({"text": '{"subscribe": "cellar.flooded"}'})
    assert sent_to(visitor) == [TRY_AGAIN]


@pytest.mark.django_db(transaction=True)
async def test_a_listener_who_may_no_longer_listen_is_unsubscribed(cellar: Cellar) -> None:
    visitor = page()
    await visitor.handle_message({"text": '{"subscribe": "cellar.wine"}'})
    sent_to(visitor)
    await visitor._recheck()
    assert sent_to(visitor) == []
    cellar.is_open = False
    await visitor._recheck()
    assert sent_to(visitor) == ['{"unsubscribed": "cellar.wine"}']
    assert hub.current().members.get("cellar.wine") is None
    await visitor.handle_message({"text": '{"to": "cellar.wine", "message": {"say": "hello?"}}'})
    assert '"error": "refused"' in str(sent_to(visitor)[0])


def test_a_topic_is_registered_once() -> None:
    with pytest.raises(ValueError, match="user is taken"):
        topics.register("user", Cellar())


class Conversation:
    """What a page sends, and what it is sent, without a network."""

    def __init__(self) -> None:
        self.incoming: asyncio.Queue[dict[str, Any]] = asyncio.Queue()
        self.sent: list[dict[str, Any]] = []
        self.incoming.put_nowait({"type": "websocket.connect"})

    def say(self, **message: Any) -> None:
        self.incoming.put_nowait({"type": "websocket.receive", "text": json.dumps(message)})

    async def send(self, message: dict[str, Any]) -> None:
        self.sent.append(message)

    async def run(self) -> None:
        scope = {"user": AnonymousUser(), "session": SimpleNamespace(session_key=None)}
        await consumer.live(scope, self.incoming.get, self.send)
        await asyncio.gather(*consumer._reports)


class Lounge(Cellar):
    def __init__(self) -> None:
        self.gone: list[tuple[str, float]] = []

    def receive(self, visitor: topics.Visitor, argument: str, message: dict[str, Any]) -> str | None:
        return None

    def left(self, visitor: topics.Visitor, argument: str, heard_at: float) -> None:
        self.gone.append((argument, heard_at))


@pytest.fixture
def lounge(monkeypatch: pytest.MonkeyPatch) -> Lounge:
    topic = Lounge()
    monkeypatch.setitem(topics._topics, "lounge", topic)
    monkeypatch.setattr(topic, "audience", lambda visitor, argument: topics.Audience(f"lounge.{argument}"))
    monkeypatch.setattr(consumer, "SILENT_AFTER", 0.2)
    monkeypatch.setattr(consumer, "BACK_WITHIN", 0.1)
    return topic


async def test_a_heartbeat_is_answered_at_once() -> None:
    answered = page()
    await answered.handle_message({"text": '{"ping": 18}'})
    assert sent_to(answered) == ['{"event":"pong","ping":18}']
    await answered.handle_message({"text": '{"ping": "no number"}'})
    assert '"garbled"' in str(sent_to(answered))


async def test_a_page_that_falls_silent_is_lost_though_its_socket_is_open(lounge: Lounge) -> None:
    silent = Conversation()
    began = time.time()
    for message in ({"subscribe": "lounge.red"}, {"ping": 1}, {"to": "lounge.red", "message": {"here": True}}):
        silent.say(**message)
    await asyncio.wait_for(silent.run(), 5)
    assert silent.sent[-1] == {"type": "websocket.close", "code": consumer.SILENT}
    assert [argument for argument, _ in lounge.gone] == ["red"]
    assert began <= lounge.gone[0][1] < time.time() - 0.15, "the time it was last heard"


async def test_a_page_is_not_lost_because_the_server_was_too_busy_to_listen(
    lounge: Lounge, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its heartbeat arrived in time and was read late: both that and the end of the silence are then due at once."""
    monkeypatch.setattr(consumer, "SILENT_AFTER", 7.0)
    session = consumer.SocketSession({"user": AnonymousUser(), "session": SimpleNamespace(session_key=None)})
    session._has_heartbeat, session._present = True, {"lounge.red"}
    incoming: asyncio.Queue[dict[str, Any]] = asyncio.Queue()
    loop = asyncio.get_running_loop()
    heard = asyncio.create_task(session.next_event(incoming.get))
    await asyncio.sleep(0)
    real = loop.time
    monkeypatch.setattr(loop, "time", lambda: real() + 20)  # as if it had stood still for so long
    loop.call_soon(lambda: loop.call_soon(incoming.put_nowait, {"type": "websocket.receive"}))
    assert await asyncio.wait_for(heard, 5) == {"type": "websocket.receive"}


async def test_a_page_that_nobody_looks_at_or_that_knows_no_heartbeat_may_be_silent(lounge: Lounge) -> None:
    conversations: list[list[dict[str, Any]]] = [
        [{"subscribe": "lounge.red"}, {"to": "lounge.red", "message": {"here": True}}],
        [{"subscribe": "lounge.red"}, {"ping": 1}, {"to": "lounge.red", "message": {"here": False}}],
        [{"ping": 1}, {"to": "lounge.red", "message": {"here": True}}],
    ]
    for messages in conversations:
        quiet = Conversation()
        for message in messages:
            quiet.say(**message)
        with pytest.raises(TimeoutError):
            await asyncio.wait_for(quiet.run(), 0.5)


async def test_a_page_that_was_closed_is_reported_after_a_moment(lounge: Lounge) -> None:
    closed = Conversation()
    closed.say(subscribe="lounge.red")
    closed.say(to="lounge.red", message={"here": True})
    closed.incoming.put_nowait({"type": "websocket.disconnect"})
    await closed.run()
    assert [argument for argument, _ in lounge.gone] == ["red"]
