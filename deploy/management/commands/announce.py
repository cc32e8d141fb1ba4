from argparse import ArgumentParser
from datetime import timedelta
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from deploy import announcements


class Command(BaseCommand):
    help = "show an announcement on all open pages of the site"

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("text", help="the text, for example 'We close at ten tonight.'")
        parser.add_argument("--minutes", type=int, default=60, help="how long it is shown (60)")

    def handle(self, *args: Any, text: str, minutes: int, **options: Any) -> None:
        try:
            announcements.announce(text=text, lasting=timedelta(minutes=minutes))
        except (announcements.InvalidAnnouncement, OverflowError) as error:
            raise CommandError(str(error)) from None
        self.stdout.write("Announced: open pages show it within seconds.")
