"""A lively club to look around in. The passwords are for the demo only and are printed at its start."""

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
    """Set the demo up once; called again it changes nothing."""
    if not User.objects.filter(handle=_OWNER.handle).exists():
        _open_the_house()
    return [
        DemoLogin(_OWNER.handle, PASSWORD, Role.OWNER),
        DemoLogin(_ORGANISERS[0].handle, PASSWORD, Role.ORGANISER),
        DemoLogin(_MEMBERS[0].handle, PASSWORD, Role.MEMBER),
        DemoLogin(_NEWCOMER.handle, PASSWORD, "newcomer"),
    ]


@transaction.atomic
def lock() -> list[str]:
    """Nobody may come in with a password that stands in the documentation: take it from the demo's people."""
    guests = [_OWNER, *_ORGANISERS, *_MEMBERS, *_BOTS, _NEWCOMER]
    people = User.objects.select_for_update().filter(handle__in=[guest.handle for guest in guests])
    locked = [person for person in people if person.check_password(PASSWORD)]
    for person in locked:
        person.set_unusable_password()
        person.save(update_fields=["password"])
    return [person.handle for person in locked]


def _open_the_house() -> None:
    # Hashing is slow on purpose: what stands in the documentation is hashed once for all.
    password = make_password(PASSWORD)
    owner = _welcome(_OWNER, password)
    organisers = [_welcome(guest, password) for guest in _ORGANISERS]
    members = [_welcome(guest, password) for guest in _MEMBERS]
    bots = [_welcome(guest, None) for guest in _BOTS]
    newcomer = _welcome(_NEWCOMER, password)

    lantern = clubs.found(
        founder=owner,
        name="The Lantern Table",
        city="Trieste",
        time_zone="Europe/Rome",
        description=_ABOUT,
    )
    _bring_in(lantern, owner, [*organisers, *members, *bots])
    for organiser in organisers:
        membership = Membership.objects.get(club=lantern, user=organiser)
        clubs.change_role(actor=owner, membership=membership, role=Role.ORGANISER)
    _backdate(lantern)

    warsaw_zone = "Europe/Warsaw"
    krakow = clubs.found(
        founder=organisers[0],
        name="Stół pod Lampą",
        city="Kraków",
        time_zone=warsaw_zone,
        description=_ABOUT_KRAKOW,
    )
    _bring_in(krakow, organisers[0], [m for m in members if m.time_zone == warsaw_zone])
    _backdate(krakow)

    dublin = clubs.found(
        founder=organisers[1],
        name="The Back Room Circle",
        city="Dublin",
        time_zone="Europe/Dublin",
        description=_ABOUT_DUBLIN,
        admission=Admission.INVITE,
    )
    _bring_in(dublin, organisers[1], members[2:5])
    _backdate(dublin)

    # Who came in long ago is no news; who asks to come in is.
    Notice.objects.update(read_at=timezone.now())
    joining.ask(person=newcomer, club=lantern, message="I played twice as a guest and would love a seat of my own.")


def _welcome(guest: _Guest, password: str | None) -> User:
    """Somebody with a hashed password, or a bot, which has none."""
    is_bot = password is None
    # Addresses that can never be reached, and no e-mails to them.
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


def _bring_in(club: Club, owner: User, people: list[User]) -> None:
    link = joining.invite(actor=owner, club=club, max_uses=len(people))
    for person in people:
        joining.accept(person=person, token=link.token)


def _backdate(club: Club) -> None:
    """The members have been here for as long as their accounts, so that the list looks lived in."""
    for membership in Membership.objects.filter(club=club).select_related("user"):
        Membership.objects.filter(pk=membership.pk).update(joined_at=membership.user.joined_at)
    first = Membership.objects.get(club=club, role=Role.OWNER).joined_at
    Club.objects.filter(pk=club.pk).update(founded_at=first)


def logins() -> list[DemoLogin]:
    """The demo's logins, if this house has the demo and has not locked it."""
    if not User.objects.filter(handle=_OWNER.handle).exists():
        return []
    return [login for login in seed() if User.objects.get(handle=login.handle).has_usable_password()]
