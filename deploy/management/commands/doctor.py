import json
from argparse import ArgumentParser
from dataclasses import asdict
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from engine.errors import quoted


class Command(BaseCommand):
    help = "check this installation part by part, and say what to fix"
    # It must also work on an installation that cannot start.
    requires_system_checks: list[str] = []

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--json", action="store_true", help="for programs: one JSON object instead of lines")
        parser.add_argument("--only", default="", metavar="PART", help="check one part, for example beat")
        parser.add_argument("--patience", type=float, default=15.0, help="seconds a worker has to answer (15)")

    def handle(self, *args: Any, json: bool, only: str, patience: float, **options: Any) -> None:
        from deploy import doctor

        if only and only not in doctor.PARTS:
            raise CommandError(f"there is no part {quoted(only)}: there are {', '.join(doctor.PARTS)}")
        findings = []
        for finding in doctor.examine(patience, only):
            findings.append(finding)
            if not json:
                self.show(finding)
        verdicts = {finding.verdict for finding in findings}
        worst = next(verdict for verdict in (doctor.FAIL, doctor.WARN, doctor.OK) if verdict in verdicts)
        self.conclude(worst, findings, as_json=json)
        if worst == doctor.FAIL:
            raise SystemExit(1)

    def show(self, finding: Any) -> None:
        style = {"ok": self.style.SUCCESS, "warn": self.style.WARNING, "fail": self.style.ERROR}[finding.verdict]
        self.stdout.write(f"{style(f'{finding.verdict:<6}')}{finding.part:<14}{finding.says}")
        if finding.advice:
            self.stdout.write(f"{'':20}{finding.advice}")
        self.stdout.flush()

    def conclude(self, worst: str, findings: list[Any], *, as_json: bool) -> None:
        if as_json:
            self.stdout.write(json.dumps({"verdict": worst, "findings": [asdict(one) for one in findings]}, indent=2))
            return
        sentences = {
            "ok": "Everything works.",
            "warn": "It runs, with the warnings above.",
            "fail": "Something must be fixed.",
        }
        self.stdout.write(sentences[worst])
