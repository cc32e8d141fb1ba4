"""Automatic placement of all tables: requested by an organiser, computed by a task, applied to unchanged tables."""

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

from accounts import audit
from accounts.infra import shutdown
from accounts.infra.errors import Refused
from accounts.infra.on_commit import after_commit
from accounts.models import User
from accounts.notifications.registry import declare_kind
from accounts.notifications.service import notify
from leagues.core import locks, realtime, season_effects, table_numbers
from leagues.core.access import Permission, require
from leagues.models import Pairing, Placement, Plan, Season, Slot
from leagues.placement.commitments import CommitmentIndex, people_at
from leagues.placement.inputs import PlacementInputs
from leagues.placement.solver import solve
from leagues.placement.solver.values import Placed, Progress, Solution, to_json

TASK = "leagues.tasks.plan"
ASKED = audit.declare_action("leagues.plan-asked", _("%(actor)s asked for the tables to be placed again"))
PLANNED = audit.declare_action(
    "leagues.planned", _("Tables placed for %(actor)s: %(placed)s placed, %(left)s without a place")
)
PLANNED_KIND = declare_kind(
    "leagues.planned",
    _("Your tables in %(season)s have new times: look at the calendar."),
    _("Your tables at the club have new times"),
)

STALE_AFTER = timedelta(minutes=5)
"""A plan without a sign of life for this long has lost its worker: a search is limited to far less."""
RESEND_AFTER = timedelta(minutes=1)
MAX_ATTEMPTS = 2
PROGRESS_EVERY = timedelta(seconds=1)

logger = structlog.get_logger("gauntlet.leagues")


@dataclass(frozen=True)
class Scope:
    """What to place: these rounds (none: all drawn ones), and how many tables a person plays on one night."""

    rounds: tuple[int, ...] = ()
    a_night: int | None = None

    @classmethod
    def of(cls, plan: Plan) -> "Scope":
        return cls(tuple(plan.scope.get("rounds", ())), plan.scope.get("a_night"))


@transaction.atomic
def request_plan(*, actor: User, season: Season, scope: Scope | None = None) -> Plan:
    """Request a placement of the tables. Only one plan at a time; a second request is refused."""
    season = locks.season(season)
    require(actor, Permission.ORGANISE, season)
    scope = scope or Scope()
    if scope.a_night is not None and not 1 <= scope.a_night <= 12:
        raise Refused(gettext("A person plays 1 to 12 tables a night."))
    if not season.is_running:
        raise Refused(gettext("The season is not running."))
    if season.plans.filter(status__in=[Plan.Status.WAITING, Plan.Status.SOLVING]).exists():
        raise Refused(gettext("The tables are being placed already."))
    inputs = PlacementInputs(season, scope.rounds)
    if not Pairing.objects.filter(round__stage__division__season=season).exists():
        raise Refused(gettext("No round is drawn yet. Draw one first, or all of them."))
    if not inputs.loose:
        raise Refused(gettext("There is no table to place: every one is locked, played or online."))
    if not inputs.slots:
        raise Refused(gettext("The club has no night to come. Add nights first."))
    plan = Plan.objects.create(season=season, asked_by=actor, scope=asdict(scope))
    season_effects.log_and_refresh(ASKED, actor=actor, season=season)
    after_commit(_send, plan.pk)
    return plan


def _send(plan_id: int) -> None:
    # Not retried here: the sweep will send it again.
    current_app.send_task(TASK, [plan_id], queue="league", ignore_result=True, retry=False)


def run(*, plan_id: int) -> None:
    """Compute a plan and apply it, once, however often the task runs. If it fails, the league is unchanged."""
    claimed = Plan.objects.filter(pk=plan_id, status=Plan.Status.WAITING)
    if not claimed.update(status=Plan.Status.SOLVING, attempts=F("attempts") + 1, seen_at=timezone.now()):
        return
    plan = Plan.objects.select_related("season__league__club", "asked_by").get(pk=plan_id)
    try:
        scope = Scope.of(plan)
        inputs = PlacementInputs(plan.season, scope.rounds)
        problem = inputs.problem(scope.a_night)
        # Work is counted by the solver; an idle core does about half a unit per second.
        solution = solve.solve(
            problem,
            seed=plan.seed,
            work=0.45 * plan.seconds,
            clock=3.0 * plan.seconds,
            progress=_progress_writer(plan),
            stopped_by=shutdown.stop_with,
        )
        apply(plan=plan, inputs=inputs, solution=solution)
    except shutdown.ShutdownRequested:
        _put_back(plan)
        raise
    except Exception:
        logger.exception("plan failed", plan=plan_id)
        _finish(plan, Plan.Status.FAILED, {})


def _progress_writer(plan: Plan) -> Callable[[Progress], None]:
    """Stores the progress, at most once a second and at every new goal; open pages follow."""
    at, goal = timezone.now() - PROGRESS_EVERY, ""

    def write_progress(progress: Progress) -> None:
        nonlocal at, goal
        now = timezone.now()
        if now - at < PROGRESS_EVERY and progress.goal == goal:
            return
        at, goal = now, progress.goal
        Plan.objects.filter(pk=plan.pk, status=Plan.Status.SOLVING).update(progress=to_json(progress), seen_at=now)
        realtime.broadcast_season_changed(plan.season)

    return write_progress


@transaction.atomic
def apply(*, plan: Plan, inputs: PlacementInputs, solution: Solution) -> None:
    """Write the plan for tables that have not changed since. The others stay as they are and are listed."""
    club = locks.club(plan.season.league.club)
    if not _finish(plan, Plan.Status.DONE, {}):
        return
    wanted = {each.table: each for each in solution.placed if each.table in inputs.loose}
    rows = {row.pk: row for row in _untouched(inputs)}
    changes = _Changes(rows, wanted)
    changes.write()
    left_out = sorted({*(set(inputs.loose) - set(rows)), *changes.refused})
    outcome = {**to_json(solution), "left_out": [pk for pk in left_out if pk in wanted]}
    Plan.objects.filter(pk=plan.pk).update(outcome=outcome)
    placed = len(wanted) - len(outcome["left_out"])
    unplaced = len(inputs.loose) - placed
    season_effects.log_and_refresh(PLANNED, actor=plan.asked_by, season=plan.season, placed=placed, left=unplaced)
    _notify_players(plan, changes.changed)
    realtime.broadcast_calendar_changed(club)


def _untouched(inputs: PlacementInputs) -> list[Pairing]:
    rows = (
        Pairing.objects.select_for_update(of=("self",), no_key=True)
        .filter(pk__in=list(inputs.loose), state=Pairing.State.SCHEDULED, where=Pairing.Where.CLUB)
        .select_related("round__stage__division__season")
        .order_by("pk")
    )
    locked = set(
        Placement.objects.filter(pairing__in=list(inputs.loose), locked=True).values_list("pairing", flat=True)
    )
    return [
        row
        for row in rows
        if row.revision == inputs.loose[row.pk].revision and not row.round.is_closed and row.pk not in locked
    ]


class _Changes:
    """The difference between the current placements and the plan, checked against all other changes."""

    def __init__(self, rows: dict[int, Pairing], wanted: dict[int, Placed]) -> None:
        self.rows, self.wanted = rows, wanted
        self.current = {each.pairing_id: each for each in Placement.objects.filter(pairing__in=list(rows))}
        known = Slot.objects.filter(pk__in={each.slot for each in wanted.values()}, night__cancelled_at=None)
        self.slots = {slot.pk: slot for slot in known}
        self.commitments = CommitmentIndex(rows.values(), self.slots.values())
        self.refused: set[int] = set()
        self.changed: list[Pairing] = []

    def write(self) -> None:
        moving = {pk for pk in self.rows if self._moves(pk)}
        # A table that cannot move stays where it is, which may block another one.
        while stuck := {pk for pk in moving if pk in self.wanted and not self._fits(self.wanted[pk], moving)}:
            moving -= stuck
            self.refused |= stuck
        new_placements = [self.wanted[pk] for pk in sorted(moving) if pk in self.wanted]
        # Clear all boards before placing: two tables may exchange theirs.
        Placement.objects.filter(pairing__in=moving).delete()
        for each in new_placements:
            Placement.objects.filter(slot=each.slot, board=each.board).delete()
        Placement.objects.bulk_create(
            Placement(pairing_id=e.table, slot_id=e.slot, board=e.board) for e in new_placements
        )
        for pk in sorted(moving):
            row, to = self.rows[pk], self.wanted.get(pk)
            row.starts_at, row.revision = self.slots[to.slot].starts_at if to else None, row.revision + 1
            row.table_number = to.board if to else row.table_number
            self.changed.append(row)
        Pairing.objects.bulk_update(self.changed, ["starts_at", "table_number", "revision"], batch_size=100)
        for pk in sorted(moving - self.wanted.keys()):
            table_numbers.renumber(self.rows[pk])

    def _moves(self, pk: int) -> bool:
        current, to = self.current.get(pk), self.wanted.get(pk)
        here, there = current and (current.slot_id, current.board), to and (to.slot, to.board)
        return here != there

    def _fits(self, to: Placed, moving: set[int]) -> bool:
        slot, taken = self.slots.get(to.slot), self.commitments.boards.get((to.slot, to.board))
        if slot is None or to.board > slot.tables or (taken and taken.pairing_id not in moving):
            return False
        return not any(
            self.commitments.elsewhere(who, slot, ignoring=moving) or not self.commitments.can[who, slot.pk]
            for who in self.commitments.people[to.table]
        )


def _notify_players(plan: Plan, changed: list[Pairing]) -> None:
    """One notice per person, however many tables moved. Unpublished rounds are not mentioned."""
    seen = [pairing.pk for pairing in changed if pairing.round.is_published]
    people = {person for own in people_at(seen).values() for person in own}
    readers = User.objects.filter(pk__in=people - {plan.asked_by_id})
    path = reverse("leagues:calendar", args=[plan.season.league.slug, plan.season.number])
    notify(readers, PLANNED_KIND, path=path, club=plan.season.league.club, season=plan.season.full_name)


def _finish(plan: Plan, status: str, outcome: dict[str, Any]) -> bool:
    """End this attempt. False if another worker has taken over."""
    own = Plan.objects.filter(pk=plan.pk, status=Plan.Status.SOLVING, attempts=plan.attempts)
    done = own.update(status=status, outcome=outcome, finished_at=timezone.now())
    realtime.broadcast_season_changed(plan.season)
    return bool(done)


def _put_back(plan: Plan) -> None:
    """Reset this attempt, so that the next worker starts again."""
    own = Plan.objects.filter(pk=plan.pk, status=Plan.Status.SOLVING, attempts=plan.attempts)
    own.update(status=Plan.Status.WAITING, attempts=F("attempts") - 1, progress={}, seen_at=timezone.now())


def sweep() -> None:
    """Send plans again whose task was lost. One whose worker went silent is restarted once, then fails."""
    now = timezone.now()
    for plan in Plan.objects.filter(status=Plan.Status.WAITING, seen_at__lt=now - RESEND_AFTER):
        if Plan.objects.filter(pk=plan.pk, seen_at=plan.seen_at).update(seen_at=now):
            _send(plan.pk)
    silent = Plan.objects.filter(status=Plan.Status.SOLVING, seen_at__lt=now - STALE_AFTER)
    for plan in silent.select_related("season"):
        if plan.attempts >= MAX_ATTEMPTS:
            _finish(plan, Plan.Status.FAILED, {})
        elif silent.filter(pk=plan.pk, attempts=plan.attempts).update(status=Plan.Status.WAITING, seen_at=now):
            _send(plan.pk)
