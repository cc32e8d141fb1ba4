"""What a reader has to do next in a season, as a sentence. Reads only."""

from dataclasses import dataclass, replace

from django.db.models import Case, Q, QuerySet, When
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _

from accounts.infra.datetimes import format_datetime
from accounts.models import User
from leagues.core import format_catalogue
from leagues.core.access import Permission, may
from leagues.core.text import join_names
from leagues.entries import entry_requests, late_entry, registration
from leagues.models import Entrant, EntryRequest, Pairing, ReturnQuestion, Round, Season, Stage, Undoable, Waiting
from leagues.results import reporting
from leagues.rounds import closing as rounds_closing
from leagues.seasons.overview import entries_of
from leagues.standings import ladder_order
from leagues.standings.ladder_order import LadderNow
from leagues.windows import round_window, time_proposals

SHOWN = 6


@dataclass(frozen=True)
class Next:
    """A sentence for a reader, with a link. Where one press is all there is to it, `form` is where it is sent."""

    words: str
    label: str = ""
    path: str = ""
    tone: str = "space"
    form: str = ""


def next_step_for_reader(season: Season, person: User | None) -> Next | None:
    entrant = entries_of(season, person)
    if (entrant is None or entrant.is_withdrawn) and not season.is_closed:
        asked = _asked_to_enter(season, person)
        if asked is not None:
            return asked
    match season.status:
        case Season.Status.REGISTRATION:
            return _before(season, person, entrant)
        case Season.Status.RUNNING if entrant is not None:
            return _playing(season, entrant, person)
        case Season.Status.RUNNING if person is None or not may(person, Permission.ORGANISE, season):
            return _too_late(season, person)
        case Season.Status.CLOSED if entrant is not None:
            return _after(entrant)
        case _:
            return None


def next_steps_everywhere(person: User) -> list[tuple[Season, Next]]:
    """The next steps of a person in all their seasons, for their front page."""
    asked = Q(entry_requests__user=person, entry_requests__state__in=["asked", "declined"])
    again = Q(pk__in=_unanswered(person).values("call__season"))
    own = Q(entrants__user=person) | Q(entrants__members__user=person) | asked | again
    live = Season.objects.filter(own, status__in=[Season.Status.REGISTRATION, Season.Status.RUNNING]).distinct()
    # A question that lapses comes first, then what is played.
    asked_first = Case(When(again, then=0), default=1)
    seasons = live.select_related("league__club").order_by(asked_first, "-status", "league__name")[:SHOWN]
    steps = [(season, next_step_for_reader(season, person)) for season in seasons]
    return [(season, next_) for season, next_ in steps if next_ is not None]


def _asked_to_enter(season: Season, person: User | None) -> Next | None:
    """For somebody who asked to enter, until they are in."""
    request = entry_requests.own(season, person)
    page = reverse("leagues:entries", args=[season.league.slug, season.number])
    match request:
        case EntryRequest(state=EntryRequest.State.ASKED) if season.approval:
            words = _("You have asked to enter. An organiser has yet to decide.")
            return Next(words, _("See your request"), page, tone="time")
        case EntryRequest(state=EntryRequest.State.DECLINED, note=note):
            words = _("The organisers have declined your entry.")
            return Next(f"{words} {note}".strip(), tone="mind")
        case _:
            return None


def _before(season: Season, person: User | None, entrant: Entrant | None) -> Next:
    entries = reverse("leagues:entries", args=[season.league.slug, season.number])
    if entrant is None and person is not None and _unanswered(person).filter(call__season=season).exists():
        return Next(_("Do you play again?"), _("Say whether you play"), f"{entries}#returning", tone="mind")
    if entrant is None or entrant.is_withdrawn:
        words = _("Entries are open: sign up and you are in.")
        if season.approval:
            words = _("Entries are open: ask to enter, and an organiser decides.")
        if person is None:
            words = _("Entries are open: log in and sign up.")
        form = ""
        if person is not None and registration.can_enter_at_once(person, season):
            form = reverse("leagues:sign-up", args=[season.league.slug, season.number])
        return Next(words, _("Ask to enter") if season.approval else _("Sign up for the season"), entries, form=form)
    if entrant.is_waiting:
        words = _("You are on the waiting list of %(division)s, in place %(place)s.")
        return Next(words % {"division": entrant.division.name, "place": entrant.waiting_place}, tone="mind")
    if season.check_in and entrant.status == Entrant.Status.REGISTERED:
        words = _("You have entered %(division)s. Check in when you are there, or you will not be drawn.")
        return Next(words % {"division": entrant.division.name}, _("Check in"), entries, tone="mind")
    words = _("You have entered %(division)s. You will hear from us when the first round is drawn.")
    return Next(words % {"division": entrant.division.name}, tone="time")


def _unanswered(person: User) -> QuerySet[ReturnQuestion]:
    """The questions whether they play again, alone or in a team, to which they have not said yes or no."""
    own = Q(entrant__user=person) | Q(entrant__members__user=person)
    answers = [ReturnQuestion.Answer.NONE, ReturnQuestion.Answer.LATER]
    return ReturnQuestion.objects.filter(own, answer__in=answers, call__lapsed_at=None).order_by()


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
    stage = Stage.objects.filter(division=entrant.division, status=Stage.Status.RUNNING).first()
    if pairing is not None:
        return _and_challenged(_at(pairing, entrant, person), season, stage, entrant)
    if stage is not None and not format_catalogue.FORMATS[stage.format].rounds:
        return _free(season, stage, entrant)
    latest = Round.objects.filter(stage__division=entrant.division).exclude(status=Round.Status.DRAWN).last()
    if latest is not None and not latest.is_closed and latest.byes.filter(entrant=entrant).exists():
        return Next(_("You sit out round %(round)s.") % {"round": latest.number})
    return Next(_between_rounds(entrant, stage), tone="time")


def _too_late(season: Season, person: User | None) -> Next | None:
    """For somebody without an entry: how to get in, or why not."""
    late = late_entry.late_entry(season, person)
    if late is None:
        return None
    if late.club is None:
        return Next(late.words)
    return Next(late.words, _("See the club"), late.club.get_absolute_url())


def _was_left_out(season: Season, entrant: Entrant) -> bool:
    """Whether they were withdrawn because they had not checked in."""
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
    if not rounds_closing.rounds_missing(stage, len(rounds)) and not rounds_closing.can_draw(stage, len(rounds)):
        if all(each.is_published for each in rounds):
            return _("You have played all your games: no round is left to draw.")
        return _("Nothing to do for you now: the next round is not published yet.")
    return _("Nothing to do for you now: the next round is not drawn yet.")


def _free(season: Season, stage: Stage, entrant: Entrant) -> Next:
    """The next step in a format without rounds."""
    path = f"{season.get_absolute_url()}#meeting-{stage.pk}"
    if format_catalogue.format_of(stage).is_ladder:
        current = ladder_order.ladder_now(stage)
        if challenged := _challenged(stage, entrant, path, current):
            return challenged
        leads = current.ladder.order[:1] == (entrant.pk,)
        words = _("You lead the ladder: the others challenge you.")
        return Next(words if leads else _("Challenge somebody above you whenever you like."), _("See the ladder"), path)
    return Next(_in_arena(season, stage, entrant), _("See the arena"), path)


def _challenged(stage: Stage, entrant: Entrant, path: str, current: LadderNow) -> Next | None:
    """Who challenges them and until when, else whose answer they wait for."""
    waiting = [each for each in ladder_order.open_challenges(stage, current) if each.pairing is None]
    asked = [each for each in waiting if each.target_id == entrant.pk]
    if asked:
        known = {"name": asked[0].challenger.name, "when": format_datetime(ladder_order.answer_by(stage, asked[0]))}
        words = _("%(name)s challenges you: answer by %(when)s, or they win.") % known
        return Next(words, _("Answer the challenge"), path, tone="mind")
    made = next((each for each in waiting if each.challenger_id == entrant.pk), None)
    if made is None:
        return None
    known = {"name": made.target.name, "when": format_datetime(ladder_order.answer_by(stage, made))}
    return Next(_("You have challenged %(name)s, who can answer until %(when)s.") % known, _("See the ladder"), path)


def _and_challenged(at_table: Next, season: Season, stage: Stage | None, entrant: Entrant) -> Next:
    """Whoever plays on a ladder may be challenged by somebody else meanwhile."""
    if stage is None or not format_catalogue.format_of(stage).is_ladder:
        return at_table
    challenged = _challenged(stage, entrant, season.get_absolute_url(), ladder_order.ladder_now(stage))
    if challenged is None or challenged.tone != "mind":
        return at_table
    return replace(at_table, words=f"{at_table.words} {challenged.words}")


def _in_arena(season: Season, stage: Stage, entrant: Entrant) -> str:
    if season.ends_at is not None and season.ends_at <= timezone.now():
        return _("The arena’s time is up. The organisers have yet to end it.")
    words = _("Say that you are ready, and you are paired at once.")
    if Waiting.objects.filter(stage=stage, entrant=entrant).exists():
        words = _("You are waiting for an opponent in the arena.")
    if season.ends_at is None:
        return words
    return _("%(what)s The arena ends on %(when)s.") % {"what": words, "when": format_datetime(season.ends_at)}


def _at(pairing: Pairing, entrant: Entrant, person: User | None) -> Next:
    """The next step at a table: opponents, time and place."""
    others = join_names(seat.entrant.name for seat in pairing.seats.all() if seat.entrant_id != entrant.pk)
    known = {"round": pairing.round.number, "table": pairing.table, "others": others}
    if pairing.state == Pairing.State.DISPUTED:
        words = _("The result of table %(table)s is disputed; an organiser will decide.") % known
        return Next(words, _("See the table"), pairing.get_absolute_url(), tone="mind")
    if pairing.state == Pairing.State.REPORTED:
        return _reported(pairing, person)
    words = _where(pairing, bool(others)) % known
    if pairing.starts_at:
        words = _("%(what)s On %(when)s.") % {"what": words, "when": format_datetime(pairing.starts_at)}
    elif pairing.deadline:
        words = _("%(what)s By %(when)s.") % {"what": words, "when": format_datetime(pairing.deadline)}
    if round_window.takes_times(pairing) and (pairing.deadline or pairing.starts_at):
        return _on_time(pairing, person, words)
    if pairing.where == Pairing.Where.ONLINE:
        path = pairing.match.get_absolute_url() if pairing.match else pairing.get_absolute_url()
        return Next(words, _("Go to the table"), path)
    to_come = pairing.starts_at is not None and pairing.starts_at > timezone.now()
    return Next(words, _("See the table") if to_come else _("Report the result"), pairing.get_absolute_url())


def _reported(pairing: Pairing, person: User | None) -> Next:
    """The next step after a report: confirm it once, or wait for those who have yet to."""
    latest, known = reporting.latest(pairing), {"table": pairing.table}
    by_other = latest is not None and person is not None and latest.by_id != person.pk
    if latest is not None and by_other and not latest.answers.filter(by=person).exists():
        words = _("The result of table %(table)s is reported: is it right?") % known
        return Next(words, _("Confirm the result"), pairing.get_absolute_url(), tone="mind")
    if reporting.waits_for_organiser(pairing, latest.by if latest else None):
        words = _("You reported table %(table)s; an organiser has yet to confirm.")
        if by_other:
            words = _("You confirmed table %(table)s; an organiser has yet to.")
    else:
        words = _("You reported table %(table)s; the others have yet to confirm.")
        if by_other:
            words = _("You confirmed table %(table)s; others have yet to.")
    return Next(words % known, _("See the table"), pairing.get_absolute_url())


def _on_time(pairing: Pairing, person: User | None, words: str) -> Next:
    """The next step if the players agree on the time themselves."""
    proposal = time_proposals.current(pairing)
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
