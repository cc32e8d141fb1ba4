"""Following and blocking people, and who may challenge or write to whom."""

from datetime import timedelta

from django.db import transaction
from django.db.models import Q, QuerySet
from django.utils import timezone
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from accounts.access import Actor, Permission, require
from accounts.infra.errors import Refused
from accounts.infra.on_commit import after_commit
from accounts.infra.realtime.publish import frame, publish
from accounts.models import Block, ChallengesFrom, Follow, MessagesFrom, User
from accounts.notifications.registry import declare_kind
from accounts.notifications.service import notify

FOLLOWED_KIND = declare_kind("people.followed", _("%(actor)s follows you."), _("Somebody follows you"))

MAX_FOLLOWED = 1000
# A person may follow so many people in this time.
MAX_PER_WINDOW, WINDOW = 60, timedelta(hours=1)
# Who stops and begins again is not announced again for so long.
ANNOUNCED_EVERY = timedelta(days=30)


@transaction.atomic
def follow(*, person: User, other: User) -> Follow:
    """Follow somebody; following twice changes nothing."""
    require(person, Permission.MEET_PEOPLE)
    check_person(person, other)
    if (known := Follow.objects.filter(user=person, followed=other).first()) is not None:
        return known
    if is_blocked(person, other):
        raise Refused(gettext("You cannot follow this person."))
    mine = Follow.objects.filter(user=person)
    if mine.count() >= MAX_FOLLOWED:
        raise Refused(gettext("You follow many people already. Stop following somebody first."))
    if mine.filter(at__gt=timezone.now() - WINDOW).count() >= MAX_PER_WINDOW:
        raise Refused(gettext("You have begun to follow many people just now. Wait a while."))
    made, _new = Follow.objects.get_or_create(user=person, followed=other)
    known_since = timezone.now() - ANNOUNCED_EVERY
    if not other.notices.filter(kind=FOLLOWED_KIND, actor=person, created_at__gt=known_since).exists():
        notify([other], FOLLOWED_KIND, path=person.get_absolute_url(), actor=person)
    _refresh(person, other)
    return made


@transaction.atomic
def unfollow(*, person: User, other: User) -> None:
    require(person, Permission.MEET_PEOPLE)
    Follow.objects.filter(user=person, followed=other).delete()
    _refresh(person, other)


@transaction.atomic
def block(*, person: User, other: User) -> None:
    """Want nothing from somebody any more: neither follows the other, and what they ask for is not shown."""
    require(person, Permission.MEET_PEOPLE)
    check_person(person, other)
    Block.objects.get_or_create(user=person, blocked=other)
    Follow.objects.filter(Q(user=person, followed=other) | Q(user=other, followed=person)).delete()
    _refresh(person, other)


@transaction.atomic
def unblock(*, person: User, other: User) -> None:
    require(person, Permission.MEET_PEOPLE)
    Block.objects.filter(user=person, blocked=other).delete()
    _refresh(person)


def check_person(person: User, other: User) -> None:
    """Refuse oneself, bots, guests and closed accounts: nobody would read it."""
    if person == other:
        raise Refused(gettext("This is you."))
    if not other.reads_notices or person.is_bot:
        raise Refused(gettext("This works between people who have an account here."))


def is_blocked(one: User, other: User) -> bool:
    """Whether either of the two has blocked the other."""
    return Block.objects.filter(Q(user=one, blocked=other) | Q(user=other, blocked=one)).exists()


def blocked_pairs(people: list[int]) -> set[frozenset[int]]:
    """Which of these people must not meet, in one query."""
    rows = Block.objects.filter(user__in=people, blocked__in=people).values_list("user", "blocked")
    return {frozenset(row) for row in rows}


def is_following(person: User, other: User) -> bool:
    return Follow.objects.filter(user=person, followed=other).exists()


def are_friends(one: User, other: User) -> bool:
    return is_following(one, other) and is_following(other, one)


def friend_ids(person: User) -> set[int]:
    """Those whom a person follows and who follow them."""
    followers = Follow.objects.filter(followed=person).values("user")
    return set(Follow.objects.filter(user=person, followed__in=followers).values_list("followed", flat=True))


def followed_by(person: User) -> QuerySet[Follow]:
    return Follow.objects.filter(user=person, followed__is_active=True).select_related("followed")


def followers_of(person: User) -> QuerySet[Follow]:
    return Follow.objects.filter(followed=person, user__is_active=True).select_related("user")


def blocked_by(person: User) -> QuerySet[Block]:
    return Block.objects.filter(user=person, blocked__is_active=True).select_related("blocked")


def may_challenge(person: Actor, other: User) -> bool:
    """Whether this person may ask the other to a table, as the other has chosen."""
    if not isinstance(person, User) or person == other or not person.is_active or person.is_bot:
        return False
    if not other.reads_notices or is_blocked(person, other):
        return False
    match other.challenges_from:
        case ChallengesFrom.ANYONE:
            return True
        case ChallengesFrom.FOLLOWED:
            return is_following(other, person)
        case _:
            return False


def may_write(person: Actor, other: User) -> bool:
    """Whether this person may write to the other: friends, unless the other wants no messages."""
    if not isinstance(person, User) or not person.is_active or not other.reads_notices:
        return False
    return other.messages_from == MessagesFrom.FRIENDS and are_friends(person, other) and not is_blocked(person, other)


def _refresh(*people: User) -> None:
    """Open pages of these people show their lists anew."""
    for person in people:
        after_commit(publish, f"user.{person.pk}", frame("people"))
