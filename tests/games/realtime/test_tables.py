"""A match on several screens at once, in the one-process site and in the large one."""

import json
import time
from collections.abc import Iterator

import pytest

from deploy.harness.match_client import Player, begin, check_whole, open_table, post, record
from deploy.harness.servers import SiteServer


@pytest.fixture(scope="module")
def sessions(site: SiteServer) -> dict[str, str]:
    return {name: site.sign_in(name) for name in ("anna", "bruno", "carla")}


@pytest.fixture
def match(site: SiteServer, sessions: dict[str, str]) -> str:
    return begin(site, sessions["anna"], sessions["bruno"])


@pytest.fixture
def screens(site: SiteServer, sessions: dict[str, str], match: str) -> Iterator[list[Player]]:
    """Both players and a spectator, the last on another web process where there is one; the one to act first."""
    other = len(site.webs) - 1
    with (
        Player(site, match, sessions["anna"]) as one,
        Player(site, match, sessions["bruno"], web=other) as two,
        Player(site, match, web=other) as gallery,
    ):
        for screen in (one, two, gallery):
            screen.wait_for_ply(0)
        players = sorted([one, two], key=lambda player: player.view["seat"] != player.view["to_act"])
        yield [*players, gallery]


def test_a_move_is_on_every_screen_within_a_second(screens: list[Player]) -> None:
    first, second, gallery = screens
    took = []
    for ply in range(1, 6):
        mover = first if first.view["to_act"] == first.view["seat"] else second
        began = time.monotonic()
        mover.play()
        for screen in screens:
            screen.wait_for_ply(ply)
        took.append(time.monotonic() - began)
        assert {screen.view["ply"] for screen in screens} == {ply}
    assert sorted(took)[1] < 1, took  # what else the machine does may hold up some
    assert gallery.view["legal"] == []


def test_nobody_gets_a_byte_of_anothers_hand(site: SiteServer, screens: list[Player]) -> None:
    """A card drawn unseen is in the bytes its owner received, and in nobody else's, whatever happens after."""
    first, second, gallery = screens
    first.play("reserve deck 3")
    for screen in screens:
        screen.wait_for_ply(1)
    card = first.view["table"]["teams"][first.view["seat"]]["reserved"][0]["card"]
    for _ in range(12):
        mover = first if first.view["to_act"] == first.view["seat"] else second
        takes = [move for move in mover.view["legal"] if move.startswith(("take", "stop", "return", "pass"))]
        if not takes:
            break
        ply = mover.v + 1
        mover.play(takes[0])
        for screen in screens:
            screen.wait_for_ply(ply)
    for screen in (second, gallery):
        screen.send({"after": 0})
        screen.wait_for_event("match")
        status, page = site.ask_as(screen.session, f"/play/{screen.key}/")
        assert status == 200
        assert f'"{card}"' not in "".join(screen.received) + page
    assert f'"{card}"' in "".join(first.received)


@pytest.mark.parametrize(
    ("message", "code"),
    [
        ({"ply": 0, "move": "dance"}, "illegal"),
        ({"ply": 0, "move": "x" * 4000}, "illegal"),
        ({"ply": 7, "move": "take red"}, "stale"),
        ({"ply": -1, "move": "take red"}, "stale"),
        ({"ply": "0", "move": "take red"}, "malformed"),
        ({"ply": True, "move": "take red"}, "malformed"),
        ({"ply": 0, "move": None}, "malformed"),
        ({"move": "take red"}, "malformed"),
        ({"jump": 3}, "malformed"),
        ({"after": -3}, "malformed"),
        ({"say": ""}, "declined"),
        ({"remark": "rude"}, "declined"),
    ],
)
def test_a_bad_message_is_answered_to_its_sender_alone(screens: list[Player], message: dict, code: str) -> None:
    first, second, gallery = screens
    first.send(message)
    answer = first.wait_for_event("refused")
    assert (answer["code"], bool(answer["detail"])) == (code, True)
    assert second.socket.is_quiet(0.3)
    assert gallery.socket.is_quiet(0.1)
    first.play()
    for screen in screens:
        screen.wait_for_ply(1)


def test_a_spectator_and_the_wrong_player_cannot_move(screens: list[Player]) -> None:
    first, second, gallery = screens
    move = first.view["legal"][0]
    gallery.send({"ply": 0, "move": move})
    assert gallery.wait_for_event("refused")["code"] == "foreign"
    second.send({"ply": 0, "move": move})
    assert second.wait_for_event("refused")["code"] == "illegal"
    first.play()
    first.wait_for_ply(1)


def test_the_same_move_twice_counts_once(screens: list[Player]) -> None:
    """One frame is everybody's, the other answers the move that was sent again; another move at that ply is refused."""
    first = screens[0]
    move, other = first.view["legal"][:2]
    first.send({"ply": 0, "move": move})
    first.send({"ply": 0, "move": move})
    for _ in range(2):
        table = first.wait_for_event("match")
        assert (table["v"], table["since"]) == (1, 0)
    first.send({"ply": 0, "move": other})
    refused = first.wait_for_event("refused")
    assert (refused["code"], refused["ply"]) == ("stale", 1)
    assert sum('"refused"' in text for text in first.received) == 1
    found = record(first.site, first.key)
    assert (found["ply"], found["plies"]) == (1, [0])


def test_a_page_that_missed_something_asks_and_gets_it(screens: list[Player], site: SiteServer) -> None:
    first, second, gallery = screens
    gallery.socket.connection.close()
    for ply in range(1, 5):
        mover = first if first.view["to_act"] == first.view["seat"] else second
        mover.play()
        first.wait_for_ply(ply)
        second.wait_for_ply(ply)
    gallery.connect()
    gallery.wait_for_ply(4)
    assert gallery.frame["since"] == 4
    gallery.send({"after": 0})
    caught_up = gallery.wait_for_event("match")
    assert (caught_up["since"], caught_up["v"]) == (0, 4)
    assert {event["ply"] for event in caught_up["events"]} >= {1, 2, 3, 4}


def test_moves_over_http_are_the_same_moves(site: SiteServer, screens: list[Player]) -> None:
    first, second, gallery = screens
    path = f"/play/{first.key}/move/"
    ply, (move, other) = 0, first.view["legal"][:2]
    for body, wanted in (
        ("{", 400),
        ("[]", 400),
        (json.dumps({"ply": 5, "move": move}), 409),
        (json.dumps({"ply": ply, "move": "dance"}), 422),
    ):
        assert site.post_json(path, first.session, body)[0] == wanted, body
    # The second time it is a move sent again: it has the same answer, and counts once.
    answers = [site.post_json(path, first.session, json.dumps({"ply": ply, "move": move})) for _ in range(2)]
    assert [status for status, _ in answers] == [200, 200]
    tables = [json.loads(text) for _, text in answers]
    assert [(table["v"], table["since"]) for table in tables] == [(1, 0), (1, 0)]
    assert tables[0]["events"] == tables[1]["events"]
    assert record(site, first.key)["plies"] == [0]
    assert site.post_json(path, first.session, json.dumps({"ply": ply, "move": other}))[0] == 409
    status, _ = site.post_json(path, "", json.dumps({"ply": 1, "move": move}))
    assert status == 403
    gallery.wait_for_ply(1)
    second.wait_for_ply(1)


def test_a_page_that_missed_a_frame_learns_of_it_in_passing(screens: list[Player]) -> None:
    """Nothing else may happen for a long time: the next gap would come too late."""
    first, _, gallery = screens
    first.play()
    for screen in screens:
        screen.wait_for_ply(1)
    gallery.send({"here": True, "after": 0})
    assert gallery.wait_for_event("match")["v"] == 1
    gallery.send({"here": True, "after": 1})
    gallery.send({"jump": 3})
    assert gallery.receive()["event"] == "refused"


def test_presence_of_players_is_told(screens: list[Player]) -> None:
    first, second, _ = screens
    first.send({"here": True})
    told = second.wait_for_event("presence")
    assert (told["seat"], told["here"]) == (first.view["seat"], True)
    first.send({"here": False})
    assert second.wait_for_event("presence")["here"] is False
    first.send({"here": True})
    assert second.wait_for_event("presence")["here"] is True
    first.socket.send({"ping": 5})
    assert first.wait_for_event("pong")["ping"] == 5
    # From here on nothing comes from the first page, as when its network is cut, though its socket is open.
    cut = time.monotonic()
    assert second.wait_for_event("presence")["here"] is False
    assert time.monotonic() - cut < 10


def test_a_move_that_is_sent_again_is_answered_and_counts_once(screens: list[Player]) -> None:
    first, second, _ = screens
    move = first.view["legal"][0]
    ply = first.v
    first.send({"ply": ply, "move": move})
    first.wait_for_ply(ply + 1)
    first.send({"ply": ply, "move": move})
    again = first.wait_for_event("match")
    assert (again["v"], again["since"]) == (ply + 1, ply)
    second.wait_for_ply(ply + 1)


def test_talk_reaches_the_right_ears(screens: list[Player], site: SiteServer, sessions: dict[str, str]) -> None:
    first, second, gallery = screens
    first.send({"say": "well met"})
    for screen in screens:
        assert screen.wait_for_event("chat")["line"]["text"] == "well met"
    with Player(site, first.key, sessions["carla"]) as carla:
        carla.wait_for_ply(0)
        carla.send({"say": "psst, the red one"})
        assert gallery.wait_for_event("chat")["line"]["room"] == "gallery"
    assert second.socket.is_quiet(0.4)


def test_bots_answer_and_the_match_comes_to_its_end(site: SiteServer, sessions: dict[str, str]) -> None:
    key = begin(site, sessions["anna"], bots=2)
    with Player(site, key, sessions["anna"]) as anna, Player(site, key, web=len(site.webs) - 1) as gallery:
        anna.play_to_the_end()
        gallery.wait_for_ply(anna.v)
        assert anna.frame["result"]["ranks"]
        assert gallery.frame["status"] == "finished"
    found = record(site, key)
    check_whole(found)
    assert found["fallbacks"] == 0


def test_lobby_club_and_profile_follow(site: SiteServer, sessions: dict[str, str]) -> None:
    with site.socket() as lobby, site.socket() as profile:
        lobby.subscribe("lobby")
        profile.subscribe("person.anna")
        key = open_table(site, sessions["anna"], 2)
        lobby.wait_for("lobby")
        profile.wait_for("matches")
        post(site, sessions["anna"], f"/play/{key}/call-off/")
        lobby.wait_for("lobby")


def test_a_table_by_link_is_in_no_list(site: SiteServer, sessions: dict[str, str]) -> None:
    with site.socket() as lobby:
        lobby.subscribe("lobby")
        key = open_table(site, sessions["anna"], 2, visibility="link")
        assert lobby.is_quiet(0.5)
    assert key not in site.get("/play/")[1]
    assert key not in site.get("/people/anna/")[1]
    assert site.get(f"/play/{key}/")[0] == 200
