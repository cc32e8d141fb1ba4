"""Renewal: the players of the last season are asked whether they play again; a yes enters them.

A question belongs to a former entrant; for a team, any member answers. A yes enters them in the division after
promotion and relegation; a free place is offered to the best of those who would stay one division below.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from accounts import audit
from accounts.infra.datetimes import format_datetime
from accounts.infra.errors import Refused
from accounts.infra.permissions import NotAllowed
from accounts.models import User
from accounts.notifications.registry import NotificationGroup, declare_kind
from accounts.notifications.service import notify, resolve
from leagues.core import locks, season_effects
from leagues.core.access import Permission, may
from leagues.core.text import join_names
from leagues.entries import registration
from leagues.models import Division, Entrant, Movement, PlaceOffer, ReturnCall, ReturnQuestion, Season, TeamMember
from leagues.seasons.closing import people_of_entrant
from leagues.seasons.place_offers import OFFER_KIND, offer_places

Answer = ReturnQuestion.Answer
State = PlaceOffer.State

ASKED = audit.declare_action(
    "leagues.returning-asked", _("%(actor)s asked %(count)s entrants of %(before)s whether they play again")
)
SAID_YES = audit.declare_action("leagues.returning-yes", _("%(entrant)s plays again, in %(division)s"))
SAID_NO = audit.declare_action("leagues.returning-no", _("%(entrant)s does not play this time"))
SAID_LATER = audit.declare_action("leagues.returning-later", _("%(entrant)s will answer later"))
TOOK = audit.declare_action("leagues.place-taken", _("%(entrant)s took the free place in %(division)s"))
DECLINED = audit.declare_action("leagues.place-declined", _("%(entrant)s declined the free place in %(division)s"))
LEFT_OUT = audit.declare_action("leagues.returning-silent", _("%(entrant)s did not answer and was left out"))
KEPT = audit.declare_action("leagues.returning-kept", _("%(entrant)s did not answer and was kept in %(division)s"))

ASKED_KIND = declare_kind(
    "leagues.returning",
    _("%(season)s is being set up: do you play again? Say so by %(until)s."),
    _("A new season asks whether you play again"),
    group=NotificationGroup.SEASONS,
    asks=True,
)
AGAIN_KIND = declare_kind(
    "leagues.returning-soon",
    _("Do you play %(season)s? You can still say so until %(until)s."),
    _("A new season still waits for your answer"),
    group=NotificationGroup.SEASONS,
)

REMIND_BEFORE = timedelta(days=2)
USUAL = timedelta(days=14)
"""The default time to answer."""
LOGGED = {Answer.YES: SAID_YES, Answer.NO: SAID_NO, Answer.LATER: SAID_LATER}


# -- asking


def ask_about_renewal(
    *,
    actor: User,
    season: Season,
    before: Season,
    deadline: datetime,
    keep_silent: bool,
    going: list[tuple[Movement, Division]],
) -> ReturnCall:
    """Ask everybody who can answer, in the caller's transaction, which has created the season."""
    if deadline <= timezone.now():
        raise Refused(gettext("The deadline is in the past."))
    call = ReturnCall.objects.create(season=season, before=before, deadline=deadline, keep_silent=keep_silent)
    ReturnQuestion.objects.bulk_create(
        ReturnQuestion(call=call, entrant=movement.entrant, origin=division, division=division)
        for movement, division in going
    )
    season_effects.log_and_refresh(ASKED, actor=actor, season=season, count=len(going), before=before.name)
    _notify(ASKED_KIND, call, (movement.entrant for movement, _division in going))
    return call


def can_answer(entrant: Entrant) -> bool:
    """Whether somebody can answer for this entrant. Guests and bots cannot: they are entered without being asked."""
    return any(person.reads_notices for person in people_of_entrant(entrant))


def call_of(season: Season) -> ReturnCall | None:
    return ReturnCall.objects.filter(season=season).first()


# -- answering


@transaction.atomic
def answer(*, actor: User, question: ReturnQuestion, answer: str) -> ReturnQuestion:
    """Answer a question until the deadline: by those who were asked, or by an organiser. The last answer counts."""
    season, question = _lock_question(actor, question)
    if answer not in (Answer.YES, Answer.NO, Answer.LATER):
        raise Refused(gettext("Say whether you play again, not this time, or later."))
    runs = may(actor, Permission.ORGANISE, season)
    if question.call.deadline < timezone.now() and not runs:
        raise Refused(gettext("The time to answer is over: ask an organiser."))
    if question.answer == answer:
        return question
    question.answer, question.by, question.answered_at = Answer(answer), actor, timezone.now()
    question.save(update_fields=["answer", "by", "answered_at"])
    if answer == Answer.YES:
        _enter(question, actor)
    else:
        _leave(question)
    season_effects.log_and_refresh(
        LOGGED[Answer(answer)],
        actor=actor,
        season=season,
        person=question.entrant.user,
        entrant=question.entrant.who,
        division=question.division.name,
    )
    _resolve_notices(question)
    offer_places(question.call)
    return question


@transaction.atomic
def answer_offer(*, actor: User, offer: PlaceOffer, takes: bool) -> PlaceOffer:
    """Take an offered place, or decline it, so that it is offered to the next."""
    season, question = _lock_question(actor, offer.question)
    offer = PlaceOffer.objects.select_related("division").get(pk=offer.pk)
    if offer.state != State.OPEN:
        raise Refused(gettext("This offer is not open any more."))
    offer.state, offer.answered_at = (State.TAKEN if takes else State.DECLINED), timezone.now()
    offer.save(update_fields=["state", "answered_at"])
    if takes:
        question.division = offer.division
        if question.answer != Answer.YES:
            question.answer, question.by, question.answered_at = Answer.YES, actor, timezone.now()
        question.save(update_fields=["division", "answer", "by", "answered_at"])
        _leave(question)
        _enter(question, actor)
    season_effects.log_and_refresh(
        TOOK if takes else DECLINED,
        actor=actor,
        season=season,
        person=question.entrant.user,
        entrant=question.entrant.who,
        division=offer.division.name,
    )
    _resolve_notices(question)
    offer_places(question.call)
    return offer


def _lock_question(actor: User, question: ReturnQuestion) -> tuple[Season, ReturnQuestion]:
    """Lock the season and read the question again, for those who may answer it."""
    season = locks.season(question.call.season)
    question = ReturnQuestion.objects.select_related("call", "entrant__user", "division").get(pk=question.pk)
    question.call.season = question.division.season = season
    if not (may(actor, Permission.ORGANISE, season) or actor in people_of_entrant(question.entrant)):
        raise NotAllowed(Permission.ENTRY)
    if season.has_begun:
        raise Refused(gettext("The season has started: entries are closed."))
    return season, question


def _enter(question: ReturnQuestion, actor: User | None) -> None:
    """Enter them in their division, unless they have signed up themselves. The others of a team are asked."""
    old = question.entrant
    if _entry(question) is not None:
        return
    registration.ask_to_play(actor, question.call.season, people_of_entrant(old))
    if old.user is not None:
        registration.admit_or_queue(question.division, kind=Entrant.Kind.PERSON, user=old.user)
        return
    members = list(TeamMember.objects.filter(entrant=old).select_related("user").order_by("position"))
    if not all(each.user.is_active for each in members):
        raise Refused(gettext("Somebody of this team has left: ask an organiser to enter it again."))
    people = [each.user for each in members if not each.bot_level]
    registration.form_team(question.division, old.team, people, [each.bot_level for each in members if each.bot_level])


def _leave(question: ReturnQuestion) -> None:
    entry = _entry(question)
    if entry is not None:
        division = entry.division
        entry.delete()
        registration.promote_waiting(division)


def _entry(question: ReturnQuestion) -> Entrant | None:
    old = question.entrant
    rows = Entrant.objects.filter(season=question.call.season_id).exclude(status=Entrant.Status.WITHDRAWN)
    return rows.filter(user=old.user).first() if old.user else rows.filter(team=old.team).first()


# -- the end of the call


class StillAsked(Refused):
    """Refused: somebody still has time to answer whether they play again."""

    def __init__(self, questions: Sequence[ReturnQuestion]) -> None:
        words = gettext(
            "Until %(until)s these can still say whether they play again: %(names)s. "
            "Wait for them, or start without (do_not_wait)."
        )
        names = join_names(question.entrant.name for question in questions)
        super().__init__(words % {"until": format_datetime(questions[0].call.deadline), "names": names})


def unanswered(season: Season) -> list[ReturnQuestion]:
    """The questions without an answer, until the deadline."""
    return unanswered_in([season])[season.pk]


def unanswered_in(seasons: Sequence[Season]) -> dict[int, list[ReturnQuestion]]:
    """The same for several seasons by their ids, with as many queries as one of them needs."""
    coming = [season for season in seasons if not season.has_begun]
    silent = ReturnQuestion.objects.filter(
        call__season__in=coming, call__deadline__gt=timezone.now(), answer__in=[Answer.NONE, Answer.LATER]
    ).select_related("call__before", "entrant__user", "division")
    open_: dict[int, list[ReturnQuestion]] = {season.pk: [] for season in seasons}
    rows = Entrant.objects.filter(season__in=coming).exclude(status=Entrant.Status.WITHDRAWN)
    entered = set(rows.values_list("season", "user", "team"))
    for each in silent.order_by("division__level", "division__number", "pk"):
        if (each.call.season_id, each.entrant.user_id, each.entrant.team) not in entered:
            open_[each.call.season_id].append(each)
    return open_


@transaction.atomic
def close_call(*, season: Season) -> None:
    """Close the call when the season starts: those without an answer are left out, or entered if the call says so."""
    call = call_of(season)
    if call is None:
        return
    call.season = season
    PlaceOffer.objects.filter(question__call=call, state=State.OPEN).update(
        state=State.LAPSED, answered_at=timezone.now()
    )
    silent = call.questions.filter(answer__in=[Answer.NONE, Answer.LATER]).select_related("entrant__user", "division")
    for question in silent:
        question.call = call
        question.division.season = season
        if _entry(question) is not None:
            continue
        kept = call.keep_silent and _kept(question)
        season_effects.log_and_refresh(
            KEPT if kept else LEFT_OUT,
            actor=None,
            season=season,
            person=question.entrant.user,
            entrant=question.entrant.who,
            division=question.division.name,
        )


def _kept(question: ReturnQuestion) -> bool:
    """Enter them if possible: a season must not fail to start because of an unanswered question."""
    if not all(person.is_active for person in people_of_entrant(question.entrant)):
        return False
    try:
        with transaction.atomic():
            _enter(question, None)
    except Refused:
        return False
    return True


def remind(*, now: datetime | None = None) -> int:
    """Remind those without an answer once, shortly before the deadline; after it, offer their places."""
    now = now or timezone.now()
    calls = ReturnCall.objects.filter(season__status__in=[Season.Status.DRAFT, Season.Status.REGISTRATION])
    soon = calls.filter(reminded_at=None, deadline__gt=now, deadline__lte=now + REMIND_BEFORE)
    over = calls.filter(lapsed_at=None, deadline__lte=now)
    return sum(_remind(call, now) for call in soon) + sum(_lapse(call, now) for call in over)


@transaction.atomic
def _remind(call: ReturnCall, now: datetime) -> bool:
    season = locks.season(call.season)
    if not ReturnCall.objects.filter(pk=call.pk, reminded_at=None).update(reminded_at=now):
        return False
    call.season = season
    silent = call.questions.filter(answer__in=[Answer.NONE, Answer.LATER]).select_related("entrant__user")
    _notify(AGAIN_KIND, call, (question.entrant for question in silent))
    return True


@transaction.atomic
def _lapse(call: ReturnCall, now: datetime) -> bool:
    season = locks.season(call.season)
    if not ReturnCall.objects.filter(pk=call.pk, lapsed_at=None).update(lapsed_at=now):
        return False
    call.season, call.lapsed_at = season, now
    offer_places(call)
    return True


def _notify(kind: str, call: ReturnCall, entrants: Iterable[Entrant]) -> None:
    path, until = call.get_absolute_url(), call.deadline.isoformat()
    for entrant in entrants:
        notify(people_of_entrant(entrant), kind, path=path, season=call.season.full_name, until=until)


def _resolve_notices(question: ReturnQuestion) -> None:
    for person in people_of_entrant(question.entrant):
        for kind in (ASKED_KIND, AGAIN_KIND, OFFER_KIND):
            resolve(person, kind, path=question.call.get_absolute_url())


# -- for pages


@dataclass(frozen=True)
class Asked:
    """The questions and offers that a page shows: the reader's own, or for organisers all."""

    call: ReturnCall
    mine: list[ReturnQuestion]
    offers: list[PlaceOffer]
    everybody: list[ReturnQuestion]
    open_offers: list[PlaceOffer]
    counts: dict[str, int]

    @property
    def is_over(self) -> bool:
        return self.call.deadline < timezone.now()


def asked(season: Season, person: User | None, *, runs: bool) -> Asked | None:
    call = call_of(season)
    if call is None or season.has_begun:
        return None
    questions = list(
        call.questions.select_related("entrant__user", "entrant__movement", "division", "by").prefetch_related(
            "entrant__members__user"
        )
    )
    mine = [each for each in questions if person is not None and person in people_of_entrant(each.entrant)]
    offers = list(
        PlaceOffer.objects.filter(question__call=call, state=State.OPEN).select_related(
            "division", "question__entrant__user"
        )
    )
    own = {each.pk for each in mine}
    counts = {choice.value: sum(each.answer == choice for each in questions) for choice in Answer}
    return Asked(
        call,
        mine,
        [each for each in offers if each.question_id in own],
        questions if runs else [],
        offers if runs else [],
        counts,
    )
