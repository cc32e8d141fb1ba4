"""Who is meant by a name, a handle or an address: members of the club, guests who played here, those who entered."""

from collections.abc import Iterable
from dataclasses import dataclass, field

from django.utils.translation import gettext

from accounts.models import User
from accounts.text import plain
from leagues.models import Entrant, Season
from leagues.names import listed


def same(name: str) -> str:
    """Equal for names that are the same but for case, marks and spaces."""
    return " ".join(plain(name).split())


# Shorter names differ by a letter too often to mean anything: Ada and Ida are two people.
WORTH_COMPARING = 5


def words_of(name: str) -> str:
    """A name whatever the order of its words."""
    return "".join(sorted(same(name).replace("-", " ").split()))


def near(one: str, other: str) -> bool:
    """Whether two plain forms are a letter apart: one changed, one left out, or two neighbours swapped."""
    if len(one) != len(other):
        short, long = sorted((one, other), key=len)
        return any(long[:at] + long[at + 1 :] == short for at in range(len(long)))
    off = [at for at, (mine, theirs) in enumerate(zip(one, other)) if mine != theirs]
    if len(off) == 2 and off[1] == off[0] + 1:
        return one[off[0]] == other[off[1]] and one[off[1]] == other[off[0]]
    return len(off) <= 1


class Likeness:
    """Names seen so far, to be asked whether another one looks like a slip of one of them.

    Names a letter apart share a form with one letter left out, so only those few are compared at all.
    """

    def __init__(self, names: Iterable[str] = ()) -> None:
        self._known: dict[str, set[str]] = {}
        for name in names:
            self.add(name)

    def add(self, name: str) -> None:
        for form in self._forms(name):
            self._known.setdefault(form, set()).add(name)

    def near(self, name: str) -> str:
        """A name that is nearly this one, or nothing."""
        found = {each for form in self._forms(name) for each in self._known.get(form, ())}
        close = [each for each in found if same(each) != same(name) and near(words_of(each), words_of(name))]
        return min(close, default="")

    @staticmethod
    def _forms(name: str) -> set[str]:
        words = words_of(name)
        if len(words) < WORTH_COMPARING:
            return {words}
        return {words, *(words[:at] + words[at + 1 :] for at in range(len(words)))}


@dataclass
class Company:
    """Everybody a file may name, read in three queries."""

    members: dict[str, User] = field(default_factory=dict)
    by_mail: dict[str, User] = field(default_factory=dict)
    by_name: dict[str, list[User]] = field(default_factory=dict)
    guests: dict[str, list[User]] = field(default_factory=dict)
    entered: dict[int, Entrant] = field(default_factory=dict)
    entered_names: dict[str, list[Entrant]] = field(default_factory=dict)


def namesakes(known: Company, name: str) -> str:
    """What to say to a name that members have, too; nothing if none has."""
    members = known.by_name.get(same(name), [])
    if len(members) > 1:
        words = gettext("Several members have the same name: if it is one of %(handles)s, give the handle.")
        return words % {"handles": listed(f"@{user.handle}" for user in members)}
    words = gettext("A member has the same name: if it is @%(handle)s, give the handle.")
    return "".join(words % {"handle": user.handle} for user in members)


def company(season: Season) -> Company:
    club = season.league.club
    found = Company()
    for user in User.objects.filter(memberships__club=club, is_active=True, is_bot=False).order_by("handle"):
        found.members[user.handle.casefold()] = user
        found.by_name.setdefault(same(user.name), []).append(user)
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
