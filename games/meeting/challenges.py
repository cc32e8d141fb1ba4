"""Challenges from person to person: accepted, declined, answered with another suggestion, or withdrawn."""

from dataclasses import dataclass
from datetime import timedelta

from django.db import IntegrityError, transaction
from django.db.models import Exists, OuterRef, Q, QuerySet
from django.utils import timezone
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from accounts import follows
from accounts.infra.errors import Refused
from accounts.infra.on_commit import after_commit
from accounts.infra.permissions import NotAllowed
from accounts.infra.realtime.publish import frame, publish
from accounts.models import Block, User
from accounts.notifications.registry import declare_kind
from accounts.notifications.service import notify, resolve
from engine.bots import LEVELS
from games import access
from games.access import Permission
from games.meeting.clock_presets import CLOCKS, clock_of, is_by_correspondence
from games.models import Match, PersonChallenge, Seat
from games.models.meeting import ClockPreset
from games.tables import seating, setup, start
from games.tables.setup import Setting

CHALLENGED_KIND = declare_kind(
    "games.challenged", _("%(actor)s challenges you to %(game)s."), _("Somebody challenges you"), asks=True
)
COUNTERED_KIND = declare_kind(
    "games.challenge-countered",
    _("%(actor)s suggests another match of %(game)s."),
    _("Somebody answers your challenge with another suggestion"),
    asks=True,
)
ACCEPTED_KIND = declare_kind(
    "games.challenge-accepted", _("%(actor)s accepts: your table of %(game)s is open."), _("A challenge is accepted")
)
DECLINED_KIND = declare_kind(
    "games.challenge-declined", _("%(actor)s declines to play %(game)s."), _("A challenge is declined")
)

MAX_OPEN = 10
MAX_PER_WINDOW, WINDOW = 30, timedelta(hours=1)
# Who has declined is not asked again at once.
PAUSE_AFTER_DECLINED = timedelta(minutes=10)
SWEEP_BATCH = 200

Status = PersonChallenge.Status
Others = PersonChallenge.Others


@dataclass(frozen=True)
class Terms:
    """What is played: the game, by how many, against which clock, rated or not, and who takes the other places."""

    game: str
    players: int
    clock: str = ClockPreset.NONE
    rated: bool = False
    others: str = Others.BOTS
    level: str = "regular"
    difficulty: str = ""


@transaction.atomic
def challenge(*, person: User, to: User, terms: Terms) -> PersonChallenge:
    """Ask somebody to a table. Nothing is opened before they accept."""
    access.require(person, Permission.CHALLENGE)
    follows.check_person(person, to)
    if not follows.may_challenge(person, to):
        raise Refused(gettext("%(name)s takes no challenge from you.") % {"name": to.name})
    _check(terms)
    _check_flood(person, to)
    return _ask(person, to, terms, CHALLENGED_KIND)


@transaction.atomic
def accept(*, person: User, challenge: PersonChallenge) -> PersonChallenge:
    """Play: the table opens with both seated, and the match begins if every place is taken. Twice changes nothing."""
    challenge = _lock(challenge)
    if challenge.to_id == person.pk and challenge.status == Status.ACCEPTED:
        return challenge
    _require_reader(person, challenge)
    challenge.match = _open_table(challenge, person)
    _answer(challenge, Status.ACCEPTED)
    if challenge.match.is_open:
        path = challenge.match.get_absolute_url()
        notify([challenge.by], ACCEPTED_KIND, path=path, actor=person, game=challenge.stored_title)
    return challenge


@transaction.atomic
def decline(*, person: User, challenge: PersonChallenge) -> PersonChallenge:
    challenge = _lock(challenge)
    if challenge.to_id == person.pk and challenge.status == Status.DECLINED:
        return challenge
    _require_reader(person, challenge)
    _answer(challenge, Status.DECLINED)
    notify([challenge.by], DECLINED_KIND, path=challenge.get_absolute_url(), actor=person, game=challenge.stored_title)
    return challenge


@transaction.atomic
def counter(*, person: User, challenge: PersonChallenge, terms: Terms) -> PersonChallenge:
    """Suggest something else instead: a challenge back, whatever the other has chosen about challenges."""
    challenge = _lock(challenge)
    _require_reader(person, challenge)
    _check(terms)
    _answer(challenge, Status.COUNTERED)
    return _ask(person, challenge.by, terms, COUNTERED_KIND, earlier=challenge)


@transaction.atomic
def withdraw(*, person: User, challenge: PersonChallenge) -> PersonChallenge:
    challenge = _lock(challenge)
    if challenge.by_id != person.pk:
        raise NotAllowed(Permission.CHALLENGE)
    if challenge.status == Status.WITHDRAWN:
        return challenge
    _must_be_open(challenge)
    _answer(challenge, Status.WITHDRAWN)
    return challenge


def visible_to(person: User) -> QuerySet[PersonChallenge]:
    """The challenges of a person; not those from people whom they have blocked."""
    blocked = Block.objects.filter(user=person, blocked=OuterRef("by"))
    mine = PersonChallenge.objects.filter(Q(by=person) | Q(to=person)).filter(~Exists(blocked))
    return mine.select_related("by", "to", "match")


def open_for(person: User) -> QuerySet[PersonChallenge]:
    return visible_to(person).filter(status=Status.OPEN, expires_at__gt=timezone.now())


def terms_of(challenge: PersonChallenge) -> Terms:
    return Terms(
        game=challenge.game, players=challenge.players, clock=challenge.clock, rated=challenge.rated,
        others=challenge.others, level=challenge.level, difficulty=challenge.difficulty,
    )  # fmt: skip


def lapse() -> int:
    """End challenges that nobody answered in time, or whose people have blocked each other; returns how many."""
    waiting = PersonChallenge.objects.filter(status=Status.OPEN)
    blocked = Block.objects.filter(
        Q(user=OuterRef("by"), blocked=OuterRef("to")) | Q(user=OuterRef("to"), blocked=OuterRef("by"))
    )
    over = waiting.filter(Q(expires_at__lte=timezone.now()) | Exists(blocked))
    ended = 0
    for pk in over.order_by("expires_at").values_list("pk", flat=True)[:SWEEP_BATCH]:
        with transaction.atomic():
            each = _lock(PersonChallenge(pk=pk))
            if each.status == Status.OPEN:
                _answer(each, Status.EXPIRED)
                ended += 1
    return ended


def _check(terms: Terms) -> None:
    """Refuse what could not be played, before anybody is asked."""
    if terms.clock not in CLOCKS:
        raise Refused(gettext("There is no such clock."))
    if terms.level not in LEVELS:
        raise Refused(gettext("There is no such bot."))
    if terms.others not in Others.values:
        raise Refused(gettext("Choose who takes the other places."))
    setup.rules_of(_setting(terms))


def _setting(terms: Terms) -> Setting:
    visibility = Match.Visibility.ANYONE if terms.others == Others.ANYONE else Match.Visibility.LINK
    options = setup.difficulty_option(terms.game, terms.difficulty)
    clock = clock_of(terms.clock)
    return Setting(terms.game, terms.players, options, visibility, clock=clock, rated=terms.rated)


def _check_flood(person: User, to: User) -> None:
    now = timezone.now()
    mine = PersonChallenge.objects.filter(by=person)
    if mine.filter(status=Status.OPEN, expires_at__gt=now).count() >= MAX_OPEN:
        raise Refused(gettext("Many of your challenges wait for an answer. Withdraw one first."))
    if mine.filter(at__gt=now - WINDOW).count() >= MAX_PER_WINDOW:
        raise Refused(gettext("You have challenged many people just now. Wait a while."))
    if mine.filter(to=to, status=Status.DECLINED, answered_at__gt=now - PAUSE_AFTER_DECLINED).exists():
        raise Refused(gettext("%(name)s has just declined. Ask again later.") % {"name": to.name})


def _ask(person: User, to: User, terms: Terms, kind: str, earlier: PersonChallenge | None = None) -> PersonChallenge:
    now = timezone.now()
    old = PersonChallenge.objects.filter(by=person, to=to, status=Status.OPEN, expires_at__lte=now)
    old.update(status=Status.EXPIRED, answered_at=now)
    try:
        with transaction.atomic():
            made = PersonChallenge.objects.create(
                by=person, to=to, earlier=earlier, game=terms.game, players=terms.players, clock=terms.clock,
                rated=terms.rated, others=terms.others, level=terms.level, difficulty=terms.difficulty,
                expires_at=now + _time_to_answer(terms.clock),
            )  # fmt: skip
    except IntegrityError:
        words = gettext("%(name)s has a challenge of yours already. Wait for the answer, or withdraw it.")
        raise Refused(words % {"name": to.name}) from None
    notify([to], kind, path=made.get_absolute_url(), actor=person, game=made.stored_title)
    _refresh(made)
    return made


def _time_to_answer(clock: str) -> timedelta:
    """An hour where both have to be here, a week by correspondence."""
    if is_by_correspondence(clock):
        return timedelta(days=7)
    return timedelta(days=1) if clock == ClockPreset.NONE else timedelta(hours=1)


def _open_table(challenge: PersonChallenge, person: User) -> Match:
    """The table with both seated; the match begins at once if no place is free."""
    try:
        match = setup.open_table(host=challenge.by, setting=_setting(terms_of(challenge)))
    except Refused as refused:
        words = gettext("%(name)s cannot begin this match now: %(why)s")
        raise Refused(words % {"name": challenge.by.name, "why": refused.message}) from refused
    for index, player in enumerate((challenge.by, person)):
        seating.seat_person(match=match, person=player, index=index)
    if challenge.others == Others.BOTS:
        for _place in range(challenge.players - 2):
            seating.seat_bot(match=match, level=challenge.level)
    if Seat.objects.filter(match=match, user=None, bot_level="").exists():
        return match
    return start.deal(match=seating.lock_match(match), actor=person)


def _lock(challenge: PersonChallenge) -> PersonChallenge:
    rows = PersonChallenge.objects.select_for_update(of=("self",)).select_related("by", "to", "match")
    return rows.get(pk=challenge.pk)


def _require_reader(person: User, challenge: PersonChallenge) -> None:
    """Only who was asked answers, while the question stands."""
    access.require(person, Permission.CHALLENGE)
    if challenge.to_id != person.pk:
        raise NotAllowed(Permission.CHALLENGE)
    _must_be_open(challenge)
    if follows.is_blocked(challenge.by, challenge.to) or not challenge.by.is_active:
        raise Refused(gettext("This challenge is over."))


def _must_be_open(challenge: PersonChallenge) -> None:
    if not challenge.is_open:
        raise Refused(gettext("This challenge is over."))


def _answer(challenge: PersonChallenge, status: str) -> None:
    challenge.status, challenge.answered_at = Status(status), timezone.now()
    challenge.save(update_fields=["status", "answered_at", "match"])
    resolve(challenge.to, CHALLENGED_KIND, COUNTERED_KIND, path=challenge.get_absolute_url())
    _refresh(challenge)


def _refresh(challenge: PersonChallenge) -> None:
    """Open pages of both show it anew."""
    for person in (challenge.by_id, challenge.to_id):
        after_commit(publish, f"user.{person}", frame("challenges"))
