"""Answers to the player on turn in Thanos Rising: pass, ask for more time, ask for help, go on without.

`games.help_state` says what is stored; playing a token is an ordinary move.
"""

from collections.abc import Sequence
from datetime import datetime, timedelta

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext

from accounts.infra.errors import Refused
from accounts.models import User
from games import access, engine_match, help_state
from games.access import Permission
from games.help_state import MATCH, OFF, TURN, JsonDict
from games.models import Match, Seat
from games.play import dispatch
from games.play.moves import Played, play_waiting_act, seats_of
from games.realtime import broadcast

HOLD_TIME = timedelta(seconds=30)
CHOICES = (TURN, MATCH, OFF)


def pass_on(*, person: User, match: Match, choice: str) -> None:
    """Pass this turn ("turn") or until one says otherwise ("match"); "off": be asked again."""
    with transaction.atomic():
        match, seat = _seated(person, match)
        if choice not in CHOICES:
            raise Refused(gettext("Choose whether you pass this turn, until you say, or not at all."))
        said = {TURN: help_state.turn_of(engine_match.load(match)), MATCH: MATCH, OFF: None}[choice]
        responses = help_state.with_passes(match.responses, [seat.index], said)
        if choice != OFF:
            responses = _without_waiting(match, responses, [seat.index])
        _save(match, responses)
    end_if_answered(match)


def hold(*, person: User, match: Match) -> None:
    """Ask for half a minute before the act goes on; once for an act."""
    now = timezone.now()
    with transaction.atomic():
        match, seat = _seated(person, match)
        window = help_state.window_of(match)
        if window is None or seat.index not in window["waiting"] or window["held"]:
            raise Refused(gettext("Nothing waits for your answer now."))
        until = now + HOLD_TIME
        total = int(HOLD_TIME.total_seconds() * 1000)
        match.bot_due = until
        responses = {**match.responses, "window": {**window, "until": until.isoformat(), "total": total, "held": True}}
        _save(match, responses, bot_due=until)
        dispatch.send_after_commit(match, now)


def ask(*, person: User, match: Match) -> None:
    """The player on turn asks the others for help."""
    with transaction.atomic():
        match, seat = _seated(person, match)
        played = engine_match.load(match)
        if played.to_act != seat.index or not played.helpers():
            raise Refused(gettext("Nobody can help you now."))
        _save(match, {**match.responses, "asked": help_state.turn_of(played)})


def go_on(*, person: User, match: Match) -> None:
    """The player on turn waits no longer."""
    with transaction.atomic():
        match, seat = _seated(person, match)
        window = help_state.window_of(match)
        if window is None or window["seat"] != seat.index:
            raise Refused(gettext("Nothing of yours is waiting now."))
    play_waiting_act(match)


def answer(*, person: User, match: Match, message: JsonDict) -> bool:
    """One of the messages above as pages and programs send it; False if it is none of them."""
    match message:
        case {"pass": str(choice)}:
            pass_on(person=person, match=match, choice=choice)
        case {"hold": True}:
            hold(person=person, match=match)
        case {"ask": True}:
            ask(person=person, match=match)
        case {"go": True}:
            go_on(person=person, match=match)
        case _:
            return False
    return True


def drop_bots(match: Match, seats: Sequence[Seat], bots: list[int]) -> Match:
    """These bots have declined. If people are still to answer, the act waits for them."""
    if not bots:
        return match
    now = timezone.now()
    with transaction.atomic():
        match = Match.objects.select_for_update().get(pk=match.pk)
        window = help_state.window_of(match)
        if window is None:
            return match
        until = datetime.fromisoformat(window["until"])
        match.bot_due = until
        _save(match, _without_waiting(match, match.responses, bots), bot_due=until)
        dispatch.send_after_commit(match, now)
    return match


def end_if_answered(match: Match) -> Played | None:
    """Play the waiting act if everyone has answered or the time is up; who did not answer passes this turn."""
    window = help_state.window_of(match)
    if window is None:
        return None
    if window["waiting"]:
        if timezone.now() < datetime.fromisoformat(window["until"]):
            return None
        turn = help_state.turn_of(engine_match.load(match))
        match.responses = help_state.with_passes(match.responses, window["waiting"], turn)
    return play_waiting_act(match)


def _seated(person: User, match: Match) -> tuple[Match, Seat]:
    """The locked match and the person's seat in it."""
    match = Match.objects.select_for_update().get(pk=match.pk)
    access.require(person, Permission.PLAY, match)
    seat = access.seat_of(person, match)
    if seat is None or not seat.is_played_by_person:
        raise Refused(gettext("A bot is keeping your seat. Take it back first."))
    if not match.is_playing or not match.is_current:
        raise Refused(gettext("This match is over."))
    return match, seat


def _without_waiting(match: Match, responses: JsonDict, seats: list[int]) -> JsonDict:
    window = help_state.window_of(match)
    if window is None:
        return responses
    waiting = [seat for seat in window["waiting"] if seat not in seats]
    return {**responses, "window": {**window, "waiting": waiting}}


def _save(match: Match, responses: JsonDict, **more: datetime) -> None:
    match.responses = responses
    Match.objects.filter(pk=match.pk).update(responses=responses, **more)
    broadcast.broadcast_help(match, seats_of(match), engine_match.load(match))
