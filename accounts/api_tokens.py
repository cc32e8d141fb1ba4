"""API tokens: the secret is shown once and stored as a hash; the owner can revoke it."""

import hashlib
import secrets
from collections.abc import Iterable
from dataclasses import dataclass, field
from datetime import timedelta

from django.db import transaction
from django.db.models import Q
from django.utils import timezone
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from accounts import audit
from accounts.access import Permission, require
from accounts.infra.errors import Refused
from accounts.models import ApiToken, Scope, User

ISSUED = audit.declare_action("token.issued", _("%(actor)s made the API token “%(name)s” (%(scopes)s)"))
REVOKED = audit.declare_action("token.revoked", _("%(actor)s revoked the API token “%(name)s”"))

# Different from every other word, so that logs and scanners of leaked secrets recognise it.
SECRET_PREFIX = "gauntlet_"  # noqa: S105 - the public part of every token
VISIBLE_LENGTH = 6
MAX_LIFETIME = timedelta(days=365)
MAX_TOKENS = 20
LAST_USED_RESOLUTION = timedelta(hours=1)


@dataclass(frozen=True)
class NewToken:
    token: ApiToken
    secret: str = field(repr=False)  # shown once, not stored


@transaction.atomic
def issue(*, person: User, name: str, scopes: Iterable[str], lasting: timedelta) -> NewToken:
    # Lock the user's row: two requests at once cannot get past the limit.
    person = User.objects.select_for_update().get(pk=person.pk)
    require(person, Permission.MANAGE_TOKENS, person)
    wanted = [scope.value for scope in Scope if scope in set(scopes)]
    if not wanted:
        raise Refused(gettext("Choose what the token may do."))
    if not timedelta() < lasting <= MAX_LIFETIME:
        raise Refused(gettext("A token can last from 1 to %(days)s days.") % {"days": MAX_LIFETIME.days})
    if ApiToken.objects.usable().filter(user=person).count() >= MAX_TOKENS:
        raise Refused(gettext("You have %(most)s tokens already: revoke one first.") % {"most": MAX_TOKENS})
    secret = SECRET_PREFIX + secrets.token_urlsafe(32)
    token = ApiToken(
        user=person,
        name=" ".join(name.split()),
        prefix=secret[: len(SECRET_PREFIX) + VISIBLE_LENGTH],
        token_hash=_hash(secret),
        scopes=wanted,
        expires_at=timezone.now() + lasting,
    )
    token.full_clean()
    token.save()
    audit.record(ISSUED, actor=person, on=token, person=person, name=token.name, scopes=", ".join(wanted))
    return NewToken(token=token, secret=secret)


@transaction.atomic
def revoke(*, person: User, token: ApiToken) -> None:
    require(person, Permission.MANAGE_TOKENS, token)
    if not ApiToken.objects.filter(pk=token.pk, revoked_at=None).update(revoked_at=timezone.now()):
        raise Refused(gettext("This token has already been revoked."))
    audit.record(REVOKED, actor=person, on=token, person=person, name=token.name)


def authenticate_secret(text: str) -> ApiToken | None:
    """The usable token with this secret, and its user. `last_used_at` is updated once an hour."""
    token = ApiToken.objects.usable().select_related("user").filter(token_hash=_hash(text)).first()
    if token is not None:
        now = timezone.now()
        stale = Q(last_used_at=None) | Q(last_used_at__lt=now - LAST_USED_RESOLUTION)
        if token.last_used_at is None or token.last_used_at < now - LAST_USED_RESOLUTION:
            ApiToken.objects.filter(stale, pk=token.pk).update(last_used_at=now)
            token.last_used_at = now
    return token


def _hash(secret: str) -> str:
    # A random secret of 256 bits needs no salt and no slow hash.
    return hashlib.sha256(secret.encode()).hexdigest()
