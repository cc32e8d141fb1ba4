"""What became of a plan, in words for the organiser who asked for it."""

from collections.abc import Sequence
from dataclasses import dataclass

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext, pgettext_lazy

from leagues.models import Pairing, Plan
from leagues.names import listed
from leagues.scheduling.said import Speaker, table_words
from leagues.scheduling.values import Solution, solution_heard

GOALS = {
    "placed": pgettext_lazy("goal of a plan", "as many tables as possible"),
    "out_of_order": pgettext_lazy("goal of a plan", "rounds in their order"),
    "waiting": pgettext_lazy("goal of a plan", "little waiting"),
    "lateness": pgettext_lazy("goal of a plan", "late slots spread evenly"),
    "moved": pgettext_lazy("goal of a plan", "few tables moved"),
    "": pgettext_lazy("goal of a plan", "finding out what would help"),
}
WAITS = gettext_lazy("It will begin in a moment.")


@dataclass(frozen=True)
class Missing:
    """A table without a place: why, and what would help."""

    pairing: Pairing
    words: str
    why: str
    change: str


@dataclass(frozen=True)
class Report:
    plan: Plan
    sentences: Sequence[str]
    missing: Sequence[Missing] = ()
    left_out: str = ""
    percent: int = 0

    @property
    def is_open(self) -> bool:
        return self.plan.status in (Plan.Status.WAITING, Plan.Status.SOLVING)


def of(plan: Plan) -> Report:
    match plan.status:
        case Plan.Status.WAITING:
            return Report(plan, [str(WAITS)])
        case Plan.Status.SOLVING:
            return Report(plan, _progress(plan), percent=round(100 * plan.progress.get("share", 0)))
        case Plan.Status.FAILED:
            return Report(plan, [_("Something went wrong, and nothing was changed. Try again.")])
        case _:
            return _done(plan)


def _progress(plan: Plan) -> list[str]:
    if not plan.progress:
        return [str(WAITS)]
    goal = GOALS.get(plan.progress["goal"], "")
    placed = plan.progress["measure"]["placed"]
    found = ngettext("%(count)s table has a place so far.", "%(count)s tables have a place so far.", placed)
    return [_("Working on: %(goal)s.") % {"goal": goal}, found % {"count": placed}]


def _done(plan: Plan) -> Report:
    solution = solution_heard(plan.outcome)
    reasons = [each for one in solution.unplaced for each in (one.why, one.change) if each is not None]
    speaker = Speaker(plan.season.league.club, reasons)
    numbers = [*(each.table for each in solution.unplaced), *plan.outcome["left_out"]]
    rows = Pairing.objects.select_related("round__stage__division").in_bulk(numbers)
    missing = [
        Missing(
            rows[each.table],
            table_words(rows[each.table]),
            speaker.said(each.why),
            speaker.said(each.change) if each.change else _("No single change was found that would help."),
        )
        for each in solution.unplaced
        # One that was taken back since is no longer missing.
        if each.table in rows
    ]
    changed = [table_words(rows[pk]) for pk in plan.outcome["left_out"] if pk in rows]
    return Report(plan, _sentences(solution), missing, listed(changed))


def _sentences(solution: Solution) -> list[str]:
    measure = solution.measure
    placed = ngettext("%(count)s table has a place.", "%(count)s tables have a place.", measure.placed)
    said = [placed % {"count": measure.placed}]
    if measure.waiting:
        minutes = ngettext(
            "People wait %(count)s minute between their tables, all together.",
            "People wait %(count)s minutes between their tables, all together.",
            measure.waiting,
        )
        said.append(minutes % {"count": measure.waiting})
    else:
        said.append(_("Nobody waits between two tables of a night."))
    if measure.out_of_order:
        said.append(
            _("Next rounds that somebody plays before the one before: %(count)s.") % {"count": measure.out_of_order}
        )
    fewest, most = solution.late
    if most:
        said.append(_("Late slots a person: %(fewest)s to %(most)s.") % {"fewest": fewest, "most": most})
    return [*said, _ending(solution)]


def _ending(solution: Solution) -> str:
    if solution.is_optimal:
        return _("No better plan exists.")
    best = _("The time ran out: this is the best plan that was found.")
    if "placed" not in solution.proven:
        return best
    return f"{best} {_('No plan places more tables.')}"
