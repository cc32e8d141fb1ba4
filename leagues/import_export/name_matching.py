"""Finds who is meant by a name, handle or address: members, guests who played here, and entrants."""

from collections.abc import Iterable
from dataclasses import dataclass, field

from django.utils.translation import gettext

from accounts.infra.text import plain
from accounts.models import User
from leagues.core.text import join_names
from leagues.models import Entrant, Season


def normalize_name(name: str) -> str:
    """The name without case, accents and extra spaces."""
    return " ".join(plain(name).split())


# Shorter names differ by a letter too often: Ada and Ida are two people.
MIN_LENGTH = 5


def name_key(name: str) -> str:
    """The name without regard to the order of its words."""
    return "".join(sorted(normalize_name(name).replace("-", " ").split()))


def near(one: str, other: str) -> bool:
    """Whether one letter was changed or left out, or two neighbouring letters were swapped."""
    if len(one) != len(other):
        short, long = sorted((one, other), key=len)
        return any(long[:at] + long[at + 1 :] == short for at in range(len(long)))
    off = [at for at, (left_letter, right_letter) in enumerate(zip(one, other)) if left_letter != right_letter]
    if len(off) == 2 and off[1] == off[0] + 1:
        return one[off[0]] == other[off[1]] and one[off[1]] == other[off[0]]
    return len(off) <= 1


class SimilarNames:
    """Finds names that look like a misspelling of a name seen before.

    Two such names share a form with one letter left out, so only few names have to be compared.
    """

    def __init__(self, names: Iterable[str] = ()) -> None:
        self._known: dict[str, set[str]] = {}
        for name in names:
            self.add(name)

    def add(self, name: str) -> None:
        for form in self._forms(name):
            self._known.setdefault(form, set()).add(name)

    def near(self, name: str) -> str:
        """A very similar name seen before, or an empty text."""
        candidates = {each for form in self._forms(name) for each in self._known.get(form, ())}
        close = [
            each
            for each in candidates
            if normalize_name(each) != normalize_name(name) and near(name_key(each), name_key(name))
        ]
        return min(close, default="")

    @staticmethod
    def _forms(name: str) -> set[str]:
        key = name_key(name)
        if len(key) < MIN_LENGTH:
            return {key}
        return {key, *(key[:at] + key[at + 1 :] for at in range(len(key)))}


@dataclass
class KnownPeople:
    """Everybody a file may name, read in three queries."""

    members: dict[str, User] = field(default_factory=dict)
    by_mail: dict[str, User] = field(default_factory=dict)
    by_name: dict[str, list[User]] = field(default_factory=dict)
    guests: dict[str, list[User]] = field(default_factory=dict)
    entered: dict[int, Entrant] = field(default_factory=dict)
    entered_names: dict[str, list[Entrant]] = field(default_factory=dict)


def namesakes(known: KnownPeople, name: str) -> str:
    """A warning if members have the same name; empty if none has."""
    members = known.by_name.get(normalize_name(name), [])
    if len(members) > 1:
        message = gettext("Several members have the same name: if it is one of %(handles)s, give the handle.")
        return message % {"handles": join_names(f"@{user.handle}" for user in members)}
    message = gettext("A member has the same name: if it is @%(handle)s, give the handle.")
    return "".join(message % {"handle": user.handle} for user in members)


def known_people(season: Season) -> KnownPeople:
    club = season.league.club
    known = KnownPeople()
    for user in User.objects.filter(memberships__club=club, is_active=True, is_bot=False).order_by("handle"):
        known.members[user.handle.casefold()] = user
        known.by_name.setdefault(normalize_name(user.name), []).append(user)
        if user.email:
            known.by_mail[user.email.casefold()] = user
    guests = User.objects.filter(entries__season__league__club=club, is_guest=True, is_active=True)
    for user in guests.distinct().order_by("pk"):
        known.guests.setdefault(normalize_name(user.name), []).append(user)
    for entrant in Entrant.objects.named().filter(season=season).prefetch_related("members__user"):
        if entrant.user_id:
            known.entered[entrant.user_id] = entrant
        for member in entrant.members.all():
            known.entered[member.user_id] = entrant
        known.entered_names.setdefault(normalize_name(entrant.name), []).append(entrant)
    return known
