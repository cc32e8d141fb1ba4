"""Every socket topic and every message to it, for every role."""

import ast
import inspect
import json
import textwrap
from datetime import timedelta
from functools import partial
from typing import Any

import pytest
from django.contrib.auth.models import AnonymousUser
from django.db import transaction
from django.test import TestCase

from accounts import api_tokens
from accounts.infra.realtime import consumer, topics
from accounts.models import ApiToken, Membership, Scope
from games import engine_match
from games.models import Match, OwnBot
from games.user_bots import service as user_bots
from games.user_bots import stream
from leagues.models import League, Season
from leagues.seasons import screen, setup
from tests.api.sample_site import GAME, World
from tests.factories import create_user, started_match
from tests.security import outcome_tables
from tests.security.outcome_tables import ROLES

TABLE = outcome_tables.read("messages.txt")
MESSAGES: dict[str, dict[str, Any]] = {
    "after": {"after": 0},
    "ask": {"ask": True},
    "go": {"go": True},
    "hold": {"hold": True},
    "here": {"here": True},
    "move": {"ply": 0, "move": "x"},
    "pass": {"pass": "turn"},
    "remark": {"remark": "good-luck"},
    "say": {"say": "Hello"},
    "tempo": {"tempo": "slow"},
    "nonsense": {"nonsense": 1},
}


def understood(topic: topics.Topic) -> set[str]:
    """The message keys that a topic reads, from its source."""
    if type(topic).receive is topics.Topic.receive:
        return set()
    tree = ast.parse(textwrap.dedent(inspect.getsource(type(topic).receive)))
    found: set[str] = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.MatchMapping):
            found |= {str(key.value) for key in node.keys if isinstance(key, ast.Constant)}
        if isinstance(node, ast.If) and isinstance(node.test, ast.Compare) and isinstance(node.test.left, ast.Call):
            found |= {str(each.value) for each in node.test.left.args if isinstance(each, ast.Constant)}
    return found


def test_every_topic_and_message_is_in_the_table():
    listened = {row.split()[1] for row in TABLE if row.startswith("listen")}
    assert topics._topics.keys() <= listened
    listed = {tuple(row.split()[1:]) for row in TABLE if row.startswith("say")}
    for name, topic in topics._topics.items():
        kinds = understood(topic)
        assert kinds or (name, "nonsense") in listed
        assert {(name, kind) for kind in kinds} <= listed, name


def test_a_socket_knows_four_kinds_of_messages():
    """A fifth kind would need a table of its own; a ping is answered without a look at anything."""
    tree = ast.parse(textwrap.dedent(inspect.getsource(consumer.SocketSession.handle_message)))
    cases = {
        tuple(key.value for key in node.keys if isinstance(key, ast.Constant))
        for node in ast.walk(tree)
        if isinstance(node, ast.MatchMapping)
    }
    assert cases == {("subscribe",), ("unsubscribe",), ("ping",), ("to", "message")}


class TestMessages(TestCase):
    people: dict[str, Any]
    where: dict[str, str]
    bot: OwnBot

    @classmethod
    def setUpTestData(cls) -> None:
        world = World()
        dora, emil = create_user("dora"), create_user("emil")
        Membership.objects.bulk_create(Membership(club=world.club, user=each) for each in (dora, emil))
        match = started_match(dora, emil, visibility="club", club=world.club)
        sealed = started_match(dora, emil)
        Match.objects.filter(pk=sealed.pk).update(sealed=True)
        league = League.objects.get(slug=world.known["leagues/{slug}"])
        draft = setup.add_season(actor=world.olga, league=league)
        season = Season.objects.get(pk=world.known["seasons/{id}"])
        old = screen.make_link(actor=world.olga, season=season)
        shown = screen.make_link(actor=world.olga, season=season)
        cls.bot = world.olga.own_bots.get()
        cls.people = {
            "visitor": AnonymousUser(),
            "stranger": world.stranger,
            "member": world.bob,
            "organiser": world.olga,
            "owner": world.owner,
            "staff": world.stella,
        }
        cls.where = {
            "user": "user",
            "user.dora": f"user.{dora.pk}",
            "club": f"club.{world.club.slug}",
            "lobby": "lobby",
            "site": "site",
            "person": "person.dora",
            "ratings": f"ratings.{GAME}",
            "season": f"season.{world.known['seasons/{id}']}",
            "screen": f"screen.{shown.key}",
            "old-screen": f"screen.{old.key}",
            "draft": f"season.{draft.pk}",
            "match": f"match.{match.key}",
            "sealed": f"match.{sealed.key}",
        }

    def test_roles(self):
        wrong = {}
        for role in ROLES:
            found = outcome_tables.differences(TABLE, role, partial(self.outcome, self.people[role]))
            wrong |= {f"{row} for the {role}": said for row, said in found.items()}
        assert not wrong

    def outcome(self, visitor: Any, row: str) -> str:
        verb, name, *kind = row.split()
        engine_match.clear_cache()
        with transaction.atomic():
            try:
                if verb == "listen":
                    group = topics.audience_for(visitor, self.where[name]).group
                    return "own" if group == f"user.{visitor.pk}" else "ok"
                answer = json.loads(topics.receive(visitor, self.where[name], MESSAGES[kind[0]]) or "{}")
                return answer["code"] if answer.get("event") == "refused" else "ok"
            except topics.TopicDenied:
                return "refused"
            finally:
                transaction.set_rollback(True)

    def test_nobody_hears_a_seat_that_is_not_theirs(self):
        """Members and staff get the public view of a table."""
        groups = {topics.audience_for(self.people[role], self.where["match"]).group for role in ROLES[2:]}
        assert len(groups) == 1
        assert groups.pop().endswith("public")

    def test_what_is_not_there_is_refused_like_what_is_not_open(self):
        """A refusal does not reveal whether something exists."""
        for topic in (
            "match.nothing",
            "season.0",
            "season.x",
            "club.nothing",
            "ratings.chess",
            "nothing",
            "",
            "user.1",
        ):
            with pytest.raises(topics.TopicDenied):
                topics.audience_for(self.people["stranger"], topic)
            with pytest.raises(topics.TopicDenied):
                topics.receive(self.people["stranger"], topic, {"here": True})

    def test_a_bots_stream_opens_for_the_bots_key_alone(self):
        olga = self.people["organiser"]
        assert stream._admitted("") is None
        assert stream._admitted("gauntlet_wrong") is None
        held = api_tokens.issue(person=olga, name="all", scopes=Scope.values, lasting=timedelta(days=1))
        assert stream._admitted(held.secret) is None
        secret = user_bots.new_key(owner=olga, bot=self.bot).secret
        admitted = stream._admitted(secret)
        assert admitted is not None
        assert admitted[0] == self.bot
        ApiToken.objects.filter(user=self.bot.user).update(revoked_at="2026-01-01T00:00Z")
        assert stream._admitted(secret) is None
