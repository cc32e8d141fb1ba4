"""What a person wants to be told, kind by kind. Who has not chosen hears the bell and gets an e-mail at once."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from django.core.signing import BadSignature, Signer
from django.db import transaction
from django.utils.translation import gettext_lazy as _

from accounts import audit, kinds
from accounts.access import Permission, require
from accounts.models import Digest, Mail, Notice, NoticeChoice, User

CHOSEN = audit.action("account.notices", _("%(actor)s changed how they get notices"))
STOPPED = audit.action("account.notices-stopped", _("%(actor)s stopped e-mails with the link in one of them"))

# What the link in a digest stops: the digest and not a kind.
DIGEST = "digest"

_signer = Signer(salt="accounts.choices.stop")


@dataclass(frozen=True)
class Wish:
    bell: bool = True
    mail: str = Mail.NOW


def of(person: User) -> dict[str, Wish]:
    """Their wish for every kind."""
    chosen = {row.kind: Wish(row.bell, row.mail) for row in NoticeChoice.objects.filter(user=person)}
    return {name: chosen.get(name, Wish()) for name in kinds.kinds()}


def for_kind(people: Sequence[User], kind: str) -> dict[int, Wish]:
    """The wish of each of these people for one kind, in one query."""
    rows = NoticeChoice.objects.filter(user__in=people, kind=kind) if people else ()
    chosen = {row.user_id: Wish(row.bell, row.mail) for row in rows}
    return {person.pk: chosen.get(person.pk, Wish()) for person in people}


@transaction.atomic
def choose(*, person: User, wishes: Mapping[str, Wish]) -> list[str]:
    """Change some wishes; says which kinds are different now. Where an answer is waited for, the bell stays on."""
    require(person, Permission.EDIT_PROFILE, person)
    before = of(person)
    changed = []
    for name, wish in wishes.items():
        wish = Wish(kinds.known(name).asks or wish.bell, Mail(wish.mail))
        if wish != before[name]:
            _write(person, name, wish)
            changed.append(name)
    if changed:
        audit.record(CHOSEN, actor=person, on=person, person=person, kinds=sorted(changed))
    return changed


def _write(person: User, name: str, wish: Wish) -> None:
    NoticeChoice.objects.update_or_create(user=person, kind=name, defaults={"bell": wish.bell, "mail": wish.mail})
    if wish.mail == Mail.NEVER:
        # Nor those that wait for their e-mail.
        Notice.objects.filter(user=person, kind=name).exclude(mail=Mail.NEVER).update(mail=Mail.NEVER)


def ticket(person: User, kind: str) -> str:
    """What the link in an e-mail carries: it can stop e-mails of this kind to this person, and nothing else."""
    return _signer.sign_object([person.pk, kind])


def read_ticket(ticket: str) -> tuple[User, str] | None:
    """Whom a link is about, and which kind; None when it is not one of ours or its person has left."""
    try:
        pk, kind = _signer.unsign_object(ticket)
    except BadSignature:
        return None
    person = User.objects.filter(pk=pk, is_active=True).first()
    return (person, kind) if person and kind in {DIGEST, *kinds.kinds()} else None


@transaction.atomic
def stop(*, person: User, kind: str) -> None:
    """No more e-mails of this kind, by the link in one: the ticket stands for the person."""
    if kind == DIGEST:
        Digest.objects.update_or_create(user=person, defaults={"every": Digest.Every.OFF, "due_at": None})
    else:
        _write(person, kind, Wish(bell=of(person)[kind].bell, mail=Mail.NEVER))
    audit.record(STOPPED, actor=person, on=person, person=person, kind=kind)
