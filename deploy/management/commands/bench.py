import logging
import traceback
from argparse import ArgumentParser
from importlib import import_module

from _pytest.outcomes import OutcomeException
from django.core.management.base import BaseCommand, CommandError

from deploy.bench import Row
from engine.errors import quoted
from tests import services

SECTIONS = ("engine", "live", "formats", "ratings", "odds", "boards", "calendar")


class Command(BaseCommand):
    help = (
        "Measure the house's performance claims, each beside a peer or a limit in the same run. "
        "Ends with 0 when everything was measured, reached or not, and with 1 when a part could not be measured."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("section", nargs="*", help=f"which parts to measure: {', '.join(SECTIONS)} (default: all)")
        parser.add_argument(
            "--quick", action="store_true", help="in sizes too small to mean anything, to see that every part runs"
        )

    def handle(self, *args: object, section: list[str], quick: bool, verbosity: int, **options: object) -> None:
        for name in section:
            if name not in SECTIONS:
                raise CommandError(f"There is no section {quoted(name)}; there are {', '.join(SECTIONS)}.")
        if verbosity < 2:
            logging.disable(logging.INFO)  # its own servers and pages have much to say
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
                    self.stdout.flush()  # whoever keeps it in a file reads along too
                    missed += row.reached is False
            except (Exception, OutcomeException):  # the latter where a server cannot be had
                self.stderr.write(traceback.format_exc())
                failed.append(name)
        if failed:
            raise CommandError(f"{len(failed)} of {len(sections)} parts could not be measured: {', '.join(failed)}")
        if quick:
            self.stdout.write("\nEvery part runs; in these sizes the numbers mean nothing.")
        else:
            self.stdout.write(f"\n{missed} below what they should reach." if missed else "\nAll reached.")


def line(row: Row, *, judged: bool) -> str:
    reach = "" if row.reach is None or not judged else f"{'reached' if row.reached else 'MISSED '} {row.reach:,g}"
    peer = f"{row.ratio:,.2f} x {row.peer} ({row.peer_value:,.0f})" if row.ratio is not None else row.peer
    return f"{row.what:<58} {row.value:>12,.1f} {row.unit:<8} {reach:<18} {peer}"
