"""Demo data: clubs with members. The passwords are for the demo only and are printed at its start."""

from dataclasses import dataclass
from datetime import timedelta

from allauth.account.models import EmailAddress
from django.contrib.auth.hashers import make_password
from django.db import transaction
from django.utils import timezone

from accounts import clubs, joining
from accounts.models import Admission, Club, Language, Membership, Notice, Role, User

PASSWORD = "demo-table-night"  # noqa: S105


@dataclass(frozen=True)
class DemoLogin:
    handle: str
    password: str
    role: str


@dataclass(frozen=True)
class _Guest:
    handle: str
    name: str
    language: str
    time_zone: str
    days_here: int = 0


_OWNER = _Guest("marta", "Marta Zanin", Language.ITALIAN, "Europe/Rome", 410)
_ORGANISERS = [
    _Guest("tomek", "Tomek Wilk", Language.POLISH, "Europe/Warsaw", 395),
    _Guest("niamh", "Niamh Byrne", Language.ENGLISH, "Europe/Dublin", 377),
]
_MEMBERS = [
    _Guest("ettore", "Ettore Bassi", Language.ITALIAN, "Europe/Rome", 360),
    _Guest("ola-k", "Ola Krawczyk", Language.POLISH, "Europe/Warsaw", 322),
    _Guest("desmond", "Desmond Achebe", Language.ENGLISH, "Africa/Lagos", 290),
    _Guest("giulia_f", "Giulia Ferri", Language.ITALIAN, "Europe/Rome", 244),
    _Guest("hana", "Hana Sato", Language.ENGLISH, "Asia/Tokyo", 203),
    _Guest("kuba", "Kuba Lis", Language.POLISH, "Europe/Warsaw", 151),
    _Guest("pilar", "Pilar Otero", Language.ENGLISH, "Europe/Madrid", 96),
    _Guest("sandro", "Sandro Pinna", Language.ITALIAN, "Europe/Rome", 48),
    _Guest("zofia", "Zofia Maj", Language.POLISH, "Europe/Warsaw", 12),
]
_BOTS = [
    _Guest("brass-wren", "Brass Wren", Language.ENGLISH, "UTC", 400),
    _Guest("tin-magpie", "Tin Magpie", Language.ENGLISH, "UTC", 400),
    _Guest("copper-owl", "Copper Owl", Language.ENGLISH, "UTC", 180),
]
_NEWCOMER = _Guest("rory", "Rory Quinn", Language.ENGLISH, "Europe/London")

_ABOUT = """\
We meet **every Thursday at 18:30** in the back room of the *Lantern*, and online whenever
two of us are awake.

- Newcomers are paired with somebody patient.
- Bots keep a seat warm when the table is short.
- Whoever comes last brings the crisps.

## House rules
Phones off the table, and explain the rule before you use it.
"""
_ABOUT_KRAKOW = """\
Gramy w **każdy wtorek** przy dużym stole w księgarni. Przyjdź, nauczymy cię zasad.
"""
_ABOUT_DUBLIN = """\
A small circle that has played together for years. New seats are offered, not asked for.
"""


@transaction.atomic
def seed() -> list[DemoLogin]:
    """Create the demo data; does nothing if it, or what people left of it, is already there."""
    if not User.objects.filter(handle__in=_handles()).exists():
        _create_clubs()
    return logins()


@transaction.atomic
def lock() -> list[str]:
    """Remove the demo password, which is in the documentation, from the demo accounts. Returns their handles."""
    people = User.objects.select_for_update().filter(handle__in=_handles())
    locked = [person for person in people if person.check_password(PASSWORD)]
    for person in locked:
        person.set_unusable_password()
        person.save(update_fields=["password"])
    return [person.handle for person in locked]


def _create_clubs() -> None:
    # Hashing is slow on purpose: hash the shared password once.
    password = make_password(PASSWORD)
    owner = _create_user(_OWNER, password)
    organisers = [_create_user(guest, password) for guest in _ORGANISERS]
    members = [_create_user(guest, password) for guest in _MEMBERS]
    bots = [_create_user(guest, None) for guest in _BOTS]
    newcomer = _create_user(_NEWCOMER, password)

    lantern = clubs.create_club(
        founder=owner,
        name="The Lantern Table",
        city="Trieste",
        time_zone="Europe/Rome",
        description=_ABOUT,
    )
    _add_members(lantern, owner, [*organisers, *members, *bots])
    for organiser in organisers:
        membership = Membership.objects.get(club=lantern, user=organiser)
        clubs.change_role(actor=owner, membership=membership, role=Role.ORGANISER)
    _backdate(lantern)

    warsaw_zone = "Europe/Warsaw"
    krakow = clubs.create_club(
        founder=organisers[0],
        name="Stół pod Lampą",
        city="Kraków",
        time_zone=warsaw_zone,
        description=_ABOUT_KRAKOW,
    )
    _add_members(krakow, organisers[0], [m for m in members if m.time_zone == warsaw_zone])
    _backdate(krakow)

    dublin = clubs.create_club(
        founder=organisers[1],
        name="The Back Room Circle",
        city="Dublin",
        time_zone="Europe/Dublin",
        description=_ABOUT_DUBLIN,
        admission=Admission.INVITE,
    )
    _add_members(dublin, organisers[1], members[2:5])
    _backdate(dublin)

    # Notices about members who joined long ago count as read; the pending request below is new.
    Notice.objects.update(read_at=timezone.now())
    joining.request_to_join(
        person=newcomer, club=lantern, message="I played twice as a guest and would love a seat of my own."
    )


def _create_user(guest: _Guest, password: str | None) -> User:
    """Create a user with this password hash, or a bot, which has none."""
    is_bot = password is None
    # Reserved addresses that cannot receive mail, and e-mail is off.
    email = "" if is_bot else f"{guest.handle}@example.org"
    user = User.objects.create_user(
        guest.handle,
        email,
        None,
        display_name=guest.name,
        language=guest.language,
        time_zone=guest.time_zone,
        is_bot=is_bot,
        notices_by_mail=False,
        joined_at=timezone.now() - timedelta(days=guest.days_here),
    )
    if password:
        User.objects.filter(pk=user.pk).update(password=password)
        EmailAddress.objects.create(user=user, email=email, verified=True, primary=True)
    return user


def _add_members(club: Club, owner: User, people: list[User]) -> None:
    link = joining.invite(actor=owner, club=club, max_uses=len(people))
    for person in people:
        joining.accept(person=person, token=link.token)


def _backdate(club: Club) -> None:
    """Date memberships back to when the accounts were made."""
    for membership in Membership.objects.filter(club=club).select_related("user"):
        Membership.objects.filter(pk=membership.pk).update(joined_at=membership.user.joined_at)
    first = Membership.objects.get(club=club, role=Role.OWNER).joined_at
    Club.objects.filter(pk=club.pk).update(founded_at=first)


def logins() -> list[DemoLogin]:
    """The demo's logins that still work: an account may have been deleted, given a new password, or locked."""
    shown = [
        DemoLogin(_OWNER.handle, PASSWORD, Role.OWNER),
        DemoLogin(_ORGANISERS[0].handle, PASSWORD, Role.ORGANISER),
        DemoLogin(_MEMBERS[0].handle, PASSWORD, Role.MEMBER),
        DemoLogin(_NEWCOMER.handle, PASSWORD, "newcomer"),
    ]
    people = User.objects.filter(handle__in=[login.handle for login in shown], is_active=True)
    working = {person.handle for person in people if person.check_password(PASSWORD)}
    return [login for login in shown if login.handle in working]


def _handles() -> list[str]:
    return [guest.handle for guest in (_OWNER, *_ORGANISERS, *_MEMBERS, *_BOTS, _NEWCOMER)]
