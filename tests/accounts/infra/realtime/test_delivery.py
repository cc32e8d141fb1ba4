"""What happens on the site reaches open pages: in the one-process site and in the large one alike."""

import json
import time
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from urllib.parse import urlsplit

import pytest
from websockets.exceptions import InvalidStatus

from accounts.infra.realtime.consumer import BURST, MAX_MESSAGE_BYTES, MAX_TOPICS
from deploy.harness.servers import PATIENCE, SiteServer, Socket
from deploy.harness.services import wait_until


def test_a_message_sent_by_a_task_arrives_on_every_socket(site: SiteServer) -> None:
    with site.socket(0) as first, site.socket(len(site.webs) - 1) as last:
        for socket in (first, last):
            socket.subscribe("site")
        site.manage("announce", "We close at ten tonight.")
        for socket in (first, last):
            frame = socket.wait_for("announcement")
            assert frame["text"] == "We close at ten tonight."


def test_a_new_page_is_told_what_is_up_now(site: SiteServer) -> None:
    site.manage("announce", "The kettle is on.")
    with site.socket() as socket:
        socket.subscribe("site")
        assert socket.wait_for("announcement")["text"] == "The kettle is on."


def test_one_sweep_sends_a_line_once(site: SiteServer) -> None:
    with site.socket() as socket:
        socket.subscribe("site")
        site.manage("announce", "Once is enough.")
        while socket.wait_for("announcement")["text"] != "Once is enough.":
            pass
        with ThreadPoolExecutor(2) as pool:
            for _ in pool.map(
                site.python, ["from deploy.announcements import send_unsent; assert send_unsent() == 0"] * 2
            ):
                pass
        assert socket.is_quiet(2.5)


def test_people_hear_of_their_own_notices_and_of_nobody_elses(site: SiteServer) -> None:
    alice, bob, charlie = (site.sign_in(name) for name in ("alice", "bob", "charlie"))
    site.python(
        "from accounts import clubs; from accounts.models import User\n"
        "clubs.create_club(founder=User.objects.get(handle='alice'), name='Alice and friends')"
    )
    with site.socket(session=alice) as hers, site.socket(session=charlie) as theirs:
        for socket in (hers, theirs):
            socket.subscribe("user")
        status, _ = site.post("/clubs/alice-and-friends/ask/", session=bob, web=len(site.webs) - 1)
        assert status == 200
        assert hers.wait_for("notices") == {"event": "notices"}
        assert theirs.is_quiet()


def test_charlie_the_stranger_hears_nothing(site: SiteServer) -> None:
    with site.socket() as socket:
        for topic in ("user", "user.1", "club.no-such-club", "match.1", "", "site\n", "SITE"):
            socket.send({"subscribe": topic})
            assert socket.receive()["error"] == "refused", topic


def test_a_page_of_another_site_gets_no_socket(site: SiteServer) -> None:
    port = urlsplit(site.webs[0]).port or 0
    for origin in ("https://evil.example", "http://127.0.0.1", f"http://127.0.0.1:{port + 1}", "null"):
        with pytest.raises(InvalidStatus):
            site.socket(origin=origin)


@pytest.mark.parametrize(
    "garbage",
    ["", "{", "null", "[]", '"subscribe"', "{}", '{"subscribe": 7}', '{"to": "site"}', "[" * 5000, "\x00\ufffd"],
)
def test_garbage_is_answered_and_the_socket_kept(site: SiteServer, garbage: str) -> None:
    with site.socket() as socket:
        socket.send(garbage)
        assert socket.receive()["error"] == "garbled"
        socket.subscribe("site")


def test_binary_and_oversized_messages_are_answered_and_the_socket_kept(site: SiteServer) -> None:
    with site.socket() as socket:
        socket.connection.send(b"\x00\xff")
        assert socket.receive()["error"] == "garbled"
        socket.send(json.dumps({"subscribe": "x" * MAX_MESSAGE_BYTES}))
        assert socket.receive()["error"] == "too-large"
        socket.subscribe("site")


def test_a_flood_gets_one_complaint_and_the_socket_is_kept(site: SiteServer) -> None:
    with site.socket() as socket:
        for _ in range(BURST * 5):
            socket.send("nonsense")
        answers = [socket.receive()["error"]]
        while answers[-1] != "too-fast":
            answers.append(socket.receive()["error"])
        assert answers.count("garbled") < BURST * 2
        wait_until(lambda: listens(socket), PATIENCE, "the socket takes nothing any more")


def listens(socket: Socket) -> bool:
    """Ask, and read whatever else is still on its way."""
    socket.send({"subscribe": "site"})
    with suppress(TimeoutError):
        while True:
            if socket.receive(0.5) == {"subscribed": "site"}:
                return True
    return False


def test_a_page_listens_to_a_bounded_number_of_topics(site: SiteServer) -> None:
    site.python(
        "from accounts.models import User; from accounts import clubs\n"
        "person = User.objects.create_user(handle='founder', email='founder@club.test', password=None, is_staff=True)\n"
        f"[clubs.create_club(founder=person, name=f'Club {{n}}') for n in range({MAX_TOPICS + 1})]"
    )
    with site.socket() as socket:
        answers = []
        for number in range(MAX_TOPICS + 1):
            socket.send({"subscribe": f"club.club-{number}"})
            answers.append(socket.receive())
            time.sleep(0.03)
        assert "subscribed" in answers[-2]
        assert answers[-1]["error"] == "too-many"
