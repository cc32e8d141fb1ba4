import io
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.db import transaction

from accounts.infra.errors import Refused
from accounts.infra.permissions import NotAllowed
from accounts.models import Club, User
from engine.errors import quoted
from leagues.import_export.archive import importer, people, reader, writer
from leagues.models import League


class Command(BaseCommand):
    help = "Export a whole league to one file, or import one."

    def add_arguments(self, parser: CommandParser) -> None:
        parts = parser.add_subparsers(dest="what", required=True)
        out = parts.add_parser("export", help="write a league to a file")
        out.add_argument("league", help="its name in the address, such as thursday-league")
        out.add_argument("file", type=Path)
        into = parts.add_parser("import", help="import a league from a file, all of it or nothing")
        into.add_argument("file", type=Path)
        into.add_argument("--club", required=True, help="the club's name in the address")
        into.add_argument("--as", dest="actor", required=True, help="the handle of an organiser of the club")
        into.add_argument("--guests", action="store_true", help="import everybody as a guest, even with a known handle")

    def handle(self, *args: object, **options: Any) -> None:
        try:
            done = self.export_league(options) if options["what"] == "export" else self.import_league(options)
        except (Refused, NotAllowed) as refused:
            raise CommandError(str(refused)) from None
        except OSError as error:
            raise CommandError(f"cannot use {options['file']}: {error.strerror or error}") from None
        self.stdout.write(done)

    def export_league(self, options: dict[str, Any]) -> str:
        league = League.objects.select_related("club").filter(slug=options["league"]).first()
        if league is None:
            raise CommandError(f"there is no league {quoted(options['league'])}")
        content = io.BytesIO()
        manifest = writer.write(league, content)
        with open(options["file"], "xb") as file:
            file.write(content.getvalue())
        rows = sum(each["rows"] for each in manifest["files"].values())
        return f"{league.name}: {rows:,} rows in {options['file']}"

    def import_league(self, options: dict[str, Any]) -> str:
        club = Club.objects.open().filter(slug=options["club"]).first()
        actor = User.objects.filter(handle__iexact=options["actor"], is_active=True).first()
        if club is None or actor is None:
            raise CommandError("there is no such club, or no such person")
        archive = reader.open_archive(options["file"].read_bytes())
        known = [] if options["guests"] else [each.number for each in people.people_in(archive, club) if each.same]
        with transaction.atomic():
            league = importer.import_archive(actor=actor, club=club, archive=archive, same=known, with_ratings=True)
        return f"{league.name}: {archive.rows:,} rows, at {league.get_absolute_url()}"
