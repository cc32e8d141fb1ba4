from argparse import ArgumentParser
from importlib import import_module

from django.core.management.base import BaseCommand, CommandError

from deploy.bench import Row
from engine.errors import quoted

SECTIONS = ("engine", "live", "formats", "ratings", "boards", "calendar")


class Command(BaseCommand):
    help = "Measure the house's performance claims, each beside a peer or a limit in the same run."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("section", nargs="*", help=f"which parts to measure: {', '.join(SECTIONS)} (default: all)")

    def handle(self, *args: object, section: list[str], **options: object) -> None:
        for name in section:
            if name not in SECTIONS:
                raise CommandError(f"There is no section {quoted(name)}; there are {', '.join(SECTIONS)}.")
        missed = 0
        for name in section or SECTIONS:
            self.stdout.write(f"\n{name}\n{'-' * len(name)}")
            for row in import_module(f"deploy.bench.{name}").rows():
                self.stdout.write(line(row))
                missed += row.reached is False
        self.stdout.write(f"\n{missed} below what they should reach." if missed else "\nAll reached.")


def line(row: Row) -> str:
    reach = "" if row.reach is None else f"{'reached' if row.reached else 'MISSED '} {row.reach:,g}"
    peer = f"{row.ratio:,.2f} x {row.peer} ({row.peer_value:,.0f})" if row.ratio is not None else row.peer
    return f"{row.what:<58} {row.value:>12,.1f} {row.unit:<8} {reach:<18} {peer}"
