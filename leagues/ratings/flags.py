"""Unusual patterns in what was rated lately, for the staff. A flag accuses nobody and changes nothing.

`flags()` lists what nobody has looked at yet; `update_flags()` runs every night.
"""

from collections import Counter, defaultdict
from collections.abc import Iterable
from dataclasses import dataclass, field
from datetime import timedelta
from itertools import combinations
from typing import Any

from django.core.exceptions import PermissionDenied
from django.db import transaction
from django.db.models import QuerySet
from django.utils import timezone
from django.utils.translation import gettext

from accounts.infra.errors import Refused
from accounts.models import LoginAddress, User
from leagues.models import Objection, RatedResult, RatingFlag, Result

Kind = RatingFlag.Kind

LATELY = timedelta(days=60)
MOST_RESULTS = 20_000
"""So many of the latest results are looked at."""
SHARED_TABLES = 5
"""Two people from one address are worth a look from so many common tables on: a household plays, too."""
PAIR_TABLES, PAIR_SHARE = 10, 0.8
WINNER_TABLES = 8
OBJECTIONS = 3


@dataclass
class Meeting:
    """What two people played against each other."""

    tables: int = 0
    first_ahead: int = 0
    second_ahead: int = 0


@dataclass(frozen=True)
class Pattern:
    kind: str
    person: int
    other: int
    facts: dict[str, Any] = field(default_factory=dict)


def flags() -> QuerySet[RatingFlag]:
    """The flags that nobody of the staff has looked at, the latest first."""
    return RatingFlag.objects.filter(reviewed_at=None).select_related("person", "other")


@transaction.atomic
def update_flags() -> int:
    """Look at the latest results again; returns how many patterns there are. A reviewed flag returns if it grew."""
    now = timezone.now()
    LoginAddress.objects.filter(last_at__lt=now - LATELY).delete()
    patterns = find()
    for each in patterns:
        flag, made = RatingFlag.objects.get_or_create(
            kind=each.kind, person_id=each.person, other_id=each.other, defaults={"facts": each.facts}
        )
        if not made and flag.facts != each.facts:
            flag.facts, flag.last_at, flag.reviewed_at, flag.reviewed_by = each.facts, now, None, None
            flag.save(update_fields=["facts", "last_at", "reviewed_at", "reviewed_by"])
    return len(patterns)


@transaction.atomic
def review(*, actor: User, flag: RatingFlag) -> RatingFlag:
    """A member of the staff has looked at it."""
    if not actor.is_staff:
        raise PermissionDenied
    flag = RatingFlag.objects.select_for_update(of=("self",)).get(pk=flag.pk)
    if flag.reviewed_at:
        raise Refused(gettext("Somebody has looked at this already."))
    flag.reviewed_at, flag.reviewed_by = timezone.now(), actor
    flag.save(update_fields=["reviewed_at", "reviewed_by"])
    return flag


def find() -> list[Pattern]:
    tables, met = _meetings()
    return [*_shared_addresses(met), *_pairs(tables, met), *_winners(met), *_objections()]


def _meetings() -> tuple[Counter[int], dict[tuple[int, int], Meeting]]:
    """Everybody's number of tables, and what each two people played against each other."""
    rows = RatedResult.objects.filter(counts=True, bots_only=False, finished_at__gte=timezone.now() - LATELY)
    latest = list(rows.order_by("-finished_at").values_list("seats", flat=True)[:MOST_RESULTS])
    users = {seat[0] for seats in latest for seat in seats}
    people = set(User.objects.filter(pk__in=users, is_bot=False, is_guest=False).values_list("pk", flat=True))
    tables: Counter[int] = Counter()
    met: dict[tuple[int, int], Meeting] = defaultdict(Meeting)
    for seats in latest:
        here = sorted((user, rank) for user, rank, *_rest in seats if user in people)
        tables.update(user for user, _rank in here)
        for (first, first_rank), (second, second_rank) in combinations(here, 2):
            meeting = met[first, second]
            meeting.tables += 1
            meeting.first_ahead += first_rank < second_rank
            meeting.second_ahead += second_rank < first_rank
    return tables, met


def _shared_addresses(met: dict[tuple[int, int], Meeting]) -> Iterable[Pattern]:
    homes: dict[str, set[int]] = defaultdict(set)
    known = {user for pair in met for user in pair}
    for fingerprint, user in LoginAddress.objects.values_list("fingerprint", "user_id"):
        if user in known:
            homes[fingerprint].add(user)
    together = {pair for people in homes.values() for pair in combinations(sorted(people), 2)}
    for pair in sorted(together):
        if pair in met and met[pair].tables >= SHARED_TABLES:
            yield Pattern(Kind.SAME_ADDRESS, *pair, {"tables": met[pair].tables})


def _pairs(tables: Counter[int], met: dict[tuple[int, int], Meeting]) -> Iterable[Pattern]:
    for (first, second), meeting in sorted(met.items()):
        share = meeting.tables / min(tables[first], tables[second])
        if meeting.tables >= PAIR_TABLES and share >= PAIR_SHARE:
            yield Pattern(Kind.SAME_PAIR, first, second, {"tables": meeting.tables, "percent": round(100 * share)})


def _winners(met: dict[tuple[int, int], Meeting]) -> Iterable[Pattern]:
    for (first, second), meeting in sorted(met.items()):
        ahead = max(meeting.first_ahead, meeting.second_ahead)
        if meeting.tables >= WINNER_TABLES and ahead == meeting.tables:
            winner, loser = (first, second) if meeting.first_ahead else (second, first)
            yield Pattern(Kind.SAME_WINNER, winner, loser, {"tables": meeting.tables})


def _objections() -> Iterable[Pattern]:
    """People whose entered results are objected to again and again."""
    lately = Objection.objects.filter(at__gte=timezone.now() - LATELY)
    entered = {
        (pairing, version): by
        for pairing, version, by in Result.objects.filter(pairing__in=lately.values("pairing")).values_list(
            "pairing_id", "version", "by_id"
        )
    }
    counted = Counter(entered.get(each) for each in lately.values_list("pairing_id", "version"))
    for person, count in sorted((who, count) for who, count in counted.items() if who):
        if count >= OBJECTIONS:
            yield Pattern(Kind.OBJECTIONS, person, person, {"tables": count})
