"""The kinds of notices: each is declared once, in the module that sends it, with its sentence and its group."""

from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any

from django.db import models
from django.utils.functional import Promise
from django.utils.module_loading import autodiscover_modules
from django.utils.translation import gettext_lazy as _

from accounts.infra.datetimes import localize_params
from accounts.models import Notice
from accounts.stored_names import load_names, with_names


class NotificationGroup(models.TextChoices):
    """Groups on the page of preferences, in its order."""

    TABLES = "tables", _("Online tables")
    PEOPLE = "people", _("People")
    LEAGUES = "leagues", _("Your games in leagues")
    SEASONS = "seasons", _("Seasons")
    CLUBS = "clubs", _("Clubs")
    ORGANISING = "organising", _("For organisers")


# The group of a kind by the first part of its name, unless it is declared with one.
SUBJECTS = {
    "games": NotificationGroup.TABLES,
    "people": NotificationGroup.PEOPLE,
    "leagues": NotificationGroup.LEAGUES,
    "nights": NotificationGroup.CLUBS,
    "club": NotificationGroup.CLUBS,
    "request": NotificationGroup.CLUBS,
    "invite": NotificationGroup.CLUBS,
}


@dataclass(frozen=True)
class NotificationKind:
    """`asks`: the notice asks for an answer, so the bell cannot be turned off. `details`: more text for its e-mail."""

    name: str
    sentence: str | Promise
    title: str | Promise
    group: NotificationGroup
    asks: bool
    details: Callable[[Notice], str] | None = None


_kinds: dict[str, NotificationKind] = {}


def declare_kind(
    name: str,
    sentence: str | Promise,
    title: str | Promise = "",
    *,
    group: NotificationGroup | None = None,
    asks: bool = False,
    details: Callable[[Notice], str] | None = None,
) -> str:
    """Declare a kind of notice. Its sentence may use `%(actor)s`, `%(club)s` and the notice's params.

    Params that are dates or times are formatted for the reader.
    """
    if name in _kinds:
        raise ValueError(f"The notice {name} is declared twice.")
    place = group or SUBJECTS.get(name.split(".")[0])
    if place is None:
        raise ValueError(f"The notice {name} belongs to no group.")
    _kinds[name] = NotificationKind(name, sentence, title, place, asks, details)
    return name


@cache
def _load() -> None:
    """Import all modules that declare kinds: a worker that sends e-mails may not have loaded them yet."""
    autodiscover_modules("urls", "tasks")


def _find(name: str) -> NotificationKind | None:
    if name not in _kinds:
        _load()
    return _kinds.get(name)


def kind_names() -> frozenset[str]:
    _load()
    return frozenset(_kinds)


def get_kind(name: str) -> NotificationKind:
    kind = _find(name)
    if kind is None:
        raise ValueError(f"The notice {name} is not declared.")
    return kind


def kind_title(name: str) -> str:
    """The title on the page of preferences; without one, the sentence with gaps."""
    declared = _find(name)
    if declared is None:
        return name
    return str(declared.title) or str(declared.sentence) % defaultdict(lambda: "…")


def by_group() -> dict[NotificationGroup, list[NotificationKind]]:
    """All kinds as the page of preferences lists them: first those that ask for an answer."""
    _load()
    listed = sorted(_kinds.values(), key=lambda kind: (not kind.asks, kind_title(kind.name)))
    return {group: [kind for kind in listed if kind.group is group] for group in NotificationGroup}


def render(notice: Notice) -> str:
    """The notice as a sentence, in the active language and time zone."""
    return _render(notice, load_names([notice.params]))


def render_all(notices: Iterable[Notice]) -> list[dict[str, Any]]:
    """Notices with their sentences, as pages list them. Pass a queryset with `select_related("actor", "club")`."""
    listed = list(notices)
    names = load_names(notice.params for notice in listed)
    return [{"notice": notice, "words": _render(notice, names)} for notice in listed]


def _render(notice: Notice, names: Mapping[int, str]) -> str:
    declared = _find(notice.kind)
    if declared is None:
        return notice.kind
    known = {
        "actor": notice.actor.name if notice.actor else "",
        "club": notice.club.name if notice.club else "",
    }
    return str(declared.sentence) % {**with_names(localize_params(notice.params), names), **known}
