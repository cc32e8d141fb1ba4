"""Every operation of the API for everyone who might call it: by session, by tokens of each scope, by dead tokens."""

import json
import re
from datetime import timedelta
from functools import partial
from typing import Any

from django.db import transaction
from django.test import Client, TestCase
from django.utils import timezone

from accounts import tokens
from accounts.models import ApiToken, Delivery, Scope, User
from deploy import openapi
from games import referee
from leagues.models import Venue
from tests.api.world import World
from tests.security import bodies, site, tables
from tests.security.tables import ROLES

TABLE = tables.read("operations.txt")
JSON = "application/json"
LACKING = "missing-scope"
# Where the world has nothing to name: all that is tried there is the door.
NOTHING = 0
# About a match that is over; the others are about one that is played.
AFTER = {"list_moves", "replay_match", "read_transcript", "verify_match", "rematch"}
# An answer without an end is nothing that OpenAPI has words for.
UNDESCRIBED = {"api/v1/^bot/stream/?$"}
# They tell of the token that is shown, and a session has none.
TOKENS_OWN = {"read_token": "200", "revoke_token": "204"}


class Operations:
    """The world, and how to call everything in it."""

    def __init__(self) -> None:
        world = World()
        self.people = {
            "stranger": world.stranger,
            "member": world.bob,
            "organiser": world.olga,
            "owner": world.owner,
            "staff": world.stella,
        }
        # A hook is tested once in a few seconds.
        Delivery.objects.update(at=timezone.now() - timedelta(hours=1))
        described = openapi.document()
        given = bodies.special(world)
        world.known["venues/{id}"] = Venue.objects.get(club=world.club).pk
        self.known: dict[str, tuple[str, str, Any]] = {}
        self.scopes: dict[str, str] = {}
        for template, methods in described["paths"].items():
            for method, told in methods.items():
                name = told["operationId"]
                where = dict.fromkeys(re.findall(r"{(\w+)}", template), NOTHING) | world.at(template)
                if name in AFTER:
                    where["key"] = world.over.key
                path = template.format_map(where)
                shape = told.get("requestBody", {}).get("content", {}).get(JSON, {}).get("schema")
                body = given.get(name) or (bodies.least(shape, described["components"]["schemas"]) if shape else {})
                self.known[name] = (method, path, body)
                self.scopes[name] = re.findall(r"Scope: `(\w+)`", told["description"])[-1]

    def token(self, role: str, *scopes: str) -> str:
        held = tokens.issue(person=self.people[role], name="one", scopes=scopes, lasting=timedelta(days=1))
        return held.secret

    def ask(self, name: str, client: Client, **headers: str) -> Any:
        """The answer, and everything as it was before."""
        method, path, body = self.known[name]
        sent = {} if method == "get" else {"data": json.dumps(body), "content_type": JSON}
        referee.forget()
        with transaction.atomic():
            answer = getattr(client, method)(path, headers=headers, **sent)
            transaction.set_rollback(True)
        return answer


class TestOperations(TestCase):
    """One world for all of them."""

    operations: Operations

    @classmethod
    def setUpTestData(cls) -> None:
        cls.operations = Operations()

    def test_every_operation_is_in_the_table(self):
        assert TABLE.keys() == self.operations.known.keys()

    def test_every_method_behind_the_api_is_an_operation(self):
        """Whatever the resolver finds is described, and so in the table; there is no other way in."""
        found = set()
        for route in site.routes():
            view = getattr(route.view, "cls", None)
            for method in view.http_method_names if view else []:
                if (handler := getattr(view, method, None)) and route.path not in UNDESCRIBED:
                    assert hasattr(handler, "operation"), f"{method} {route.path} is no operation"
                    found.add(handler.operation.name)
        assert found == TABLE.keys()

    def test_a_stream_is_for_a_bots_own_key(self):
        for role in ROLES:
            client = Client()
            if role != "visitor":
                client.force_login(self.operations.people[role])
            assert client.get("/api/v1/bot/stream/").status_code == (401 if role == "visitor" else 403)

    def test_sessions(self):
        wrong = {}
        for role in ROLES:
            client = Client()
            if role != "visitor":
                client.force_login(self.operations.people[role])
            wrong |= tables.differences(TABLE, role, partial(self.answered, client))
        assert not wrong

    def answered(self, client: Client, name: str) -> str:
        return str(self.operations.ask(name, client).status_code)

    def test_a_token_opens_what_its_scope_says_and_no_more_than_its_person(self):
        alone = {scope: self.operations.token("organiser", scope) for scope in Scope.values}
        without = {scope: self.operations.token("organiser", *set(Scope.values) - {scope}) for scope in Scope.values}
        wrong = {}
        for name, outcomes in TABLE.items():
            scope = self.operations.scopes[name]
            expected = TOKENS_OWN.get(name, outcomes[ROLES.index("organiser")])
            said = self.spoken(name, without[scope]), self.spoken(name, alone[scope])
            if said != (LACKING, expected):
                wrong[name] = said
        assert not wrong

    def spoken(self, name: str, secret: str) -> str:
        answer = self.operations.ask(name, Client(), Authorization=f"Bearer {secret}")
        lacking = answer.status_code == 403 and answer.json()["code"] == LACKING
        return LACKING if lacking else str(answer.status_code)

    def test_a_dead_token_opens_nothing(self):
        """Not even what is open to visitors: a program should learn that its token is dead."""
        stella = self.operations.people["staff"]
        ends = {
            "expired": lambda held: ApiToken.objects.filter(pk=held.pk).update(expires_at=timezone.now()),
            "revoked": lambda held: tokens.revoke(person=stella, token=held),
            "of somebody who left": lambda held: User.objects.filter(pk=stella.pk).update(is_active=False),
        }
        for how, end in ends.items():
            secret = self.operations.token("staff", *Scope.values)
            assert self.spoken("read_me", secret) == "200"
            end(ApiToken.objects.latest("pk"))
            assert {name for name in TABLE if self.spoken(name, secret) != "401"} == set(), how
