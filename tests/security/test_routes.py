"""Every route of the site for everyone who might call it. Clubs and leagues have their tables with their own tests;
what is left stands here, and together they are all that the resolver knows.
"""

import json
import re
from functools import partial
from http.cookies import SimpleCookie
from typing import Any

from django.db import transaction
from django.test import Client, TestCase
from django.urls import reverse

from accounts.models import Membership
from games import referee
from games.models import ChatLine, Match
from leagues.scheduling import feeds
from tests.accounts import test_access as of_clubs
from tests.accounts.conftest import person
from tests.api.world import GAME, World
from tests.games.conftest import begun, laid, played_out
from tests.leagues.pages import test_routes as of_leagues
from tests.security import site, tables
from tests.security.tables import ROLES

TABLE = tables.read("routes.txt")
# Of the club's three tables, the one that a route is about; the rest is about the one that is played.
OPEN = {
    "sit",
    "stand-up",
    "role",
    "word",
    "bot",
    "challenge",
    "challenge-cancel",
    "clear",
    "start",
    "call-off",
    "places",
}
AFTER = {"replay", "plies", "transcript", "verify", "card", "rematch"}
# Not inside: what is for those who watch over the house is told by the address.
FAR = "93.184.216.34"
SENT = {
    "games:play-now": {"players": 2, "level": "rookie"},
    "games:mute": {"handle": "emil"},
    "games:say": {"say": "Hello"},
    "games:bot": {"level": "rookie", "index": 1},
    "games:clear": {"index": 1},
    "set_theme": {"theme": "dark"},
    "set_language": {"language": "it"},
}


class Site:
    """Dora hosts and Emil plays at tables of the club; the bot is the organiser's."""

    def __init__(self) -> None:
        world = World()
        dora, emil = person("dora"), person("emil")
        Membership.objects.bulk_create(Membership(club=world.club, user=each) for each in (dora, emil))
        within: dict[str, Any] = {"visibility": "club", "club": world.club}
        self.keys = {
            "open": laid(dora, emil, **within).key,
            "playing": begun(dora, emil, **within).key,
            "over": played_out(begun(dora, emil, **within)).key,
        }
        played = Match.objects.get(key=self.keys["playing"])
        self.line = ChatLine.objects.create(match=played, user=emil, room="table", text="Hello").pk
        self.people = {
            "stranger": world.stranger,
            "member": world.bob,
            "organiser": world.olga,
            "owner": world.owner,
            "staff": world.stella,
        }
        feeds.renew(person=dora)
        address = feeds.address_of(dora)
        assert address
        self.values: dict[str, Any] = {
            "game": GAME,
            "language": "it",
            "version": "x",
            "tag": "tables",
            "left": "dora",
            "right": "emil",
            "rest": "nothing",
            "token": re.findall(r"/([^/]+)\.ics", address)[0],
        }
        self.numbers = {
            "games:report-settle": world.known["reports/{id}"],
            "boards:change": world.known["rating-changes/{id}"],
        }
        self.slugs = {"calendar:league": world.known["leagues/{slug}"], "calendar:club": world.club.slug}
        self.parts = {route.name: route.parts for route in site.routes()}
        self.bot = world.olga.own_bots.get().pk

    def address(self, name: str) -> str:
        if name.startswith("api/"):
            return f"/{name.replace('<path:rest>', 'nothing')}"
        if name == "account_confirm_email":
            return "/accounts/confirm-email/nothing/"
        if name == "account_reset_password_from_key":
            return "/accounts/password/reset/key/1-nothing/"
        short = name.partition(":")[2]
        state = "open" if short in OPEN else "over" if short in AFTER else "playing"
        known = self.values | {"key": self.keys[state], "pk": self.numbers.get(name, self.bot)}
        known["slug"] = self.slugs.get(name, "")
        return reverse(name, kwargs={part: known[part] for part in self.parts[name]})

    def ask(self, client: Client, row: str) -> str:
        method, name = row.split()
        referee.forget()
        cookies = SimpleCookie(client.cookies)
        with transaction.atomic():
            answer = getattr(client, method.lower())(self.address(name), **self.sent(method, name), REMOTE_ADDR=FAR)
            transaction.set_rollback(True)
        # Whoever logged out is in again, as the database has them.
        client.cookies = cookies
        return str(answer.status_code)

    def sent(self, method: str, name: str) -> dict[str, Any]:
        if method == "GET":
            return {}
        if name == "games:move":
            return {"data": json.dumps({"ply": 0, "move": "x"}), "content_type": "application/json"}
        return {"data": {"line": self.line} if name == "games:report" else SENT.get(name, {})}


def test_nothing_is_left_out():
    """The tables together are the resolver, whoever adds a route."""
    known = {f"accounts:{name}" for name, _method, _answers in of_clubs.ROUTES}
    known |= {f"leagues:{name}" for name, _method, _answers in of_leagues.ROUTES}
    here = {row.split()[1] for row in TABLE}
    assert not known & here
    # The operations of the API are in a table of their own.
    assert {route.name for route in site.routes() if not hasattr(route.view, "cls")} == known | here


class TestRoutes(TestCase):
    site: Site

    @classmethod
    def setUpTestData(cls) -> None:
        cls.site = Site()

    def client_of(self, role: str) -> Client:
        client = Client()
        if role != "visitor":
            client.force_login(self.site.people[role])
        return client

    def test_roles(self):
        wrong = {}
        for role in ROLES:
            client = self.client_of(role)
            found = tables.differences(TABLE, role, partial(self.site.ask, client))
            wrong |= {f"{row} for the {role}": said for row, said in found.items()}
        assert not wrong

    def test_no_other_method_is_heard(self):
        client = self.client_of("staff")
        others = {f"{method} {row.split()[1]}" for row in TABLE for method in ("GET", "POST")}
        heard = {row for row in others - TABLE.keys() if self.site.ask(client, row) not in {"405", "404"}}
        assert not heard
