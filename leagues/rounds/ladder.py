"""The ladder: challenges, answers and tables. The order is in `standings.ladder_order`."""

from datetime import datetime

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext, ngettext
from django.utils.translation import gettext_lazy as _

from accounts import audit
from accounts.infra.errors import Refused
from accounts.models import User
from accounts.notifications.registry import declare_kind
from accounts.notifications.service import notify, resolve
from leagues.core import format_catalogue, locks, realtime, reason_text, season_effects, table_numbers
from leagues.core.access import Permission, entrant_in, require
from leagues.formats import ladder as format
from leagues.formats.errors import FormatError
from leagues.formats.lots import lot
from leagues.formats.reasons import reason, to_json
from leagues.models import Challenge, Entrant, Pairing, Round, Stage
from leagues.rounds import tables
from leagues.standings.ladder_order import LadderNow, day, ladder_now, rules
from leagues.windows import round_window

CHALLENGED = audit.declare_action("leagues.challenged", _("%(actor)s challenged %(target)s on the ladder"))
ANSWERED = audit.declare_action("leagues.answered", _("%(actor)s accepted the challenge of %(challenger)s"))
CHALLENGED_KIND = declare_kind(
    "leagues.challenged",
    _("%(actor)s challenges you on the ladder of %(season)s."),
    _("Somebody challenges you on a ladder"),
    asks=True,
)
DECLINED = audit.declare_action("leagues.challenge-declined", _("%(actor)s declined the challenge of %(challenger)s"))
DECLINED_KIND = declare_kind(
    "leagues.challenge-declined",
    _("%(actor)s declined your challenge on the ladder of %(season)s."),
    _("Your challenge was declined"),
)
ANSWERED_KIND = declare_kind(
    "leagues.answered",
    _("%(actor)s accepted your challenge on the ladder of %(season)s."),
    _("Your challenge was accepted"),
)


@transaction.atomic
def challenge(*, person: User, stage: Stage, target: Entrant) -> Challenge:
    stage = _lock_ladder(stage)
    own = entrant_in(person, stage)
    require(person, Permission.CHALLENGE, own)
    now = timezone.now()
    try:
        format.challenge(ladder_now(stage, now).ladder, own.pk, target.pk, day(stage, now), rules(stage))
    except FormatError as error:
        raise Refused(reason_text.render_format_error(error, reason_text.entrant_names(stage))) from error
    season = stage.division.season
    Challenge.objects.filter(stage=stage, challenger=own, target=target, ended_at=None).update(ended_at=now)
    made = Challenge.objects.create(stage=stage, challenger=own, target=target, made_at=now)
    season_effects.log_and_refresh(CHALLENGED, actor=person, season=season, target=target.who)
    if target.user:
        notify([target.user], CHALLENGED_KIND, path=season.get_absolute_url(), actor=person, season=season.full_name)
    if target.kind == Entrant.Kind.BOT:
        _open_round(made, now)
    return made


@transaction.atomic
def answer(*, person: User, challenge: Challenge) -> Pairing:
    """Accept a challenge: its table opens. Accepting it again returns the same table."""
    stage = _lock_ladder(challenge.stage)
    challenge = Challenge.objects.select_related("challenger__user", "target", "pairing").get(pk=challenge.pk)
    require(person, Permission.CHALLENGE, challenge)
    if challenge.pairing is not None:
        return challenge.pairing
    now = timezone.now()
    _require_open(challenge, ladder_now(stage, now))
    pairing = _open_round(challenge, now)
    _notify_challenger(person, challenge, ANSWERED, ANSWERED_KIND, pairing.get_absolute_url())
    return pairing


@transaction.atomic
def decline(*, person: User, challenge: Challenge) -> Challenge:
    """Decline a challenge and keep the place, as often in a row as the ladder's rules allow."""
    stage = _lock_ladder(challenge.stage)
    challenge = Challenge.objects.select_related("challenger__user", "target").get(pk=challenge.pk)
    require(person, Permission.CHALLENGE, challenge)
    if challenge.declined_at is not None:
        return challenge
    now = timezone.now()
    current = ladder_now(stage, now)
    _require_open(challenge, current)
    if challenge.answered_at is not None:
        raise Refused(gettext("You have accepted this challenge: its table is open."))
    if why_not := why_no_decline(challenge.target, rules(stage), current):
        raise Refused(why_not)
    challenge.declined_at = challenge.ended_at = now
    challenge.save(update_fields=["declined_at", "ended_at"])
    _notify_challenger(person, challenge, DECLINED, DECLINED_KIND, stage.division.season.get_absolute_url())
    return challenge


def _notify_challenger(person: User, challenge: Challenge, action: str, kind: str, path: str) -> None:
    """Log the answer to a challenge, and notify the challenger."""
    season = challenge.stage.division.season
    resolve(person, CHALLENGED_KIND, path=season.get_absolute_url())
    season_effects.log_and_refresh(action, actor=person, season=season, challenger=challenge.challenger.who)
    if challenge.challenger.user:
        notify([challenge.challenger.user], kind, path=path, actor=person, season=season.full_name)


def why_no_decline(target: Entrant, allowed: format.Rules, current: LadderNow) -> str:
    """Why this entrant cannot decline a challenge now, in words; empty if they can."""
    if not allowed.declines:
        return gettext("On this ladder challenges cannot be declined: play, or the challenger wins when time is up.")
    if current.declined.get(target.pk, 0) < allowed.declines:
        return ""
    words = ngettext(
        "You have declined %(count)s challenge in a row: play this one, or the challenger wins when time is up.",
        "You have declined %(count)s challenges in a row: play this one, or the challenger wins when time is up.",
        allowed.declines,
    )
    return words % {"count": allowed.declines}


def _require_open(challenge: Challenge, current: LadderNow) -> None:
    pair = (challenge.challenger_id, challenge.target_id)
    if challenge.ended_at is not None or pair not in {(each.challenger, each.target) for each in current.ladder.open}:
        raise Refused(gettext("This challenge is no longer open."))


def _open_round(challenge: Challenge, now: datetime) -> Pairing:
    """Create a round with one table; a lot decides who sits first."""
    stage, season = challenge.stage, challenge.stage.division.season
    number = Round.objects.filter(stage=stage).count() + 1
    round_ = Round.objects.create(
        stage=stage,
        number=number,
        status=Round.Status.PUBLISHED,
        published_at=now,
        closes_at=round_window.closes_after(season, now),
    )
    pair = [challenge.challenger, challenge.target]
    if lot(stage.seed, "ladder", challenge.pk) % 2:
        pair.reverse()
    state = ladder_now(stage, now).ladder
    why = reason(
        "ladder.challenge",
        challenger=challenge.challenger_id,
        from_place=state.place(challenge.challenger_id),
        target=challenge.target_id,
        to_place=state.place(challenge.target_id),
    )
    pairing = Pairing.objects.create(
        round=round_,
        number=1,
        table_number=table_numbers.free_numbers(round_, 1)[0],
        where=tables.usual_place(season, pair),
        reason=to_json(why),
    )
    tables.seat(pairing, pair)
    challenge.pairing, challenge.answered_at = pairing, now
    challenge.save(update_fields=["pairing", "answered_at"])
    tables.publish_tables(round_)
    realtime.broadcast_season_changed(season)
    return pairing


def _lock_ladder(stage: Stage) -> Stage:
    stage = locks.stage(stage)
    if not format_catalogue.format_of(stage).is_ladder or stage.status != Stage.Status.RUNNING:
        raise Refused(gettext("There is no ladder here."))
    return stage
