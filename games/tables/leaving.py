"""Leaving a running match, and coming back to the seat that a bot has kept."""

from django.db import transaction
from django.db.models import F
from django.utils import timezone
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from accounts import audit
from accounts.infra.errors import Refused
from accounts.models import User
from games import access
from games.access import Permission
from games.models import Match, Seat
from games.play import clocks, finish
from games.realtime import broadcast
from games.tables.seating import lock_match
from games.user_bots import events

RESIGNED = audit.declare_action("games.resigned", _("%(actor)s resigned a match of %(game)s"))


@transaction.atomic
def resign(*, person: User, match: Match) -> bool:
    """Leave a running match for good; whether it goes on without."""
    match = lock_match(match)
    access.require(person, Permission.RESIGN, match)
    seat = Seat.objects.select_related("user").get(match=match, user=person)
    if seat.left in (Seat.Left.RESIGNED, Seat.Left.TIMEOUT):
        raise Refused(gettext("You have already left this match."))
    finish.remove_player(match=match, seat=seat, left=Seat.Left.RESIGNED)
    audit.record(RESIGNED, actor=person, on=match, club=match.club, person=person, game=match.stored_title)
    broadcast.broadcast_table(match)
    return match.is_playing


@transaction.atomic
def come_back(*, person: User, match: Match) -> None:
    """Take one's seat back from the bot that kept it."""
    match = lock_match(match)
    access.require(person, Permission.COME_BACK, match)
    seat = Seat.objects.select_related("user").get(match=match, user=person)
    if seat.left != Seat.Left.AWAY:
        raise Refused(gettext("There is no seat kept for you here."))
    seat.left = seat.bot_level = ""
    # An empty bank would fall again at once: a short while to find one's bearings.
    if seat.bank_left is not None:
        seat.bank_left = max(seat.bank_left, match.increment * 1000, 30_000)
    seat.save(update_fields=["left", "bot_level", "bank_left"])
    Match.objects.filter(pk=match.pk).update(seat_changes=F("seat_changes") + 1)
    if match.to_act == seat.index:
        match.turn_since = timezone.now()
        match.bot_due, match.deadline = None, clocks.fresh_deadline(match, seat, match.turn_since)
        match.save(update_fields=["turn_since", "bot_due", "deadline"])
        events.append_turn(match, list(Seat.objects.filter(match=match).select_related("user").order_by("index")))
    broadcast.broadcast_table(match)
