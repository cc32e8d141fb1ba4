"""What the pages about tables share."""

from typing import Any

from django.http import Http404, HttpRequest
from django.urls import reverse
from django.utils.translation import get_language
from django.utils.translation import gettext as _

import engine
from accounts.models import User
from games import access, talk
from games.access import Permission
from games.live import frames
from games.models import Match, Seat
from games.models.record import LEVEL_NAMES
from games.views import words


def match_or_404(request: HttpRequest, key: str) -> Match:
    """The table, with its people; one that may not be seen is not there."""
    match = Match.objects.with_people().filter(key=key).first()
    if match is None or not access.may(request.user, Permission.SEE, match):
        raise Http404
    return match


def bare_state(match: Match, seats: list[Seat]) -> dict[str, Any]:
    """What the script needs of a table that it shows, whatever the ply."""
    return dict(
        topic=f"match.{match.key}",
        game=match.game,
        title=match.title,
        language=get_language(),
        words=words.url_for(match.game, get_language() or "en"),
        levels={level: str(name) for level, name in LEVEL_NAMES.items()},
        ui=interface_words(),
        **frames.surroundings(match, seats),
    )


def interface_words() -> dict[str, Any]:
    """What the script says by itself."""
    return {
        "you": _("you"),
        "bot": _("Bot"),
        "here": _("here"),
        "away": _("away"),
        "left": {
            Seat.Left.AWAY: _("a bot sits in"),
            Seat.Left.TIMEOUT: _("out of time"),
            Seat.Left.RESIGNED: _("resigned"),
        },
        "status": {status.value: str(status.label) for status in Match.Status},
        "your_turn": _("It is your turn."),
        "turn_of": _("{name} is to act."),
        "mute": _("Mute"),
        "unmute": _("Listen again"),
        "muted": _("You do not hear {name}."),
        "report": _("Report"),
        "reported": _("Reported"),
        "removed": _("This line was removed."),
        "old_rules": _("This match was played by older rules: its record can be read, but not shown on the table."),
    }


def links(match: Match) -> dict[str, str]:
    names = ("state", "move", "say", "talk", "report", "plies")
    return dict(mute=reverse("games:mute"), **{name: reverse(f"games:{name}", args=[match.key]) for name in names})


def talk_state(request: HttpRequest, match: Match) -> dict[str, Any]:
    room = talk.room_of(request.user, match)
    may_talk = access.may(request.user, Permission.TALK, match)
    return {
        "lines": [frames.line_told(line) for line in talk.heard_by(request.user, match)],
        "remarks": {code: str(words) for code, words in talk.REMARKS.items()},
        "only_remarks": talk.only_remarks(match, room),
        "may_talk": may_talk,
        "room": room,
        "muted": talk.muted_by(request.user),
        "me": request.user.handle if isinstance(request.user, User) else "",
    }


def games() -> list[engine.Game]:
    return [engine.game(name) for name in engine.GAMES]
