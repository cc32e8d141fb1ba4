"""The ladder: challenges, and the order that follows from everything that happened. Nothing is moved by hand."""

from dataclasses import dataclass
from datetime import datetime
from zoneinfo import ZoneInfo

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from accounts import audit, notices
from accounts.errors import Refused
from accounts.models import User
from leagues import live, locks, log, tables, words
from leagues.access import Permission, entrant_in, require
from leagues.formats import ladder as format
from leagues.formats.errors import FormatError
from leagues.formats.ladder import Event, Ladder, Rules
from leagues.formats.lots import lot
from leagues.formats.reasons import Reason, reason, told
from leagues.models import Challenge, Entrant, EntrantStep, Pairing, PairingSeat, Result, Round, Stage, Starter
from leagues.scheduling import windows

CHALLENGED = audit.action("leagues.challenged", _("%(actor)s challenged %(target)s on the ladder"))
ANSWERED = audit.action("leagues.answered", _("%(actor)s accepted the challenge of %(challenger)s"))
TOLD_CHALLENGED = notices.kind(
    "leagues.challenged",
    _("%(actor)s challenges you on the ladder of %(season)s."),
    _("Somebody challenges you on a ladder"),
    asks=True,
)
TOLD_ANSWERED = notices.kind(
    "leagues.answered",
    _("%(actor)s accepted your challenge on the ladder of %(season)s."),
    _("Your challenge was accepted"),
)


@dataclass(frozen=True)
class LadderNow:
    """The order and the open challenges, what happened in words' reasons, and events that fit no more."""

    ladder: Ladder
    told: tuple[Reason, ...]
    orphans: tuple[Reason, ...] = ()


def rules(stage: Stage) -> Rules:
    return Rules(reach=stage.settings["reach"], days=stage.settings["days"])


def day(stage: Stage, at: datetime) -> int:
    """Days as the club counts them."""
    return at.astimezone(ZoneInfo(stage.division.season.league.club.time_zone)).date().toordinal()


def standing(stage: Stage, now: datetime | None = None) -> LadderNow:
    """Folded from joins, challenges, answers and results in force. What no longer fits after a correction is told."""
    ladder, said, orphans = Ladder(), [], []
    answered: set[tuple[int, int]] = set()
    for event in _events(stage):
        ladder, lapsed = format.expire(ladder, event.day, rules(stage), frozenset(answered))
        said += lapsed
        try:
            if event.kind is format.Kind.ANSWER:
                answered.add((event.entrant, event.other))
                continue
            ladder, why = _happen(ladder, event, rules(stage))
        except FormatError as error:
            orphans.append(error.reason)
            continue
        answered &= {(each.challenger, each.target) for each in ladder.open}
        said.append(why)
    ladder, lapsed = format.expire(ladder, day(stage, now or timezone.now()), rules(stage), frozenset(answered))
    return LadderNow(ladder, (*said, *lapsed), tuple(orphans))


def _happen(ladder: Ladder, event: Event, allowed: Rules) -> tuple[Ladder, Reason]:
    match event.kind:
        case format.Kind.JOIN:
            return format.join(ladder, event.entrant)
        case format.Kind.LEAVE:
            return format.leave(ladder, event.entrant)
        case format.Kind.CHALLENGE:
            return format.challenge(ladder, event.entrant, event.other, event.day, allowed)
        case _:
            return format.result(ladder, event.entrant, event.other, event.winner)


def _events(stage: Stage) -> list[Event]:
    """Everything in the order it happened; those who began stand in the order of their seeds."""
    found: list[tuple[float, int, Event]] = []
    stepped: set[int] = set()
    for step in EntrantStep.objects.filter(stage=stage).order_by("pk"):
        first = step.entrant_id not in stepped
        stepped.add(step.entrant_id)
        if first and step.step == "enter" and step.round == 1:
            continue
        kind = format.Kind.LEAVE if step.step == "leave" else format.Kind.JOIN
        found.append((step.at.timestamp(), step.pk, Event(kind, day(stage, step.at), step.entrant_id)))
    late = set(EntrantStep.objects.filter(stage=stage, step="enter", round__gt=1).values_list("entrant", flat=True))
    for starter in Starter.objects.filter(stage=stage).exclude(entrant__in=late).order_by("seed"):
        found.append((0.0, starter.seed, Event(format.Kind.JOIN, 0, starter.entrant_id)))
    for each in Challenge.objects.filter(stage=stage).select_related("pairing").order_by("pk"):
        found += _of_challenge(stage, each)
    return [event for _at, _tie, event in sorted(found, key=lambda row: row[:2])]


def _of_challenge(stage: Stage, each: Challenge) -> list[tuple[float, int, Event]]:
    if each.pairing and each.pairing.state == Pairing.State.VOID:
        return []
    pair = (each.challenger_id, each.target_id)
    made = Event(format.Kind.CHALLENGE, day(stage, each.made_at), *pair)
    rows = [(each.made_at.timestamp(), each.pk, made)]
    if each.answered_at:
        event = Event(format.Kind.ANSWER, day(stage, each.answered_at), *pair)
        rows.append((each.answered_at.timestamp(), each.pk, event))
    winner, at = _winner(each)
    if winner and at:
        rows.append((at.timestamp(), each.pk, Event(format.Kind.RESULT, day(stage, at), *pair, winner)))
    return rows


def _winner(each: Challenge) -> tuple[int, datetime | None]:
    """Who won the table that came of a challenge, and when that was first known; level games leave the order."""
    results = Result.objects.filter(pairing=each.pairing_id) if each.pairing_id else Result.objects.none()
    result = results.filter(in_force=True).first()
    if result is None:
        return 0, None
    first = results.filter(kind=Result.Kind.CONFIRMED).order_by("version").first()
    seats = PairingSeat.objects.filter(pairing=each.pairing_id).order_by("index").values_list("entrant", flat=True)
    places = dict(zip(seats, result.places))
    ahead = places[each.challenger_id]["rank"] < places[each.target_id]["rank"]
    return (each.challenger_id if ahead else each.target_id), first.at if first else result.at


@transaction.atomic
def challenge(*, person: User, stage: Stage, target: Entrant) -> Challenge:
    stage = _hold(stage)
    own = entrant_in(person, stage)
    require(person, Permission.CHALLENGE, own)
    now = timezone.now()
    try:
        format.challenge(standing(stage, now).ladder, own.pk, target.pk, day(stage, now), rules(stage))
    except FormatError as error:
        raise Refused(words.trouble(error, words.names(stage))) from error
    season = stage.division.season
    Challenge.objects.filter(stage=stage, challenger=own, target=target, ended_at=None).update(ended_at=now)
    made = Challenge.objects.create(stage=stage, challenger=own, target=target, made_at=now)
    log.note(CHALLENGED, actor=person, season=season, target=target.name)
    if target.user:
        notices.tell(
            [target.user], TOLD_CHALLENGED, path=season.get_absolute_url(), actor=person, season=season.full_name
        )
    if target.kind == Entrant.Kind.BOT:
        _lay(made, now)
    return made


@transaction.atomic
def answer(*, person: User, challenge: Challenge) -> Pairing:
    """Accept: the table opens. Accepted twice, it is the same table."""
    stage = _hold(challenge.stage)
    challenge = Challenge.objects.select_related("challenger__user", "target", "pairing").get(pk=challenge.pk)
    require(person, Permission.CHALLENGE, challenge)
    if challenge.pairing is not None:
        return challenge.pairing
    now = timezone.now()
    pair = (challenge.challenger_id, challenge.target_id)
    if pair not in {(each.challenger, each.target) for each in standing(stage, now).ladder.open}:
        raise Refused(gettext("This challenge is no longer open."))
    pairing = _lay(challenge, now)
    season = stage.division.season
    log.note(ANSWERED, actor=person, season=season, challenger=challenge.challenger.name)
    if challenge.challenger.user:
        notices.tell(
            [challenge.challenger.user],
            TOLD_ANSWERED,
            path=pairing.get_absolute_url(),
            actor=person,
            season=season.full_name,
        )
    return pairing


def _lay(challenge: Challenge, now: datetime) -> Pairing:
    """A round of its own with one table; a lot says who sits first."""
    stage, season = challenge.stage, challenge.stage.division.season
    number = Round.objects.filter(stage=stage).count() + 1
    round_ = Round.objects.create(
        stage=stage,
        number=number,
        status=Round.Status.PUBLISHED,
        published_at=now,
        closes_at=windows.closes_after(season, now),
    )
    pair = [challenge.challenger, challenge.target]
    if lot(stage.seed, "ladder", challenge.pk) % 2:
        pair.reverse()
    state = standing(stage, now).ladder
    why = reason(
        "ladder.challenge",
        challenger=challenge.challenger_id,
        from_place=state.place(challenge.challenger_id),
        target=challenge.target_id,
        to_place=state.place(challenge.target_id),
    )
    pairing = Pairing.objects.create(round=round_, number=1, where=tables.usual_place(season, pair), reason=told(why))
    tables.seat(pairing, pair)
    challenge.pairing, challenge.answered_at = pairing, now
    challenge.save(update_fields=["pairing", "answered_at"])
    tables.publish_tables(round_)
    live.changed(season)
    return pairing


def _hold(stage: Stage) -> Stage:
    stage = locks.stage(stage)
    if stage.format != "ladder" or stage.status != Stage.Status.RUNNING:
        raise Refused(gettext("There is no ladder here to climb."))
    return stage
