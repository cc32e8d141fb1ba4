"""The arena: pairs those who wait. Pairing runs after every change, and in a sweep when a repeat becomes allowed."""

from datetime import datetime

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext

from accounts import presence
from accounts.infra.errors import Refused
from accounts.models import User
from leagues.core import format_catalogue, locks, realtime, table_numbers
from leagues.core.access import entrant_in
from leagues.formats import arena as format
from leagues.formats.reasons import Reason, to_json
from leagues.models import Entrant, Pairing, PairingSeat, Round, Stage, Waiting
from leagues.rounds import tables
from leagues.standings import ranking


@transaction.atomic
def wait(*, person: User, stage: Stage) -> Waiting:
    """Wait for an opponent. Players with an open table cannot."""
    stage = _lock_arena(stage)
    own = entrant_in(person, stage)
    if is_over(stage, timezone.now()):
        raise Refused(gettext("This arena is over."))
    if PairingSeat.objects.filter(entrant=own, pairing__in=Pairing.objects.open().filter(round__stage=stage)).exists():
        raise Refused(gettext("You have a table to finish first."))
    waiting, _made = Waiting.objects.get_or_create(stage=stage, entrant=own)
    match_up(stage=stage)
    realtime.broadcast_season_changed(stage.division.season)
    return waiting


@transaction.atomic
def stop_waiting(*, person: User, stage: Stage) -> None:
    stage = _lock_arena(stage)
    Waiting.objects.filter(stage=stage, entrant=entrant_in(person, stage)).delete()
    realtime.broadcast_season_changed(stage.division.season)


@transaction.atomic
def match_up(*, stage: Stage, now: datetime | None = None) -> Round | None:
    """Pair those who wait and can be paired; returns the new round. Concurrent calls pair nobody twice."""
    stage = _lock_arena(stage)
    now = now or timezone.now()
    if is_over(stage, now):
        # Tables that were opened in time are played to their end.
        if Waiting.objects.filter(stage=stage).delete()[0]:
            realtime.broadcast_season_changed(stage.division.season)
        return None
    pairs = _pairs(stage, now)
    if not pairs.pairs:
        return None
    number = Round.objects.filter(stage=stage).count() + 1
    round_ = Round.objects.create(stage=stage, number=number, status=Round.Status.PUBLISHED, published_at=now)
    people = Entrant.objects.select_related("user").in_bulk(
        [who for pair in pairs.pairs for who in (pair.first, pair.second)]
    )
    numbers = table_numbers.free_numbers(round_, len(pairs.pairs))
    for table, (pair, place) in enumerate(zip(pairs.pairs, numbers), 1):
        sitting = [people[pair.first], people[pair.second]]
        # The better placed sits first at every second table.
        if number % 2:
            sitting.reverse()
        where = tables.usual_place(stage.division.season, sitting)
        pairing = Pairing.objects.create(
            round=round_, number=table, table_number=place, where=where, reason=to_json(pair.reason)
        )
        tables.seat(pairing, sitting)
        _seat_those_here(pairing, sitting)
    Waiting.objects.filter(stage=stage, entrant__in=people).delete()
    tables.publish_tables(round_)
    realtime.broadcast_season_changed(stage.division.season)
    return round_


def _seat_those_here(pairing: Pairing, sitting: list[Entrant]) -> None:
    """Whoever waits and looks at the site need not say once more that they are there: the match starts at once."""
    people = {each.user.pk: each.user for each in sitting if each.user and not each.user.is_bot}
    if pairing.where == Pairing.Where.ONLINE:
        for here in sorted(presence.people_here(people)):
            tables.mark_present(person=people[here], pairing=pairing)


def is_over(stage: Stage, now: datetime) -> bool:
    """Whether the arena's time is up. Without an end time it goes on until an organiser ends it."""
    ends = stage.division.season.ends_at
    return ends is not None and ends <= now


def open_table(person: User, stage: Stage) -> Pairing | None:
    """The table of an arena that somebody has to play now."""
    tables_now = Pairing.objects.open().filter(round__stage=stage, seats__entrant__user=person)
    return tables_now.select_related("match").order_by("-pk").first()


def path_to(table: Pairing) -> str:
    """Where it is played: on the site, or at the club with the page that says so."""
    return table.match.get_absolute_url() if table.match else table.get_absolute_url()


def sweep() -> int:
    """Pair those who may meet again by now, in all arenas; returns in how many somebody was paired."""
    arenas = [each.code for each in format_catalogue.FORMATS.values() if each.is_arena]
    busy = Stage.objects.filter(format__in=arenas, status=Stage.Status.RUNNING, waiting__isnull=False).distinct()
    return sum(match_up(stage=stage) is not None for stage in busy)


def waiting_because(stage: Stage, now: datetime | None = None) -> tuple[Reason, ...]:
    """The reason why each waiting player is not paired yet."""
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


def _lock_arena(stage: Stage) -> Stage:
    stage = locks.stage(stage)
    if not format_catalogue.format_of(stage).is_arena or stage.status != Stage.Status.RUNNING:
        raise Refused(gettext("There is no arena here."))
    return stage
