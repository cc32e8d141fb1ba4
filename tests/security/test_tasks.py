"""Every Celery task: it takes only ids, and a wrong id changes nothing."""

import inspect
from datetime import timedelta
from typing import Any

from django.apps import apps
from django.core import mail
from django.core.cache import cache
from django.test import TestCase
from django.utils import timezone

from accounts.models import Delivery, PushAlert
from deploy.celery import app
from games.models import Match
from leagues.models import League, Upload
from leagues.seasons import setup
from tests.api.sample_site import World
from tests.factories import started_match

# What each is called with. A task that took a person, a role or a text of somebody's would have to be asked whether
# to believe it; these look up what they are told about, and ask again whether it is theirs to do.
TASKS = {
    "accounts.tasks.clear_out_news": [],
    "accounts.tasks.deliver_alert": ["alert_id"],
    "accounts.tasks.deliver_news": ["delivery_id"],
    "accounts.tasks.deliver_notice": ["notice_id"],
    "accounts.tasks.send_digest": ["digest_id"],
    "accounts.tasks.sweep_alerts": [],
    "accounts.tasks.sweep_digests": [],
    "accounts.tasks.sweep_news": [],
    "accounts.tasks.sweep_notices": [],
    "deploy.tasks.answer": ["question"],
    "deploy.tasks.pulse": [],
    "deploy.tasks.sweep_announcements": [],
    "games.tasks.analyse": ["match_id"],
    "games.tasks.bot_turn": ["match_id"],
    "games.tasks.clear_out_events": [],
    "games.tasks.close_abandoned": [],
    "games.tasks.erase_trials": [],
    "games.tasks.exhibit": [],
    "games.tasks.hint": ["hint_id"],
    "games.tasks.make_puzzles": [],
    "games.tasks.sweep": [],
    "leagues.tasks.bring_in": ["upload_id"],
    "leagues.tasks.check_archive": ["upload_id"],
    "leagues.tasks.check_ratings": [],
    "leagues.tasks.count_boards": ["pool_id"],
    "leagues.tasks.deadlines": [],
    "leagues.tasks.demo": [],
    "leagues.tasks.match_up": [],
    "leagues.tasks.odds": ["season_id"],
    "leagues.tasks.pick_up": ["match_id"],
    "leagues.tasks.plan": ["plan_id"],
    "leagues.tasks.settle": ["pool_id"],
    "leagues.tasks.sweep": [],
}
BY_NUMBER = {name for name, takes in TASKS.items() if takes and takes != ["question"]}
WRONG = [0, -1, 10**12, 2**63 - 1]


def test_every_task_is_in_the_table():
    app.loader.import_default_modules()
    ours = {name: task for name, task in app.tasks.items() if not name.startswith("celery.")}
    assert {name: list(inspect.signature(task.run).parameters) for name, task in ours.items()} == TASKS
    for name in BY_NUMBER:
        assert {each.annotation for each in inspect.signature(ours[name].run).parameters.values()} <= {int, "int"}


def call(name: str, *arguments: Any) -> None:
    app.tasks[name].run(*arguments)


def snapshot() -> dict[str, Any]:
    """Every row of every table, without columns that only record a visit."""
    return {model.__name__: list(model._default_manager.order_by("pk").values()) for model in apps.get_models()}


class TestTasks(TestCase):
    world: World

    @classmethod
    def setUpTestData(cls) -> None:
        cls.world = World()
        app.loader.import_default_modules()

    def test_what_is_not_there_is_passed_over(self):
        before = snapshot()
        for name in sorted(BY_NUMBER):
            for number in WRONG:
                call(name, number)
        assert snapshot() == before
        assert not mail.outbox

    def test_what_is_not_due_is_left_alone(self):
        """An existing object, in a state in which the task must not act."""
        world = self.world
        match = started_match(world.olga, world.bob)
        league = League.objects.get(slug=world.known["leagues/{slug}"])
        draft = setup.add_season(actor=world.olga, league=league)
        world.bob.notices.update(due_at=None)
        upload = Upload.objects.create(
            kind=Upload.Kind.ARCHIVE, club=world.club, by=world.stranger, name="x.zip", content=b"x", digest="x" * 64
        )
        Delivery.objects.update(due_at=timezone.now() + timedelta(hours=1))
        later = PushAlert.objects.create(
            device_id=world.known["devices/{id}"], due_at=timezone.now() + timedelta(hours=1)
        )
        idle = {
            "games.tasks.bot_turn": match.pk,
            "leagues.tasks.pick_up": match.pk,
            "leagues.tasks.odds": draft.pk,
            "accounts.tasks.deliver_notice": world.bob.notices.latest("pk").pk,
            "accounts.tasks.deliver_alert": later.pk,
            "accounts.tasks.deliver_news": Delivery.objects.latest("pk").pk,
            # Handed in by a stranger, and confirmed by nobody.
            "leagues.tasks.bring_in": upload.pk,
        }
        before = snapshot()
        for name, number in idle.items():
            call(name, number)
        assert snapshot() == before
        assert Match.objects.get(pk=match.pk).ply == match.ply
        assert not mail.outbox

    def test_a_task_does_not_believe_who_asked(self):
        """A file confirmed by somebody without permission is not imported."""
        world = self.world
        upload = Upload.objects.create(
            kind=Upload.Kind.PLAYERS,
            club=world.club,
            season_id=world.known["seasons/{id}"],
            division_id=world.known["divisions/{id}"],
            by=world.stranger,
            name="x.csv",
            content=b"name\nMallory\n",
            digest="x" * 64,
            status=Upload.Status.WORKING,
            choices={"seen": "x", "good": True},
        )
        call("leagues.tasks.bring_in", upload.pk)
        upload.refresh_from_db()
        assert upload.status == Upload.Status.FAILED
        assert "Mallory" not in str(snapshot()["User"])

    def test_a_question_answers_into_its_own_corner(self):
        cache.set("api-token-1", 599)
        for question in ("api-token-1", "", "session"):
            call("deploy.tasks.answer", question)
        assert cache.get("api-token-1") == 599
        call("deploy.tasks.answer", "doctor.x.moves")
        assert cache.get("doctor.x.moves") == "here"
