"""Who is meant by a name, a handle or an address: members of the club, guests who played here, those who entered."""

from collections.abc import Iterable
from dataclasses import dataclass, field

from accounts.models import User
from accounts.text import plain
from leagues.models import Entrant, Season


def same(name: str) -> str:
    """Equal for names that are the same but for case, marks and spaces."""
    return " ".join(plain(name).split())


def alike(name: str) -> set[str]:
    """Two names that share one of these differ by a letter at most, or by the order of their words."""
    words = "".join(sorted(same(name).replace("-", " ").split()))
    return {words, *(words[:at] + words[at + 1 :] for at in range(len(words)))}


class Likeness:
    """Names seen so far, to be asked whether another one looks like a slip of one of them."""

    def __init__(self, names: Iterable[str] = ()) -> None:
        self._known: dict[str, str] = {}
        for name in names:
            self.add(name)

    def add(self, name: str) -> None:
        for form in alike(name):
            self._known.setdefault(form, name)

    def near(self, name: str) -> str:
        """A name that is nearly this one, or nothing."""
        found = (self._known.get(form) for form in sorted(alike(name)))
        return next((each for each in found if each and same(each) != same(name)), "")


@dataclass
class Company:
    """Everybody a file may name, read in three queries."""

    members: dict[str, User] = field(default_factory=dict)
    by_mail: dict[str, User] = field(default_factory=dict)
    by_name: dict[str, User] = field(default_factory=dict)
    guests: dict[str, list[User]] = field(default_factory=dict)
    entered: dict[int, Entrant] = field(default_factory=dict)
    entered_names: dict[str, list[Entrant]] = field(default_factory=dict)


def company(season: Season) -> Company:
    club = season.league.club
    found = Company()
    for user in User.objects.filter(memberships__club=club, is_active=True, is_bot=False):
        found.members[user.handle.casefold()] = user
        found.by_name[same(user.name)] = user
        if user.email:
            found.by_mail[user.email.casefold()] = user
    guests = User.objects.filter(entries__season__league__club=club, is_guest=True, is_active=True)
    for user in guests.distinct().order_by("pk"):
        found.guests.setdefault(same(user.name), []).append(user)
    for entrant in Entrant.objects.named().filter(season=season).prefetch_related("members__user"):
        if entrant.user_id:
            found.entered[entrant.user_id] = entrant
        for member in entrant.members.all():
            found.entered[member.user_id] = entrant
        found.entered_names.setdefault(same(entrant.name), []).append(entrant)
    return found
