"""Playing matches in a real site, as browsers do: forms to sit down, the socket to play."""

import json
import re
import time
from http.cookiejar import CookieJar
from typing import Any
from urllib.parse import urlencode
from urllib.request import HTTPCookieProcessor, Request, build_opener

from deploy.harness.servers import PATIENCE, SiteServer, Socket

GAME = "splendor-marvel"
PRESENCE_EVERY = 15.0


def post(site: SiteServer, session: str, path: str, **fields: str) -> str:
    status, body = site.post(path, session, 0, **fields)
    assert status == 200, (path, status, body[:400])
    return body


def open_table(site: SiteServer, session: str, players: int, game: str = GAME, **more: str) -> str:
    """A table with its host in the first place; its key."""
    fields = {"game": game, "players": str(players), "clock": "none", "on_timeout": "bot", "visibility": "anyone"}
    body = post(site, session, f"/play/new/?game={game}", **(fields | more))
    found = re.search(r'data-live="match\.(\w+)"', body)
    assert found, body[:2000]
    return found.group(1)


def begin(
    site: SiteServer, *sessions: str, bots: int = 0, game: str = GAME, level: str = "regular", **more: str
) -> str:
    """A match of these people, in this order or as drawn, and bots; its key."""
    host = sessions[0]
    key = open_table(site, host, len(sessions) + bots, game, **more)
    for guest in sessions[1:]:
        post(site, guest, f"/play/{key}/sit/")
    for _ in range(bots):
        post(site, host, f"/play/{key}/bot/", level=level)
    body = post(site, host, f"/play/{key}/start/")
    assert 'id="table-state"' in body
    return key


class Stranger:
    """The browser of a visitor without an account."""

    def __init__(self, site: SiteServer) -> None:
        self.site = site
        self.cookies = CookieJar()
        self.opener = build_opener(HTTPCookieProcessor(self.cookies))

    @property
    def session(self) -> str:
        return next(cookie.value or "" for cookie in self.cookies if cookie.name == "sessionid")

    def form_token(self, path: str) -> str:
        """Open a page; the token that its forms carry."""
        found = re.search(r'name="csrfmiddlewaretoken" value="(\w+)"', self._open(path))
        assert found, path
        return found.group(1)

    def play_now(self, game: str, token: str) -> str:
        """Press Play now; the key of the table."""
        fields = {"csrfmiddlewaretoken": token, "players": "3", "level": "rookie"}
        body = self._open(f"/play/now/{game}/", urlencode(fields).encode())
        found = re.search(r'data-live="match\.(\w+)"', body)
        assert found, body[:2000]
        return found.group(1)

    def _open(self, path: str, data: bytes | None = None) -> str:
        address = self.site.webs[0] + path
        with self.opener.open(Request(address, data, {"Referer": address}), timeout=PATIENCE) as answer:
            return str(answer.read().decode())


class Player:
    """One open page of a match: it keeps what it was sent, closes gaps, and plays when it is its turn."""

    def __init__(self, site: SiteServer, key: str, session: str = "", web: int = 0) -> None:
        self.site, self.key, self.session, self.web = site, key, session, web
        self.received: list[str] = []
        self.frame: dict[str, Any] = {}
        self.connect()

    def connect(self) -> None:
        self.socket: Socket = self.site.socket(self.web, session=self.session)
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

    def send(self, message: dict[str, Any]) -> None:
        self.socket.send({"to": f"match.{self.key}", "message": message})

    def receive(self, patience: float = PATIENCE) -> dict[str, Any]:
        """The next thing that arrives, whatever it is; `match` frames become the present one."""
        text = self.next_message(time.monotonic() + patience)
        self.received.append(text)
        message = dict(json.loads(text))
        if message.get("event") == "match" and message["v"] >= self.v:
            self.frame = message
        elif message.get("event") == "resync" or message.get("code") == "stale":
            self.send({"after": max(self.v, 0)})
        return message

    def next_message(self, until: float) -> str:
        """As a page does, report now and then how far it is: a frame may have been lost."""
        while True:
            try:
                return str(self.socket.connection.recv(timeout=min(PRESENCE_EVERY, max(0.1, until - time.monotonic()))))
            except TimeoutError:
                if time.monotonic() > until:
                    raise
                self.send({"here": True, "after": max(self.v, 0)})

    def wait_for_event(self, event: str, patience: float = PATIENCE) -> dict[str, Any]:
        while (message := self.receive(patience)).get("event") != event:
            pass
        return message

    def wait_for_ply(self, ply: int, patience: float = PATIENCE) -> None:
        while self.v < ply:
            self.receive(patience)

    def play(self, move: str | None = None) -> None:
        """Play a legal move of the present view, by default one from the middle of the list."""
        legal = self.view["legal"]
        self.send({"ply": self.v, "move": move or legal[len(legal) // 2]})

    def play_to_the_end(self, patience: float = PATIENCE) -> None:
        tried = -1
        while self.frame.get("status") != "finished":
            if self.frame and self.v != tried and self.view["legal"] and self.view["to_act"] == self.view["seat"]:
                time.sleep(0.06)  # below the limit of messages a second
                tried = self.v
                self.play()
            message = self.receive(patience)
            assert message.get("code") in (None, "stale"), message
            if "error" in message:  # it went unheard
                tried = -1


def record(site: SiteServer, key: str) -> dict[str, Any]:
    """The match as the database has it: status, plies, and the hash that its replay ends in."""
    answer = site.python(
        "import json, engine; from games import fairness; from games.models import Match, Move\n"
        f"match = Match.objects.get(key={key!r})\n"
        "plies = list(Move.objects.filter(match=match).order_by('ply').values_list('ply', flat=True))\n"
        "again = engine.replay(fairness.transcript_of(match))\n"
        "fallbacks = Move.objects.filter(match=match, by='fallback').count()\n"
        "print(json.dumps({'status': match.status, 'ply': match.ply, 'plies': plies, 'hash': again.hash(),"
        " 'fallbacks': fallbacks, 'reason': match.reason, 'over': again.outcome is not None}))"
    )
    return dict(json.loads(answer.splitlines()[-1]))


def check_whole(match: dict[str, Any]) -> None:
    """Each ply exists once, and the record replays to the end it tells of."""
    assert match["status"] == "finished"
    assert match["over"]
    assert match["plies"] == list(range(match["ply"]))
