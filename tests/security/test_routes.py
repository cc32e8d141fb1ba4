"""Every route of the site for every role. Clubs and leagues have their tables in their own tests; the others are here.
Together they are all routes."""

import json
import re
from functools import partial
from http.cookies import SimpleCookie
from typing import Any

from django.db import transaction
from django.test import Client, TestCase
from django.urls import reverse

from accounts.models import Membership
from games import engine_match
from games.models import ChatLine, Match
from leagues.feeds import service as feeds
from tests.accounts import test_access as of_clubs
from tests.api.sample_site import GAME, World
from tests.factories import create_user, finished_match, open_table_with, started_match
from tests.leagues.pages import test_routes as of_leagues
from tests.security import outcome_tables, url_walker
from tests.security import test_admin as of_admin
from tests.security.outcome_tables import ROLES

TABLE = outcome_tables.read("routes.txt")
# Of the club's three tables, the one that a route is about; the rest is about the one that is played.
OPEN = {
    "sit",
    "stand-up",
    "role",
    "word",
    "bot",
    "fill",
    "challenge",
    "challenge-cancel",
    "clear",
    "start",
    "call-off",
    "places",
}
AFTER = {
    "replay",
    "plies",
    "transcript",
    "analysis",
    "analyse",
    "learn",
    "learn-answer",
    "play-on",
    "verify",
    "card",
    "rematch",
}
# For staff only.
FAR = "93.184.216.34"
SENT = {
    "games:play-now": {"players": 2, "level": "rookie"},
    "games:mute": {"handle": "emil"},
    "games:say": {"say": "Hello"},
    "games:bot": {"level": "rookie", "index": 1},
    "games:fill": {"level": "rookie"},
    "games:clear": {"index": 1},
    "set_theme": {"theme": "dark"},
    "set_language": {"language": "it"},
}


class Site:
    """Dora hosts and Emil plays at tables of the club; the bot is the organiser's."""

    def __init__(self) -> None:
        world = World()
        dora, emil = create_user("dora"), create_user("emil")
        Membership.objects.bulk_create(Membership(club=world.club, user=each) for each in (dora, emil))
        within: dict[str, Any] = {"visibility": "club", "club": world.club}
        self.keys = {
            "open": open_table_with(dora, emil, **within).key,
            "playing": started_match(dora, emil, **within).key,
            "over": finished_match(started_match(dora, emil, **within)).key,
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
            "insight": "distribution",
            "kind": "png",
            "language": "it",
            "version": "x",
            "tag": "tables",
            "left": "dora",
            "right": "emil",
            "rest": "nothing",
            "handle": "dora",
            "verb": "unlock",
            "name": "about",
            "token": re.findall(r"/([^/]+)\.ics", address)[0],
        }
        self.numbers = {
            "games:report-settle": world.known["reports/{id}"],
            "boards:change": world.known["rating-changes/{id}"],
        }
        of_challenges = (
            "person-challenge",
            *(f"challenge-{verb}" for verb in ("accept", "decline", "counter", "withdraw")),
        )
        self.numbers |= {f"games:{name}": world.known["person-challenges/{id}"] for name in of_challenges}
        self.numbers |= dict.fromkeys(("puzzles:puzzle", "puzzles:answer"), world.known["puzzles/{id}"])
        self.slugs = {"calendar:league": world.known["leagues/{slug}"], "calendar:club": world.club.slug}
        of_cards = ("card-file", "card-file-download", "card-file-offer", "card-file-delete")
        self.numbers |= {f"games:{name}": world.cards.pk for name in of_cards}
        self.slugs |= {f"games:{name}": world.club.slug for name in ("card-files", *of_cards)}
        self.parts = {route.name: route.parts for route in url_walker.routes()}
        self.bot = world.olga.own_bots.get().pk

    def address(self, name: str) -> str:
        if name.startswith(("api/", "accounts/")):
            return f"/{name.replace('<path:rest>', 'nothing')}"
        if name == "account_confirm_email":
            return "/accounts/confirm-email/nothing/"
        if name == "account_reset_password_from_key":
            return "/accounts/password/reset/key/1-nothing/"
        if name.startswith("openid_connect_"):
            callback = "callback/" if name.endswith("callback") else ""
            return f"/accounts/oidc/nowhere/login/{callback}"
        short = name.partition(":")[2]
        state = "open" if short in OPEN else "over" if short in AFTER else "playing"
        known = self.values | {"key": self.keys[state], "pk": self.numbers.get(name, self.bot)}
        known["slug"] = self.slugs.get(name, "")
        return reverse(name, kwargs={part: known[part] for part in self.parts[name]})

    def ask(self, client: Client, row: str) -> str:
        method, name = row.split()
        engine_match.clear_cache()
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
    """The tables together have every route."""
    known = {f"accounts:{name}" for name, _method, _answers in of_clubs.ROUTES}
    known |= {f"leagues:{name}" for name, _method, _answers in of_leagues.ROUTES}
    here = {row.split()[1] for row in TABLE}
    known |= of_admin.routes()
    assert not known & here
    # The operations of the API are in a table of their own.
    assert {route.name for route in url_walker.routes() if not hasattr(route.view, "cls")} == known | here


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
            found = outcome_tables.differences(TABLE, role, partial(self.site.ask, client))
            wrong |= {f"{row} for the {role}": said for row, said in found.items()}
        assert not wrong

    def test_no_other_method_is_heard(self):
        client = self.client_of("staff")
        others = {f"{method} {row.split()[1]}" for row in TABLE for method in ("GET", "POST")}
        answered = {row for row in others - TABLE.keys() if self.site.ask(client, row) not in {"405", "404"}}
        assert not answered
