"""Publishing wakes the server's loop from any thread, and works on in a forked child."""

import asyncio
import multiprocessing
import threading
import time
from collections.abc import Callable, Iterator

import pytest

from accounts.infra.realtime import hub, publish
from accounts.infra.realtime.publish import frame


@pytest.fixture(autouse=True)
def nobody_serves() -> Iterator[None]:
    publish.detach_loop()
    yield
    publish.detach_loop()


class Ear:
    def __init__(self) -> None:
        self.received: list[tuple[str, float]] = []
        self.checked = 0

    def push(self, text: str, wire: bytes | None = None) -> None:
        self.received.append((text, time.perf_counter()))

    def recheck(self) -> None:
        self.checked += 1


async def until(happened: Callable[[], object]) -> None:
    async with asyncio.timeout(60):
        while not happened():
            await asyncio.sleep(0.01)


async def listening(ear: Ear, group: str = "table") -> asyncio.Task[None]:
    publish.attach_loop(asyncio.get_running_loop())
    task = asyncio.create_task(hub.current().run())
    await until(hub.current().is_well)
    await hub.current().join(group, ear)
    return task


def in_a_thread(work) -> None:
    thread = threading.Thread(target=work)
    thread.start()
    thread.join()


async def test_a_worker_thread_wakes_a_sleeping_loop_at_once() -> None:
    ear = Ear()
    task = await listening(ear)
    delays = []
    for number in range(5):
        sent: list[float] = []

        def send(number: int = number, sent: list[float] = sent) -> None:
            time.sleep(0.05)
            sent.append(time.perf_counter())
            publish.publish("table", frame("move", ply=number))

        thread = threading.Thread(target=send)
        thread.start()
        # One long sleep: a loop that is not woken would see the frame only after it.
        await asyncio.sleep(0.3)
        thread.join()
        await until(lambda number=number: len(ear.received) > number)  # type: ignore[misc]
        assert ear.received[number][0] == f'{{"event":"move","ply":{number}}}'
        delays.append(ear.received[number][1] - sent[0])
    assert min(delays) < 0.05, delays
    task.cancel()


async def test_frames_keep_their_order_and_reach_only_their_group() -> None:
    ear, other = Ear(), Ear()
    task = await listening(ear)
    await hub.current().join("elsewhere", other)

    def send_many() -> None:
        for number in range(200):
            publish.publish("table", str(number))

    in_a_thread(send_many)
    await until(lambda: len(ear.received) == 200)
    assert [text for text, _ in ear.received] == [str(number) for number in range(200)]
    assert other.received == []
    publish.recheck("table")
    await until(lambda: ear.checked)
    assert (ear.checked, other.checked) == (1, 0)
    await hub.current().leave("table", ear)
    publish.publish("table", "nobody is there")
    publish.publish("elsewhere", "somebody is here")
    await until(lambda: other.received)
    assert len(ear.received) == 200
    task.cancel()


def child_publishes(result) -> None:
    asyncio.run_coroutine_threadsafe(asyncio.sleep(0), publish._loop()).result(timeout=60)
    result.put("sent")


@pytest.mark.filterwarnings("ignore:This process .* is multi-threaded:DeprecationWarning")
def test_a_forked_child_has_a_loop_of_its_own() -> None:
    """Whoever forks may have published before."""
    publish.publish("table", "from the parent")
    parents = publish._loop()
    context = multiprocessing.get_context("fork")
    result = context.SimpleQueue()
    child = context.Process(target=child_publishes, args=(result,))
    child.start()
    child.join(60)
    assert child.exitcode == 0
    assert result.get() == "sent"
    assert publish._loop() is parents


async def test_the_hub_starts_again_when_its_layer_fails(monkeypatch: pytest.MonkeyPatch) -> None:
    ear = Ear()
    task = await listening(ear)
    layer = hub.current()._layer
    receive, broken = layer.receive, [True]

    async def fails_once(channel: str) -> dict[str, str]:
        if broken.pop() if broken else False:
            raise ConnectionError("the layer is gone")
        return await receive(channel)

    monkeypatch.setattr(layer, "receive", fails_once)
    publish.publish("table", "lost with the old channel")
    await until(lambda: hub.RESYNC in [text for text, _ in ear.received])
    publish.publish("table", "after")
    await until(lambda: ear.received[-1][0] == "after")
    assert hub.serving()
    task.cancel()


async def test_a_deaf_layer_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing fails, and yet nothing arrives: only the missing heartbeat tells."""
    monkeypatch.setattr(hub, "HEARTBEAT", 0.05)
    monkeypatch.setattr(hub, "STALE_AFTER", 0.15)
    ear = Ear()
    task = await listening(ear)
    layer = hub.current()._layer
    send = layer.send

    async def swallow(channel: str, message: dict[str, str]) -> None: ...

    monkeypatch.setattr(layer, "send", swallow)
    await until(lambda: hub.RESYNC in [text for text, _ in ear.received])
    monkeypatch.setattr(layer, "send", send)
    await until(hub.current().is_well)
    publish.publish("table", "received again")
    await until(lambda: "received again" in [text for text, _ in ear.received])
    task.cancel()
