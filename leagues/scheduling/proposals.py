"""Agreeing on a time: somebody suggests up to three, and when all people at the table can play at one, it is fixed."""

from collections.abc import Sequence
from datetime import datetime, timedelta

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from accounts import audit, notices
from accounts.errors import Refused
from accounts.models import User
from leagues import locks, log
from leagues.access import Permission, require
from leagues.models import Pairing, Presence, ProposedTime, TimeAnswer, TimeProposal
from leagues.models.window import MOST_TIMES
from leagues.names import listed, when
from leagues.scheduling import windows

Status = TimeProposal.Status

PROPOSED = audit.action(
    "leagues.time-proposed", _("%(actor)s suggested a time for table %(table)s of round %(round)s in %(division)s")
)
AGREED = audit.action("leagues.time-agreed", _("Table %(table)s of round %(round)s in %(division)s has an agreed time"))
DECLINED = audit.action(
    "leagues.time-declined",
    _("%(actor)s declined the times suggested for table %(table)s of round %(round)s in %(division)s"),
)
WITHDRAWN = audit.action(
    "leagues.time-withdrawn",
    _("%(actor)s took back the times suggested for table %(table)s of round %(round)s in %(division)s"),
)

TOLD_PROPOSED = notices.kind(
    "leagues.time-proposed",
    _("%(actor)s suggests a time for your table in %(league)s: does it suit you?"),
    _("A time is suggested for your table"),
    asks=True,
)
TOLD_AGREED = notices.kind(
    "leagues.time-agreed",
    _("The time of your table in %(league)s is agreed: %(starts_at)s."),
    _("The time of your table is agreed"),
)
TOLD_ACCEPTED = notices.kind(
    "leagues.time-accepted",
    _("%(actor)s can play at a time suggested for your table in %(league)s."),
    _("Somebody accepts a suggested time"),
)
TOLD_DECLINED = notices.kind(
    "leagues.time-declined",
    _("%(actor)s cannot play at the times suggested for your table in %(league)s."),
    _("Somebody declines the suggested times"),
)


@transaction.atomic
def propose(*, person: User, pairing: Pairing, times: Sequence[datetime]) -> TimeProposal:
    """Suggest up to three times, the best first. Where nobody has to be asked, the first that is free is fixed."""
    pairing = _held(person, pairing)
    if TimeProposal.objects.filter(pairing=pairing, status=Status.OPEN).exists():
        raise Refused(gettext("A time is suggested already: answer that first."))
    return _propose(person, pairing, times)


@transaction.atomic
def accept(*, person: User, time: ProposedTime) -> Pairing:
    """Say yes to one of the times; said twice, it is said once. The last yes that was missing fixes the time."""
    pairing, proposal = _open(person, time.proposal)
    now = timezone.now()
    if time.starts_at <= now:
        raise Refused(gettext("This time is already over."))
    people = windows.people_at(pairing)
    _must_be_free(people, time.starts_at, pairing)
    if person != proposal.by:
        TimeAnswer.objects.get_or_create(time=time, user=person)
    notices.settle(person, TOLD_PROPOSED, path=pairing.get_absolute_url())
    if not _fix_if_agreed(proposal, pairing, people, person):
        _tell([proposal.by], TOLD_ACCEPTED, pairing, person)
        log.live.changed(windows.season_of(pairing))
    return pairing


@transaction.atomic
def decline(*, person: User, proposal: TimeProposal, times: Sequence[datetime] = ()) -> TimeProposal | None:
    """None of the times suits. With times of one's own it is a counter-proposal: both at once or neither."""
    pairing, proposal = _open(person, proposal)
    if proposal.by == person:
        raise Refused(gettext("You suggested this yourself: take it back instead."))
    _end(proposal, Status.DECLINED, person)
    notices.settle(person, TOLD_PROPOSED, path=pairing.get_absolute_url())
    _note(DECLINED, pairing, person)
    if times:
        return _propose(person, pairing, times)
    _tell(windows.people_at(pairing), TOLD_DECLINED, pairing, person)
    return None


@transaction.atomic
def withdraw(*, person: User, proposal: TimeProposal) -> TimeProposal:
    """Take back what one suggested, as long as it is not agreed."""
    pairing, proposal = _open(person, proposal)
    if proposal.by != person:
        raise Refused(gettext("Only who suggested a time can take it back."))
    _end(proposal, Status.WITHDRAWN, person)
    for each in windows.people_at(pairing):
        notices.settle(each, TOLD_PROPOSED, path=pairing.get_absolute_url())
    _note(WITHDRAWN, pairing, person)
    return proposal


@transaction.atomic
def lapse(*, proposal: TimeProposal, now: datetime) -> bool:
    """A suggestion that nobody can answer any more ends by itself; whether it did."""
    pairing = locks.pairing(proposal.pairing)
    proposal = TimeProposal.objects.prefetch_related("times").get(pk=proposal.pk)
    if not proposal.is_open or not is_over(proposal, pairing, now):
        return False
    _end(proposal, Status.LAPSED, None, at=now)
    for each in windows.people_at(pairing):
        notices.settle(each, TOLD_PROPOSED, path=pairing.get_absolute_url())
    log.live.changed(windows.season_of(pairing))
    return True


def is_over(proposal: TimeProposal, pairing: Pairing, now: datetime) -> bool:
    """Its hours to answer, all its times, or the table's own waiting have passed."""
    late = proposal.answer_by is not None and proposal.answer_by <= now
    closed = pairing.deadline is not None and pairing.deadline <= now
    return late or closed or not windows.takes_times(pairing) or all(t.starts_at <= now for t in proposal.times.all())


def current(pairing: Pairing) -> TimeProposal | None:
    """The suggestion that waits for answers."""
    rows = TimeProposal.objects.filter(pairing=pairing, status=Status.OPEN)
    return rows.select_related("by").prefetch_related("times__answers__user").first()


def unanswered_by(proposal: TimeProposal, people: Sequence[User]) -> list[User]:
    """Those at the table who have not said anything to it."""
    answered = {answer.user_id for time in proposal.times.all() for answer in time.answers.all()}
    return [each for each in people if each.pk not in answered and each != proposal.by]


def _propose(person: User, pairing: Pairing, times: Sequence[datetime]) -> TimeProposal:
    people = windows.people_at(pairing)
    wanted = _checked(pairing, people, times)
    now, hours = timezone.now(), windows.season_of(pairing).answer_hours
    proposal = TimeProposal.objects.create(
        pairing=pairing, by=person, made_at=now, answer_by=now + timedelta(hours=hours) if hours else None
    )
    ProposedTime.objects.bulk_create(
        ProposedTime(proposal=proposal, number=number, starts_at=each) for number, each in enumerate(wanted, 1)
    )
    _note(PROPOSED, pairing, person)
    if not _fix_if_agreed(proposal, pairing, people, person):
        _tell(people, TOLD_PROPOSED, pairing, person)
    return proposal


def _checked(pairing: Pairing, people: Sequence[User], times: Sequence[datetime]) -> list[datetime]:
    wanted = list(dict.fromkeys(times))
    if not 1 <= len(wanted) <= MOST_TIMES:
        raise Refused(gettext("Suggest one time, or up to three."))
    now = timezone.now()
    opens, closes = pairing.round.opens_at, pairing.deadline or now + windows.FARTHEST
    for each in wanted:
        if each <= now:
            raise Refused(gettext("%(when)s is already over.") % {"when": when(each)})
        if opens and each < opens:
            raise Refused(gettext("The window opens only at %(when)s.") % {"when": when(opens)})
        if each >= closes:
            raise Refused(gettext("The table has to be played before %(when)s.") % {"when": when(closes)})
        _must_be_free(people, each, pairing)
    return wanted


def _must_be_free(people: Sequence[User], starts_at: datetime, pairing: Pairing) -> None:
    """Held until the end of the transaction, so that two tables never take the same hour of one person."""
    locks.people(people)
    if taken := windows.busy(people, starts_at, beside=pairing):
        known = {"names": listed(taken), "when": when(starts_at)}
        raise Refused(gettext("Already at another table around %(when)s: %(names)s.") % known)


def _fix_if_agreed(proposal: TimeProposal, pairing: Pairing, people: Sequence[User], person: User) -> bool:
    """Fix the first of the times at which everybody can play; False while a yes is missing."""
    needed = {each.pk for each in people if each != proposal.by}
    now = timezone.now()
    for time in proposal.times.prefetch_related("answers"):
        said = {answer.user_id for answer in time.answers.all()}
        if time.starts_at > now and needed <= said and not windows.busy(people, time.starts_at, beside=pairing):
            _fix(proposal, pairing, time.starts_at, person)
            _tell(people, TOLD_AGREED, pairing, person)
            return True
    return False


def _fix(proposal: TimeProposal, pairing: Pairing, starts_at: datetime, person: User) -> None:
    TimeProposal.objects.filter(pairing=pairing, status=Status.ACCEPTED).update(status=Status.REPLACED)
    _end(proposal, Status.ACCEPTED, person, agreed=starts_at)
    # Whoever was there before waited for another time.
    Presence.objects.filter(pairing=pairing).delete()
    pairing.starts_at, pairing.revision = starts_at, pairing.revision + 1
    pairing.save(update_fields=["starts_at", "revision"])
    _note(AGREED, pairing, person)


def _end(
    proposal: TimeProposal,
    status: str,
    by: User | None,
    *,
    agreed: datetime | None = None,
    at: datetime | None = None,
) -> None:
    proposal.status, proposal.ended_by, proposal.agreed = status, by, agreed
    proposal.ended_at = at or timezone.now()
    proposal.save(update_fields=["status", "ended_by", "agreed", "ended_at"])


def _held(person: User, pairing: Pairing) -> Pairing:
    pairing = locks.pairing(pairing)
    require(person, Permission.SIT, pairing)
    if person not in windows.people_at(pairing):
        raise Refused(gettext("Your seat at this table was given up: the others play without you."))
    if not windows.takes_times(pairing):
        raise Refused(gettext("There is no time to agree on at this table any more."))
    if pairing.deadline and pairing.deadline <= timezone.now():
        raise Refused(gettext("The window of this table has closed."))
    return pairing


def _open(person: User, proposal: TimeProposal) -> tuple[Pairing, TimeProposal]:
    """The table, held, and its suggestion, if it still waits for answers."""
    pairing = _held(person, proposal.pairing)
    fresh = TimeProposal.objects.select_related("by").prefetch_related("times").get(pk=proposal.pk)
    if not fresh.is_open or is_over(fresh, pairing, timezone.now()):
        raise Refused(gettext("This suggestion is no longer open: look at it again."))
    return pairing, fresh


def _note(action: str, pairing: Pairing, actor: User | None) -> None:
    round_ = pairing.round
    log.note(
        action,
        actor=actor,
        season=windows.season_of(pairing),
        table=pairing.number,
        round=round_.number,
        division=round_.stage.division.name,
    )


def _tell(people: Sequence[User], kind: str, pairing: Pairing, actor: User) -> None:
    league = windows.season_of(pairing).league
    told = [each for each in people if each != actor]
    notices.tell(
        told,
        kind,
        path=pairing.get_absolute_url(),
        actor=actor,
        club=league.club,
        league=league.name,
        starts_at=pairing.starts_at,
    )
