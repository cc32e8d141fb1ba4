"""Playing matches in a real house, as browsers do: forms to sit down, the socket to play."""

import json
import re
import time
from typing import Any

from tests.houses import PATIENCE, House, Socket

GAME = "splendor-marvel"
PRESENCE_EVERY = 15.0


def post(house: House, session: str, path: str, **fields: str) -> str:
    status, body = house.post(path, session, 0, **fields)
    assert status == 200, (path, status, body[:400])
    return body


def open_table(house: House, session: str, players: int, game: str = GAME, **more: str) -> str:
    """A table with its host in the first place; its key."""
    fields = {"game": game, "players": str(players), "clock": "none", "on_timeout": "bot", "visibility": "anyone"}
    body = post(house, session, f"/play/new/?game={game}", **(fields | more))
    found = re.search(r'data-live="match\.(\w+)"', body)
    assert found, body[:2000]
    return found.group(1)


def begin(house: House, *sessions: str, bots: int = 0, game: str = GAME, level: str = "regular", **more: str) -> str:
    """A match of these people, in this order or as drawn, and bots; its key."""
    host = sessions[0]
    key = open_table(house, host, len(sessions) + bots, game, **more)
    for guest in sessions[1:]:
        post(house, guest, f"/play/{key}/sit/")
    for _ in range(bots):
        post(house, host, f"/play/{key}/bot/", level=level)
    body = post(house, host, f"/play/{key}/start/")
    assert 'id="table-state"' in body
    return key


class Player:
    """One open page of a match: it keeps what it was sent, closes gaps, and plays when it is its turn."""

    def __init__(self, house: House, key: str, session: str = "", web: int = 0) -> None:
        self.house, self.key, self.session, self.web = house, key, session, web
        self.received: list[str] = []
        self.frame: dict[str, Any] = {}
        self.connect()

    def connect(self) -> None:
        self.socket: Socket = self.house.socket(self.web, session=self.session)
        self.socket.send({"subscribe": f"match.{self.key}"})

    def __enter__(self) -> "Player":
        return self

    def __exit__(self, *_: object) -> None:
        self.socket.connection.close()

    @property
    def v(self) -> int:
        return int(self.frame.get("v", -1))

    @property
    def view(self) -> dict[str, Any]:
        return dict(self.frame["view"])

    def say(self, message: dict[str, Any]) -> None:
        self.socket.send({"to": f"match.{self.key}", "message": message})

    def hear(self, patience: float = PATIENCE) -> dict[str, Any]:
        """The next thing that arrives, whatever it is; `match` frames become the present one."""
        text = self.listen(time.monotonic() + patience)
        self.received.append(text)
        heard = dict(json.loads(text))
        if heard.get("event") == "match" and heard["v"] >= self.v:
            self.frame = heard
        elif heard.get("event") == "resync" or heard.get("code") == "stale":
            self.say({"after": max(self.v, 0)})
        return heard

    def listen(self, until: float) -> str:
        """As a page does, say now and then how far it is: a frame may have been lost."""
        while True:
            try:
                return str(self.socket.connection.recv(timeout=min(PRESENCE_EVERY, max(0.1, until - time.monotonic()))))
            except TimeoutError:
                if time.monotonic() > until:
                    raise
                self.say({"here": True, "after": max(self.v, 0)})

    def hear_of(self, event: str, patience: float = PATIENCE) -> dict[str, Any]:
        while (heard := self.hear(patience)).get("event") != event:
            pass
        return heard

    def wait_for_ply(self, ply: int, patience: float = PATIENCE) -> None:
        while self.v < ply:
            self.hear(patience)

    def play(self, move: str | None = None) -> None:
        """Play a legal move of the present view, by default one from the middle of the list."""
        legal = self.view["legal"]
        self.say({"ply": self.v, "move": move or legal[len(legal) // 2]})

    def play_to_the_end(self, patience: float = PATIENCE) -> None:
        tried = -1
        while self.frame.get("status") != "finished":
            if self.frame and self.v != tried and self.view["legal"] and self.view["to_act"] == self.view["seat"]:
                time.sleep(0.06)  # below the limit of messages a second
                tried = self.v
                self.play()
            heard = self.hear(patience)
            assert heard.get("code") in (None, "stale"), heard
            if "error" in heard:  # it went unheard
                tried = -1


def record(house: House, key: str) -> dict[str, Any]:
    """The match as the database has it: status, plies, and the hash that its replay ends in."""
    answer = house.python(
        "import json, engine; from games import fairness; from games.models import Match, Move\n"
        f"match = Match.objects.get(key={key!r})\n"
        "plies = list(Move.objects.filter(match=match).order_by('ply').values_list('ply', flat=True))\n"
        "again = engine.replay(fairness.record_of(match))\n"
        "fallbacks = Move.objects.filter(match=match, by='fallback').count()\n"
        "print(json.dumps({'status': match.status, 'ply': match.ply, 'plies': plies, 'hash': again.hash(),"
        " 'fallbacks': fallbacks, 'reason': match.reason, 'over': again.outcome is not None}))"
    )
    return dict(json.loads(answer.splitlines()[-1]))


def check_whole(found: dict[str, Any]) -> None:
    """Each ply exists once, and the record replays to the end it tells of."""
    assert found["status"] == "finished"
    assert found["over"]
    assert found["plies"] == list(range(found["ply"]))
