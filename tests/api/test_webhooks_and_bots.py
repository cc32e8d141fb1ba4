"""The API of webhooks and users' bots."""

import pytest

from accounts.models import Delivery, Webhook
from games.models import BotChallenge, OwnBot
from games.tables import setup
from games.tables.setup import Setting
from games.user_bots import challenges
from tests.api.conftest import Program
from tests.api.test_common_behaviour import problem

pytestmark = pytest.mark.django_db

GAME = "splendor-marvel"
HOOK = {"name": "News", "url": "https://news.example/in", "events": ["match.finished"]}
BOT = {"handle": "robo", "name": "Robo", "games": [GAME]}


class TestWebhooks:
    def test_made_changed_tested_removed(self, as_olga, club):
        path = f"/clubs/{club.slug}/webhooks/"
        made = as_olga.post(path, HOOK).json()
        assert made["secret"].startswith("whsec_")
        pk = made["webhook"]["id"]
        assert as_olga.get(path).json()["results"][0]["made_by"]["handle"] == "olga"
        assert "secret" not in as_olga.get(f"{path}{pk}/").json()
        assert as_olga.put(f"{path}{pk}/", {**HOOK, "name": "Others"}).json()["name"] == "Others"
        assert as_olga.post(f"{path}{pk}/secret/").json()["secret"] != made["secret"]
        sent = as_olga.post(f"{path}{pk}/test/")
        assert (sent.status_code, sent.json()["event"], sent.json()["status"]) == (202, "test", "waiting")
        (listed,) = as_olga.get(f"{path}{pk}/deliveries/").json()["results"]
        assert listed["id"] == Delivery.objects.get().key
        assert as_olga.post(f"{path}{pk}/deliveries/{listed['id']}/again/").status_code == 202
        assert as_olga.post(f"{path}{pk}/switch/", {"on": False}).json()["is_on"] is False
        assert as_olga.delete(f"{path}{pk}/").status_code == 204
        assert not Webhook.objects.exists()

    def test_nonsense_is_refused(self, as_olga, club):
        path = f"/clubs/{club.slug}/webhooks/"
        problem(as_olga.post(path, {**HOOK, "url": "http://127.0.0.1/"}), 409, "refused")
        problem(as_olga.post(path, {**HOOK, "events": []}), 400, "invalid")
        problem(as_olga.post(path, {**HOOK, "events": ["something.else"]}), 409, "refused")

    def test_who_may(self, as_olga, as_bob, as_charlie, visitor, club, olga):
        path = f"/clubs/{club.slug}/webhooks/"
        pk = as_olga.post(path, HOOK).json()["webhook"]["id"]
        for somebody in (as_bob, as_charlie):
            problem(somebody.get(path), 403, "forbidden")
            problem(somebody.get(f"{path}{pk}/deliveries/"), 403, "forbidden")
            problem(somebody.delete(f"{path}{pk}/"), 403, "forbidden")
        problem(visitor.get(path), 401, "unauthenticated")
        problem(Program(olga, "organise").get(path), 403, "missing-scope")
        problem(as_olga.get(f"{path}999/"), 404, "not-found")


class TestBots:
    def test_brought_changed_keyed_switched(self, as_bob):
        made = as_bob.post("/me/bots/", BOT).json()
        pk = made["bot"]["id"]
        assert made["secret"].startswith("gauntlet_")
        assert as_bob.get("/me/bots/").json()["results"][0]["account"]["is_bot"]
        assert as_bob.put(f"/me/bots/{pk}/", {"name": "Rob", "games": [GAME]}).json()["account"]["name"] == "Rob"
        assert as_bob.post(f"/me/bots/{pk}/key/").json()["secret"] != made["secret"]
        assert as_bob.get(f"/me/bots/{pk}/faults/").json()["results"] == []
        assert as_bob.post(f"/me/bots/{pk}/switch/", {"on": False}).json()["is_on"] is False
        problem(as_bob.post("/me/bots/", BOT), 409, "refused")
        problem(as_bob.post("/me/bots/", {**BOT, "handle": "no spaces"}), 422, "unprocessable")

    def test_anothers_bot_is_not_there(self, as_bob, as_charlie):
        pk = as_bob.post("/me/bots/", BOT).json()["bot"]["id"]
        for answer in (as_charlie.get(f"/me/bots/{pk}/"), as_charlie.post(f"/me/bots/{pk}/key/")):
            problem(answer, 404, "not-found")

    def test_asked_to_a_table(self, as_alice, as_bob, as_charlie, alice):
        as_bob.post("/me/bots/", BOT)
        match = setup.open_table(host=alice, setting=Setting(GAME, 2))
        made = as_alice.post(f"/tables/{match.key}/challenges/", {"bot": "robo"})
        assert (made.status_code, made.json()["status"], made.json()["bot"]["handle"]) == (201, "open", "robo")
        problem(as_charlie.post(f"/tables/{match.key}/challenges/", {"bot": "robo"}), 403, "forbidden")
        problem(as_alice.post(f"/tables/{match.key}/challenges/", {"bot": "nobody"}), 404, "not-found")
        path = f"/tables/{match.key}/challenges/{made.json()['id']}/"
        problem(as_charlie.delete(path), 403, "forbidden")
        assert as_alice.delete(path).status_code == 204
        assert BotChallenge.objects.get().status == "cancelled"
        assert as_charlie.get(f"/tables/{match.key}/challenges/").json()["results"][0]["status"] == "cancelled"

    def test_the_bots_own_program(self, as_bob, alice):
        robo = Program.showing(as_bob.post("/me/bots/", BOT).json()["secret"])
        match = setup.open_table(host=alice, setting=Setting(GAME, 2))
        made = challenges.challenge(person=alice, match=match, bot=OwnBot.objects.get())
        assert robo.get("/bot/").json()["challenges"][0]["id"] == made.pk
        assert robo.post(f"/bot/challenges/{made.pk}/accept/").json()["status"] == "accepted"
        # Its token can only play.
        problem(robo.post("/me/bots/", {**BOT, "handle": "child"}), 403, "forbidden")
        problem(robo.post("/clubs/", {"name": "Bots"}), 403, "missing-scope")
