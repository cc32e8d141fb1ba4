"""The people of an archive. Only the organiser can say who has an account here; a handle is a hint."""

import re
from collections.abc import Collection
from dataclasses import dataclass
from typing import Any

from django.core.exceptions import ValidationError
from django.db.models import Q
from django.utils import timezone
from django.utils.crypto import get_random_string

from accounts import people
from accounts.models import Club, User, validate_handle
from engine.bots import LEVELS
from leagues.import_export.archive.reader import Archive, file_error
from leagues.import_export.archive.writer import PEOPLE
from leagues.ratings import site_bots

KINDS = ("person", "guest", "bot", "house", "former")
SITE_BOT = re.compile(rf"({'|'.join(LEVELS)}):[1-9]\d{{0,3}}\Z")


@dataclass(frozen=True)
class Person:
    """`same` is the account with this handle in the club: a member, or a guest the club added."""

    number: int
    kind: str
    handle: str
    name: str
    same: User | None = None

    @property
    def called(self) -> str:
        return self.name or self.handle


def people_in(archive: Archive, club: Club) -> list[Person]:
    rows = [_person(number, row) for number, row in archive.lines(PEOPLE)]
    handles = [each.handle for each in rows if each.kind in ("person", "guest")]
    here = {user.handle.casefold(): user for some in _batches(handles) for user in _known(club, some)}
    return [
        Person(each.number, each.kind, each.handle, each.name, here.get(each.handle.casefold()))
        if each.kind in ("person", "guest")
        else each
        for each in rows
    ]


def _batches(handles: list[str]) -> list[list[str]]:
    return [handles[at : at + 500] for at in range(0, len(handles), 500)]


def _person(number: int, row: dict[str, Any]) -> Person:
    kind, handle, name = (row.get(key) for key in ("kind", "handle", "name"))
    if not (kind in KINDS and isinstance(handle, str) and isinstance(name, str)):
        raise file_error(PEOPLE, number)
    if len(handle) > 60 or len(name) > people.MAX_NAME_LENGTH or any(ord(letter) < 32 for letter in handle + name):
        raise file_error(PEOPLE, number, "name")
    if (kind == "house" and not SITE_BOT.match(handle)) or (kind not in ("house", "former") and not (handle or name)):
        raise file_error(PEOPLE, number, "handle")
    return Person(number, str(kind), handle, " ".join(name.split()))


def _known(club: Club, handles: Collection[str]) -> list[User]:
    """Members of the club and guests it added itself: nobody else's history can be added to."""
    known_here = Q(memberships__club=club, is_bot=False) | Q(pk__in=people.guests_of(club))
    return list(User.objects.filter(known_here, handle__in=handles, is_active=True).distinct())


def resolve_people(everybody: list[Person], *, club: Club, actor: User, same: Collection[int]) -> dict[int, int]:
    """Everybody's account here, by their number in the archive. Inside the caller's transaction."""
    accounts = site_bots.accounts(each.handle for each in everybody if each.kind == "house")
    accounts_by_number: dict[int, int] = {}
    for each in everybody:
        match each.kind:
            case "house":
                accounts_by_number[each.number] = accounts[each.handle]
            case "bot":
                accounts_by_number[each.number] = people.create_bot_account(name=each.called).pk
            case "former":
                accounts_by_number[each.number] = _create_nameless_account().pk
            case _ if each.same is not None and each.number in same:
                accounts_by_number[each.number] = each.same.pk
            case _:
                accounts_by_number[each.number] = _copy(each, club, actor).pk
    return accounts_by_number


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


def _create_nameless_account() -> User:
    """An account for somebody who had left before the archive was made."""
    user = User(handle=f"~{get_random_string(12, 'abcdefghjkmnpqrstuvwxyz23456789')}", is_active=False)
    user.deleted_at = timezone.now()
    user.set_unusable_password()
    user.save()
    return user
