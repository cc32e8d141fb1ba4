"""The site's metrics, and who may read them."""

import json
from datetime import timedelta
from typing import Any

import pytest
from django.test import Client
from django.utils import timezone
from prometheus_client import REGISTRY

from deploy import logging_config, tasks
from games import engine_match, sweep
from games import tasks as game_tasks
from games.models import Match
from tests.factories import create_user, started_match


def counted(name: str, **labels: str) -> float:
    return REGISTRY.get_sample_value(name, labels) or 0.0


@pytest.mark.django_db
def test_a_request_is_counted_by_its_route_and_never_by_its_path(client: Client) -> None:
    labels = {"method": "GET", "route": "play/<slug:key>/", "status": "404"}
    before = counted("gauntlet_request_seconds_count", **labels)
    client.get("/play/nosuchkey123/")
    assert counted("gauntlet_request_seconds_count", **labels) == before + 1
    response = client.get("/metrics")
    assert response.status_code == 200
    assert response["Content-Type"].startswith("text/plain")
    text = response.content.decode()
    assert 'route="play/<slug:key>/"' in text
    assert "nosuchkey123" not in text
    for name in ("queue_depth", "matches_playing", "bots_owed", "sockets", "bots_revived_total", "clocks_fallen_total"):
        assert f"\ngauntlet_{name}" in text, name


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("address", "headers", "status"),
    [
        ("127.0.0.1", {}, 200),
        ("::1", {}, 200),
        ("10.1.2.3", {}, 200),
        ("192.168.1.7", {}, 200),
        ("8.8.8.8", {}, 403),
        ("", {}, 403),
        ("10.1.2.3", {"X-Forwarded-For": "127.0.0.1"}, 403),
        ("10.1.2.3", {"Forwarded": "for=127.0.0.1"}, 403),
    ],
)
def test_metrics_are_for_those_inside(client: Client, address: str, headers: dict[str, str], status: int) -> None:
    assert client.get("/metrics", REMOTE_ADDR=address, headers=headers).status_code == status


@pytest.mark.django_db
def test_a_token_opens_them_from_anywhere_and_nothing_else_does(client: Client, settings: Any) -> None:
    settings.METRICS_TOKEN = "watchman's-word"
    assert client.get("/metrics").status_code == 403
    for wrong in ("watchman's-word", "Bearer watchman's-wor", "Bearer ", "Bearer wätchman"):
        assert client.get("/metrics", headers={"Authorization": wrong}).status_code == 403
    right = {"Authorization": "Bearer watchman's-word", "X-Forwarded-For": "8.8.8.8"}
    assert client.get("/metrics", REMOTE_ADDR="8.8.8.8", headers=right).status_code == 200


@pytest.mark.django_db
def test_a_part_out_of_reach_hides_no_other(client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    def lost(**options: Any) -> None:
        raise ConnectionError

    monkeypatch.setattr("deploy.metrics.app.connection_for_read", lost)
    text = client.get("/metrics").content.decode()
    assert "gauntlet_queue_depth" not in text
    assert "\ngauntlet_matches_playing 0.0" in text


@pytest.mark.django_db
def test_tasks_and_beat_are_counted(client: Client) -> None:
    labels = {"task": "deploy.tasks.pulse", "state": "SUCCESS"}
    before = counted("gauntlet_task_seconds_count", **labels)
    tasks.pulse.apply()
    assert counted("gauntlet_task_seconds_count", **labels) == before + 1
    assert "\ngauntlet_beat_age_seconds" in client.get("/metrics").content.decode()


@pytest.fixture
def match(db: None, monkeypatch: pytest.MonkeyPatch) -> Match:
    monkeypatch.setattr("games.play.dispatch.enqueue_bot_turn", lambda match_id: None)
    engine_match.clear_cache()
    return started_match(create_user("alice"), bots=1)


def test_a_lost_turn_is_counted_when_it_is_revived(match: Match) -> None:
    Match.objects.filter(pk=match.pk).update(bot_due=timezone.now() - timedelta(minutes=1), bot_held=None)
    before = counted("gauntlet_bots_revived_total")
    sweep.sweep()
    sweep.sweep()
    assert counted("gauntlet_bots_revived_total") == before + 1


def test_logs_say_which_request_and_which_match(
    match: Match, client: Client, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("games.play.bot_turns.take_bot_turns", lambda match_id: 0)
    logging_config.configure({"format": "json", "level": "info"})
    try:
        client.get(f"/play/{match.key}/", headers={"X-Request-ID": "trace-0123"})
        client.get("/accounts/login/", headers={"X-Request-ID": "trace-4567"})
        game_tasks.bot_turn.apply(args=(match.pk,), headers={"request_id": "trace-0123"})
    finally:
        logging_config.configure({"format": "console", "level": "info"})
    lines = [json.loads(line) for line in capsys.readouterr().err.splitlines() if line.startswith("{")]
    page, login, task = (line for line in lines if line["event"] in ("request", "task"))
    assert (page["request_id"], page["match"]) == ("trace-0123", match.key)
    assert (login["request_id"], "match" in login) == ("trace-4567", False)
    assert (task["request_id"], task["match_id"], task["task"]) == ("trace-0123", match.pk, "games.tasks.bot_turn")
