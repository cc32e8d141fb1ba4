"""Tasks of the organisers of seasons: of one, or of many with the same number of queries. Reads only."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime

from django.db.models import Count, Exists, Min, OuterRef, Q, QuerySet
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from leagues.core import format_catalogue
from leagues.formats.adapters import DrawInput
from leagues.models import (
    Entrant,
    EntryConsent,
    EntryRequest,
    Extension,
    Pairing,
    ReturnQuestion,
    Round,
    Season,
    SignOff,
    Stage,
    TeamMember,
)
from leagues.results import reporting
from leagues.rounds import all_divisions
from leagues.rounds import closing as rounds_closing
from leagues.seasons import renewal
from leagues.seasons.overview import rounds_by_stage
from leagues.standings import ranking
from leagues.windows import extensions


@dataclass(frozen=True)
class OrganiserTask:
    """A task of the organisers. With `post`, the button does it at once.

    An optional one is never highlighted and not on the desk; one with `confirm` is optional. `since` is when it arose.
    """

    code: str
    words: str
    label: str
    path: str
    since: datetime
    post: bool = False
    fields: dict[str, str] = field(default_factory=dict)
    confirm: str = ""
    optional: bool = False
    primary: bool = False
    stage: int | None = None
    round: int | None = None


# The codes of the tasks, as the API lists them.
CODES = (
    "open-entries",
    "add-entrants",
    "check-in",
    "check-all-in",
    "without-answer",
    "entries-to-approve",
    "start-season",
    "disputes",
    "no-shows",
    "more-time",
    "publish-round",
    "missing-results",
    "close-round",
    "draw-round",
    "draw-all-divisions",
    "finish-stage",
    "more-rounds",
    "end-free-play",
    "sign-off",
    "close-season",
)


@dataclass(frozen=True)
class _Facts:
    """What the tasks of several seasons depend on, by the ids of seasons, stages and divisions."""

    entered: dict[int, int]
    checked: dict[int, int]
    silent: dict[int, list[ReturnQuestion]]
    asked: dict[int, tuple[int, datetime]]
    to_approve: dict[int, tuple[int, datetime]]
    disputes: dict[int, list[Pairing]]
    requests: dict[int, list[Extension]]
    stages: dict[int, list[Stage]]
    rounds: dict[int, list[Round]]
    inputs: dict[int, DrawInput]
    signed: set[int]

    @classmethod
    def load(cls, seasons: Sequence[Season]) -> "_Facts":
        coming = [each for each in seasons if not each.has_begun]
        running = [each for each in seasons if each.is_running]
        entered, checked = _count_entries(coming)
        counted = _asked(seasons).values("season").annotate(people=Count("pk"), first=Min("asked_at")).order_by()
        stages, rounds = _stages(running), rounds_by_stage(running, drawn=True)
        return cls(
            entered=entered,
            checked=checked,
            silent=renewal.unanswered_in(seasons),
            asked={row["season"]: (row["people"], row["first"]) for row in counted},
            to_approve=_to_approve(seasons),
            disputes=reporting.disputed_in(running),
            requests=_requests(running),
            stages=stages,
            rounds=rounds,
            inputs=_draw_inputs([each for listed in stages.values() for each in listed], rounds),
            signed=set(SignOff.objects.filter(season__in=running).values_list("season", flat=True)),
        )


def _asked(seasons: Sequence[Season]) -> QuerySet[EntryConsent]:
    """Who was entered by an organiser, is still entered, and has not said whether they play."""
    here = {"season": OuterRef("season"), "user": OuterRef("user")}
    alone = Entrant.objects.filter(**here).exclude(status=Entrant.Status.WITHDRAWN)
    in_team = TeamMember.objects.filter(**here).exclude(entrant__status=Entrant.Status.WITHDRAWN)
    asked = EntryConsent.objects.filter(season__in=seasons, state=EntryConsent.State.ASKED)
    return asked.filter(Exists(alone) | Exists(in_team))


def _to_approve(seasons: Sequence[Season]) -> dict[int, tuple[int, datetime]]:
    """How many ask to enter, and since when."""
    rows = EntryRequest.objects.filter(season__in=seasons, state=EntryRequest.State.ASKED)
    counted = rows.values("season").annotate(people=Count("pk"), first=Min("asked_at")).order_by()
    return {row["season"]: (row["people"], row["first"]) for row in counted}


def _count_entries(seasons: Sequence[Season]) -> tuple[dict[int, int], dict[int, int]]:
    rows = Entrant.objects.filter(season__in=seasons).entered()
    present = Count("pk", Q(status=Entrant.Status.CHECKED_IN))
    counted = list(rows.values("season").annotate(everybody=Count("pk"), present=present).order_by())
    return {row["season"]: row["everybody"] for row in counted}, {row["season"]: row["present"] for row in counted}


def _requests(seasons: Sequence[Season]) -> dict[int, list[Extension]]:
    requests: dict[int, list[Extension]] = {season.pk: [] for season in seasons}
    rows = extensions.open_requests(seasons).select_related("pairing__round__stage__division")
    for each in rows.order_by("made_at", "pk"):
        requests[each.pairing.round.stage.division.season_id].append(each)
    return requests


def _stages(seasons: Sequence[Season]) -> dict[int, list[Stage]]:
    by_id = {season.pk: season for season in seasons}
    stages: dict[int, list[Stage]] = {season.pk: [] for season in seasons}
    rows = Stage.objects.filter(division__season__in=seasons).select_related("division")
    for stage in rows.order_by("division__level", "division__number", "position"):
        stage.division.season = by_id[stage.division.season_id]
        stages[stage.division.season_id].append(stage)
    return stages


def _draw_inputs(stages: Sequence[Stage], rounds: dict[int, list[Round]]) -> dict[int, DrawInput]:
    """For those stages where only an attempt to draw can say whether another round comes."""
    asked = [
        stage
        for stage in stages
        if stage.status == Stage.Status.RUNNING
        and rounds_closing.needs_draw_input(stage)
        and all_divisions.is_played(rounds.get(stage.pk, []))
    ]
    return ranking.draw_inputs(asked, drafts=True) if asked else {}


def organiser_tasks(season: Season) -> list[OrganiserTask]:
    """The tasks that can be done now; the last one that is not optional is highlighted."""
    todo = tasks_of_seasons([season])[season.pk]
    at = max((at for at, each in enumerate(todo) if not each.optional), default=None)
    return [replace(each, primary=number == at) for number, each in enumerate(todo)]


def tasks_of_seasons(seasons: Sequence[Season]) -> dict[int, list[OrganiserTask]]:
    """The tasks of several seasons by their ids. The number of queries does not depend on how many they are."""
    facts = _Facts.load(seasons)
    return {season.pk: _decisions(season, facts) for season in seasons}


def _decisions(season: Season, facts: _Facts) -> list[OrganiserTask]:
    match season.status:
        case Season.Status.DRAFT:
            words = _("The season is being set up: nobody else sees it yet.")
            return [
                *_without_answer(season, facts),
                _task("open-entries", words, _("Open for entries"), _path("open", season), season.made_at, post=True),
            ]
        case Season.Status.REGISTRATION:
            return _before_start(season, facts)
        case Season.Status.RUNNING:
            return _running(season, facts)
        case _:
            return []


def _task(
    code: str,
    words: str,
    label: str,
    path: str,
    since: datetime,
    *,
    post: bool = False,
    fields: dict[str, str] | None = None,
    confirm: str = "",
    optional: bool = False,
    stage: Stage | None = None,
    round: Round | None = None,
) -> OrganiserTask:
    return OrganiserTask(
        code,
        words,
        label,
        path,
        since,
        post=post,
        fields=fields or {},
        confirm=confirm,
        optional=optional or bool(confirm),
        stage=stage.pk if stage else None,
        round=round.pk if round else None,
    )


def _before_start(season: Season, facts: _Facts) -> list[OrganiserTask]:
    entered, since = facts.entered.get(season.pk, 0), season.starts_at or season.made_at
    words = ngettext("%(count)s entry so far.", "%(count)s entries so far.", entered) % {"count": entered}
    page = _path("entries", season)
    todo = [_task("add-entrants", words, _("Add entrants"), page, season.made_at, optional=entered >= 2)]
    todo += [*_without_answer(season, facts), *_entries_to_approve(season, facts)]
    if season.check_in and entered:
        checked, door = facts.checked.get(season.pk, 0), _path("door", season)
        words = _("%(count)s of %(all)s have checked in.") % {"count": checked, "all": entered}
        todo.append(_task("check-in", words, _("Check in at the door"), door, since, optional=checked == entered))
        if checked < entered:
            words, confirm = _("Is everybody here?"), _("Check all in, also those who have not come yet?")
            todo.append(_task("check-all-in", words, _("Check all in"), door, since, post=True, confirm=confirm))
    if entered >= 2:
        words = _("When everybody is in, the season can start: entries close.")
        todo.append(_task("start-season", words, _("Start the season"), _path("start", season), since, post=True))
    return todo


def _without_answer(season: Season, facts: _Facts) -> Iterable[OrganiserTask]:
    """People of whom nobody knows yet whether they play: asked to play again, or entered by an organiser."""
    if silent := facts.silent[season.pk]:
        words = ngettext(
            "%(count)s person still has time to say whether they play again.",
            "%(count)s people still have time to say whether they play again.",
            len(silent),
        ) % {"count": len(silent)}
        page = f"{_path('entries', season)}#returning"
        yield _task("without-answer", words, _("See who"), page, season.made_at)
    people, since = facts.asked.get(season.pk, (0, season.made_at))
    if people:
        words = ngettext(
            "%(count)s person whom you entered has not said whether they play.",
            "%(count)s people whom you entered have not said whether they play.",
            people,
        ) % {"count": people}
        yield _task("without-answer", words, _("See who"), _path("entries", season), since)


def _entries_to_approve(season: Season, facts: _Facts) -> Iterable[OrganiserTask]:
    people, since = facts.to_approve.get(season.pk, (0, season.made_at))
    if people:
        words = ngettext("%(count)s person asks to enter.", "%(count)s people ask to enter.", people)
        page = f"{_path('entries', season)}#requests"
        yield _task("entries-to-approve", words % {"count": people}, _("Decide"), page, since)


def _running(season: Season, facts: _Facts) -> list[OrganiserTask]:
    todo = [
        *_waiting_tables(season, facts),
        *_without_answer(season, facts),
        *_entries_to_approve(season, facts),
    ]
    stages = facts.stages[season.pk]
    running = [stage for stage in stages if stage.status == Stage.Status.RUNNING]
    several = len({stage.division_id for stage in running}) > 1
    ready = [
        stage
        for stage in running
        if all_divisions.is_ready(stage, facts.rounds.get(stage.pk, []), facts.inputs.get(stage.pk))
    ]
    together = len({stage.division_id for stage in ready}) > 1
    for stage in running:
        for each in _of_stage(season, stage, facts):
            words = f"{stage.division.name}: {each.words}" if several else each.words
            # On the desk one press does it for all divisions; in the season each can still be done alone.
            alone = together and stage in ready and each.code in ("draw-round", "publish-round", "close-round")
            todo.append(replace(each, words=words, optional=each.optional or alone))
    if together:
        todo.append(_all_divisions(season, ready, facts))
    if stages and all(stage.status == Stage.Status.FINISHED for stage in stages):
        since = max((_last_moment(season, stage, facts) for stage in stages), default=season.made_at)
        if season.pk in facts.signed:
            words = _("The final standings are signed off: see what closing the season means, then close it.")
            todo.append(_task("close-season", words, _("Close the season"), _path("close", season), since))
        else:
            words = _("All stages are finished. See what closing the season means, then close it.")
            todo.append(_task("sign-off", words, _("Close the season"), _path("close", season), since))
    return todo


def _waiting_tables(season: Season, facts: _Facts) -> Iterable[OrganiserTask]:
    """Tables that only an organiser can decide."""
    page = _path("disputes", season)
    if disputes := facts.disputes[season.pk]:
        words = ngettext("%(count)s result waits for you.", "%(count)s results wait for you.", len(disputes))
        since = min(max(result.at for result in table.results.all()) for table in disputes)
        yield _task("disputes", words % {"count": len(disputes)}, _("Decide"), page, since)
    requests = facts.requests[season.pk]
    missing = [each for each in requests if each.cause == Extension.Cause.NO_SHOW]
    if missing:
        words = ngettext(
            "At %(count)s table somebody did not come.", "At %(count)s tables somebody did not come.", len(missing)
        )
        yield _task("no-shows", words % {"count": len(missing)}, _("Decide"), page, missing[0].made_at)
    if late := [each for each in requests if each not in missing]:
        words = ngettext(
            "%(count)s table needs more time, or a decision.",
            "%(count)s tables need more time, or a decision.",
            len(late),
        )
        yield _task("more-time", words % {"count": len(late)}, _("Decide"), page, late[0].made_at)


def _all_divisions(season: Season, ready: Sequence[Stage], facts: _Facts) -> OrganiserTask:
    count = len({stage.division_id for stage in ready})
    words = ngettext(
        "%(count)s division is ready for its next round.", "%(count)s divisions are ready for their next round.", count
    ) % {"count": count}
    seen = sum(len(facts.rounds.get(stage.pk, [])) for stage in facts.stages[season.pk])
    since = min(_last_moment(season, stage, facts) for stage in ready)
    label, page = _("Draw and publish all divisions"), _path("draw-divisions", season)
    return _task("draw-all-divisions", words, label, page, since, post=True, fields={"seen": str(seen)})


def _last_moment(season: Season, stage: Stage, facts: _Facts) -> datetime:
    """When something last happened to the rounds of a stage."""
    rounds = facts.rounds.get(stage.pk, [])
    moments = [each.closed_at or each.published_at or each.drawn_at for each in rounds]
    return max(moments, default=season.starts_at or season.made_at)


def _of_stage(season: Season, stage: Stage, facts: _Facts) -> Iterable[OrganiserTask]:
    if not format_catalogue.FORMATS[stage.format].rounds:
        yield _of_free_play(season, stage)
        return
    rounds = facts.rounds.get(stage.pk, [])
    # Several rounds may be drawn ahead; the first that is not over is the one that matters.
    current = next((each for each in rounds if not each.is_closed), None)
    if format_catalogue.format_of(stage).has_bracket and (task := _of_bracket(season, stage, rounds, current)):
        yield task
        return
    if current is not None:
        task = _of_round(season, stage, current)
        # Drawing the next round and finishing the stage close this one as well.
        goes_on = task.code == "close-round" and format_catalogue.FORMATS[stage.format].has_chosen_length
        yield replace(task, optional=goes_on)
        if not goes_on:
            return
    drawn, now, since = len(rounds), facts.inputs.get(stage.pk), _last_moment(season, stage, facts)
    more = rounds_closing.can_draw(stage, drawn, now)
    if not rounds_closing.rounds_missing(stage, drawn, now):
        words, confirm = _("All rounds of this stage are closed."), ""
        if current is not None and not more:
            words = _("That was the last planned round.")
        elif current is not None:
            words = _("All tables of round %(round)s have their results.") % {"round": drawn}
        elif more:
            words = _("Round %(round)s is closed.") % {"round": drawn}
        if more:
            confirm = _("Finish the stage without another round?")
        page = _stage("stage-finish", season, stage)
        label = _("Finish the stage")
        yield _task("finish-stage", words, label, page, since, post=True, confirm=confirm, stage=stage)
    if not more and format_catalogue.FORMATS[stage.format].has_chosen_length:
        words = _("Would you like to play more rounds than planned?")
        page = f"{_path('settings', season)}#length-{stage.pk}"
        label = _("Change the number of rounds")
        yield _task("more-rounds", words, label, page, since, optional=True, stage=stage)
    if more:
        words = _("Round %(round)s can be drawn.") % {"round": drawn + 1}
        label, page = _("Draw round %(round)s") % {"round": drawn + 1}, _stage("draw", season, stage)
        fields = {"number": str(drawn + 1)}
        yield _task("draw-round", words, label, page, since, post=True, fields=fields, stage=stage)


def _of_bracket(season: Season, stage: Stage, rounds: Sequence[Round], current: Round | None) -> OrganiserTask | None:
    """The task of a bracket, which runs by itself: open it, then enter scores. None where it is as in other formats."""
    if not rounds:
        words, label = _("The first matches can be opened; all others follow by themselves."), _("Open the bracket")
        since, page = season.starts_at or season.made_at, _stage("bracket-open", season, stage)
        return _task("draw-round", words, label, page, since, post=True, stage=stage)
    left = sum(getattr(each, "left", 0) for each in rounds)
    if current is None or not left or any(not each.is_published for each in rounds):
        return None
    words = ngettext(
        "%(count)s match of the bracket can be played.", "%(count)s matches of the bracket can be played.", left
    ) % {"count": left}
    since, page = current.closes_at or current.published_at or current.drawn_at, _stage("bracket", season, stage)
    return _task("missing-results", words, _("Enter results"), page, since, stage=stage, round=current)


def _of_free_play(season: Season, stage: Stage) -> OrganiserTask:
    if format_catalogue.format_of(stage).is_ladder:
        label, confirm = _("End the ladder"), _("This ends the ladder: nobody can challenge any more. End it?")
    else:
        label, confirm = _("End the arena"), _("This ends the arena: nobody is paired any more. End it?")
    words, page = _("Players start their games themselves."), _stage("stage-finish", season, stage)
    since = season.starts_at or season.made_at
    return _task("end-free-play", words, label, page, since, post=True, confirm=confirm, stage=stage)


def _of_round(season: Season, stage: Stage, current: Round) -> OrganiserTask:
    known, left = {"round": current.number}, getattr(current, "left", 0)
    page = reverse("leagues:round", args=[season.league.slug, season.number, current.pk])
    if not current.is_published:
        words, label = _("Round %(round)s is drawn.") % known, _("Review and publish")
        return _task("publish-round", words, label, page, current.drawn_at, stage=stage, round=current)
    since = current.closes_at or current.published_at or current.drawn_at
    if left:
        words = ngettext(
            "Round %(round)s is being played: %(count)s table has no result yet.",
            "Round %(round)s is being played: %(count)s tables have no result yet.",
            left,
        ) % {**known, "count": left}
        return _task("missing-results", words, _("Enter results"), page, since, stage=stage, round=current)
    words, label = _("All tables of round %(round)s have their results.") % known, _("Close round %(round)s") % known
    step = reverse("leagues:round-step", args=[season.league.slug, season.number, current.pk])
    fields = {"step": "close"}
    return _task("close-round", words, label, step, since, post=True, fields=fields, stage=stage, round=current)


def _path(name: str, season: Season) -> str:
    return reverse(f"leagues:{name}", args=[season.league.slug, season.number])


def _stage(name: str, season: Season, stage: Stage) -> str:
    return reverse(f"leagues:{name}", args=[season.league.slug, season.number, stage.pk])
