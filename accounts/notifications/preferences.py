"""Notification preferences, by kind. The default is the bell, an e-mail at once and an alert."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from django.core.signing import BadSignature, Signer
from django.db import transaction
from django.utils.translation import gettext_lazy as _

from accounts import audit
from accounts.access import Permission, require
from accounts.models import Digest, Mail, Notice, NoticeChoice, User
from accounts.notifications import registry

CHOSEN = audit.declare_action("account.notices", _("%(actor)s changed how they get notices"))
STOPPED = audit.declare_action("account.notices-stopped", _("%(actor)s stopped e-mails with the link in one of them"))

# In the link of a digest, in place of a kind.
DIGEST = "digest"

_signer = Signer(salt="accounts.choices.stop")


@dataclass(frozen=True)
class Preference:
    bell: bool = True
    mail: str = Mail.NOW
    push: bool = True


def preferences_of(person: User) -> dict[str, Preference]:
    """The user's preference for every kind."""
    chosen = {row.kind: Preference(row.bell, row.mail, row.push) for row in NoticeChoice.objects.filter(user=person)}
    return {name: chosen.get(name, Preference()) for name in registry.kind_names()}


def preferences_for_kind(people: Sequence[User], kind: str) -> dict[int, Preference]:
    """The preference of each of these users for one kind, in one query."""
    rows = NoticeChoice.objects.filter(user__in=people, kind=kind) if people else ()
    chosen = {row.user_id: Preference(row.bell, row.mail, row.push) for row in rows}
    return {person.pk: chosen.get(person.pk, Preference()) for person in people}


@transaction.atomic
def set_preferences(*, person: User, changes: Mapping[str, Preference]) -> list[str]:
    """Change some preferences; returns the kinds that changed. The bell stays on for kinds that ask for an answer."""
    require(person, Permission.EDIT_PROFILE, person)
    before = preferences_of(person)
    changed = []
    for name, preference in changes.items():
        bell = registry.get_kind(name).asks or preference.bell
        preference = Preference(bell, Mail(preference.mail), preference.push)
        if preference != before[name]:
            _write(person, name, preference)
            changed.append(name)
    if changed:
        audit.record(CHOSEN, actor=person, on=person, person=person, kinds=sorted(changed))
    return changed


def _write(person: User, name: str, preference: Preference) -> None:
    NoticeChoice.objects.update_or_create(
        user=person, kind=name, defaults={"bell": preference.bell, "mail": preference.mail, "push": preference.push}
    )
    if preference.mail == Mail.NEVER:
        # Notices that wait for their e-mail are not sent either.
        Notice.objects.filter(user=person, kind=name).exclude(mail=Mail.NEVER).update(mail=Mail.NEVER)


def unsubscribe_token(person: User, kind: str) -> str:
    """The token in an e-mail's link: it can stop e-mails of this kind to this user, and nothing else."""
    return _signer.sign_object([person.pk, kind])


def parse_unsubscribe_token(ticket: str) -> tuple[User, str] | None:
    """The user and kind of a token; None if it is not valid or the user has left."""
    try:
        pk, kind = _signer.unsign_object(ticket)
    except BadSignature:
        return None
    person = User.objects.filter(pk=pk, is_active=True).first()
    return (person, kind) if person and kind in {DIGEST, *registry.kind_names()} else None


@transaction.atomic
def unsubscribe(*, person: User, kind: str) -> None:
    """Stop e-mails of this kind, by the link in one of them. The token authenticates the user."""
    if kind == DIGEST:
        Digest.objects.update_or_create(user=person, defaults={"every": Digest.Every.OFF, "due_at": None})
    else:
        _write(person, kind, replace(preferences_of(person)[kind], mail=Mail.NEVER))
    audit.record(STOPPED, actor=person, on=person, person=person, kind=kind)
