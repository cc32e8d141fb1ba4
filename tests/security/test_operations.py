"""Every API operation for every role: by session, by tokens of each scope, by revoked tokens."""

import json
import re
from datetime import timedelta
from functools import partial
from typing import Any

from django.db import transaction
from django.test import Client, TestCase
from django.utils import timezone

from accounts import api_tokens
from accounts.models import ApiToken, Delivery, Scope, User
from deploy import openapi
from games import engine_match
from leagues.models import Venue
from tests.api.sample_site import World
from tests.security import minimal_bodies, outcome_tables, url_walker
from tests.security.outcome_tables import ROLES

TABLE = outcome_tables.read("operations.txt")
JSON = "application/json"
LACKING = "missing-scope"
# The sample site has no such object: only authentication is tested.
NOTHING = 0
# These need a finished match; the others use a running one.
AFTER = {
    "list_moves",
    "replay_match",
    "read_transcript",
    "verify_match",
    "rematch",
    "read_analysis",
    "ask_analysis",
    "list_mistakes",
    "read_mistake",
    "try_mistake",
    "play_on",
}
# OpenAPI cannot describe an endless stream.
UNDESCRIBED = {"api/v1/^bot/stream/?$"}
# These are about the token of the request, and a session has none.
TOKENS_OWN = {"read_token": "200", "revoke_token": "204"}


class Operations:
    """The sample site, and how to call each operation."""

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
        given = minimal_bodies.special(world)
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
                body = given.get(name) or (
                    minimal_bodies.least(shape, described["components"]["schemas"]) if shape else {}
                )
                self.known[name] = (method, path, body)
                self.scopes[name] = re.findall(r"Scope: `(\w+)`", told["description"])[-1]

    def token(self, role: str, *scopes: str) -> str:
        held = api_tokens.issue(person=self.people[role], name="one", scopes=scopes, lasting=timedelta(days=1))
        return held.secret

    def ask(self, name: str, client: Client, **headers: str) -> Any:
        """Call an operation, and roll back its changes."""
        method, path, body = self.known[name]
        sent = {} if method == "get" else {"data": json.dumps(body), "content_type": JSON}
        engine_match.clear_cache()
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
        """Every API route is a described operation, and so in the table."""
        found = set()
        for route in url_walker.routes():
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
            wrong |= outcome_tables.differences(TABLE, role, partial(self.answered, client))
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
            answers = self.spoken(name, without[scope]), self.spoken(name, alone[scope])
            if answers != (LACKING, expected):
                wrong[name] = answers
        assert not wrong

    def spoken(self, name: str, secret: str) -> str:
        answer = self.operations.ask(name, Client(), Authorization=f"Bearer {secret}")
        lacking = answer.status_code == 403 and answer.json()["code"] == LACKING
        return LACKING if lacking else str(answer.status_code)

    def test_a_dead_token_opens_nothing(self):
        """Not even public operations: a program should learn that its token is invalid."""
        stella = self.operations.people["staff"]
        ends = {
            "expired": lambda held: ApiToken.objects.filter(pk=held.pk).update(expires_at=timezone.now()),
            "revoked": lambda held: api_tokens.revoke(person=stella, token=held),
            "of somebody who left": lambda held: User.objects.filter(pk=stella.pk).update(is_active=False),
        }
        for how, end in ends.items():
            secret = self.operations.token("staff", *Scope.values)
            assert self.spoken("read_me", secret) == "200"
            end(ApiToken.objects.latest("pk"))
            assert {name for name in TABLE if self.spoken(name, secret) != "401"} == set(), how
