"""What is next: for a reader in one sentence, for an organiser as the next decisions. Reads only."""

from collections.abc import Iterable
from dataclasses import dataclass, field, replace

from django.db.models import Count, Q
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from accounts.models import User
from leagues import catalogue, close, ladder, results, returning
from leagues.formats.standings import Row
from leagues.models import Division, Entrant, Pairing, Round, Season, Stage, Undoable
from leagues.names import listed, when
from leagues.ranking import ranking
from leagues.scheduling import extensions, proposals, windows
from leagues.words import names, said

SHOWN = 6
# As many of the standings as a season's own page shows.
ROWS = 20


@dataclass(frozen=True)
class Next:
    """One sentence for one reader, and where it leads."""

    words: str
    label: str = ""
    path: str = ""
    tone: str = "space"


@dataclass(frozen=True)
class Todo:
    """A decision that waits for an organiser. `post` says that the button does it at once.

    One with `confirm` can be done, and nothing waits for it: it is never the one that stands out.
    """

    words: str
    label: str
    path: str
    post: bool = False
    fields: dict[str, str] = field(default_factory=dict)
    confirm: str = ""
    primary: bool = False


@dataclass(frozen=True)
class StageNow:
    stage: Stage
    title: str
    rounds: list[Round]
    order: list[tuple[Row, str]] = field(default_factory=list)
    trouble: str = ""

    @property
    def is_planned(self) -> bool:
        return catalogue.FORMATS[self.stage.format].is_planned

    @property
    def scores(self) -> bool:
        return catalogue.FORMATS[self.stage.format].scores

    @property
    def is_bracket(self) -> bool:
        return catalogue.FORMATS[self.stage.format].ranks == "bracket"


@dataclass(frozen=True)
class DivisionNow:
    division: Division
    entered: int
    waiting: int
    stages: list[StageNow]


def divisions(season: Season, *, drawn: bool, ranked: bool = False) -> list[DivisionNow]:
    """The season's divisions with their stages and rounds: a few queries. `drawn` shows what is not published yet."""
    rounds: dict[int, list[Round]] = {}
    counted = Round.objects.filter(stage__division__season=season).annotate(
        tables=Count("pairings", distinct=True),
        left=Count("pairings", ~Q(pairings__state__in=["confirmed", "void"]), distinct=True),
    )
    for each in counted.order_by("stage", "number"):
        if drawn or each.is_published:
            rounds.setdefault(each.stage_id, []).append(each)
    stages: dict[int, list[StageNow]] = {}
    for stage in Stage.objects.filter(division__season=season).select_related("division").order_by("position"):
        stage.division.season = season
        called = names(stage) if ranked or stage.trouble else {}
        order = ranking(stage) if ranked and stage.status != Stage.Status.PLANNED else ()
        now = StageNow(
            stage,
            str(catalogue.FORMATS[stage.format].title),
            rounds.get(stage.pk, []),
            [(row, called.get(row.entrant, "")) for row in order[:ROWS]],
            said(stage.trouble, called),
        )
        stages.setdefault(stage.division_id, []).append(now)
    entered = Count("entrants", ~Q(entrants__status__in=["waiting", "withdrawn"]))
    waiting = Count("entrants", Q(entrants__status="waiting"))
    found = Division.objects.filter(season=season).annotate(entered=entered, queue=waiting)
    told = []
    for division in found.order_by("level", "number"):
        division.season = season
        told.append(DivisionNow(division, division.entered, division.queue, stages.get(division.pk, [])))
    return told


def entries_of(season: Season, person: User | None) -> Entrant | None:
    """The reader's own entry, alone or in a team."""
    if person is None:
        return None
    own = Q(user=person) | Q(members__user=person)
    return Entrant.objects.named().select_related("division").filter(own, season=season).first()


def for_reader(season: Season, person: User | None) -> Next | None:
    entrant = entries_of(season, person)
    match season.status:
        case Season.Status.REGISTRATION:
            return _before(season, person, entrant)
        case Season.Status.RUNNING if entrant is not None:
            return _playing(season, entrant, person)
        case Season.Status.CLOSED if entrant is not None:
            return _after(entrant)
        case _:
            return None


def everywhere(person: User) -> list[tuple[Season, Next]]:
    """What is next for a person in every season they are in: for their own front page."""
    own = Q(entrants__user=person) | Q(entrants__members__user=person)
    live = Season.objects.filter(own, status__in=[Season.Status.REGISTRATION, Season.Status.RUNNING]).distinct()
    seasons = live.select_related("league__club").order_by("-status", "league__name")[:SHOWN]
    told = [(season, for_reader(season, person)) for season in seasons]
    return [(season, next_) for season, next_ in told if next_ is not None]


def _before(season: Season, person: User | None, entrant: Entrant | None) -> Next:
    entries = reverse("leagues:entries", args=[season.league.slug, season.number])
    if entrant is None or entrant.is_withdrawn:
        words = _("Entries are open: sign up and you are in.")
        if person is None:
            words = _("Entries are open: log in and sign up.")
        return Next(words, _("Sign up for the season"), entries)
    if entrant.is_waiting:
        ahead = Entrant.objects.filter(
            division=entrant.division, status=Entrant.Status.WAITING, entered_at__lt=entrant.entered_at
        ).count()
        words = _("You are on the waiting list of %(division)s, in place %(place)s.")
        return Next(words % {"division": entrant.division.name, "place": ahead + 1}, tone="mind")
    if season.check_in and entrant.status == Entrant.Status.REGISTERED:
        words = _("You have entered %(division)s. Check in when you are there, or you will not be drawn.")
        return Next(words % {"division": entrant.division.name}, _("Check in"), entries, tone="mind")
    words = _("You have entered %(division)s. You will hear from us when the first round is drawn.")
    return Next(words % {"division": entrant.division.name}, tone="time")


def _playing(season: Season, entrant: Entrant, person: User | None) -> Next:
    if entrant.is_withdrawn:
        entries = reverse("leagues:entries", args=[season.league.slug, season.number])
        words = _("You have withdrawn from this season.")
        if _was_left_out(season, entrant):
            words = _("You had not checked in when the season started, so you are not drawn.")
        return Next(words, _("Come back"), entries, tone="mind")
    if entrant.is_waiting:
        return Next(_("You are on the waiting list of %(division)s.") % {"division": entrant.division.name})
    pairing = (
        Pairing.objects.seen()
        .open()
        .filter(seats__entrant=entrant)
        .select_related("round__stage__division__season", "match", "placement")
        .prefetch_related("seats__entrant__user", "results")
        .order_by("round__number", "pk")
        .first()
    )
    if pairing is not None:
        return _at(pairing, entrant, person)
    stage = Stage.objects.filter(division=entrant.division, status=Stage.Status.RUNNING).first()
    if stage is not None and not catalogue.FORMATS[stage.format].rounds:
        return _free(season, stage, entrant)
    latest = Round.objects.filter(stage__division=entrant.division).exclude(status=Round.Status.DRAWN).last()
    if latest is not None and not latest.is_closed and latest.byes.filter(entrant=entrant).exists():
        return Next(_("You sit out round %(round)s.") % {"round": latest.number})
    return Next(_between_rounds(entrant, stage), tone="time")


def _was_left_out(season: Season, entrant: Entrant) -> bool:
    """Whether they were not there at the start, rather than left by themselves."""
    left = Undoable.objects.filter(season=season, kind="withdrawal", data__entrant=entrant.pk, undone_at=None)
    return season.check_in and not entrant.starters.exists() and not left.exists()


def _between_rounds(entrant: Entrant, stage: Stage | None) -> str:
    if stage is None:
        return _("%(division)s is over. The organisers have yet to close the season.") % {
            "division": entrant.division.name
        }
    if not entrant.starters.filter(stage=stage).exists():
        return _("You are not in this stage: others play on.")
    rounds = list(stage.rounds.all())
    if not close.rounds_missing(stage, len(rounds)) and not close.can_draw(stage, len(rounds)):
        if all(each.is_published for each in rounds):
            return _("You have played all your games: no round is left to draw.")
        return _("Nothing to do for you now: the next round is not published yet.")
    return _("Nothing to do for you now: the next round is not drawn yet.")


def _free(season: Season, stage: Stage, entrant: Entrant) -> Next:
    """Where nothing is drawn, everybody decides when to play."""
    if stage.format == "ladder" and ladder.standing(stage).ladder.order[:1] == (entrant.pk,):
        words, label = _("You lead the ladder: the others challenge you."), _("See the ladder")
    elif stage.format == "ladder":
        words, label = _("Challenge somebody above you whenever you like."), _("See the ladder")
    else:
        words, label = _("Say that you are ready, and you are paired at once."), _("See the arena")
    return Next(words, label, f"{season.get_absolute_url()}#meeting-{stage.pk}")


def _at(pairing: Pairing, entrant: Entrant, person: User | None) -> Next:
    """Whom, when and where: the sentence everybody looks for."""
    others = listed(seat.entrant.name for seat in pairing.seats.all() if seat.entrant_id != entrant.pk)
    known = {"round": pairing.round.number, "table": pairing.number, "others": others}
    if pairing.state == Pairing.State.DISPUTED:
        words = _("The result of table %(table)s is disputed; an organiser will decide.") % known
        return Next(words, _("See the table"), pairing.get_absolute_url(), tone="mind")
    if pairing.state == Pairing.State.REPORTED:
        latest = results.latest(pairing)
        if latest is not None and person is not None and latest.by_id != person.pk:
            words = _("The result of table %(table)s is reported: is it right?") % known
            return Next(words, _("Confirm the result"), pairing.get_absolute_url(), tone="mind")
        words = _("You reported table %(table)s; the others have yet to confirm.") % known
        if not results.answering(pairing, person):
            words = _("You reported table %(table)s; an organiser has yet to confirm.") % known
        return Next(words, _("See the table"), pairing.get_absolute_url())
    words = _where(pairing, bool(others)) % known
    if pairing.starts_at:
        words = _("%(what)s On %(when)s.") % {"what": words, "when": when(pairing.starts_at)}
    elif pairing.deadline:
        words = _("%(what)s By %(when)s.") % {"what": words, "when": when(pairing.deadline)}
    if windows.takes_times(pairing) and (pairing.deadline or pairing.starts_at):
        return _on_time(pairing, person, words)
    if pairing.where == Pairing.Where.ONLINE:
        path = pairing.match.get_absolute_url() if pairing.match else pairing.get_absolute_url()
        return Next(words, _("Go to the table"), path)
    to_come = pairing.starts_at is not None and pairing.starts_at > timezone.now()
    return Next(words, _("See the table") if to_come else _("Report the result"), pairing.get_absolute_url())


def _on_time(pairing: Pairing, person: User | None, words: str) -> Next:
    """Where the players agree on the hour themselves, that comes first."""
    proposal = proposals.current(pairing)
    if proposal is not None and proposal.by != person:
        words = _("%(what)s %(name)s suggests a time.") % {"what": words, "name": proposal.by.name}
        return Next(words, _("Answer the suggestion"), pairing.get_absolute_url(), tone="mind")
    label = _("Go to the table") if proposal or pairing.starts_at else _("Agree on a time")
    return Next(words, label, pairing.get_absolute_url())


def _where(pairing: Pairing, against: bool) -> str:
    if pairing.where == Pairing.Where.ONLINE:
        return _("Round %(round)s: you play %(others)s online.") if against else _("Round %(round)s: you play online.")
    if against:
        return _("Round %(round)s: you play %(others)s at the club, table %(table)s.")
    return _("Round %(round)s: you play at the club, table %(table)s.")


def _after(entrant: Entrant) -> Next | None:
    movement = getattr(entrant, "movement", None)
    if movement is None:
        return None
    words = _("The season is over: you came in place %(place)s of %(division)s.")
    if movement.new is not None and movement.new < movement.old:
        words = _("The season is over: you came in place %(place)s of %(division)s and move up.")
    elif movement.new is not None and movement.new > movement.old:
        words = _("The season is over: you came in place %(place)s of %(division)s and move down.")
    return Next(words % {"place": movement.place, "division": entrant.division.name}, tone="time")


def for_organiser(season: Season) -> list[Todo]:
    """Only what can be done now; the last that waits stands out."""
    todo = _decisions(season)
    at = max((at for at, each in enumerate(todo) if not each.confirm), default=None)
    return [replace(each, primary=number == at) for number, each in enumerate(todo)]


def _decisions(season: Season) -> list[Todo]:
    match season.status:
        case Season.Status.DRAFT:
            words = _("The season is being set up: nobody else sees it yet.")
            return [Todo(words, _("Open for entries"), _path("open", season), post=True)]
        case Season.Status.REGISTRATION:
            return _before_start(season)
        case Season.Status.RUNNING:
            return _running(season)
        case _:
            return []


def _before_start(season: Season) -> list[Todo]:
    here = Entrant.objects.filter(season=season)
    entered = here.entered().count()
    words = ngettext("%(count)s entry so far.", "%(count)s entries so far.", entered) % {"count": entered}
    todo = [Todo(words, _("Add entrants"), _path("entries", season))]
    if season.check_in:
        checked = here.filter(status=Entrant.Status.CHECKED_IN).count()
        words = _("%(count)s of %(all)s have checked in.") % {"count": checked, "all": entered}
        todo.append(Todo(words, _("Check in at the door"), _path("door", season)))
        if checked < entered:
            words, confirm = _("Is everybody here?"), _("Check all in, also those who have not come yet?")
            todo.append(Todo(words, _("Check all in"), _path("door", season), post=True, confirm=confirm))
    if entered >= 2:
        words = _("When everybody is in, the season can start: entries close.")
        if silent := len(returning.unanswered(season)):
            words = ngettext(
                "%(count)s person still has time to say whether they play again.",
                "%(count)s people still have time to say whether they play again.",
                silent,
            ) % {"count": silent}
        todo.append(Todo(words, _("Start the season"), _path("start", season), post=True))
    return todo


def _running(season: Season) -> list[Todo]:
    todo = []
    if waiting := len(results.waiting_for_organiser(season)):
        words = ngettext("%(count)s result waits for you.", "%(count)s results wait for you.", waiting)
        todo.append(Todo(words % {"count": waiting}, _("Decide"), _path("disputes", season)))
    if late := extensions.how_many_wait(season):
        words = ngettext(
            "%(count)s table needs more time, or a decision.", "%(count)s tables need more time, or a decision.", late
        )
        todo.append(Todo(words % {"count": late}, _("Decide"), _path("disputes", season)))
    stages = [(each.division, now) for each in divisions(season, drawn=True) for now in each.stages]
    running = [(division, now) for division, now in stages if now.stage.status == Stage.Status.RUNNING]
    several = len({division.pk for division, _now in running}) > 1
    for division, now in running:
        for each in _of_stage(season, now):
            words = f"{division.name}: {each.words}" if several else each.words
            todo.append(replace(each, words=words))
    if stages and all(now.stage.status == Stage.Status.FINISHED for _division, now in stages):
        words = _("All stages are finished. See what closing the season means, then close it.")
        todo.append(Todo(words, _("Close the season"), _path("close", season)))
    return todo


def _of_stage(season: Season, now: StageNow) -> Iterable[Todo]:
    if not catalogue.FORMATS[now.stage.format].rounds:
        yield _of_free_play(season, now)
        return
    # Several rounds may be drawn ahead; the first that is not over is the one that matters.
    current = next((each for each in now.rounds if not each.is_closed), None)
    if current is not None:
        yield _of_round(season, current)
        return
    drawn = len(now.rounds)
    more = close.can_draw(now.stage, drawn)
    if not close.rounds_missing(now.stage, drawn):
        words, confirm = _("All rounds of this stage are closed."), ""
        if more:
            words = _("Round %(round)s is closed.") % {"round": drawn}
            confirm = _("Finish the stage without another round?")
        yield Todo(words, _("Finish the stage"), _stage("stage-finish", season, now), True, confirm=confirm)
    if more:
        words = _("Round %(round)s can be drawn.") % {"round": drawn + 1}
        label = _("Draw round %(round)s") % {"round": drawn + 1}
        yield Todo(words, label, _stage("draw", season, now), True, {"number": str(drawn + 1)})


def _of_free_play(season: Season, now: StageNow) -> Todo:
    if now.stage.format == "ladder":
        label, confirm = _("End the ladder"), _("This ends the ladder: nobody can challenge any more. End it?")
    else:
        label, confirm = _("End the arena"), _("This ends the arena: nobody is paired any more. End it?")
    words = _("Games are made by the players themselves.")
    return Todo(words, label, _stage("stage-finish", season, now), True, confirm=confirm)


def _of_round(season: Season, current: Round) -> Todo:
    known, left = {"round": current.number}, getattr(current, "left", 0)
    page = reverse("leagues:round", args=[season.league.slug, season.number, current.pk])
    if not current.is_published:
        return Todo(_("Round %(round)s is drawn.") % known, _("Look at it and publish"), page)
    if left:
        words = ngettext(
            "Round %(round)s is being played: %(count)s table has no result yet.",
            "Round %(round)s is being played: %(count)s tables have no result yet.",
            left,
        )
        return Todo(words % {**known, "count": left}, _("Enter results"), page)
    words = _("All tables of round %(round)s have their results.") % known
    step = reverse("leagues:round-step", args=[season.league.slug, season.number, current.pk])
    return Todo(words, _("Close round %(round)s") % known, step, True, {"step": "close"})


def _path(name: str, season: Season) -> str:
    return reverse(f"leagues:{name}", args=[season.league.slug, season.number])


def _stage(name: str, season: Season, now: StageNow) -> str:
    return reverse(f"leagues:{name}", args=[season.league.slug, season.number, now.stage.pk])
