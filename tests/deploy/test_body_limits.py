"""Bodies that are too large are refused before anything reads them, whether they say their length or not."""

import asyncio
from typing import Any

import pytest

from deploy import body_limits
from deploy.asgi import application


def ask(path: str, pieces: list[bytes], *headers: tuple[bytes, bytes]) -> tuple[int, bytes, int]:
    """The status and body of the answer, and how many pieces were taken."""
    sent: list[dict[str, Any]] = []
    taken = 0

    async def receive() -> dict[str, Any]:
        nonlocal taken
        if taken >= len(pieces):
            await asyncio.sleep(60)
        taken += 1
        return {"type": "http.request", "body": pieces[taken - 1], "more_body": taken < len(pieces)}

    async def send(message: dict[str, Any]) -> None:
        sent.append(message)

    scope = {
        "type": "http",
        "method": "POST",
        "path": path,
        "raw_path": path.encode(),
        "query_string": b"",
        "root_path": "",
        "scheme": "http",
        "http_version": "1.1",
        "server": ("127.0.0.1", 8000),
        "client": ("127.0.0.1", 4000),
        "headers": [(b"host", b"127.0.0.1"), *headers],
    }
    asyncio.run(application(scope, receive, send))
    body = b"".join(message.get("body", b"") for message in sent)
    return sent[0]["status"], body, taken


@pytest.mark.parametrize("length", [b"419430400", b"9" * 5000])
def test_a_length_that_is_too_large_is_refused_unread(length):
    status, body, taken = ask("/accounts/login/", [b"x"], (b"content-length", length))
    assert (status, taken) == (413, 0)
    assert b"larger than 2048 kB" in body


def test_a_body_in_chunks_is_cut_off():
    piece = b"x" * 65536
    status, _body, taken = ask("/accounts/login/", [piece] * 6400)
    assert status == 413
    assert taken * len(piece) <= body_limits.USUAL + len(piece)


def test_the_api_answers_as_an_api():
    status, body, _taken = ask("/api/v1/clubs/", [b"x" * 300_000], (b"accept-language", b"it"))
    assert status == 413
    assert b'"code": "too-large"' in body


def test_only_archives_may_be_larger():
    assert body_limits.limit_of("/leagues/clubs/lantern/import/") > 20 * 1024 * 1024
    assert body_limits.limit_of("/leagues/lantern/1/files/import/results/") == body_limits.USUAL
    assert body_limits.limit_of("/api/v1/leagues/clubs/import/") == body_limits.API


@pytest.mark.django_db(transaction=True)
def test_what_fits_arrives():
    status, _body, taken = ask("/theme/", [b"theme=", b"dark"], (b"content-type", b"application/x-www-form-urlencoded"))
    assert status == 403  # no token of ours: Django has read it
    assert taken == 2
