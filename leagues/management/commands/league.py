import io
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.db import transaction

from accounts.access import NotAllowed
from accounts.errors import Refused
from accounts.models import Club, User
from engine.errors import quoted
from leagues.exchange.archive import crowd, opening, pack, unpack
from leagues.models import League


class Command(BaseCommand):
    help = "Take a whole league out into one file, or bring one in."

    def add_arguments(self, parser: CommandParser) -> None:
        parts = parser.add_subparsers(dest="what", required=True)
        out = parts.add_parser("export", help="write a league into a file")
        out.add_argument("league", help="its name in the address, such as thursday-league")
        out.add_argument("file", type=Path)
        into = parts.add_parser("import", help="bring a league in from a file, all of it or nothing")
        into.add_argument("file", type=Path)
        into.add_argument("--club", required=True, help="the club's name in the address")
        into.add_argument("--as", dest="actor", required=True, help="the handle of an organiser of the club")
        into.add_argument("--guests", action="store_true", help="everybody becomes a guest, also who has a handle here")

    def handle(self, *args: object, **options: Any) -> None:
        try:
            done = self.take_out(options) if options["what"] == "export" else self.bring_in(options)
        except (Refused, NotAllowed) as refused:
            raise CommandError(str(refused)) from None
        except OSError as error:
            raise CommandError(f"cannot use {options['file']}: {error.strerror or error}") from None
        self.stdout.write(done)

    def take_out(self, options: dict[str, Any]) -> str:
        league = League.objects.select_related("club").filter(slug=options["league"]).first()
        if league is None:
            raise CommandError(f"there is no league {quoted(options['league'])}")
        made = io.BytesIO()
        manifest = pack.write(league, made)
        with open(options["file"], "xb") as file:
            file.write(made.getvalue())
        rows = sum(each["rows"] for each in manifest["files"].values())
        return f"{league.name}: {rows:,} rows in {options['file']}"

    def bring_in(self, options: dict[str, Any]) -> str:
        club = Club.objects.open().filter(slug=options["club"]).first()
        actor = User.objects.filter(handle__iexact=options["actor"], is_active=True).first()
        if club is None or actor is None:
            raise CommandError("there is no such club, or no such person")
        archive = opening.opened(options["file"].read_bytes())
        known = [] if options["guests"] else [each.number for each in crowd.listed(archive, club) if each.same]
        with transaction.atomic():
            league = unpack.bring_in(actor=actor, club=club, archive=archive, same=known)
        return f"{league.name}: {archive.rows:,} rows, at {league.get_absolute_url()}"
