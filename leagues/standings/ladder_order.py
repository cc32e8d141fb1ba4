"""The order of a ladder, computed from its events. Reads only."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import date, datetime, time
from zoneinfo import ZoneInfo

from django.utils import timezone

from leagues.core import format_catalogue
from leagues.formats import ladder as format
from leagues.formats.errors import FormatError
from leagues.formats.ladder import Event, Ladder, Rules
from leagues.formats.reasons import Reason
from leagues.models import Challenge, EntrantStep, Pairing, PairingSeat, Result, Stage, Starter


@dataclass(frozen=True)
class LadderNow:
    """The order, the open challenges, the reasons, and the events that no longer fit after a correction.

    `declined` counts for each entrant the challenges they declined since they last played or lost one.
    """

    ladder: Ladder
    reasons: tuple[Reason, ...]
    orphans: tuple[Reason, ...] = ()
    declined: Mapping[int, int] = field(default_factory=dict)


def rules(stage: Stage) -> Rules:
    # A ladder from before challenges could be declined has no such setting.
    declines = stage.settings.get("declines", 0)
    return Rules(reach=stage.settings["reach"], days=stage.settings["days"], declines=declines)


def day(stage: Stage, at: datetime) -> int:
    """The day in the club's time zone, counted from the start."""
    return at.astimezone(_zone(stage)).date().toordinal()


def answer_by(stage: Stage, challenge: Challenge) -> datetime:
    """When an unanswered challenge is won: as its last day ends at the club."""
    last = date.fromordinal(day(stage, challenge.made_at) + rules(stage).days)
    return datetime.combine(last, time(), _zone(stage))


def _zone(stage: Stage) -> ZoneInfo:
    return ZoneInfo(stage.division.season.league.club.time_zone)


def open_challenges(stage: Stage, current: LadderNow | None = None) -> list[Challenge]:
    """The challenges that are neither played, lapsed nor off; each with the time until which it can be answered.

    Whoever has read the ladder already gives it, because reading it costs queries.
    """
    if not format_catalogue.format_of(stage).is_ladder:
        return []
    pairs = {(each.challenger, each.target) for each in (current or ladder_now(stage)).ladder.open}
    rows = Challenge.objects.filter(stage=stage, ended_at=None).select_related(
        "challenger__user", "target__user", "pairing__match"
    )
    found = [row for row in rows.order_by("made_at", "pk") if (row.challenger_id, row.target_id) in pairs]
    for row in found:
        row.answer_by = answer_by(stage, row)  # type: ignore[attr-defined]
    return found


def ladder_now(stage: Stage, now: datetime | None = None) -> LadderNow:
    """The ladder from its joins, challenges, answers and confirmed results."""
    ladder, reasons, orphans = Ladder(), [], []
    answered: set[tuple[int, int]] = set()
    declined: dict[int, int] = {}
    for event in _events(stage):
        ladder, lapsed = format.expire(ladder, event.day, rules(stage), frozenset(answered))
        reasons += lapsed
        for why in lapsed:
            declined.pop(int(why["target"]), None)
        try:
            if event.kind is format.Kind.ANSWER:
                answered.add((event.entrant, event.other))
                declined.pop(event.other, None)
                continue
            ladder, why = _apply_event(ladder, event, rules(stage))
        except FormatError as error:
            orphans.append(error.reason)
            continue
        if event.kind is format.Kind.DECLINE:
            declined[event.other] = declined.get(event.other, 0) + 1
        answered &= {(each.challenger, each.target) for each in ladder.open}
        reasons.append(why)
    ladder, lapsed = format.expire(ladder, day(stage, now or timezone.now()), rules(stage), frozenset(answered))
    for why in lapsed:
        declined.pop(int(why["target"]), None)
    return LadderNow(ladder, (*reasons, *lapsed), tuple(orphans), declined)


def _apply_event(ladder: Ladder, event: Event, allowed: Rules) -> tuple[Ladder, Reason]:
    match event.kind:
        case format.Kind.JOIN:
            return format.join(ladder, event.entrant)
        case format.Kind.LEAVE:
            return format.leave(ladder, event.entrant)
        case format.Kind.CHALLENGE:
            return format.challenge(ladder, event.entrant, event.other, event.day, allowed)
        case format.Kind.DECLINE:
            return format.decline(ladder, event.entrant, event.other)
        case _:
            return format.result(ladder, event.entrant, event.other, event.winner)


def _events(stage: Stage) -> list[Event]:
    """All events in order; the starters join in the order of their seeds."""
    rows: list[tuple[float, int, Event]] = []
    stepped: set[int] = set()
    for step in EntrantStep.objects.filter(stage=stage).order_by("pk"):
        first = step.entrant_id not in stepped
        stepped.add(step.entrant_id)
        if first and step.step == "enter" and step.round == 1:
            continue
        kind = format.Kind.LEAVE if step.step == "leave" else format.Kind.JOIN
        rows.append((step.at.timestamp(), step.pk, Event(kind, day(stage, step.at), step.entrant_id)))
    late = set(EntrantStep.objects.filter(stage=stage, step="enter", round__gt=1).values_list("entrant", flat=True))
    for starter in Starter.objects.filter(stage=stage).exclude(entrant__in=late).order_by("seed"):
        rows.append((0.0, starter.seed, Event(format.Kind.JOIN, 0, starter.entrant_id)))
    for each in Challenge.objects.filter(stage=stage).select_related("pairing").order_by("pk"):
        rows += _of_challenge(stage, each)
    return [event for _at, _tie, event in sorted(rows, key=lambda row: row[:2])]


def _of_challenge(stage: Stage, each: Challenge) -> list[tuple[float, int, Event]]:
    if each.pairing and each.pairing.state == Pairing.State.VOID:
        return []
    pair = (each.challenger_id, each.target_id)
    made = Event(format.Kind.CHALLENGE, day(stage, each.made_at), *pair)
    rows = [(each.made_at.timestamp(), each.pk, made)]
    if each.answered_at:
        event = Event(format.Kind.ANSWER, day(stage, each.answered_at), *pair)
        rows.append((each.answered_at.timestamp(), each.pk, event))
    if each.declined_at:
        event = Event(format.Kind.DECLINE, day(stage, each.declined_at), *pair)
        rows.append((each.declined_at.timestamp(), each.pk, event))
    winner, at = _winner(each)
    if winner and at:
        rows.append((at.timestamp(), each.pk, Event(format.Kind.RESULT, day(stage, at), *pair, winner)))
    return rows


def _winner(each: Challenge) -> tuple[int, datetime | None]:
    """Who won the table of a challenge, and when that was first confirmed; a tie changes nothing."""
    results = Result.objects.filter(pairing=each.pairing_id) if each.pairing_id else Result.objects.none()
    result = results.filter(in_force=True).first()
    if result is None:
        return 0, None
    first = results.filter(kind=Result.Kind.CONFIRMED).order_by("version").first()
    seats = PairingSeat.objects.filter(pairing=each.pairing_id).order_by("index").values_list("entrant", flat=True)
    places = dict(zip(seats, result.places))
    ahead = places[each.challenger_id]["rank"] < places[each.target_id]["rank"]
    return (each.challenger_id if ahead else each.target_id), first.at if first else result.at
