"""Accounts: settings, guests, bots, deletion. Signing up and logging in is done by django-allauth."""

from itertools import count
from typing import Any
from zoneinfo import available_timezones

from allauth.usersessions.models import UserSession
from django.db import transaction
from django.db.models import QuerySet
from django.db.models.functions import Lower
from django.utils import timezone
from django.utils.crypto import get_random_string
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from accounts import audit, clubs, erasure
from accounts.access import Permission, require
from accounts.infra import text
from accounts.infra.errors import Refused
from accounts.infra.on_commit import after_commit
from accounts.infra.realtime.publish import recheck
from accounts.models import AuditEntry, Club, JoinRequest, Language, Theme, User
from accounts.notifications import digest

SIGNED_UP = audit.declare_action("account.made", _("%(actor)s signed up"))
SET = audit.declare_action("account.settings", _("%(actor)s changed their settings"))
DELETED = audit.declare_action("account.deleted", _("%(actor)s deleted their account"))
SESSION_ENDED = audit.declare_action("account.session-ended", _("%(actor)s logged out on another device"))
GUEST_ADDED = audit.declare_action("account.guest", _("%(actor)s wrote down %(person)s as a guest"))
GUEST_RENAMED = audit.declare_action("account.guest-renamed", _("%(actor)s renamed the guest %(person)s"))

SETTINGS = (
    "display_name", "language", "time_zone", "theme", "notices_by_mail", "challenges_from", "messages_from"
)  # fmt: skip

MAX_NAME_LENGTH = 60


@transaction.atomic
def set_up_new_user(*, person: User, language: str, time_zone: str, theme: str = "") -> None:
    """Give a new user the language, time zone and theme they signed up with."""
    person.language = language if language in Language.values else Language.ENGLISH
    person.time_zone = time_zone if time_zone in available_timezones() else "UTC"
    person.theme = theme if theme in Theme.values else Theme.AUTO
    person.save(update_fields=["language", "time_zone", "theme"])
    audit.record(SIGNED_UP, actor=person, on=person, person=person)


@transaction.atomic
def change_settings(*, person: User, **new: str | bool) -> User:
    """Change some of SETTINGS; the rest stay as they are."""
    require(person, Permission.EDIT_PROFILE, person)
    if unknown := set(new) - set(SETTINGS):
        raise TypeError(f"No such settings: {', '.join(sorted(unknown))}")
    person = User.objects.select_for_update().get(pk=person.pk)
    changed = sorted(field for field, value in new.items() if getattr(person, field) != value)
    if not changed:
        return person
    for field in changed:
        setattr(person, field, new[field])
    # Validate only what changes: a time zone that no longer exists must not block changing the theme.
    person.clean_fields(exclude={field.name for field in User._meta.fields} - set(changed))
    person.save(update_fields=changed)
    if "time_zone" in changed:
        digest.reschedule(person)
    audit.record(SET, actor=person, on=person, person=person, fields=changed)
    return person


@transaction.atomic
def add_guest(*, club: Club, name: str, actor: User) -> User:
    """Add a player without an account to the club. Nobody can log in as a guest."""
    require(actor, Permission.ADD_GUEST, club)
    guest = _create_name_only_account("guest", name, time_zone=club.time_zone, is_guest=True)
    audit.record(GUEST_ADDED, actor=actor, on=club, club=club, person=guest)
    return guest


def guests_of(club: Club) -> QuerySet[User]:
    """The guests that a club wrote down itself."""
    added_here = AuditEntry.objects.filter(club=club, action=GUEST_ADDED).values("person")
    return User.objects.filter(pk__in=added_here, is_guest=True)


@transaction.atomic
def rename_guest(*, actor: User, club: Club, guest: User, name: str) -> User:
    """Call a guest by another name, everywhere: misspelt, or written down by a first name alone."""
    require(actor, Permission.ADD_GUEST, club)
    guest = User.objects.select_for_update().get(pk=guest.pk)
    if not guests_of(club).filter(pk=guest.pk).exists():
        raise Refused(gettext("This is not a guest of this club."))
    if not guest.is_active:
        raise Refused(gettext("This guest is joined to an account, and has its name."))
    name = _valid_name(name)
    if name == guest.display_name:
        return guest
    before, guest.display_name = guest.display_name, name
    guest.save(update_fields=["display_name"])
    erasure.rename_traces(guest, before)
    audit.record(GUEST_RENAMED, actor=actor, on=club, club=club, person=guest)
    return guest


def create_looked_after_account(*, club: Club, name: str, language: str) -> User:
    """An account that a club makes for a member without an e-mail address, inside the caller's transaction."""
    name = _valid_name(name)
    stem = text.slug(name, fallback="member")[:24].strip("-")
    stem = stem if len(stem) > 1 else "member"
    taken = set(User.objects.filter(handle__istartswith=stem).values_list(Lower("handle"), flat=True))
    handle = next(each for n in count(1) if (each := stem if n == 1 else f"{stem}-{n}") not in taken)
    return User.objects.create_user(
        handle,
        display_name=name,
        language=language,
        time_zone=club.time_zone,
        looked_after_by=club,
        notices_by_mail=False,
    )


def create_bot_account(*, name: str) -> User:
    """An account for a site bot, inside the caller's transaction."""
    return _create_name_only_account("bot", name, is_bot=True)


def _create_name_only_account(kind: str, name: str, **fields: Any) -> User:
    """An account that is only a name: no password, no address."""
    name = _valid_name(name)
    handle = f"{kind}-{get_random_string(10, 'abcdefghjkmnpqrstuvwxyz23456789')}"
    return User.objects.create_user(handle, display_name=name, notices_by_mail=False, **fields)


def _valid_name(name: str) -> str:
    name = " ".join(name.split())
    if not name or len(name) > MAX_NAME_LENGTH:
        raise Refused(gettext("A name has 1 to %(most)s letters.") % {"most": MAX_NAME_LENGTH})
    return name


@transaction.atomic
def end_session(*, person: User, session: UserSession) -> None:
    """Log a person out on one of their devices; its open pages close too."""
    require(person, Permission.EDIT_PROFILE, session.user)
    session.end()
    audit.record(SESSION_ENDED, actor=person, on=person, person=person)
    after_commit(recheck, f"user.{person.pk}")


@transaction.atomic
def delete_account(*, person: User) -> None:
    """Delete the personal data and keep the history: the seats in matches stay, without the name."""
    require(person, Permission.DELETE_ACCOUNT, person)
    clubs.leave_all_clubs(person=person)
    now = timezone.now()
    mine = JoinRequest.objects.filter(user=person)
    mine.filter(status=JoinRequest.Status.PENDING).update(
        status=JoinRequest.Status.WITHDRAWN, decided_at=now, decided_by=person
    )
    mine.update(message="")
    erasure.erase_traces(person)
    erasure.make_nameless(person)
    person = User.objects.get(pk=person.pk)
    audit.record(DELETED, actor=person, on=person, person=person)
    after_commit(recheck, f"user.{person.pk}")
