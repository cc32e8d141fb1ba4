"""Helpers for views of tables."""

from typing import Any

from django.http import Http404, HttpRequest
from django.urls import reverse
from django.utils.translation import get_language
from django.utils.translation import gettext as _

import engine
from accounts.infra.input import whole_number
from accounts.models import User
from engine.bots import LADDER
from games import access, chat
from games.access import Permission
from games.models import Match, Seat
from games.models.record import LEVEL_NAMES, level_picture
from games.realtime import frames
from games.views import texts


def match_or_404(request: HttpRequest, key: str) -> Match:
    """The table, with its players; 404 if the visitor may not see it."""
    match = Match.objects.with_people().filter(key=key).first()
    if match is None or not access.may(request.user, Permission.SEE, match):
        raise Http404
    return match


def bare_state(match: Match, seats: list[Seat]) -> dict[str, Any]:
    """What the page's script needs to know of a table, apart from the position."""
    return dict(
        topic=f"match.{match.key}",
        game=match.game,
        title=match.title,
        language=get_language(),
        words=texts.url_for_match(match, get_language() or "en"),
        levels={level: str(name) for level, name in LEVEL_NAMES.items()},
        portraits={level: level_picture(level) for level in LADDER},
        ui=interface_texts(),
        **frames.surroundings(match, seats),
    )


def interface_texts() -> dict[str, Any]:
    """Texts that the page's script shows."""
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
        "thinks": _("{name} is thinking."),
        "mute": _("Mute"),
        "unmute": _("Unmute"),
        "muted": _("You have muted {name}."),
        "report": _("Report"),
        "reported": _("Reported"),
        "removed": _("This line was removed."),
        "frame": frame_texts(),
        "old_rules": _("This match was played by older rules: its record can be read, but not shown on the table."),
    }


def frame_texts() -> dict[str, str]:
    """Texts of the bar and the strip above the table."""
    return {
        "your_turn": _("Your turn"),
        "confirm": _("{move}? This cannot be taken back."),
        "hint": _("Hint: {move}"),
        "hint_thinking": _("The Expert bot is thinking about your move …"),
        "hint_unrated": _("This match is rated. With a hint it is not rated any more. Take the hint?"),
        "better": _("Better: {move}"),
        "absent": _("Not here: {names}"),
        "offline": _("offline"),
        "moment": _("You are looking at move {ply}."),
        "can_help": _("{names} can help with a token."),
        "ask_for_help": _("Ask for help"),
        "asked": _("You asked for help."),
        "waiting": _("Waiting for {names}"),
        "go_on": _("Go on without help"),
        "help_wanted": _("{name} asks for help: play a token?"),
        "before_roll": _("{name} wants to roll: play a token first?"),
        "before_stop": _("{name} wants to end the turn: play a token first?"),
        "pass_turn": _("Pass this turn"),
        "pass_match": _("Pass until I say"),
        "hold": _("Wait 30 s"),
        "passing": _("You pass with your tokens."),
        "ask_me": _("Ask me again"),
    }


def links(match: Match) -> dict[str, str]:
    names = ("state", "move", "help", "say", "talk", "report", "plies", "past", "final", "hint")
    learn = reverse("games:learn-answer", args=[match.key])
    return dict(
        learn=learn, mute=reverse("games:mute"), **{name: reverse(f"games:{name}", args=[match.key]) for name in names}
    )


def talk_state(request: HttpRequest, match: Match) -> dict[str, Any]:
    room = chat.room_of(request.user, match)
    may_talk = access.may(request.user, Permission.TALK, match)
    return {
        "lines": [frames.serialize_line(line) for line in chat.visible_lines(request.user, match)],
        "remarks": {code: str(text) for code, text in chat.REMARKS.items()},
        "only_remarks": chat.only_remarks(match, room),
        "may_talk": may_talk,
        "room": room,
        "muted": chat.muted_by(request.user),
        "me": request.user.handle if isinstance(request.user, User) and request.user.is_active else "",
    }


def games() -> list[engine.Game]:
    return [engine.game(name) for name in engine.GAMES]


def number_in(request: HttpRequest, name: str) -> int | None:
    """A number in the address; None where there is none, or something else."""
    return whole_number(request.GET.get(name, ""), maximum=99_999)
