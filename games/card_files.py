"""Card files of clubs: uploading, withdrawing and deleting a version, and choosing one for a table or a season."""

from typing import Any

from django.db import transaction
from django.db.models import Max, ProtectedError
from django.utils import timezone
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

import engine
from accounts import audit
from accounts.access import Permission, require
from accounts.infra.errors import Refused
from accounts.infra.input import require_storable
from accounts.models import Club, User
from games.models import CardFile
from games.models.card_file import MAX_TITLE_LENGTH, digest_of

UPLOADED = audit.declare_action(
    "games.cards-uploaded", _("%(actor)s uploaded version %(number)s of the cards of %(game)s: %(title)s")
)
WITHDRAWN = audit.declare_action(
    "games.cards-withdrawn", _("%(actor)s withdrew version %(number)s of the cards of %(game)s")
)
OFFERED = audit.declare_action(
    "games.cards-offered", _("%(actor)s offered version %(number)s of the cards of %(game)s again")
)
DELETED = audit.declare_action(
    "games.cards-deleted", _("%(actor)s deleted version %(number)s of the cards of %(game)s")
)

MAX_BYTES = 128 * 1024
MAX_FILES = 40
"""Versions of one club, all games together."""


def games_with_card_files() -> list[engine.Game]:
    """The games that a club may play with cards of its own."""
    return [game for game in map(engine.game, engine.GAMES) if game.card_option]


@transaction.atomic
def upload(*, actor: User, club: Club, game: str, title: str, content: bytes) -> CardFile:
    """Keep a new version of a club's cards, once the rules of the game can be played with it."""
    require(actor, Permission.EDIT_CLUB, club)
    rules = next((each for each in games_with_card_files() if each.name == game), None)
    if rules is None:
        raise Refused(gettext("This game is played with its own cards only."))
    title = " ".join(require_storable(title).split())
    if not 0 < len(title) <= MAX_TITLE_LENGTH:
        raise Refused(gettext("Give the file a title of at most %(most)s characters.") % {"most": MAX_TITLE_LENGTH})
    source = decoded(content)
    check(rules, source)
    # Two uploads at once would get the same number.
    Club.objects.select_for_update(no_key=True).get(pk=club.pk)
    same = CardFile.objects.filter(club=club, game=game, digest=digest_of(source)).first()
    if same is not None:
        raise Refused(gettext("This file is here already: it is version %(number)s.") % {"number": same.number})
    if CardFile.objects.filter(club=club).count() >= MAX_FILES:
        raise Refused(gettext("The club has many card files already: delete one that nothing was played with."))
    card_file = CardFile.objects.create(
        club=club, game=game, number=next_number(club, game), title=title, digest=digest_of(source), source=source,
        uploaded_by=actor,
    )  # fmt: skip
    _record(UPLOADED, actor, card_file, title=title)
    return card_file


def next_number(club: Club, game: str) -> int:
    last = CardFile.objects.filter(club=club, game=game).aggregate(last=Max("number"))["last"]
    return (last or 0) + 1


def decoded(content: bytes) -> str:
    """The text of a file; refused if it is too large or no text."""
    if len(content) > MAX_BYTES:
        raise Refused(gettext("A card file has at most %(most)s kB.") % {"most": MAX_BYTES // 1024})
    try:
        return content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = content.count(b"\n", 0, error.start) + 1
        raise Refused(gettext("Line %(line)s is not text in UTF-8.") % {"line": line}) from None


def check(rules: engine.Game, source: str) -> None:
    """Refuse a file that the rules cannot be played with; the reason names the line and the card."""
    try:
        document = rules.read_card_file(source)
        for players in rules.players:
            rules.start(players, "a trial deal", {rules.card_option: document})
    except engine.OptionError as error:
        # What is at fault is said in the words of the file, which are English.
        raise Refused(gettext("This card file cannot be played with: %(why)s") % {"why": error.reason}) from error


@transaction.atomic
def set_offered(*, actor: User, card_file: CardFile, on: bool) -> CardFile:
    """Offer a version for new tables and seasons, or no longer. Those that have it keep it."""
    card_file = _lock(actor, card_file)
    if on != (card_file.withdrawn_at is None):
        card_file.withdrawn_at = None if on else timezone.now()
        card_file.save(update_fields=["withdrawn_at"])
        _record(OFFERED if on else WITHDRAWN, actor, card_file)
    return card_file


@transaction.atomic
def delete(*, actor: User, card_file: CardFile) -> None:
    """Delete a version that nothing was played with; a record needs its cards for ever."""
    card_file = _lock(actor, card_file)
    _record(DELETED, actor, card_file)
    try:
        with transaction.atomic():
            card_file.delete()
    except ProtectedError:
        raise Refused(
            gettext("A match or a season has this version, so it is kept. Withdraw it, and no new table can have it.")
        ) from None


def choose(*, card_file: CardFile, club: Club | None, game: str, may_be_withdrawn: bool = False) -> CardFile:
    """The version for a table or a season of this club, locked so that it is not deleted meanwhile."""
    locked = CardFile.objects.select_for_update(of=("self",), no_key=True).filter(pk=card_file.pk).first()
    if locked is None or club is None or locked.club_id != club.pk or locked.game != game:
        raise Refused(no_such_file())
    if locked.withdrawn_at is not None and not may_be_withdrawn:
        raise Refused(gettext("This version of the cards was withdrawn: choose another one."))
    return locked


def no_such_file() -> str:
    return gettext("The club has no such card file for this game.")


def _lock(actor: User, card_file: CardFile) -> CardFile:
    require(actor, Permission.EDIT_CLUB, card_file.club)
    rows = CardFile.objects.select_for_update(of=("self",), no_key=True).select_related("club")
    locked = rows.filter(pk=card_file.pk).first()
    if locked is None:
        raise Refused(gettext("This card file was deleted."))
    return locked


def _record(action: str, actor: User, card_file: CardFile, **params: Any) -> None:
    named: dict[str, Any] = {"game": engine.game(card_file.game).title, "number": card_file.number}
    audit.record(action, actor=actor, on=card_file, club=card_file.club, **named, **params)
