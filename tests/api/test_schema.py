"""The OpenAPI file describes the code, and the code keeps to it: valid and invalid requests are tried."""

from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, suppress
from typing import Any

import pytest
import schemathesis
from django.core.cache import cache
from django.core.handlers.wsgi import WSGIHandler
from django.core.signals import request_finished, request_started
from django.db import close_old_connections, transaction
from hypothesis import HealthCheck, Phase, given
from hypothesis import settings as how
from hypothesis.errors import Unsatisfiable
from schemathesis import GenerationMode
from schemathesis.checks import CHECKS, load_all_checks
from schemathesis.core.failures import FailureGroup
from schemathesis.core.parameters import ParameterLocation
from schemathesis.generation.drivers import CoverageGenerator
from schemathesis.generation.feedback import FeedbackSources
from schemathesis.generation.overrides import Override

from deploy import openapi
from games import engine_match
from tests.api.sample_site import World

# Values may have the right form and still be invalid: no time zone “x”, no option “y” in this game.
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


VALID, BROKEN = GenerationMode.POSITIVE, GenerationMode.NEGATIVE
ROLES = ("organiser", "member", "bot")
# The long test in slices, for parallel processes.
PARTS, MANY = 6, 25


def test_the_file_is_what_the_code_says():
    assert openapi.FILE.read_text(encoding="utf-8") == openapi.text(), "run python3 manage.py schema"
    assert openapi.document()["openapi"].startswith("3.1.")
    assert openapi.warnings() == []


@contextmanager
def one_connection() -> Iterator[None]:
    """As in Django's test client: a request does not close the connection of the test."""
    for signal in (request_started, request_finished):
        signal.disconnect(close_old_connections)
    try:
        yield
    finally:
        for signal in (request_started, request_finished):
            signal.connect(close_old_connections)


@pytest.fixture
def world(db, monkeypatch, settings) -> World:
    settings.API_RATES = dict.fromkeys(settings.API_RATES, 10**9)
    monkeypatch.setattr("games.play.dispatch.enqueue_bot_turn", lambda match_id: None)
    monkeypatch.setattr("leagues.ratings.ledger._send", lambda pool_id: None)
    cache.clear()
    return World()


def operations() -> list[Any]:
    schema = schemathesis.openapi.from_dict(openapi.document(), config=schemathesis.Config.from_dict(CONFIG))
    schema.app = WSGIHandler()
    return [found.ok() for found in schema.get_all_operations()]  # type: ignore[union-attr]


def test_no_check_is_left_out():
    load_all_checks()
    of_all = schemathesis.Config.from_dict(CONFIG).projects.get_default().checks
    assert [name for name in CHECKS.get_all_names() if not of_all.get_by_name(name=name).enabled] == []


@pytest.mark.timeout(600)
def test_the_api_keeps_to_its_description(world):
    """No answer but those described and no server error, by all checks that schemathesis has:

    `not_a_server_error`, `status_code_conformance`, `content_type_conformance`, `response_headers_conformance`,
    `response_schema_conformance`, `negative_data_rejection`, `positive_data_acceptance`, `missing_required_header`,
    `unsupported_method`, `allow_header_conformance`, `use_after_free`, `ensure_resource_availability`,
    `ignored_auth`, `object_level_authorization`.

    One expectation is not the usual one: what fits the description may still be refused with 422 (see `ACCEPTED`),
    and never with a server error, which schemathesis leaves to another check.

    Each operation is asked with data that fits, by each role at what is there in the site, and with data that does
    not; always the same data. `-m slow` tries many more, and each limit, type and method on its own.
    """
    wrong = Findings()
    for operation in operations():
        generated(operation, VALID, 1, lambda case: wrong.ask(case, world, *ROLES))
        if operation.body or operation.query or operation.path_parameters:
            generated(operation, BROKEN, 1, lambda case: wrong.ask(case, world, "organiser"))
    assert not wrong.found, wrong.text()


@pytest.mark.slow
@pytest.mark.timeout(1800)
@pytest.mark.parametrize("part", range(PARTS))
@pytest.mark.parametrize("role", ROLES)
def test_the_api_keeps_to_its_description_at_length(role, part, world):
    """The coverage phase (each limit, type, missing field and wrong method on its own), and much at random."""
    wrong = Findings()
    for operation in operations()[part::PARTS]:
        for case in covering(operation):
            wrong.ask(case, world, role)
        for mode in GenerationMode:
            generated(operation, mode, MANY, lambda case: wrong.ask(case, world, role))
    assert not wrong.found, wrong.text()


class Findings:
    """All failures, each kind once for an operation, with a request that shows it."""

    def __init__(self) -> None:
        self.found: dict[tuple[str, ...], str] = {}

    def ask(self, case: Any, world: World, *roles: str) -> None:
        if case.meta is None or not case.meta.is_negative_at(ParameterLocation.PATH):
            case.path_parameters = {**(case.path_parameters or {}), **world.at(case.path)}
        for role in roles:
            engine_match.clear_cache()
            with one_connection(), transaction.atomic():
                try:
                    case.call_and_validate(headers=world.programs[role].headers)
                except FailureGroup as group:
                    for failure in group.exceptions:
                        self.found.setdefault((role, case.operation.label, failure.title), str(group))
                finally:
                    transaction.set_rollback(True)

    def text(self) -> str:
        return "\n\n".join(f"{' '.join(name)}: {why}" for name, why in self.found.items())


def generated(operation: Any, mode: GenerationMode, examples: int, ask: Callable[[Any], None]) -> None:
    @how(FEW, max_examples=examples)
    @given(case=operation.as_strategy(generation_mode=mode))
    def each(case: Any) -> None:
        ask(case)

    # An address without parameters has no invalid variant.
    with suppress(Unsatisfiable):
        each()


def covering(operation: Any) -> Iterable[Any]:
    generation = operation.schema.config.generation_for(operation=operation, phase="coverage")
    return CoverageGenerator(
        operation=operation,
        generation_modes=list(GenerationMode),
        generation_config=generation,
        auth_storage=None,
        override=Override(),
        feedback=FeedbackSources(),
    )
