"""The outcome of a plan, for the organiser who requested it."""

from collections.abc import Sequence
from dataclasses import dataclass

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext, pgettext_lazy

from leagues.core.text import join_names
from leagues.models import Pairing, Plan
from leagues.placement.reason_text import SEATED, ReasonRenderer, table_title
from leagues.placement.solver.values import Solution, solution_from_json

GOALS = {
    "placed": pgettext_lazy("goal of a plan", "as many tables as possible"),
    "out_of_order": pgettext_lazy("goal of a plan", "rounds in their order"),
    "waiting": pgettext_lazy("goal of a plan", "little waiting"),
    "lateness": pgettext_lazy("goal of a plan", "late slots spread evenly"),
    "moved": pgettext_lazy("goal of a plan", "few tables moved"),
    "": pgettext_lazy("goal of a plan", "finding out what would help"),
}
WAITING_TEXT = gettext_lazy("It will begin in a moment.")


@dataclass(frozen=True)
class UnplacedRow:
    """A table without a place: why, and what would help."""

    pairing: Pairing
    words: str
    why: str
    change: str


@dataclass(frozen=True)
class Report:
    plan: Plan
    sentences: Sequence[str]
    missing: Sequence[UnplacedRow] = ()
    left_out: str = ""
    percent: int = 0

    @property
    def is_open(self) -> bool:
        return self.plan.status in (Plan.Status.WAITING, Plan.Status.SOLVING)


def report_of(plan: Plan) -> Report:
    match plan.status:
        case Plan.Status.WAITING:
            return Report(plan, [str(WAITING_TEXT)])
        case Plan.Status.SOLVING:
            return Report(plan, _progress(plan), percent=round(100 * plan.progress.get("share", 0)))
        case Plan.Status.FAILED:
            return Report(plan, [_("Something went wrong, and nothing was changed. Try again.")])
        case _:
            return _done(plan)


def _progress(plan: Plan) -> list[str]:
    if not plan.progress:
        return [str(WAITING_TEXT)]
    goal = GOALS.get(plan.progress["goal"], "")
    placed = plan.progress["measure"]["placed"]
    placed_text = ngettext("%(count)s table has a place so far.", "%(count)s tables have a place so far.", placed)
    return [_("Working on: %(goal)s.") % {"goal": goal}, placed_text % {"count": placed}]


def _done(plan: Plan) -> Report:
    solution = solution_from_json(plan.outcome)
    reasons = [each for one in solution.unplaced for each in (one.why, one.change) if each is not None]
    renderer = ReasonRenderer(plan.season.league.club, reasons)
    numbers = [*(each.table for each in solution.unplaced), *plan.outcome["left_out"]]
    rows = Pairing.objects.select_related("round__stage__division").prefetch_related(*SEATED).in_bulk(numbers)
    missing = [
        UnplacedRow(
            rows[each.table],
            table_title(rows[each.table]),
            renderer.sentence(each.why),
            renderer.sentence(each.change) if each.change else _("No single change was found that would help."),
        )
        for each in solution.unplaced
        # Tables that were deleted since are not missing.
        if each.table in rows
    ]
    changed = [table_title(rows[pk]) for pk in plan.outcome["left_out"] if pk in rows]
    return Report(plan, _sentences(solution), missing, join_names(changed))


def _sentences(solution: Solution) -> list[str]:
    measure = solution.measure
    placed = ngettext("%(count)s table has a place.", "%(count)s tables have a place.", measure.placed)
    sentences = [placed % {"count": measure.placed}]
    if measure.waiting:
        minutes = ngettext(
            "Waiting between tables in total: %(count)s minute.",
            "Waiting between tables in total: %(count)s minutes.",
            measure.waiting,
        )
        sentences.append(minutes % {"count": measure.waiting})
    else:
        sentences.append(_("Nobody waits between two tables of a night."))
    if measure.out_of_order:
        sentences.append(_("Rounds that somebody plays out of order: %(count)s.") % {"count": measure.out_of_order})
    fewest, most = solution.late
    if most:
        sentences.append(_("Late slots per person: %(fewest)s to %(most)s.") % {"fewest": fewest, "most": most})
    return [*sentences, _ending(solution)]


def _ending(solution: Solution) -> str:
    if solution.is_optimal:
        return _("No better plan exists.")
    best = _("The time ran out: this is the best plan that was found.")
    if "placed" not in solution.proven:
        return best
    return f"{best} {_('No plan places more tables.')}"
