"""The kinds of notices: each declared once, where it is told, with its words and its place among people's choices."""

from collections import defaultdict
from dataclasses import dataclass
from functools import cache

from django.db import models
from django.utils.functional import Promise
from django.utils.module_loading import autodiscover_modules
from django.utils.translation import gettext_lazy as _

from accounts.models import Notice
from accounts.moments import said


class Group(models.TextChoices):
    """What belongs together on the page of choices, in its order."""

    TABLES = "tables", _("Online tables")
    LEAGUES = "leagues", _("Your games in leagues")
    SEASONS = "seasons", _("Seasons")
    CLUBS = "clubs", _("Clubs")
    ORGANISING = "organising", _("For organisers")


# What a name begins with says where a kind belongs, unless it says so itself.
SUBJECTS = {
    "games": Group.TABLES,
    "leagues": Group.LEAGUES,
    "nights": Group.CLUBS,
    "club": Group.CLUBS,
    "request": Group.CLUBS,
    "invite": Group.CLUBS,
}


@dataclass(frozen=True)
class Kind:
    """`asks`: somebody waits for an answer, so the bell cannot be turned off."""

    name: str
    sentence: str | Promise
    title: str | Promise
    group: Group
    asks: bool


_kinds: dict[str, Kind] = {}


def kind(
    name: str,
    sentence: str | Promise,
    title: str | Promise = "",
    *,
    group: Group | None = None,
    asks: bool = False,
) -> str:
    """Declare a kind of notice; `%(actor)s`, `%(club)s` and the notice's params may be named.

    A param that is a day or a moment is put into words when it is read, on the reader's clock.
    """
    if name in _kinds:
        raise ValueError(f"The notice {name} is declared twice.")
    place = group or SUBJECTS.get(name.split(".")[0])
    if place is None:
        raise ValueError(f"The notice {name} belongs to no group.")
    _kinds[name] = Kind(name, sentence, title, place, asks)
    return name


@cache
def _load() -> None:
    """Kinds are declared where they are told. A process that has neither shown those pages nor run those tasks yet,
    such as a worker that sends e-mails, loads them all.
    """
    autodiscover_modules("urls", "tasks")


def _find(name: str) -> Kind | None:
    if name not in _kinds:
        _load()
    return _kinds.get(name)


def kinds() -> frozenset[str]:
    _load()
    return frozenset(_kinds)


def known(name: str) -> Kind:
    found = _find(name)
    if found is None:
        raise ValueError(f"The notice {name} is not declared.")
    return found


def title(name: str) -> str:
    """What the page of choices calls a kind; one that has no title is called by its sentence with gaps."""
    declared = _find(name)
    if declared is None:
        return name
    return str(declared.title) or str(declared.sentence) % defaultdict(lambda: "…")


def by_group() -> dict[Group, list[Kind]]:
    """All kinds as the page of choices shows them: first where somebody waits for an answer."""
    _load()
    listed = sorted(_kinds.values(), key=lambda kind: (not kind.asks, title(kind.name)))
    return {group: [kind for kind in listed if kind.group is group] for group in Group}


def words(notice: Notice) -> str:
    """The notice in the language and on the clock that are in force."""
    declared = _find(notice.kind)
    if declared is None:
        return notice.kind
    names = {
        "actor": notice.actor.name if notice.actor else "",
        "club": notice.club.name if notice.club else "",
    }
    return str(declared.sentence) % {**said(notice.params), **names}
