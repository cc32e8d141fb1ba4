"""Who plays again: the players of the last season are asked, and places that become free are offered in order.

A question belongs to a former entrant (any member answers for a team). Yes is an entry in the division that promotion
and relegation gave; a place left free is offered to the best of those who would stay one division below.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from accounts import audit, notices
from accounts.errors import Refused
from accounts.models import User
from leagues import enrol, locks, log
from leagues.access import NotAllowed, Permission, may
from leagues.close import people_behind
from leagues.models import Division, Entrant, Movement, PlaceOffer, ReturnCall, ReturnQuestion, Season, TeamMember
from leagues.names import listed, when

Answer = ReturnQuestion.Answer
State = PlaceOffer.State

ASKED = audit.action(
    "leagues.returning-asked", _("%(actor)s asked %(count)s entrants of %(before)s whether they play again")
)
SAID_YES = audit.action("leagues.returning-yes", _("%(entrant)s plays again, in %(division)s"))
SAID_NO = audit.action("leagues.returning-no", _("%(entrant)s does not play this time"))
SAID_LATER = audit.action("leagues.returning-later", _("%(entrant)s will say later whether they play"))
OFFERED = audit.action("leagues.place-offered", _("A free place in %(division)s was offered to %(entrant)s"))
TOOK = audit.action("leagues.place-taken", _("%(entrant)s took the free place in %(division)s"))
DECLINED = audit.action("leagues.place-declined", _("%(entrant)s stays below and leaves the place in %(division)s"))
LEFT_OUT = audit.action("leagues.returning-silent", _("%(entrant)s did not answer and was left out"))
KEPT = audit.action("leagues.returning-kept", _("%(entrant)s did not answer and was kept in %(division)s"))

TOLD_ASKED = notices.kind(
    "leagues.returning",
    _("%(season)s is being set up: do you play again? Say so by %(until)s."),
    _("A new season asks whether you play again"),
    group=notices.Group.SEASONS,
    asks=True,
)
TOLD_AGAIN = notices.kind(
    "leagues.returning-soon",
    _("Do you play %(season)s? You can still say so until %(until)s."),
    _("A new season still waits for your answer"),
    group=notices.Group.SEASONS,
)
TOLD_OFFER = notices.kind(
    "leagues.place-offer",
    _("A place in %(division)s has become free in %(season)s, and you are next in order: take it?"),
    _("You are offered a place that became free"),
    group=notices.Group.SEASONS,
    asks=True,
)

REMIND_BEFORE = timedelta(days=2)
USUAL = timedelta(days=14)
"""How long people usually have to answer."""
LOGGED = {Answer.YES: SAID_YES, Answer.NO: SAID_NO, Answer.LATER: SAID_LATER}


# -- asking


def open_call(
    *,
    actor: User,
    season: Season,
    before: Season,
    deadline: datetime,
    keep_silent: bool,
    going: list[tuple[Movement, Division]],
) -> ReturnCall:
    """Inside the caller's transaction, which has set the season up: everybody who can answer is asked."""
    if deadline <= timezone.now():
        raise Refused(gettext("The deadline lies in the past."))
    call = ReturnCall.objects.create(season=season, before=before, deadline=deadline, keep_silent=keep_silent)
    ReturnQuestion.objects.bulk_create(
        ReturnQuestion(call=call, entrant=movement.entrant, origin=division, division=division)
        for movement, division in going
    )
    log.note(ASKED, actor=actor, season=season, count=len(going), before=before.name)
    _tell(TOLD_ASKED, call, (movement.entrant for movement, _division in going))
    return call


def can_answer(entrant: Entrant) -> bool:
    """Guests and bots have no way to: they are simply entered again."""
    return any(person.can_be_told for person in people_behind(entrant))


def of(season: Season) -> ReturnCall | None:
    return ReturnCall.objects.filter(season=season).first()


# -- answering


@transaction.atomic
def answer(*, actor: User, question: ReturnQuestion, answer: str) -> ReturnQuestion:
    """By whoever was asked, or an organiser for them; said twice, the last word holds. Until the deadline."""
    season, question = _held(actor, question)
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
        _enter(question)
    else:
        _leave(question)
    log.note(
        LOGGED[Answer(answer)],
        actor=actor,
        season=season,
        person=question.entrant.user,
        entrant=question.entrant.name,
        division=question.division.name,
    )
    _settle_notices(question)
    _offer_places(question.call)
    return question


@transaction.atomic
def answer_offer(*, actor: User, offer: PlaceOffer, takes: bool) -> PlaceOffer:
    """Play further up, or stay and let the next have it."""
    season, question = _held(actor, offer.question)
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
        _enter(question)
    log.note(
        TOOK if takes else DECLINED,
        actor=actor,
        season=season,
        person=question.entrant.user,
        entrant=question.entrant.name,
        division=offer.division.name,
    )
    _settle_notices(question)
    _offer_places(question.call)
    return offer


def _held(actor: User, question: ReturnQuestion) -> tuple[Season, ReturnQuestion]:
    """The season held and the question read again, for whoever it was put to."""
    season = locks.season(question.call.season)
    question = ReturnQuestion.objects.select_related("call", "entrant__user", "division").get(pk=question.pk)
    question.call.season = question.division.season = season
    if not (may(actor, Permission.ORGANISE, season) or actor in people_behind(question.entrant)):
        raise NotAllowed(Permission.ENTRY)  # type: ignore[arg-type]
    if season.has_begun:
        raise Refused(gettext("The season has started: entries are closed."))
    return season, question


def _enter(question: ReturnQuestion) -> None:
    """In the division that is theirs; who signed up meanwhile by themselves is in already."""
    old = question.entrant
    if _entry(question) is not None:
        return
    if old.user is not None:
        enrol.admit(question.division, kind=Entrant.Kind.PERSON, user=old.user)
        return
    members = list(TeamMember.objects.filter(entrant=old).select_related("user").order_by("position"))
    if not all(each.user.is_active for each in members):
        raise Refused(gettext("Somebody of this team has left: ask an organiser to enter it anew."))
    people = [each.user for each in members if not each.bot_level]
    enrol.form_team(question.division, old.team, people, [each.bot_level for each in members if each.bot_level])


def _leave(question: ReturnQuestion) -> None:
    entry = _entry(question)
    if entry is not None:
        division = entry.division
        entry.delete()
        enrol.promote_waiting(division)


def _entry(question: ReturnQuestion) -> Entrant | None:
    old = question.entrant
    rows = Entrant.objects.filter(season=question.call.season_id).exclude(status=Entrant.Status.WITHDRAWN)
    return rows.filter(user=old.user).first() if old.user else rows.filter(team=old.team).first()


# -- free places


def free_places(call: ReturnCall) -> dict[int, int]:
    """By division: places that movement gave and whose holders do not come, less those on offer."""
    free: dict[int, int] = {}
    lapsed = call.lapsed_at is not None and not call.keep_silent
    for question in call.questions.all():
        free[question.origin_id] = free.get(question.origin_id, 0) + 1
        coming = question.answer == Answer.YES or (question.answer != Answer.NO and not lapsed)
        if coming:
            free[question.division_id] = free.get(question.division_id, 0) - 1
    for division in PlaceOffer.objects.filter(question__call=call, state=State.OPEN).values_list("division", flat=True):
        free[division] -= 1
    return {division: count for division, count in free.items() if count > 0}


def _offer_places(call: ReturnCall) -> None:
    """From the top: each free place to the next of the level below who has not had it offered."""
    PlaceOffer.objects.filter(question__call=call, state=State.OPEN, question__answer=Answer.NO).update(
        state=State.LAPSED, answered_at=timezone.now()
    )
    free = free_places(call)
    for division in Division.objects.filter(pk__in=free).order_by("level", "number"):
        for question in _next_in_order(call, division)[: free[division.pk]]:
            PlaceOffer.objects.create(question=question, division=division)
            log.note(OFFERED, actor=None, season=call.season, entrant=question.entrant.name, division=division.name)
            notices.tell(
                people_behind(question.entrant),
                TOLD_OFFER,
                path=path(call.season),
                season=call.season.full_name,
                division=division.name,
            )


def _next_in_order(call: ReturnCall, division: Division) -> list[ReturnQuestion]:
    """Those who would play one level below, by place; who was to come down from here only after them."""
    below = (
        Division.objects.filter(season=call.season, level__gt=division.level)
        .order_by("level")
        .values_list("level", flat=True)
        .first()
    )
    if below is None:
        return []
    rows = ReturnQuestion.objects.filter(call=call, division__level=below).exclude(answer=Answer.NO)
    if call.lapsed_at is not None and not call.keep_silent:
        rows = rows.filter(answer=Answer.YES)
    rows = rows.exclude(offers__division=division).exclude(offers__state=State.OPEN)
    listed = rows.select_related("entrant__user", "entrant__movement", "entrant__division")
    return sorted(listed, key=lambda each: _merit(each, division))


def _merit(question: ReturnQuestion, division: Division) -> tuple[bool, int, int, int, int]:
    movement = question.entrant.movement
    came_down = movement.old <= division.level
    return came_down, movement.old, movement.place, question.entrant.division.number, question.pk


# -- the end of the call


class StillAsked(Refused):
    """Somebody still has time to say whether they play again."""

    def __init__(self, questions: Sequence[ReturnQuestion]) -> None:
        words = gettext(
            "Until %(until)s these can still say whether they play again: %(names)s. "
            "Wait for them, or start without (do_not_wait)."
        )
        names = listed(question.entrant.name for question in questions)
        super().__init__(words % {"until": when(questions[0].call.deadline), "names": names})


def unanswered(season: Season) -> list[ReturnQuestion]:
    """Those of whom nobody knows yet whether they play again, for as long as they have time to say so."""
    call = of(season)
    if call is None or season.has_begun or call.deadline <= timezone.now():
        return []
    silent = call.questions.filter(answer__in=[Answer.NONE, Answer.LATER]).select_related(
        "call__before", "entrant__user", "division"
    )
    entered = set(
        Entrant.objects.filter(season=season).exclude(status=Entrant.Status.WITHDRAWN).values_list("user", "team")
    )
    ordered = silent.order_by("division__level", "division__number", "pk")
    return [each for each in ordered if (each.entrant.user_id, each.entrant.team) not in entered]


@transaction.atomic
def settle(*, season: Season) -> None:
    """The season starts, held by the caller: who has said nothing is left out, or kept where that was agreed."""
    call = of(season)
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
        log.note(
            KEPT if kept else LEFT_OUT,
            actor=None,
            season=season,
            person=question.entrant.user,
            entrant=question.entrant.name,
            division=question.division.name,
        )


def _kept(question: ReturnQuestion) -> bool:
    """Keep them, if there is room: a season must not fail to start because of somebody who said nothing."""
    if not all(person.is_active for person in people_behind(question.entrant)):
        return False
    try:
        with transaction.atomic():
            _enter(question)
    except Refused:
        return False
    return True


def remind(*, now: datetime | None = None) -> int:
    """Once, shortly before the deadline, to those who have yet to say; and after it, their places are offered."""
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
    _tell(TOLD_AGAIN, call, (question.entrant for question in silent))
    return True


@transaction.atomic
def _lapse(call: ReturnCall, now: datetime) -> bool:
    season = locks.season(call.season)
    if not ReturnCall.objects.filter(pk=call.pk, lapsed_at=None).update(lapsed_at=now):
        return False
    call.season, call.lapsed_at = season, now
    _offer_places(call)
    return True


def _tell(kind: str, call: ReturnCall, entrants: Iterable[Entrant]) -> None:
    until = call.deadline.isoformat()
    for entrant in entrants:
        notices.tell(people_behind(entrant), kind, path=path(call.season), season=call.season.full_name, until=until)


def _settle_notices(question: ReturnQuestion) -> None:
    for person in people_behind(question.entrant):
        for kind in (TOLD_ASKED, TOLD_AGAIN, TOLD_OFFER):
            notices.settle(person, kind, path=path(question.call.season))


def path(season: Season) -> str:
    return f"{season.get_absolute_url()}entries/#returning"


# -- for pages


@dataclass(frozen=True)
class Asked:
    """A call as a page shows it: the reader's own questions and offers, and for organisers everybody's."""

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
    call = of(season)
    if call is None or season.has_begun:
        return None
    questions = list(
        call.questions.select_related("entrant__user", "entrant__movement", "division", "by").prefetch_related(
            "entrant__members__user"
        )
    )
    mine = [each for each in questions if person is not None and person in people_behind(each.entrant)]
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
