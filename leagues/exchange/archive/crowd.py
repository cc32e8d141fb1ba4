"""The people of an archive, and who of them is somebody here. Only the organiser can say that; a handle is a hint."""

import re
from collections.abc import Collection
from dataclasses import dataclass
from typing import Any

from django.core.exceptions import ValidationError
from django.db.models import Q
from django.utils import timezone
from django.utils.crypto import get_random_string

from accounts import people
from accounts.models import AuditEntry, Club, User, validate_handle
from engine.bots import LEVELS
from leagues.exchange.archive.opening import Archive, unfit
from leagues.exchange.archive.pack import PEOPLE
from leagues.ratings import housebots

KINDS = ("person", "guest", "bot", "house", "former")
HOUSE = re.compile(rf"({'|'.join(LEVELS)}):[1-9]\d{{0,3}}\Z")


@dataclass(frozen=True)
class Person:
    """`same` is who has this handle in the club: a member, or a guest whom the club wrote down."""

    number: int
    kind: str
    handle: str
    name: str
    same: User | None = None

    @property
    def called(self) -> str:
        return self.name or self.handle


def listed(archive: Archive, club: Club) -> list[Person]:
    told = [_person(number, row) for number, row in archive.lines(PEOPLE)]
    handles = [each.handle for each in told if each.kind in ("person", "guest")]
    here = {user.handle.casefold(): user for some in _some(handles) for user in _known(club, some)}
    return [
        Person(each.number, each.kind, each.handle, each.name, here.get(each.handle.casefold()))
        if each.kind in ("person", "guest")
        else each
        for each in told
    ]


def _some(handles: list[str]) -> list[list[str]]:
    return [handles[at : at + 500] for at in range(0, len(handles), 500)]


def _person(number: int, row: dict[str, Any]) -> Person:
    kind, handle, name = (row.get(key) for key in ("kind", "handle", "name"))
    if not (kind in KINDS and isinstance(handle, str) and isinstance(name, str)):
        raise unfit(PEOPLE, number)
    if len(handle) > 60 or len(name) > people.LONGEST_NAME or any(ord(letter) < 32 for letter in handle + name):
        raise unfit(PEOPLE, number, "name")
    if (kind == "house" and not HOUSE.match(handle)) or (kind not in ("house", "former") and not (handle or name)):
        raise unfit(PEOPLE, number, "handle")
    return Person(number, str(kind), handle, " ".join(name.split()))


def _known(club: Club, handles: Collection[str]) -> list[User]:
    """Members of the club, and guests it wrote down itself: nobody else's history can be added to."""
    written = AuditEntry.objects.filter(club=club, action=people.GUEST_ADDED).values("person")
    ours = Q(memberships__club=club, is_bot=False) | Q(is_guest=True, pk__in=written)
    return list(User.objects.filter(ours, handle__in=handles, is_active=True).distinct())


def settled(everybody: list[Person], *, club: Club, actor: User, same: Collection[int]) -> dict[int, int]:
    """Everybody's account here, by their number in the archive, inside the caller's transaction."""
    house = housebots.accounts(each.handle for each in everybody if each.kind == "house")
    found: dict[int, int] = {}
    for each in everybody:
        match each.kind:
            case "house":
                found[each.number] = house[each.handle]
            case "bot":
                found[each.number] = people.make_bot(name=each.called).pk
            case "former":
                found[each.number] = _nameless().pk
            case _ if each.same is not None and each.number in same:
                found[each.number] = each.same.pk
            case _:
                found[each.number] = _copy(each, club, actor).pk
    return found


def _copy(person: Person, club: Club, actor: User) -> User:
    """A guest with the same name, and with the same handle if nobody has it."""
    guest = people.add_guest(club=club, name=person.called, actor=actor)
    try:
        validate_handle(person.handle)
    except ValidationError:
        return guest
    if not User.objects.filter(handle__iexact=person.handle).exists():
        guest.handle = person.handle
        guest.save(update_fields=["handle"])
    return guest


def _nameless() -> User:
    """Somebody who had left before the archive was made."""
    user = User(handle=f"~{get_random_string(12, 'abcdefghjkmnpqrstuvwxyz23456789')}", is_active=False)
    user.deleted_at = timezone.now()
    user.set_unusable_password()
    user.save()
    return user
