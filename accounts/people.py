"""What a person does with their own account. Signing up and in is django-allauth's part."""

from typing import Any
from zoneinfo import available_timezones

from allauth.account.models import EmailAddress
from django.db import transaction
from django.utils import timezone
from django.utils.crypto import get_random_string
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from accounts import audit, clubs, digests
from accounts.access import Permission, require
from accounts.effects import after_commit
from accounts.errors import Refused
from accounts.live.publish import recheck
from accounts.models import ApiToken, Club, Digest, JoinRequest, Language, Notice, NoticeChoice, Theme, User

SIGNED_UP = audit.action("account.made", _("%(actor)s signed up"))
SET = audit.action("account.settings", _("%(actor)s changed their settings"))
DELETED = audit.action("account.deleted", _("%(actor)s deleted their account"))
GUEST_ADDED = audit.action("account.guest", _("%(actor)s wrote down %(person)s as a guest"))

SETTINGS = ("display_name", "language", "time_zone", "theme", "notices_by_mail")

LONGEST_NAME = 60


@transaction.atomic
def welcome(*, person: User, language: str, time_zone: str, theme: str = "") -> None:
    """Settle somebody who has just signed up: they keep the language, hours and light they came with."""
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
    # Only what changes: a time zone that vanished since must not keep anybody from changing their theme.
    person.clean_fields(exclude={field.name for field in User._meta.fields} - set(changed))
    person.save(update_fields=changed)
    if "time_zone" in changed:
        digests.replan(person)
    audit.record(SET, actor=person, on=person, person=person, fields=changed)
    return person


@transaction.atomic
def add_guest(*, club: Club, name: str, actor: User) -> User:
    """Write down somebody who plays at the club without an account; nobody can log in as a guest."""
    require(actor, Permission.ADD_GUEST, club)
    guest = _nameplate("guest", name, time_zone=club.time_zone, is_guest=True)
    audit.record(GUEST_ADDED, actor=actor, on=club, club=club, person=guest)
    return guest


def make_bot(*, name: str) -> User:
    """An account for a bot of the house, inside the caller's transaction."""
    return _nameplate("bot", name, is_bot=True)


def _nameplate(kind: str, name: str, **fields: Any) -> User:
    """An account that is only a name: no password, no address."""
    name = " ".join(name.split())
    if not name or len(name) > LONGEST_NAME:
        raise Refused(gettext("A name has 1 to %(most)s letters.") % {"most": LONGEST_NAME})
    handle = f"{kind}-{get_random_string(10, 'abcdefghjkmnpqrstuvwxyz23456789')}"
    return User.objects.create_user(handle, display_name=name, notices_by_mail=False, **fields)


@transaction.atomic
def delete_account(*, person: User) -> None:
    """Take the person out and leave their history: matches keep their seat under an anonymous name."""
    require(person, Permission.DELETE_ACCOUNT, person)
    clubs.settle_before_departure(person=person)
    now = timezone.now()
    mine = JoinRequest.objects.filter(user=person)
    mine.filter(status=JoinRequest.Status.PENDING).update(
        status=JoinRequest.Status.WITHDRAWN, decided_at=now, decided_by=person
    )
    mine.update(message="")
    ApiToken.objects.filter(user=person, revoked_at=None).update(revoked_at=now)
    for kept in (Notice, NoticeChoice, Digest):
        kept.objects.filter(user=person).delete()
    EmailAddress.objects.filter(user=person).delete()
    person = User.objects.select_for_update().get(pk=person.pk)
    # A tilde is in no handle that can be chosen, so nobody can take or hold this name.
    person.handle = f"~{person.pk}"
    person.display_name = ""
    person.email = ""
    person.is_active = False
    person.is_staff = False
    person.deleted_at = now
    # An unusable password also ends every open session.
    person.set_unusable_password()
    person.save()
    audit.record(DELETED, actor=person, on=person, person=person)
    after_commit(recheck, f"user.{person.pk}")
