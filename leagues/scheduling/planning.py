"""Having all tables placed: asked for by an organiser, worked out by a task, applied to what has not changed since."""

from collections.abc import Callable
from dataclasses import asdict, dataclass
from datetime import timedelta
from typing import Any

import structlog
from celery import current_app
from django.db import transaction
from django.db.models import F
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from accounts import audit, closing, notices
from accounts.effects import after_commit
from accounts.errors import Refused
from accounts.models import User
from leagues import live, locks, log
from leagues.access import Permission, require
from leagues.models import Pairing, Placement, Plan, Season, Slot
from leagues.scheduling import solver
from leagues.scheduling.engagements import Diary, people_at
from leagues.scheduling.reading import Reading
from leagues.scheduling.values import Placed, Progress, Solution, told

TASK = "leagues.tasks.plan"
ASKED = audit.action("leagues.plan-asked", _("%(actor)s had the tables placed anew"))
PLANNED = audit.action(
    "leagues.planned", _("The tables %(actor)s wanted placed: %(placed)s placed, %(left)s without a place")
)
TOLD_PLANNED = notices.kind(
    "leagues.planned",
    _("Your tables in %(season)s have new times: look at the calendar."),
    _("Your tables at the club were placed anew"),
)

SILENCE = timedelta(minutes=5)
"""After so long without a sign its worker is gone: the clock of a search is far shorter."""
UNSENT = timedelta(minutes=1)
MOST_ATTEMPTS = 2
PULSE = timedelta(seconds=1)

logger = structlog.get_logger("gauntlet.leagues")


@dataclass(frozen=True)
class Scope:
    """What to place: these rounds (none: all that are drawn), and how many tables a person plays on one night."""

    rounds: tuple[int, ...] = ()
    a_night: int | None = None

    @classmethod
    def of(cls, plan: Plan) -> "Scope":
        return cls(tuple(plan.scope.get("rounds", ())), plan.scope.get("a_night"))


@transaction.atomic
def ask(*, actor: User, season: Season, scope: Scope | None = None) -> Plan:
    """Have the tables placed. One plan at a time: whoever asks again meanwhile is told so."""
    season = locks.season(season)
    require(actor, Permission.ORGANISE, season)
    scope = scope or Scope()
    if scope.a_night is not None and not 1 <= scope.a_night <= 12:
        raise Refused(gettext("A person plays 1 to 12 tables a night."))
    if not season.is_running:
        raise Refused(gettext("The season is not running."))
    if season.plans.filter(status__in=[Plan.Status.WAITING, Plan.Status.SOLVING]).exists():
        raise Refused(gettext("The tables are being placed already."))
    reading = Reading(season, scope.rounds)
    if not Pairing.objects.filter(round__stage__division__season=season).exists():
        raise Refused(gettext("No round is drawn yet. Draw one first, or all of them."))
    if not reading.loose:
        raise Refused(gettext("There is no table to place: every one is locked, played or online."))
    if not reading.slots:
        raise Refused(gettext("The club has no night to come. Add nights first."))
    plan = Plan.objects.create(season=season, asked_by=actor, scope=asdict(scope))
    log.note(ASKED, actor=actor, season=season)
    after_commit(_send, plan.pk)
    return plan


def _send(plan_id: int) -> None:
    # Not tried again: the sweep finds the row.
    current_app.send_task(TASK, [plan_id], queue="league", ignore_result=True, retry=False)


def run(*, plan_id: int) -> None:
    """Work a plan out and apply it, once however often the task runs. If it fails, the league is as it was."""
    claimed = Plan.objects.filter(pk=plan_id, status=Plan.Status.WAITING)
    if not claimed.update(status=Plan.Status.SOLVING, attempts=F("attempts") + 1, seen_at=timezone.now()):
        return
    plan = Plan.objects.select_related("season__league__club", "asked_by").get(pk=plan_id)
    try:
        scope = Scope.of(plan)
        reading = Reading(plan.season, scope.rounds)
        problem = reading.problem(scope.a_night)
        # Work is what the solver counts; an idle core does about half a unit of it in a second.
        solution = solver.solve(
            problem,
            seed=plan.seed,
            work=0.45 * plan.seconds,
            clock=3.0 * plan.seconds,
            progress=_telling(plan),
            stopped_by=closing.stopped_by,
        )
        apply(plan=plan, reading=reading, solution=solution)
    except closing.PutDown:
        _put_back(plan)
        raise
    except Exception:
        logger.exception("plan failed", plan=plan_id)
        _finish(plan, Plan.Status.FAILED, {})


def _telling(plan: Plan) -> Callable[[Progress], None]:
    """Writes down how far it is, at most once a second and at every new goal; open pages follow."""
    at, goal = timezone.now() - PULSE, ""

    def tell(progress: Progress) -> None:
        nonlocal at, goal
        now = timezone.now()
        if now - at < PULSE and progress.goal == goal:
            return
        at, goal = now, progress.goal
        Plan.objects.filter(pk=plan.pk, status=Plan.Status.SOLVING).update(progress=told(progress), seen_at=now)
        live.changed(plan.season)

    return tell


@transaction.atomic
def apply(*, plan: Plan, reading: Reading, solution: Solution) -> None:
    """Write what the plan says, for tables nobody has touched since; the others stay as they are, and are named."""
    club = locks.club(plan.season.league.club)
    if not _finish(plan, Plan.Status.DONE, {}):
        return
    wanted = {each.table: each for each in solution.placed if each.table in reading.loose}
    rows = {row.pk: row for row in _untouched(reading)}
    changes = _Changes(rows, wanted)
    changes.write()
    left_out = sorted({*(set(reading.loose) - set(rows)), *changes.refused})
    outcome = {**told(solution), "left_out": [pk for pk in left_out if pk in wanted]}
    Plan.objects.filter(pk=plan.pk).update(outcome=outcome)
    placed = len(wanted) - len(outcome["left_out"])
    left = len(reading.loose) - placed
    log.note(PLANNED, actor=plan.asked_by, season=plan.season, placed=placed, left=left)
    _tell(plan, changes.changed)
    live.nights_changed(club)


def _untouched(reading: Reading) -> list[Pairing]:
    rows = (
        Pairing.objects.select_for_update(of=("self",), no_key=True)
        .filter(pk__in=list(reading.loose), state=Pairing.State.SCHEDULED, where=Pairing.Where.CLUB)
        .select_related("round")
        .order_by("pk")
    )
    locked = set(
        Placement.objects.filter(pairing__in=list(reading.loose), locked=True).values_list("pairing", flat=True)
    )
    return [
        row
        for row in rows
        if row.revision == reading.loose[row.pk].revision and not row.round.is_closed and row.pk not in locked
    ]


class _Changes:
    """The difference between what stands and what was planned, checked once more against all that others did."""

    def __init__(self, rows: dict[int, Pairing], wanted: dict[int, Placed]) -> None:
        self.rows, self.wanted = rows, wanted
        self.standing = {each.pairing_id: each for each in Placement.objects.filter(pairing__in=list(rows))}
        known = Slot.objects.filter(pk__in={each.slot for each in wanted.values()}, night__cancelled_at=None)
        self.slots = {slot.pk: slot for slot in known}
        self.diary = Diary(rows.values(), self.slots.values())
        self.refused: set[int] = set()
        self.changed: list[Pairing] = []

    def write(self) -> None:
        moving = {pk for pk in self.rows if self._moves(pk)}
        # A table that cannot go where it was to go stays where it is, which may be in the way of another.
        while stuck := {pk for pk in moving if pk in self.wanted and not self._fits(self.wanted[pk], moving)}:
            moving -= stuck
            self.refused |= stuck
        made = [self.wanted[pk] for pk in sorted(moving) if pk in self.wanted]
        # All leave their boards before anybody takes one: two tables may have changed places.
        Placement.objects.filter(pairing__in=moving).delete()
        for each in made:
            Placement.objects.filter(slot=each.slot, board=each.board).delete()
        Placement.objects.bulk_create(Placement(pairing_id=e.table, slot_id=e.slot, board=e.board) for e in made)
        for pk in sorted(moving):
            row, to = self.rows[pk], self.wanted.get(pk)
            row.starts_at, row.revision = self.slots[to.slot].starts_at if to else None, row.revision + 1
            self.changed.append(row)
        Pairing.objects.bulk_update(self.changed, ["starts_at", "revision"], batch_size=100)

    def _moves(self, pk: int) -> bool:
        standing, to = self.standing.get(pk), self.wanted.get(pk)
        here, there = standing and (standing.slot_id, standing.board), to and (to.slot, to.board)
        return here != there

    def _fits(self, to: Placed, moving: set[int]) -> bool:
        slot, taken = self.slots.get(to.slot), self.diary.boards.get((to.slot, to.board))
        if slot is None or to.board > slot.tables or (taken and taken.pairing_id not in moving):
            return False
        return not any(
            self.diary.elsewhere(who, slot, ignoring=moving) or not self.diary.can[who, slot.pk]
            for who in self.diary.people[to.table]
        )


def _tell(plan: Plan, changed: list[Pairing]) -> None:
    """One notice a person, however many of their tables have moved; unpublished rounds are nobody's business yet."""
    seen = [pairing.pk for pairing in changed if pairing.round.is_published]
    people = {person for own in people_at(seen).values() for person in own}
    readers = User.objects.filter(pk__in=people - {plan.asked_by_id})
    path = reverse("leagues:calendar", args=[plan.season.league.slug, plan.season.number])
    notices.tell(readers, TOLD_PLANNED, path=path, club=plan.season.league.club, season=plan.season.full_name)


def _finish(plan: Plan, status: str, outcome: dict[str, Any]) -> bool:
    """End this attempt. False when it is not the one in hand any more: somebody else has taken over."""
    own = Plan.objects.filter(pk=plan.pk, status=Plan.Status.SOLVING, attempts=plan.attempts)
    done = own.update(status=status, outcome=outcome, finished_at=timezone.now())
    live.changed(plan.season)
    return bool(done)


def _put_back(plan: Plan) -> None:
    """As if this attempt had not been: whoever finds it next begins anew."""
    own = Plan.objects.filter(pk=plan.pk, status=Plan.Status.SOLVING, attempts=plan.attempts)
    own.update(status=Plan.Status.WAITING, attempts=F("attempts") - 1, progress={}, seen_at=timezone.now())


def sweep() -> None:
    """Plans whose task was lost are sent again; one whose worker fell silent is begun anew once, and then given up."""
    now = timezone.now()
    for plan in Plan.objects.filter(status=Plan.Status.WAITING, seen_at__lt=now - UNSENT):
        if Plan.objects.filter(pk=plan.pk, seen_at=plan.seen_at).update(seen_at=now):
            _send(plan.pk)
    silent = Plan.objects.filter(status=Plan.Status.SOLVING, seen_at__lt=now - SILENCE)
    for plan in silent.select_related("season"):
        if plan.attempts >= MOST_ATTEMPTS:
            _finish(plan, Plan.Status.FAILED, {})
        elif silent.filter(pk=plan.pk, attempts=plan.attempts).update(status=Plan.Status.WAITING, seen_at=now):
            _send(plan.pk)
