"""Image, compose file, units and example settings agree with the code they run."""

import argparse
import json
import re
import shlex
import subprocess
import sys
from importlib.resources import files
from pathlib import Path
from typing import Any

import pytest
import yaml
from celery.bin.celery import celery
from django.core.management import CommandError, get_commands, load_command_class
from jsonschema.validators import validator_for

from deploy.bootstrap import ROOT
from deploy.harness.prepared_state import clean_environment
from deploy.stack import PLAIN, Stack

DEPLOY = ROOT / "deploy"
COMPOSE: dict[str, Any] = yaml.safe_load((DEPLOY / "compose.yaml").read_text())
SERVICES: dict[str, Any] = COMPOSE["services"]
OUR_SERVICES = {"migrate", "web", "worker", "beat"}
# Variables that compose.yaml itself uses.
COMPOSE_ONLY = {"POSTGRES_PASSWORD"}
EXAMPLE = (DEPLOY / ".env.example").read_text()


@pytest.fixture(scope="module")
def known(tmp_path_factory: pytest.TempPathFactory) -> set[str]:
    """Every variable that the settings read, in a separate process, because other tests read names of their own."""
    done = subprocess.run(
        [sys.executable, "-c", "import deploy.settings; print(*deploy.settings.env.known)"],
        env=clean_environment() | {"GAUNTLET_VAR": str(tmp_path_factory.mktemp("var"))},
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=True,
    )
    return set(done.stdout.split())


def test_the_example_names_exactly_what_is_read(known: set[str]) -> None:
    named = re.findall(r"^#? ?([A-Z][A-Z_]+)=", EXAMPLE, re.MULTILINE)
    assert sorted(named) == sorted(known | COMPOSE_ONLY)


def test_the_example_filled_in_is_a_site_in_public(known: set[str], tmp_path: Path) -> None:
    given = dict(re.findall(r"^([A-Z_]+)=(.*)$", EXAMPLE, re.MULTILINE)) | {"GAUNTLET_SECRET_KEY": "k7Qw-e" * 10}
    code = "import json, deploy.settings as s; print(json.dumps([s.PUBLIC_HOSTS, s.HTTPS, s.DEMO, s.EMAIL_HOST]))"
    done = subprocess.run(
        [sys.executable, "-c", code],
        env=clean_environment() | {"GAUNTLET_VAR": str(tmp_path)} | given,
        cwd=ROOT,
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout) == [["club.example"], True, False, "mail.example"]


def test_compose_uses_variables_that_exist(known: set[str]) -> None:
    text = (DEPLOY / "compose.yaml").read_text()
    assert set(re.findall(r"\$\{(\w+)", text)) <= known | COMPOSE_ONLY
    for name in OUR_SERVICES:
        assert set(SERVICES[name]["environment"]) <= known, name
        assert SERVICES[name]["env_file"] == ".env"
    assert set(re.findall(r"\{\$(\w+)\}", (DEPLOY / "proxy" / "Caddyfile").read_text())) <= set(
        SERVICES["proxy"]["environment"]
    )


def test_units_use_variables_that_exist(known: set[str]) -> None:
    for unit in (DEPLOY / "systemd").glob("*.service"):
        named = re.findall(r"\b([A-Z_]+)=", " ".join(re.findall(r"^Environment=(.*)$", unit.read_text(), re.MULTILINE)))
        assert {"GAUNTLET_VAR", "GAUNTLET_BOOTSTRAP"} <= set(named) <= known | {"PYTHONUNBUFFERED"}, unit.name


def test_every_service_is_watched_and_comes_back() -> None:
    assert set(SERVICES) == OUR_SERVICES | {"postgres", "redis", "proxy"}
    for name, service in SERVICES.items():
        if name == "migrate":
            assert service["restart"] == "no"
        else:
            assert service["healthcheck"]["test"][0] == "CMD", name
            assert service["restart"] == "unless-stopped", name


CONDITIONS = {"service_started", "service_healthy", "service_completed_successfully"}


def test_the_compose_file_keeps_to_the_compose_specification() -> None:
    """By the specification's own schema: the engine would refuse a misspelt key or, worse, ignore it."""
    text = (files("check_jsonschema") / "builtin_schemas" / "vendor" / "compose-spec.json").read_text()
    check = validator_for(json.loads(text))(json.loads(text))
    assert [f"{error.json_path}: {error.message}" for error in check.iter_errors(COMPOSE)] == []
    misspelt = COMPOSE | {"services": SERVICES | {"web": SERVICES["web"] | {"helthcheck": {}}}}
    assert any("helthcheck" in error.message for error in check.iter_errors(misspelt))


def test_the_services_know_each_other() -> None:
    for service in SERVICES.values():
        for other, wanted in service.get("depends_on", {}).items():
            assert other in SERVICES
            assert wanted["condition"] in CONDITIONS
            assert wanted["condition"] != "service_healthy" or "healthcheck" in SERVICES[other]
        for value in (service.get("environment") or {}).values():
            assert isinstance(value, str), "YAML would make something else of it"


def test_nothing_serves_before_the_migrations_are_done() -> None:
    for name in OUR_SERVICES - {"migrate"}:
        assert SERVICES[name]["depends_on"]["migrate"] == {"condition": "service_completed_successfully"}


def test_the_site_runs_without_rights_it_does_not_need() -> None:
    for name in OUR_SERVICES:
        service = SERVICES[name]
        assert service["read_only"] is True
        assert service["cap_drop"] == ["ALL"]
        assert service["security_opt"] == ["no-new-privileges:true"]
    users = re.findall(r"^USER (\w+)$", (DEPLOY / "image" / "Dockerfile").read_text(), re.MULTILINE)
    assert users == ["gauntlet"]


def test_only_the_proxy_is_reached_from_outside_and_it_hides_the_metrics() -> None:
    assert [name for name, service in SERVICES.items() if "ports" in service] == ["proxy"]
    assert COMPOSE["networks"]["inside"] == {"internal": True}
    assert SERVICES["postgres"]["networks"] == SERVICES["redis"]["networks"] == ["inside"]
    assert "respond /metrics 404" in (DEPLOY / "proxy" / "Caddyfile").read_text()


def test_volumes_and_networks_are_declared() -> None:
    for service in SERVICES.values():
        for volume in service.get("volumes", []):
            source = volume.split(":")[0]
            assert (DEPLOY / source).exists() if source.startswith(".") else source in COMPOSE["volumes"], volume
        assert set(service["networks"]) <= set(COMPOSE["networks"])


def commands() -> dict[str, list[str]]:
    """Every command line of ours in image, compose file and units, by its place."""
    commands_by_place: dict[str, list[str]] = {}
    for name in sorted(OUR_SERVICES):
        line = SERVICES[name]["command"]
        parts = line[2].split(" && ") if line[:2] == ["sh", "-c"] else [shlex.join(line)]
        commands_by_place |= {f"{name} {number}": shlex.split(part) for number, part in enumerate(parts)}
    commands_by_place["beat's health"] = SERVICES["beat"]["healthcheck"]["test"][1:]
    dockerfile = (DEPLOY / "image" / "Dockerfile").read_text()
    commands_by_place["image"] = json.loads(re.search(r"^CMD (\[.*\])$", dockerfile, re.MULTILINE).group(1))  # type: ignore[union-attr]
    for number, part in enumerate(re.findall(r"/bin/(python manage\.py [^\\\n]+)", dockerfile)):
        commands_by_place[f"build {number}"] = shlex.split(part)
    for unit in sorted((DEPLOY / "systemd").glob("*.service")):
        for number, line in enumerate(re.findall(r"^ExecStart=\S+/bin/(.*)$", unit.read_text(), re.MULTILINE)):
            commands_by_place[f"{unit.name} {number}"] = shlex.split(line.replace("%i", "8000"))
    return commands_by_place


@pytest.mark.parametrize(("where", "command"), commands().items(), ids=list(commands()))
def test_a_command_exists_and_takes_its_arguments(where: str, command: list[str]) -> None:
    if command[0] == "celery":
        assert command[1:3] == ["-A", "deploy.celery"]
        context = celery.commands[command[3]].make_context(command[3], command[4:], resilient_parsing=True)
        assert context.info_name == "beat"
        return
    assert command[:2] == ["python", "manage.py"], where
    parser = load_command_class(get_commands()[command[2]], command[2]).create_parser("manage.py", command[2])
    assert isinstance(parser.parse_args(command[3:]), argparse.Namespace)


def test_the_stack_is_the_compose_file_without_its_proxy(tmp_path: Path) -> None:
    """Every service with its own command and variables; only the paths are this machine's."""
    env_file = tmp_path / ".env"
    env_file.write_text(f"{EXAMPLE}\nPOSTGRES_PASSWORD=secret\nGAUNTLET_SECRET_KEY={'k' * 50}\n")
    stack = Stack(env_file, tmp_path, 8123)
    assert set(stack.services) == set(SERVICES) - {"proxy"}
    order = stack.in_order()
    for name, service in stack.services.items():
        assert all(order.index(other) < order.index(name) for other in service.get("depends_on", {}))
    given = stack.environment("web")
    assert set(SERVICES["web"]["environment"]) | {"EMAIL_URL", "GAUNTLET_SECRET_KEY"} <= set(given)
    assert given["DATABASE_URL"] == f"postgres://gauntlet:secret@127.0.0.1:{stack.ports['postgres']}/gauntlet"
    assert given["GAUNTLET_VAR"] == str(tmp_path / "data")
    assert {name: given[name] for name in PLAIN} == PLAIN
    assert "EMAIL_URL" not in stack.environment("postgres")
    web = [sys.executable, "manage.py", "web", "--host", "127.0.0.1", "--port", "8123"]
    assert stack.command(stack.services["web"]["command"]) == web
    beat = [sys.executable, "-m", *SERVICES["beat"]["command"]]
    assert stack.command(stack.services["beat"]["command"]) == beat
    assert "http://127.0.0.1:8123/healthz" in stack.command(stack.services["web"]["healthcheck"]["test"][1:])[-1]


def test_the_stack_says_what_is_missing(tmp_path: Path) -> None:
    with pytest.raises(CommandError, match=r"copy deploy/\.env\.example there"):
        Stack(tmp_path / ".env", tmp_path, 0)
    (tmp_path / ".env").write_text("GAUNTLET_HOSTS=club.example\n")
    with pytest.raises(CommandError, match=r"POSTGRES_PASSWORD is missing: set it in \.env"):
        Stack(tmp_path / ".env", tmp_path, 0)


def test_the_units_belong_together() -> None:
    units = {file.name for file in (DEPLOY / "systemd").iterdir()}
    for file in (DEPLOY / "systemd").iterdir():
        for name in re.findall(r"\bgauntlet[\w@.-]*\.(?:service|target)", file.read_text()):
            assert name.replace("@8000", "@") in units, (file.name, name)


def test_the_dashboard_asks_for_what_is_measured() -> None:
    from accounts.infra import metrics as infra_metrics
    from deploy import metrics

    text = (DEPLOY / "grafana" / "gauntlet.json").read_text()
    asked = set(re.findall(r"\bgauntlet_[a-z_]+", text))
    source = Path(infra_metrics.__file__).read_text() + Path(metrics.__file__).read_text()
    measured = set(re.findall(r'"(gauntlet_[a-z_]+)"', source))
    assert {re.sub(r"_(bucket|count|sum|total)$", "", name) for name in asked} == measured
    dashboard = json.loads(text)
    assert len({panel["id"] for panel in dashboard["panels"]}) == len(dashboard["panels"])


def test_every_proof_in_the_threat_model_exists() -> None:
    text = (ROOT / "SECURITY.md").read_text()
    files = {name: (ROOT / name).read_text() for name in set(re.findall(r"tests/[\w/]+\.py", text))}
    for row in re.findall(r"^\|.*\|$", text, re.MULTILINE):
        *_, last, _ = row.split("|")
        named = re.findall(r"(tests/[\w/]+\.py)", last)
        for test in re.findall(r"\btest_\w+(?!\.py)\b(?!\.py|/)", re.sub(r"tests/[\w/]+\.py", "", last)):
            assert any(f"def {test}(" in files[name] for name in named), test
    for name, test in re.findall(r"(tests/[\w/]+\.py)::(\w+)", text):
        assert re.search(rf"\b(def|class) {test}\b", files[name]), test
