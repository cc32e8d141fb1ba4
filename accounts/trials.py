"""Playing without an account: a made-up name for a visitor, who may keep it by choosing a handle and a password.

A trial account is not active: it is found nowhere and may do nothing but play against bots (`games.access`). The
session of the visitor says whose it is; nobody is logged in with it. After a week of rest it is erased.
"""

import ipaddress
import secrets
from datetime import datetime, timedelta

from django.conf import settings
from django.contrib.auth.password_validation import validate_password
from django.contrib.sessions.backends.base import SessionBase
from django.core.exceptions import ValidationError
from django.db import IntegrityError, transaction
from django.utils import timezone
from django.utils.crypto import get_random_string
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from accounts import audit, erasure, people
from accounts.infra.errors import Refused
from accounts.models import Language, LoginAddress, User
from accounts.models.login_address import fingerprint

BEGUN = audit.declare_action("account.trial", _("%(actor)s began to play without an account"))
ERASED = audit.declare_action("account.trial-erased", _("%(actor)s erased somebody who had played without an account"))

SESSION_KEY = "trial"
RESTS_FOR = timedelta(days=7)
MOST_BY_ADDRESS = 30
# How often it is written down that somebody is here.
NOTED_EVERY = timedelta(hours=1)

# Made-up names, the same in every language: two words that nobody minds being called.
COLOURS = (
    "Amber", "Azure", "Coral", "Crimson", "Emerald", "Golden", "Indigo", "Ivory", "Jade", "Lilac", "Misty", "Ochre",
    "Opal", "Pearl", "Ruby", "Saffron", "Scarlet", "Silver", "Teal", "Violet",
)  # fmt: skip
ANIMALS = (
    "Badger", "Beaver", "Bison", "Dolphin", "Falcon", "Fox", "Gecko", "Hare", "Ibex", "Kestrel", "Lynx", "Marten",
    "Moose", "Otter", "Panda", "Puffin", "Raven", "Robin", "Seal", "Stoat", "Swift", "Tapir", "Walrus", "Yak",
)  # fmt: skip


def are_offered() -> bool:
    return bool(settings.TRIAL_ACCOUNTS)


@transaction.atomic
def begin(*, address: str, language: str) -> User:
    """A made-up name for a visitor from this address; refused where there are too many already."""
    if not are_offered():
        raise Refused(gettext("This site asks for an account before you play. Sign up, or log in."))
    source = fingerprint(_source(address))
    trials = User.objects.filter(trial_seen_at__isnull=False)
    if trials.filter(login_addresses__fingerprint=source).count() >= MOST_BY_ADDRESS:
        raise Refused(
            gettext("Many people play without an account from your network already. Sign up or log in, and play.")
        )
    if trials.count() >= settings.TRIAL_ACCOUNTS:
        raise Refused(gettext("Many people play without an account right now. Sign up or log in, and play."))
    person = User.objects.create_user(
        f"visitor-{get_random_string(12, 'abcdefghjkmnpqrstuvwxyz23456789')}",
        display_name=f"{secrets.choice(COLOURS)} {secrets.choice(ANIMALS)}",
        language=language if language in Language.values else Language.ENGLISH,
        notices_by_mail=False,
        is_active=False,
        trial_seen_at=timezone.now(),
    )
    LoginAddress.objects.create(user=person, fingerprint=source)
    audit.record(BEGUN, actor=person, on=person, person=person)
    return person


def of_session(session: SessionBase) -> User | None:
    """Who plays without an account in this session; nobody once the name is kept or has expired."""
    trial = session.get(SESSION_KEY)
    return User.objects.filter(pk=trial, trial_seen_at__isnull=False).first() if isinstance(trial, int) else None


def note_seen(*, person: User, language: str) -> bool:
    """Somebody who plays without an account is here, and reads in this language; whether it was written down."""
    now = timezone.now()
    language = language if language in Language.values else person.language
    if person.language == language and (person.trial_seen_at or now) >= now - NOTED_EVERY:
        return False
    person.language = language
    # Only while it is a trial account: a page may be open while the name is kept in another.
    known = User.objects.filter(pk=person.pk, trial_seen_at__isnull=False)
    return bool(known.update(trial_seen_at=now, language=language))


@transaction.atomic
def keep(*, person: User, handle: str, password: str, name: str, time_zone: str = "", theme: str = "") -> User:
    """Make it an account: the same person, with all matches, a handle and a password."""
    person = User.objects.select_for_update().get(pk=person.pk)
    if not person.is_trial:
        raise Refused(gettext("This name is kept already, or has expired after a week without a visit."))
    person.handle, person.display_name = handle, name
    person.is_active, person.trial_seen_at = True, None
    # A new account from now on, with the limits of new accounts.
    person.joined_at = timezone.now()
    try:
        validate_password(password, person)
        person.set_password(password)
        person.full_clean()
        with transaction.atomic():
            person.save()
    except ValidationError as error:
        raise Refused(" ".join(error.messages)) from None
    except IntegrityError:
        raise Refused(gettext("Somebody has just taken this handle. Choose another.")) from None
    people.set_up_new_user(person=person, language=person.language, time_zone=time_zone, theme=theme)
    return person


def resting(*, now: datetime) -> list[int]:
    """Trial accounts that nobody has come back to for a week."""
    rest = User.objects.filter(trial_seen_at__lt=now - RESTS_FOR)
    return list(rest.order_by("trial_seen_at").values_list("pk", flat=True))


def erase(*, person: User) -> None:
    """Erase a trial account, inside the caller's transaction and with its row locked."""
    erasure.erase_traces(person)
    erasure.make_nameless(person)
    audit.record(ERASED, actor=None, on=person)


def _source(address: str) -> str:
    """What one visitor's addresses have in common: of IPv6 they have a whole network."""
    try:
        known = ipaddress.ip_address(address)
    except ValueError:
        return "unknown"
    return str(ipaddress.ip_network((known, 64), strict=False)) if known.version == 6 else str(known)
