import logging
import traceback
from argparse import ArgumentParser
from importlib import import_module

from _pytest.outcomes import OutcomeException
from django.core.management.base import BaseCommand, CommandError

from deploy.bench import Row
from deploy.harness import services
from engine.errors import quoted

SECTIONS = ("engine", "live", "formats", "ratings", "odds", "boards", "calendar", "analysis")


class Command(BaseCommand):
    help = (
        "Measure the performance claims of this project, each next to a peer or a target in the same run. "
        "Exit code 0: everything was measured, targets reached or not. 1: a part could not be measured."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("section", nargs="*", help=f"which parts to measure: {', '.join(SECTIONS)} (default: all)")
        parser.add_argument(
            "--quick",
            action="store_true",
            help="in sizes too small to mean anything, to check that every part runs",
        )

    def handle(self, *args: object, section: list[str], quick: bool, verbosity: int, **options: object) -> None:
        for name in section:
            if name not in SECTIONS:
                raise CommandError(f"There is no section {quoted(name)}; there are {', '.join(SECTIONS)}.")
        if verbosity < 2:
            logging.disable(logging.INFO)  # the servers and pages that it starts log a lot
        try:
            with services.own_servers():
                self.measure(section or list(SECTIONS), quick)
        finally:
            logging.disable(logging.NOTSET)

    def measure(self, sections: list[str], quick: bool) -> None:
        missed, failed = 0, []
        for name in sections:
            self.stdout.write(f"\n{name}\n{'-' * len(name)}")
            try:
                for row in import_module(f"deploy.bench.{name}").rows(quick=quick):
                    self.stdout.write(line(row, judged=not quick))
                    self.stdout.flush()  # also when the output goes to a file
                    missed += row.reached is False
            except (Exception, OutcomeException):  # the latter where a server is not available
                self.stderr.write(traceback.format_exc())
                failed.append(name)
        if failed:
            raise CommandError(f"{len(failed)} of {len(sections)} parts could not be measured: {', '.join(failed)}")
        if quick:
            self.stdout.write("\nEvery part runs; in these sizes the numbers mean nothing.")
        else:
            self.stdout.write(f"\n{missed} missed their target." if missed else "\nAll targets reached.")


def line(row: Row, *, judged: bool) -> str:
    target = "" if row.target is None or not judged else f"{'reached' if row.reached else 'MISSED '} {row.target:,g}"
    peer = f"{row.ratio:,.2f} x {row.peer} ({row.peer_value:,.0f})" if row.ratio is not None else row.peer
    value = f"{row.value:,.1f}" if abs(row.value) >= 10 else f"{row.value:.4g}"
    return f"{row.what:<58} {value:>12} {row.unit:<8} {target:<18} {peer}"
