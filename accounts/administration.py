"""What the site's staff do for people: lock an account, confirm an address, help somebody who cannot log in."""

from allauth.account.forms import default_token_generator
from allauth.account.models import EmailAddress
from allauth.account.utils import user_pk_to_url_str
from allauth.mfa.models import Authenticator
from allauth.usersessions.models import UserSession
from django.db import transaction
from django.urls import reverse
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from accounts import audit, portraits
from accounts.access import Permission, require
from accounts.infra.errors import Refused
from accounts.infra.on_commit import after_commit
from accounts.infra.realtime.publish import recheck
from accounts.models import User
from accounts.notifications.registry import NotificationGroup, declare_kind
from accounts.notifications.service import notify

LOCKED = audit.declare_action("account.locked", _("%(actor)s locked %(person)s out: %(reason)s"))
UNLOCKED = audit.declare_action("account.unlocked", _("%(actor)s let %(person)s in again"))
CONFIRMED = audit.declare_action("account.confirmed", _("%(actor)s confirmed the address of %(person)s"))
RESET = audit.declare_action("account.reset-link", _("%(actor)s made a link for a new password for %(person)s"))
FACTOR_OFF = audit.declare_action("account.factor-off", _("%(actor)s switched the second factor of %(person)s off"))

HELPED_KIND = declare_kind(
    "account.helped",
    _("%(actor)s, who runs this site, made a link for a new password for you."),
    _("Staff made a password link for you"),
    group=NotificationGroup.CLUBS,
)
FACTOR_KIND = declare_kind(
    "account.factor-off",
    _("%(actor)s, who runs this site, switched your second factor off."),
    _("Staff switched your second factor off"),
    group=NotificationGroup.CLUBS,
)


PORTRAIT_KIND = declare_kind(
    "account.portrait-removed",
    _("%(actor)s, who runs this site, removed your portrait."),
    _("Staff removed your portrait"),
    group=NotificationGroup.CLUBS,
)


@transaction.atomic
def remove_portrait(*, actor: User, person: User) -> None:
    """A picture that should not be here. A club's emblem is removed on the page of its details."""
    person = _locked_row(actor, person)
    if not portraits.erase_portrait(person):
        raise Refused(gettext("This account has no portrait."))
    audit.record(portraits.PORTRAIT_REMOVED, actor=actor, on=person, person=person)
    notify([person], PORTRAIT_KIND, path="/settings/", actor=actor)


@transaction.atomic
def lock(*, actor: User, person: User, reason: str) -> None:
    """Nobody can log in with the account, and its sessions and tokens end. What it played stays."""
    person = _locked_row(actor, person)
    reason = " ".join(reason.split())[:300]
    if not reason:
        raise Refused(gettext("Say why: the reason is kept in the log."))
    if not person.is_active:
        raise Refused(gettext("This account is locked already."))
    person.is_active = False
    person.save(update_fields=["is_active"])
    for session in UserSession.objects.filter(user=person):
        session.end()
    audit.record(LOCKED, actor=actor, on=person, person=person, reason=reason)
    after_commit(recheck, f"user.{person.pk}")


@transaction.atomic
def unlock(*, actor: User, person: User) -> None:
    person = _locked_row(actor, person)
    if person.is_active:
        raise Refused(gettext("This account is not locked."))
    person.is_active = True
    person.save(update_fields=["is_active"])
    audit.record(UNLOCKED, actor=actor, on=person, person=person)


@transaction.atomic
def confirm_address(*, actor: User, person: User) -> None:
    """For a site that sends no e-mail, or a letter that never arrived: staff know that the address is theirs."""
    require(actor, Permission.RUN_SITE)
    if not person.email:
        raise Refused(gettext("This account has no e-mail address."))
    address, _made = EmailAddress.objects.get_or_create(user=person, email=person.email, defaults={"primary": True})
    if address.verified:
        raise Refused(gettext("This address is confirmed already."))
    address.verified = address.primary = True
    address.save()
    audit.record(CONFIRMED, actor=actor, on=person, person=person)


@transaction.atomic
def password_link(*, actor: User, person: User) -> str:
    """The path of a link with which somebody chooses a new password, to be handed to them. It is shown once."""
    person = _locked_row(actor, person)
    if not person.is_active or person.is_bot or person.is_guest:
        raise Refused(gettext("Nobody can log in with this account."))
    key = f"{user_pk_to_url_str(person)}-{default_token_generator.make_token(person)}"
    audit.record(RESET, actor=actor, on=person, person=person)
    notify([person], HELPED_KIND, path="/settings/", actor=actor)
    return reverse("account_reset_password_from_key", kwargs=dict(zip(("uidb36", "key"), key.split("-", 1))))


@transaction.atomic
def switch_off_second_factor(*, actor: User, person: User) -> None:
    person = _locked_row(actor, person)
    if not Authenticator.objects.filter(user=person).exists():
        raise Refused(gettext("This account has no second factor."))
    Authenticator.objects.filter(user=person).delete()
    audit.record(FACTOR_OFF, actor=actor, on=person, person=person)
    notify([person], FACTOR_KIND, path="/accounts/2fa/", actor=actor)


def _locked_row(actor: User, person: User) -> User:
    """The row, locked. Accounts of staff are changed by commands on the machine alone, deleted ones not at all."""
    require(actor, Permission.RUN_SITE)
    person = User.objects.select_for_update().get(pk=person.pk)
    if person.is_staff:
        raise Refused(gettext("This is a staff account: it can only be changed by commands on the server."))
    if person.deleted_at:
        raise Refused(gettext("This account is deleted."))
    return person
