"""Keys for programs: made once, shown once, kept as a hash, ended by their owner."""

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
from accounts.errors import Refused
from accounts.models import ApiToken, Scope, User

ISSUED = audit.action("token.issued", _("%(actor)s made the API token “%(name)s” (%(scopes)s)"))
REVOKED = audit.action("token.revoked", _("%(actor)s revoked the API token “%(name)s”"))

# Told apart from every other word, so that logs and scanners of leaked secrets recognise it.
MARK = "gauntlet_"
SHOWN = 6
LONGEST = timedelta(days=365)
MOST = 20
USED_EVERY = timedelta(hours=1)


@dataclass(frozen=True)
class NewToken:
    token: ApiToken
    secret: str = field(repr=False)  # shown once, kept nowhere


@transaction.atomic
def issue(*, person: User, name: str, scopes: Iterable[str], lasting: timedelta) -> NewToken:
    # The row of the person is held, so that nobody makes many at once.
    person = User.objects.select_for_update().get(pk=person.pk)
    require(person, Permission.HOLD_TOKENS, person)
    wanted = [scope.value for scope in Scope if scope in set(scopes)]
    if not wanted:
        raise Refused(gettext("Choose what the token may do."))
    if not timedelta() < lasting <= LONGEST:
        raise Refused(gettext("A token can last from 1 to %(days)s days.") % {"days": LONGEST.days})
    if ApiToken.objects.usable().filter(user=person).count() >= MOST:
        raise Refused(gettext("You have %(most)s tokens already: revoke one first.") % {"most": MOST})
    secret = MARK + secrets.token_urlsafe(32)
    token = ApiToken(
        user=person,
        name=" ".join(name.split()),
        prefix=secret[: len(MARK) + SHOWN],
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
    require(person, Permission.HOLD_TOKENS, token)
    if not ApiToken.objects.filter(pk=token.pk, revoked_at=None).update(revoked_at=timezone.now()):
        raise Refused(gettext("This token has already been revoked."))
    audit.record(REVOKED, actor=person, on=token, person=person, name=token.name)


def bearer(text: str) -> ApiToken | None:
    """The usable token behind a secret, with its person; notes by the hour that it was used."""
    token = ApiToken.objects.usable().select_related("user").filter(token_hash=_hash(text)).first()
    if token is not None:
        now = timezone.now()
        stale = Q(last_used_at=None) | Q(last_used_at__lt=now - USED_EVERY)
        if token.last_used_at is None or token.last_used_at < now - USED_EVERY:
            ApiToken.objects.filter(stale, pk=token.pk).update(last_used_at=now)
            token.last_used_at = now
    return token


def _hash(secret: str) -> str:
    # A random secret of 256 bits needs no salt and no slow hash.
    return hashlib.sha256(secret.encode()).hexdigest()
