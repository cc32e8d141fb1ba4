"""Asking to enter a season whose organisers approve entries, and the answers to its questions.

A request is not an entry: whoever has only asked has no place, and sees no more than before.
"""

from collections.abc import Iterable, Mapping
from datetime import timedelta
from typing import Any

from django.db import transaction
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from accounts import audit
from accounts.infra.errors import Refused
from accounts.models import User
from accounts.notifications.registry import NotificationGroup, declare_kind
from accounts.notifications.service import notify, resolve
from leagues.core import consent, locks, season_effects
from leagues.core.access import Permission, plays_as, require
from leagues.entries import questions, registration
from leagues.models import Division, Entrant, EntryRequest, PairingSeat, Season
from leagues.results import reporting

ASKED = audit.declare_action("leagues.entry-asked", _("%(actor)s asked to enter"))
TAKEN_BACK = audit.declare_action("leagues.entry-not-asked", _("%(actor)s does not ask to enter any more"))
APPROVED = audit.declare_action("leagues.entry-approved", _("%(actor)s approved the entry of %(entrant)s"))
DECLINED = audit.declare_action("leagues.entry-refused", _("%(actor)s declined the entry of %(entrant)s"))
ANSWERS = audit.declare_action("leagues.entry-answers", _("%(actor)s answered the questions to entrants"))

ASKED_KIND = declare_kind(
    "leagues.entry-asked",
    _("%(actor)s asks to enter %(season)s: you decide."),
    _("Somebody asks to enter a season"),
    group=NotificationGroup.ORGANISING,
    asks=True,
)
APPROVED_KIND = declare_kind(
    "leagues.entry-approved",
    _("Your entry in %(season)s is approved."),
    _("Your entry was approved"),
    group=NotificationGroup.SEASONS,
)
DECLINED_KIND = declare_kind(
    "leagues.entry-refused",
    _("The organisers of %(season)s declined your entry."),
    _("Your entry was declined"),
    group=NotificationGroup.SEASONS,
)

LONGEST_NOTE = 300
# Who takes a request back and asks again at once rings no bell a second time.
QUIET = timedelta(days=1)

State = EntryRequest.State


@transaction.atomic
def ask(
    *, person: User, season: Season, division: Division | None = None, answers: Mapping[str, Any] | None = None
) -> EntryRequest:
    """Ask to enter a season whose organisers approve entries."""
    season = locks.season(season)
    division = registration.check_entry(person, season, division)
    if not registration.needs_approval(person, season):
        raise Refused(gettext("Nobody has to approve your entry: enter the season."))
    request = own(season, person) or EntryRequest(season=season, user=person, state=State.WITHDRAWN)
    if request.state == State.ASKED:
        raise Refused(gettext("You have asked already; an organiser will decide."))
    rings = request.pk is None or request.asked_at < timezone.now() - QUIET
    request.answers = questions.check_answers(season.entry_questions, answers)
    request.division, request.state, request.asked_at = division, State.ASKED, timezone.now()
    request.note, request.by, request.decided_at = "", None, None
    request.save()
    season_effects.log_and_refresh(ASKED, actor=person, season=season, person=person)
    if rings:
        notify(
            reporting.organisers(season),
            ASKED_KIND,
            path=_path(request),
            actor=person,
            club=season.league.club,
            season=season.full_name,
        )
    return request


@transaction.atomic
def take_back(*, person: User, season: Season) -> EntryRequest:
    """Stop asking to enter."""
    season = locks.season(season)
    require(person, Permission.SEE, season)
    request = own(season, person)
    if request is None or request.state != State.ASKED:
        raise Refused(gettext("You are not asking to enter this season."))
    request.state = State.WITHDRAWN
    request.save(update_fields=["state"])
    resolve(None, ASKED_KIND, path=_path(request))
    season_effects.log_and_refresh(TAKEN_BACK, actor=person, season=season, person=person)
    return request


@transaction.atomic
def change_answers(*, person: User, season: Season, answers: Mapping[str, Any]) -> EntryRequest:
    """Answer the season's questions again, until it starts: by those who asked to enter or have entered."""
    season = locks.season(season)
    require(person, Permission.SEE, season)
    request = own(season, person)
    if request is None or request.state in (State.WITHDRAWN, State.DECLINED):
        request = _of_entrant(season, person)
    if season.has_begun:
        raise Refused(gettext("The season has started: answers can no longer be changed."))
    request.answers = questions.check_answers(season.entry_questions, answers)
    request.save()
    season_effects.log_and_refresh(ANSWERS, actor=person, season=season, person=person)
    return request


def _of_entrant(season: Season, person: User) -> EntryRequest:
    """For somebody whom an organiser entered: their answers have no row yet, or one of an earlier request."""
    rows = Entrant.objects.filter(season=season).exclude(status=Entrant.Status.WITHDRAWN).prefetch_related("members")
    mine = next((each for each in rows if plays_as(person, each)), None)
    if mine is None:
        raise Refused(gettext("You have not entered this season."))
    request = own(season, person) or EntryRequest(season=season, user=person)
    request.state, request.division = State.APPROVED, mine.division
    return request


@transaction.atomic
def approve(*, actor: User, request: EntryRequest, note: str = "") -> EntryRequest:
    """Let them in: they get a place, or one on the waiting list, in the order in which people asked."""
    season, request = _lock(actor, request)
    if request.state == State.APPROVED:
        return request
    _must_be_open(request)
    if not request.user.is_active:
        raise Refused(gettext("This account is gone."))
    division = request.division or registration.division_for(season)
    entrant = registration.admit_or_queue(division, since=request.asked_at, kind=Entrant.Kind.PERSON, user=request.user)
    consent.agree(season, request.user)
    before = request.state
    _decide(request, State.APPROVED, actor, note)
    undo = {"request": request.pk, "entrant": entrant.pk, "state": before}
    _log_and_notify(APPROVED, APPROVED_KIND, actor, season, request, undo)
    return request


@transaction.atomic
def decline(*, actor: User, request: EntryRequest, note: str = "") -> EntryRequest:
    """Do not let them in; they read the organiser's word."""
    season, request = _lock(actor, request)
    if request.state == State.DECLINED:
        return request
    if request.state == State.APPROVED:
        raise Refused(gettext("%(name)s is in already: withdraw the entry instead.") % {"name": request.user.name})
    _must_be_open(request)
    before = request.state
    _decide(request, State.DECLINED, actor, note)
    _log_and_notify(DECLINED, DECLINED_KIND, actor, season, request, {"request": request.pk, "state": before})
    return request


def _lock(actor: User, request: EntryRequest) -> tuple[Season, EntryRequest]:
    season = locks.season(request.season)
    require(actor, Permission.ORGANISE, season)
    if season.is_closed:
        raise Refused(gettext("This season is closed."))
    return season, EntryRequest.objects.select_related("user", "division__season").get(pk=request.pk)


def _must_be_open(request: EntryRequest) -> None:
    if request.state == State.WITHDRAWN:
        raise Refused(gettext("%(name)s does not ask any more.") % {"name": request.user.name})


def _decide(request: EntryRequest, state: str, actor: User, note: str) -> None:
    note = " ".join(note.split())
    if len(note) > LONGEST_NOTE or "\0" in note:
        raise Refused(gettext("A word has at most %(most)s letters.") % {"most": LONGEST_NOTE})
    request.state, request.note, request.by, request.decided_at = state, note, actor, timezone.now()
    request.save()
    resolve(None, ASKED_KIND, path=_path(request))


def _log_and_notify(
    action: str, kind: str, actor: User, season: Season, request: EntryRequest, undo: Mapping[str, Any]
) -> None:
    season_effects.log_and_refresh(
        action,
        actor=actor,
        season=season,
        person=request.user,
        undo=("entry-decision", dict(undo)),
        entrant=request.user,
    )
    path = reverse("leagues:entries", args=[season.league.slug, season.number])
    notify([request.user], kind, path=path, actor=actor, season=season.full_name)


def restore(season: Season, *, request: int, state: str, entrant: int | None = None) -> None:
    """Take a decision back, for the season's undo: the request waits again, and nobody has a place by it."""
    row = EntryRequest.objects.select_related("user").filter(pk=request, season=season).first()
    decided = State.APPROVED if entrant is not None else State.DECLINED
    if row is None or row.state != decided:
        raise Refused(gettext("This cannot be undone any more: it was changed meanwhile."))
    if entrant is not None and (entry := Entrant.objects.filter(pk=entrant).first()) is not None:
        if PairingSeat.objects.filter(entrant=entry).exists() or entry.byes.exists():
            raise Refused(gettext("%(name)s has been drawn already: withdraw them instead.") % {"name": entry.name})
        division = entry.division
        entry.delete()
        registration.promote_waiting(division)
    row.state, row.note, row.by, row.decided_at = state, "", None, None
    row.save()


def own(season: Season, person: User | None) -> EntryRequest | None:
    """What this person said when they asked to enter."""
    return EntryRequest.objects.filter(season=season, user=person).first() if person is not None else None


def waiting(season: Season) -> list[EntryRequest]:
    """Those that organisers have yet to decide, the oldest first."""
    rows = EntryRequest.objects.filter(season=season, state=State.ASKED).select_related("user", "division")
    return list(rows.order_by("asked_at", "pk"))


def declined(season: Season) -> list[EntryRequest]:
    rows = EntryRequest.objects.filter(season=season, state=State.DECLINED).select_related("user", "division")
    return list(rows.order_by("asked_at", "pk"))


def answers_of(season: Season, people: Iterable[int]) -> dict[int, list[tuple[str, str]]]:
    """The answers of these people in words, by their ids; for organisers."""
    rows = EntryRequest.objects.filter(season=season, user__in=list(people))
    return {row.user_id: questions.in_words(season.entry_questions, row.answers) for row in rows}


def _path(request: EntryRequest) -> str:
    season = request.season
    return reverse("leagues:entries", args=[season.league.slug, season.number]) + f"#request-{request.pk}"
