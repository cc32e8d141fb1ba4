"""The audit trail: one `record` per action, in the action's transaction. Text is rendered when it is read."""

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.db import models
from django.utils.functional import Promise
from django.utils.translation import gettext

from accounts.infra.datetimes import localize_params
from accounts.models import AuditEntry, Club, User

# Stands in the params of an entry for a name that was erased.
ERASED = "~"

_sentences: dict[str, str | Promise] = {}


def declare_action(name: str, sentence: str | Promise) -> str:
    """Declare an action and its sentence, which may use `%(actor)s`, `%(person)s` and the entry's params."""
    if name in _sentences:
        raise ValueError(f"The action {name} is declared twice.")
    _sentences[name] = sentence
    return name


def actions() -> frozenset[str]:
    return frozenset(_sentences)


def record(
    action: str,
    *,
    actor: User | None,
    on: models.Model,
    club: Club | None = None,
    person: User | None = None,
    **params: Any,
) -> AuditEntry:
    if action not in _sentences:
        raise ValueError(f"The action {action} is not declared.")
    return AuditEntry.objects.create(
        actor=actor,
        action=action,
        club=club,
        person=person,
        object_type=on._meta.label_lower,
        object_id=str(on.pk),
        params=params,
    )


@dataclass(frozen=True)
class RenderedEntry:
    at: datetime
    words: str


def render_entries(entries: Iterable[AuditEntry]) -> list[RenderedEntry]:
    """Entries as sentences. Pass a queryset with `select_related("actor", "person")`."""
    return [RenderedEntry(at=entry.at, words=_render_entry(entry)) for entry in entries]


def _render_entry(entry: AuditEntry) -> str:
    sentence = _sentences.get(entry.action)
    if sentence is None:
        # Written by a newer version of the site: show the bare name rather than nothing.
        return entry.action
    names = {
        "actor": entry.actor.name if entry.actor else gettext("The site"),
        "person": entry.person.name if entry.person else "",
    }
    # An old entry may lack a param that its sentence uses today.
    params = {name: _with_erased(value) for name, value in localize_params(entry.params).items()}
    return str(sentence) % defaultdict(lambda: "–", {**params, **names})


def _with_erased(value: Any) -> Any:
    if not isinstance(value, str) or ERASED not in value:
        return value
    return ", ".join(gettext("Former player") if part == ERASED else part for part in value.split(", "))
