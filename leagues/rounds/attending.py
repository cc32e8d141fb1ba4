"""Saying who is here for a round, until it is published. A draw that no longer fits is made again at once."""

from collections.abc import Iterable
from typing import Any

from django.db import transaction
from django.db.models import Q
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from accounts import audit
from accounts.infra.errors import Refused
from accounts.models import User
from leagues.calendar import availability
from leagues.core import format_catalogue, locks, season_effects
from leagues.core.access import Permission, require
from leagues.entries import bye_requests
from leagues.entries.attendance import is_away_by_night, night_of, nights_to_choose
from leagues.entries.registration import locked_own_entry
from leagues.formats.errors import FormatError
from leagues.models import (
    Answer,
    Availability,
    ClubNight,
    Entrant,
    RequestedBye,
    Round,
    RoundAttendance,
    RoundNight,
    Season,
    Stage,
)
from leagues.rounds import draw

HERE = audit.declare_action("leagues.here", _("%(actor)s noted that %(entrant)s is here for round %(round)s"))
AWAY = audit.declare_action("leagues.away", _("%(actor)s noted that %(entrant)s is away in round %(round)s"))
NIGHT_CHOSEN = audit.declare_action(
    "leagues.round-night", _("%(actor)s chose the night of %(day)s for round %(round)s of %(division)s")
)
NO_NIGHT = audit.declare_action(
    "leagues.round-no-night", _("%(actor)s chose no club night for round %(round)s of %(division)s")
)

MOST_ROUNDS = 99


@transaction.atomic
def set_attendance(*, actor: User, entrant: Entrant, stage: Stage, number: int, here: bool) -> None:
    """Say whether an entrant is here for a round: by themselves or an organiser. Saying it again changes nothing.

    The locks of season and stage make a tap and a draw wait for each other.
    """
    season, entrant = locked_own_entry(actor, entrant)
    stage = locks.stage(stage)
    _check(stage, entrant, number)
    round_ = _unpublished(stage, number)
    before = _now(stage, entrant, number)
    if before["here" if here else "bye"]:
        return
    if here:
        _write(stage, entrant, number, here=True, bye="")
    else:
        taken = bye_requests.rounds_with_points(stage)[entrant.pk]
        kind = bye_requests.kind_for_missing(stage, taken, number)
        _write(stage, entrant, number, here=False, bye=kind)
    data = {"stage": stage.pk, "entrant": entrant.pk, "round": number, **before}
    season_effects.log_and_refresh(
        HERE if here else AWAY,
        actor=actor,
        season=season,
        person=entrant.user,
        undo=("attendance", data),
        entrant=entrant.who,
        round=number,
    )
    _draw_again(actor, stage, round_)


@transaction.atomic
def come_after_all(*, actor: User, request: RequestedBye) -> None:
    """Take back that somebody misses a round. A no to its club night would still leave them out: they are here."""
    _season, entrant = locked_own_entry(actor, request.entrant)
    stage = locks.stage(request.stage)
    is_drawn = Round.objects.filter(stage=stage, number=request.round).exists()
    if is_drawn or is_away_by_night(stage, entrant, request.round):
        set_attendance(actor=actor, entrant=entrant, stage=stage, number=request.round, here=True)
    else:
        bye_requests.cancel(actor=actor, request=request)


@transaction.atomic
def answer_night(
    *, actor: User, night: ClubNight, answer: str, slots: Iterable[int] = (), person: User | None = None
) -> Availability:
    """Answer for a club night. A no to all of it outweighs what was said before: that one is here for its round."""
    row = availability.answer(actor=actor, night=night, answer=answer, slots=slots, person=person)
    if row.answer == Answer.NO and not row.slots:
        own = Q(entrant__user=row.user_id) | Q(entrant__members__user=row.user_id)
        here = RoundAttendance.objects.filter(own, stage__division__season__league__club=night.club_id).distinct()
        for mark in here.select_related("stage__division__season__league"):
            published = Round.objects.filter(stage=mark.stage, number=mark.round).exclude(status=Round.Status.DRAWN)
            if night_of(mark.stage, mark.round) == night and not published.exists():
                mark.delete()
    return row


def _check(stage: Stage, entrant: Entrant, number: int) -> None:
    if not format_catalogue.format_of(stage).requested_byes:
        raise Refused(gettext("In this format every round is needed: nobody can miss one."))
    if stage.status == Stage.Status.FINISHED or not stage.starters.filter(entrant=entrant).exists():
        raise Refused(gettext("%(name)s does not play in this stage.") % {"name": entrant.name})
    if entrant.status != Entrant.Status.ACTIVE:
        raise Refused(gettext("%(name)s has withdrawn.") % {"name": entrant.name})
    if not 1 <= number <= (stage.planned or MOST_ROUNDS):
        raise Refused(gettext("There is no such round."))


def _unpublished(stage: Stage, number: int) -> Round | None:
    """The round, if it is drawn already. Refused once it is published."""
    round_ = Round.objects.filter(stage=stage, number=number).first()
    if round_ is not None and round_.is_published:
        raise Refused(
            gettext("Round %(number)s is published: who is here cannot change any more.") % {"number": number}
        )
    return round_


def _now(stage: Stage, entrant: Entrant, number: int) -> dict[str, Any]:
    asked = RequestedBye.objects.asked().filter(stage=stage, entrant=entrant, round=number).first()
    here = RoundAttendance.objects.filter(stage=stage, entrant=entrant, round=number).exists()
    return {"here": here, "bye": asked.kind if asked else ""}


def _write(stage: Stage, entrant: Entrant, number: int, *, here: bool, bye: str) -> None:
    at = {"stage": stage, "entrant": entrant, "round": number}
    RequestedBye.objects.filter(**at).delete()
    RoundAttendance.objects.filter(**at).delete()
    if here:
        RoundAttendance.objects.create(**at)
    if bye:
        RequestedBye.objects.create(**at, kind=bye)


def _draw_again(actor: User, stage: Stage, round_: Round | None) -> None:
    """Draw again what is drawn and not published. Changes by hand, and a draw that is not possible, are left alone:
    the pages say that the draw does not fit any more, and it is not published like that."""
    if round_ is None or round_.machine is not None:
        return
    try:
        with transaction.atomic():
            draw.replace_draw(stage=stage, round_=round_, actor=actor)
    except FormatError:
        return


def restore(*, actor: User, data: dict[str, Any]) -> None:
    """What was said before, while the round is not published; for the season's undo."""
    stage = locks.stage(Stage.objects.get(pk=data["stage"]))
    entrant = Entrant.objects.select_related("user").filter(pk=data["entrant"]).first()
    if entrant is None:
        raise Refused(gettext("This cannot be undone any more: it was changed meanwhile."))
    round_ = _unpublished(stage, data["round"])
    _write(stage, entrant, data["round"], here=data["here"], bye=data["bye"])
    _draw_again(actor, stage, round_)


@transaction.atomic
def choose_night(*, actor: User, stage: Stage, number: int, night: ClubNight | None) -> None:
    """Choose the club night whose answers count for a round, or none."""
    season = locks.season(stage.division.season)
    require(actor, Permission.ORGANISE, season)
    stage = locks.stage(stage)
    if not 1 <= number <= (stage.planned or MOST_ROUNDS):
        raise Refused(gettext("There is no such round."))
    round_ = _unpublished(stage, number)
    if night is not None and not nights_to_choose(season).filter(pk=night.pk).exists():
        raise Refused(gettext("This night is over, cancelled or of another club."))
    if season.where == Season.Where.ONLINE and night is not None:
        raise Refused(gettext("This season is played online."))
    RoundNight.objects.update_or_create(stage=stage, round=number, defaults={"night": night})
    known: dict[str, Any] = {"round": number, "division": stage.division.name}
    if night is None:
        season_effects.log_and_refresh(NO_NIGHT, actor=actor, season=season, **known)
    else:
        season_effects.log_and_refresh(NIGHT_CHOSEN, actor=actor, season=season, day=night.day.isoformat(), **known)
    if format_catalogue.format_of(stage).requested_byes:
        _draw_again(actor, stage, round_)
