import json
import re
import subprocess
import sys
import tomllib
from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from deploy.bootstrap import LOCKS, ROOT

# How pip-audit ends when nobody answered, as against an answer or a fault of ours.
OUT_OF_REACH = re.compile(r"(ConnectionError|ConnectTimeout|ReadTimeout|Timeout|ProxyError|SSLError|ServiceError)\b")


class Command(BaseCommand):
    help = "ask whether a version that we depend on has a known vulnerability"
    requires_system_checks: list[str] = []

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--advisories", metavar="URL", help="ask this service, which speaks OSV's language")
        parser.add_argument("--required", action="store_true", help="fail if the service cannot be reached")
        parser.add_argument("--locks", type=Path, default=LOCKS, help="the folder of the lock files")

    def handle(self, *args: Any, **options: Any) -> None:
        ignored = reasons(ROOT / "pyproject.toml")
        done = asked(sorted(options["locks"].glob("*.txt")), list(ignored), options["advisories"])
        try:
            found = json.loads(done.stdout)["dependencies"]
        except ValueError:
            self.unanswered(done.stderr, options["required"])
            return
        if unasked := [each["name"] for each in found if "skip_reason" in each]:
            raise CommandError(f"{len(unasked)} packages could not be audited: {', '.join(unasked[:5])}")
        if not found:
            raise CommandError("no package was found in the lock files")
        harmful = [each for each in found if each["vulns"]]
        for each in harmful:
            for known in each["vulns"]:
                cure = ", ".join(known["fix_versions"]) or "none yet"
                self.stdout.write(f"{each['name']} {each['version']}: {known['id']} (mended in: {cure})")
        if harmful:
            raise CommandError(
                f"{len(harmful)} of {len(found)} packages have known vulnerabilities: raise their versions and relock, "
                "or say in pyproject.toml under tool.gauntlet.audit why one does not concern us"
            )
        passed = f", {len(ignored)} advisories left out with a reason" if ignored else ""
        self.stdout.write(self.style.SUCCESS(f"No known vulnerability in {len(found)} packages{passed}."))

    def unanswered(self, told: str, required: bool) -> None:
        why = told.strip().splitlines()[-1] if told.strip() else "it said nothing"
        if required or not OUT_OF_REACH.search(why):
            raise CommandError(f"the audit could not be made: {why}")
        self.stdout.write(self.style.WARNING("The advisory service is out of reach: no package was audited."))


def asked(locks: list[Path], ignored: list[str], service: str | None) -> subprocess.CompletedProcess[str]:
    """pip-audit over the exact versions and hashes of the locks; nothing is installed or resolved."""
    command = [str(Path(sys.executable).with_name("pip-audit")), "--require-hashes", "--disable-pip"]
    command += ["--progress-spinner", "off", "--format", "json", "--timeout", "10", "--vulnerability-service", "osv"]
    command += ["--osv-url", service] if service else []
    for lock in locks:
        command += ["--requirement", str(lock)]
    for advisory in ignored:
        command += ["--ignore-vuln", advisory]
    return subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)


def reasons(project: Path) -> dict[str, str]:
    """Advisories that do not concern us, each with the reason why."""
    told = tomllib.loads(project.read_text(encoding="utf-8"))["tool"].get("gauntlet", {}).get("audit", {})
    if empty := [name for name, why in told.items() if not str(why).strip()]:
        raise CommandError(f"pyproject.toml leaves {', '.join(empty)} out of the audit without a reason")
    return dict(told)
