"""Agreeing on a time: a player suggests up to three, and one that all people at the table accept is fixed."""

from collections.abc import Sequence
from datetime import datetime, timedelta

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from accounts import audit
from accounts.infra.datetimes import format_datetime
from accounts.infra.errors import Refused
from accounts.models import User
from accounts.notifications.registry import declare_kind
from accounts.notifications.service import notify, resolve
from leagues.core import locks, realtime, season_effects
from leagues.core.access import Permission, require
from leagues.core.text import join_names
from leagues.models import Pairing, Presence, ProposedTime, TimeAnswer, TimeProposal
from leagues.models.time_proposal import MOST_TIMES
from leagues.windows import round_window

Status = TimeProposal.Status

PROPOSED = audit.declare_action(
    "leagues.time-proposed", _("%(actor)s suggested a time for table %(table)s of round %(round)s in %(division)s")
)
AGREED = audit.declare_action(
    "leagues.time-agreed", _("Table %(table)s of round %(round)s in %(division)s has an agreed time")
)
DECLINED = audit.declare_action(
    "leagues.time-declined",
    _("%(actor)s declined the times suggested for table %(table)s of round %(round)s in %(division)s"),
)
WITHDRAWN = audit.declare_action(
    "leagues.time-withdrawn",
    _("%(actor)s took back the times suggested for table %(table)s of round %(round)s in %(division)s"),
)

PROPOSED_KIND = declare_kind(
    "leagues.time-proposed",
    _("%(actor)s suggests a time for your table in %(league)s: does it suit you?"),
    _("A time is suggested for your table"),
    asks=True,
)
AGREED_KIND = declare_kind(
    "leagues.time-agreed",
    _("The time of your table in %(league)s is agreed: %(starts_at)s."),
    _("The time of your table is agreed"),
)
ACCEPTED_KIND = declare_kind(
    "leagues.time-accepted",
    _("%(actor)s can play at a time suggested for your table in %(league)s."),
    _("Somebody accepts a suggested time"),
)
DECLINED_KIND = declare_kind(
    "leagues.time-declined",
    _("%(actor)s cannot play at the times suggested for your table in %(league)s."),
    _("Somebody declines the suggested times"),
)


@transaction.atomic
def propose(*, person: User, pairing: Pairing, times: Sequence[datetime]) -> TimeProposal:
    """Suggest up to three times, the best first. If nobody has to be asked, the first free one is fixed."""
    pairing = _lock_for_player(person, pairing)
    if TimeProposal.objects.filter(pairing=pairing, status=Status.OPEN).exists():
        raise Refused(gettext("A time is suggested already: answer that first."))
    return _propose(person, pairing, times)


@transaction.atomic
def accept(*, person: User, time: ProposedTime) -> Pairing:
    """Accept one of the times; a second call changes nothing. The last missing answer fixes the time."""
    pairing, proposal = _open(person, time.proposal)
    now = timezone.now()
    if time.starts_at <= now:
        raise Refused(gettext("This time is already over."))
    people = round_window.people_at(pairing)
    _must_be_free(people, time.starts_at, pairing)
    if person != proposal.by:
        TimeAnswer.objects.get_or_create(time=time, user=person)
    resolve(person, PROPOSED_KIND, path=pairing.get_absolute_url())
    if not _fix_if_agreed(proposal, pairing, people, person):
        _notify([proposal.by], ACCEPTED_KIND, pairing, person)
        realtime.broadcast_season_changed(round_window.season_of(pairing))
    return pairing


@transaction.atomic
def decline(*, person: User, proposal: TimeProposal, times: Sequence[datetime] = ()) -> TimeProposal | None:
    """Decline all the times. With `times` it is also a counter-proposal: both or neither happen."""
    pairing, proposal = _open(person, proposal)
    if proposal.by == person:
        raise Refused(gettext("You suggested this yourself: take it back instead."))
    _end(proposal, Status.DECLINED, person)
    resolve(person, PROPOSED_KIND, path=pairing.get_absolute_url())
    _log_action(DECLINED, pairing, person)
    if times:
        return _propose(person, pairing, times)
    _notify(round_window.people_at(pairing), DECLINED_KIND, pairing, person)
    return None


@transaction.atomic
def withdraw(*, person: User, proposal: TimeProposal) -> TimeProposal:
    """Withdraw one's own suggestion, as long as it is not agreed."""
    pairing, proposal = _open(person, proposal)
    if proposal.by != person:
        raise Refused(gettext("Only the player who suggested a time can take it back."))
    _end(proposal, Status.WITHDRAWN, person)
    for each in round_window.people_at(pairing):
        resolve(each, PROPOSED_KIND, path=pairing.get_absolute_url())
    _log_action(WITHDRAWN, pairing, person)
    return proposal


@transaction.atomic
def lapse(*, proposal: TimeProposal, now: datetime) -> bool:
    """End a suggestion that nobody can answer any more. Returns whether it ended."""
    pairing = locks.pairing(proposal.pairing)
    proposal = TimeProposal.objects.prefetch_related("times").get(pk=proposal.pk)
    if not proposal.is_open or not is_over(proposal, pairing, now):
        return False
    _end(proposal, Status.LAPSED, None, at=now)
    for each in round_window.people_at(pairing):
        resolve(each, PROPOSED_KIND, path=pairing.get_absolute_url())
    realtime.broadcast_season_changed(round_window.season_of(pairing))
    return True


def is_over(proposal: TimeProposal, pairing: Pairing, now: datetime) -> bool:
    """Whether the time to answer, all its times, or the table's own window have passed."""
    late = proposal.answer_by is not None and proposal.answer_by <= now
    closed = pairing.deadline is not None and pairing.deadline <= now
    return (
        late or closed or not round_window.takes_times(pairing) or all(t.starts_at <= now for t in proposal.times.all())
    )


def current(pairing: Pairing) -> TimeProposal | None:
    """The suggestion that waits for answers."""
    rows = TimeProposal.objects.filter(pairing=pairing, status=Status.OPEN)
    return rows.select_related("by").prefetch_related("times__answers__user").first()


def unanswered_by(proposal: TimeProposal, people: Sequence[User]) -> list[User]:
    """People at the table who have not answered it."""
    answered = {answer.user_id for time in proposal.times.all() for answer in time.answers.all()}
    return [each for each in people if each.pk not in answered and each != proposal.by]


def _propose(person: User, pairing: Pairing, times: Sequence[datetime]) -> TimeProposal:
    people = round_window.people_at(pairing)
    wanted = _checked(pairing, people, times)
    now, hours = timezone.now(), round_window.season_of(pairing).answer_hours
    proposal = TimeProposal.objects.create(
        pairing=pairing, by=person, made_at=now, answer_by=now + timedelta(hours=hours) if hours else None
    )
    ProposedTime.objects.bulk_create(
        ProposedTime(proposal=proposal, number=number, starts_at=each) for number, each in enumerate(wanted, 1)
    )
    _log_action(PROPOSED, pairing, person)
    if not _fix_if_agreed(proposal, pairing, people, person):
        _notify(people, PROPOSED_KIND, pairing, person)
    return proposal


def _checked(pairing: Pairing, people: Sequence[User], times: Sequence[datetime]) -> list[datetime]:
    wanted = list(dict.fromkeys(times))
    if not 1 <= len(wanted) <= MOST_TIMES:
        raise Refused(gettext("Suggest one time, or up to three."))
    now = timezone.now()
    opens, closes = pairing.round.opens_at, pairing.deadline or now + round_window.FARTHEST
    for each in wanted:
        if each <= now:
            raise Refused(gettext("%(when)s is already over.") % {"when": format_datetime(each)})
        if opens and each < opens:
            raise Refused(gettext("The window opens only at %(when)s.") % {"when": format_datetime(opens)})
        if each >= closes:
            raise Refused(gettext("The table has to be played before %(when)s.") % {"when": format_datetime(closes)})
        _must_be_free(people, each, pairing)
    return wanted


def _must_be_free(people: Sequence[User], starts_at: datetime, pairing: Pairing) -> None:
    """Locked until the end of the transaction, so that two tables never take the same hour of a person."""
    locks.people(people)
    if taken := round_window.busy(people, starts_at, beside=pairing):
        known = {"names": join_names(taken), "when": format_datetime(starts_at)}
        raise Refused(gettext("Already at another table around %(when)s: %(names)s.") % known)


def _fix_if_agreed(proposal: TimeProposal, pairing: Pairing, people: Sequence[User], person: User) -> bool:
    """Fix the first time that everybody can play; False while an answer is missing."""
    needed = {each.pk for each in people if each != proposal.by}
    now = timezone.now()
    for time in proposal.times.prefetch_related("answers"):
        accepted = {answer.user_id for answer in time.answers.all()}
        if (
            time.starts_at > now
            and needed <= accepted
            and not round_window.busy(people, time.starts_at, beside=pairing)
        ):
            _fix(proposal, pairing, time.starts_at, person)
            _notify(people, AGREED_KIND, pairing, person)
            return True
    return False


def _fix(proposal: TimeProposal, pairing: Pairing, starts_at: datetime, person: User) -> None:
    TimeProposal.objects.filter(pairing=pairing, status=Status.ACCEPTED).update(status=Status.REPLACED)
    _end(proposal, Status.ACCEPTED, person, agreed=starts_at)
    # Earlier presence was for another time.
    Presence.objects.filter(pairing=pairing).delete()
    pairing.starts_at, pairing.revision = starts_at, pairing.revision + 1
    pairing.save(update_fields=["starts_at", "revision"])
    _log_action(AGREED, pairing, person)


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


def _lock_for_player(person: User, pairing: Pairing) -> Pairing:
    pairing = locks.pairing(pairing)
    require(person, Permission.SIT, pairing)
    if person not in round_window.people_at(pairing):
        raise Refused(gettext("Your seat at this table was given up: the others play without you."))
    if not round_window.takes_times(pairing):
        raise Refused(gettext("There is no time to agree on at this table any more."))
    if pairing.deadline and pairing.deadline <= timezone.now():
        raise Refused(gettext("The window of this table has closed."))
    return pairing


def _open(person: User, proposal: TimeProposal) -> tuple[Pairing, TimeProposal]:
    """Lock the table and return its suggestion, if it still waits for answers."""
    pairing = _lock_for_player(person, proposal.pairing)
    fresh = TimeProposal.objects.select_related("by").prefetch_related("times").get(pk=proposal.pk)
    if not fresh.is_open or is_over(fresh, pairing, timezone.now()):
        raise Refused(gettext("This suggestion is no longer open: look at it again."))
    return pairing, fresh


def _log_action(action: str, pairing: Pairing, actor: User | None) -> None:
    round_ = pairing.round
    season_effects.log_and_refresh(
        action,
        actor=actor,
        season=round_window.season_of(pairing),
        table=pairing.table,
        round=round_.number,
        division=round_.stage.division.name,
    )


def _notify(people: Sequence[User], kind: str, pairing: Pairing, actor: User) -> None:
    league = round_window.season_of(pairing).league
    others = [each for each in people if each != actor]
    notify(
        others,
        kind,
        path=pairing.get_absolute_url(),
        actor=actor,
        club=league.club,
        league=league.name,
        starts_at=pairing.starts_at,
    )
