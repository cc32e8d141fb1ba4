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

# How pip-audit fails if the service did not answer.
NO_ANSWER = re.compile(r"(ConnectionError|ConnectTimeout|ReadTimeout|Timeout|ProxyError|SSLError|ServiceError)\b")


class Command(BaseCommand):
    help = "check whether a package that we depend on has a known vulnerability"
    requires_system_checks: list[str] = []

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--advisories", metavar="URL", help="use this service, which must have the API of OSV")
        parser.add_argument("--required", action="store_true", help="fail if the service cannot be reached")
        parser.add_argument("--locks", type=Path, default=LOCKS, help="the folder of the lock files")

    def handle(self, *args: Any, **options: Any) -> None:
        ignored = reasons(ROOT / "pyproject.toml")
        done = run_pip_audit(sorted(options["locks"].glob("*.txt")), list(ignored), options["advisories"])
        try:
            packages = json.loads(done.stdout)["dependencies"]
        except ValueError:
            self.unanswered(done.stderr, options["required"])
            return
        if unaudited := [each["name"] for each in packages if "skip_reason" in each]:
            raise CommandError(f"{len(unaudited)} packages could not be audited: {', '.join(unaudited[:5])}")
        if not packages:
            raise CommandError("no package was found in the lock files")
        harmful = [each for each in packages if each["vulns"]]
        for each in harmful:
            for known in each["vulns"]:
                fixed = ", ".join(known["fix_versions"]) or "none yet"
                self.stdout.write(f"{each['name']} {each['version']}: {known['id']} (fixed in: {fixed})")
        if harmful:
            raise CommandError(
                f"{len(harmful)} of {len(packages)} packages have known vulnerabilities: raise their versions and "
                "relock, or give a reason in pyproject.toml under tool.gauntlet.audit to ignore one"
            )
        passed = f", {len(ignored)} advisories left out with a reason" if ignored else ""
        self.stdout.write(self.style.SUCCESS(f"No known vulnerability in {len(packages)} packages{passed}."))

    def unanswered(self, output: str, required: bool) -> None:
        why = output.strip().splitlines()[-1] if output.strip() else "there was no output"
        if required or not NO_ANSWER.search(why):
            raise CommandError(f"the audit failed: {why}")
        self.stdout.write(self.style.WARNING("The advisory service cannot be reached: no package was audited."))


def run_pip_audit(locks: list[Path], ignored: list[str], service: str | None) -> subprocess.CompletedProcess[str]:
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
    """Advisories that do not affect us, each with the reason."""
    ignored = tomllib.loads(project.read_text(encoding="utf-8"))["tool"].get("gauntlet", {}).get("audit", {})
    if empty := [name for name, why in ignored.items() if not str(why).strip()]:
        raise CommandError(f"pyproject.toml leaves {', '.join(empty)} out of the audit without a reason")
    return dict(ignored)
