"""The arena: who waits is paired. Pairing runs after every change, and from a sweep for those whose patience ends."""

from datetime import datetime

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext

from accounts.errors import Refused
from accounts.models import User
from leagues import live, locks, ranking, tables
from leagues.access import entrant_in
from leagues.formats import arena as format
from leagues.formats.reasons import Reason, told
from leagues.models import Entrant, Pairing, PairingSeat, Round, Stage, Waiting


@transaction.atomic
def wait(*, person: User, stage: Stage) -> Waiting:
    """Say that one is free to play. Somebody at a table is not."""
    stage = _hold(stage)
    own = entrant_in(person, stage)
    ends = stage.division.season.ends_at
    if ends is not None and ends <= timezone.now():
        raise Refused(gettext("This arena is over."))
    if PairingSeat.objects.filter(entrant=own, pairing__in=Pairing.objects.open().filter(round__stage=stage)).exists():
        raise Refused(gettext("You have a table to finish first."))
    waiting, _made = Waiting.objects.get_or_create(stage=stage, entrant=own)
    match_up(stage=stage)
    live.changed(stage.division.season)
    return waiting


@transaction.atomic
def rest(*, person: User, stage: Stage) -> None:
    stage = _hold(stage)
    Waiting.objects.filter(stage=stage, entrant=entrant_in(person, stage)).delete()
    live.changed(stage.division.season)


@transaction.atomic
def match_up(*, stage: Stage, now: datetime | None = None) -> Round | None:
    """Pair whoever waits and can be paired; the round that came of it. Two calls at once pair nobody twice."""
    stage = _hold(stage)
    now = now or timezone.now()
    found = _pairs(stage, now)
    if not found.pairs:
        return None
    number = Round.objects.filter(stage=stage).count() + 1
    round_ = Round.objects.create(stage=stage, number=number, status=Round.Status.PUBLISHED, published_at=now)
    people = Entrant.objects.in_bulk([who for pair in found.pairs for who in (pair.first, pair.second)])
    for table, pair in enumerate(found.pairs, 1):
        sitting = [people[pair.first], people[pair.second]]
        # The better placed sit first by turns.
        if number % 2:
            sitting.reverse()
        where = tables.usual_place(stage.division.season, sitting)
        pairing = Pairing.objects.create(round=round_, number=table, where=where, reason=told(pair.reason))
        tables.seat(pairing, sitting)
    Waiting.objects.filter(stage=stage, entrant__in=people).delete()
    tables.publish_tables(round_)
    live.changed(stage.division.season)
    return round_


def sweep() -> int:
    """For those whose patience has ended: pair whoever may meet again by now; how many arenas had somebody to pair."""
    busy = Stage.objects.filter(format="arena", status=Stage.Status.RUNNING, waiting__isnull=False).distinct()
    return sum(match_up(stage=stage) is not None for stage in busy)


def waiting_because(stage: Stage, now: datetime | None = None) -> tuple[Reason, ...]:
    """Why each of those who wait still does."""
    return _pairs(stage, now or timezone.now()).waiting


def _pairs(stage: Stage, now: datetime) -> format.Pairs:
    place = {row.entrant: row.place for row in ranking.ranking(stage)}
    last = _last_opponents(stage)
    rows = Waiting.objects.filter(stage=stage).select_related("entrant")
    waiting = [
        format.Waiting(
            row.entrant_id,
            int(row.since.timestamp()),
            place.get(row.entrant_id, len(place) + 1),
            row.entrant.rating or 1500,
            last.get(row.entrant_id),
        )
        for row in rows
    ]
    rules = format.Rules(patience=stage.settings["patience"])
    return format.pair(waiting, int(now.timestamp()), field_size=max(1, len(place)), seed=stage.seed, rules=rules)


def _last_opponents(stage: Stage) -> dict[int, int]:
    last: dict[int, int] = {}
    pairs: dict[int, list[int]] = {}
    seats = PairingSeat.objects.filter(round__stage=stage).order_by("round__number", "pairing")
    for pairing, who in seats.values_list("pairing", "entrant"):
        pairs.setdefault(pairing, []).append(who)
    for one, other in (pair for pair in pairs.values() if len(pair) == 2):
        last[one], last[other] = other, one
    return last


def _hold(stage: Stage) -> Stage:
    stage = locks.stage(stage)
    if stage.format != "arena" or stage.status != Stage.Status.RUNNING:
        raise Refused(gettext("There is no arena here to play in."))
    return stage
