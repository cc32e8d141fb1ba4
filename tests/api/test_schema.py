"""The description is the code's, and the code keeps to it: everything it allows is tried, and much that it does not."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest
import schemathesis
from django.core.cache import cache
from django.core.handlers.wsgi import WSGIHandler
from django.core.signals import request_finished, request_started
from django.db import close_old_connections, transaction
from hypothesis import HealthCheck, Phase, given
from hypothesis import settings as how
from schemathesis import GenerationMode

from deploy import openapi
from games import referee
from tests.api.world import World

# Values may have the right form and still mean nothing: no time zone “x”, no option “y” in this game.
ACCEPTED = ["2xx", "3xx", "401", "403", "404", "409", "422", "429"]
CONFIG = {
    "seed": 20261116,
    "generation": {"deterministic": True, "database": "none"},
    "checks": {"positive_data_acceptance": {"expected-statuses": ACCEPTED}},
}
FEW = how(
    derandomize=True,
    database=None,
    deadline=None,
    phases=[Phase.explicit, Phase.generate],
    suppress_health_check=list(HealthCheck),
)


def test_the_file_is_what_the_code_says():
    assert openapi.FILE.read_text(encoding="utf-8") == openapi.text(), "run python3 manage.py schema"
    assert openapi.document()["openapi"].startswith("3.1.")
    assert openapi.warnings() == []


@contextmanager
def one_connection() -> Iterator[None]:
    """As Django's own test client does it: a request does not close what the test has open."""
    for signal in (request_started, request_finished):
        signal.disconnect(close_old_connections)
    try:
        yield
    finally:
        for signal in (request_started, request_finished):
            signal.connect(close_old_connections)


@pytest.mark.timeout(600)
@pytest.mark.parametrize(("role", "examples"), [("organiser", 2), ("member", 1)])
def test_the_api_keeps_to_its_description(role, examples, db, monkeypatch, settings):
    """No answer but those described, no server error; with all of schemathesis' checks."""
    settings.API_RATES = dict.fromkeys(settings.API_RATES, 10**9)
    monkeypatch.setattr("games.queue.send", lambda match_id: None)
    monkeypatch.setattr("leagues.ratings.ledger._send", lambda pool_id: None)
    cache.clear()
    world = World()
    schema = schemathesis.openapi.from_dict(openapi.document(), config=schemathesis.Config.from_dict(CONFIG))
    schema.app = WSGIHandler()
    wrong: dict[str, str] = {}
    for found in schema.get_all_operations():
        operation = found.ok()
        for mode in GenerationMode if role == "organiser" else [GenerationMode.POSITIVE]:
            if mode is GenerationMode.NEGATIVE and not (operation.body or operation.query or operation.path_parameters):
                continue
            try:
                tried(operation, mode, world, role, examples if mode is GenerationMode.POSITIVE else 1)
            except (Exception, BaseExceptionGroup) as error:
                wrong[f"{mode.value} {operation.label}"] = str(error)
    assert not wrong, "\n\n".join(f"{name}: {why}" for name, why in wrong.items())


def tried(operation: Any, mode: GenerationMode, world: World, role: str, examples: int) -> None:
    @how(FEW, max_examples=examples)
    @given(case=operation.as_strategy(generation_mode=mode))
    def ask(case: Any) -> None:
        if mode is GenerationMode.POSITIVE:
            case.path_parameters = {**(case.path_parameters or {}), **world.at(case.path)}
        referee.forget()
        with one_connection(), transaction.atomic():
            try:
                case.call_and_validate(headers=world.programs[role].headers)
            finally:
                transaction.set_rollback(True)

    ask()
