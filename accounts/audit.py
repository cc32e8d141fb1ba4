"""The audit trail: one `record` per action, in the action's transaction. Text is rendered when it is read."""

from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.db import models
from django.utils.functional import Promise
from django.utils.translation import gettext

from accounts.infra.datetimes import localize_params
from accounts.models import AuditEntry, Club, User
from accounts.stored_names import load_names, store_people, with_names

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
    """Write an entry. Whoever is meant is passed as a `User`, not as a name: see `accounts.stored_names`."""
    if action not in _sentences:
        raise ValueError(f"The action {action} is not declared.")
    return AuditEntry.objects.create(
        actor=actor,
        action=action,
        club=club,
        person=person,
        object_type=on._meta.label_lower,
        object_id=str(on.pk),
        params=store_people(params),
    )


@dataclass(frozen=True)
class RenderedEntry:
    at: datetime
    words: str


def render_entries(entries: Iterable[AuditEntry]) -> list[RenderedEntry]:
    """Entries as sentences. Pass a queryset with `select_related("actor", "person")`."""
    listed = list(entries)
    names = load_names(entry.params for entry in listed)
    return [RenderedEntry(at=entry.at, words=_render_entry(entry, names)) for entry in listed]


def as_param(entry: AuditEntry) -> dict[str, Any]:
    """An entry as a param of another one, whose sentence has this one's sentence in it."""
    people = store_people({"actor": entry.actor or "", "person": entry.person or ""})
    return {"action": entry.action, "params": {**entry.params, **people}}


def _render_entry(entry: AuditEntry, names: Mapping[int, str]) -> str:
    people = {"actor": entry.actor.name if entry.actor else "", "person": entry.person.name if entry.person else ""}
    return _render(entry.action, {**_readable(entry.params, names), **people})


def _render(action: str, params: Mapping[str, Any]) -> str:
    sentence = _sentences.get(action)
    if sentence is None:
        # Written by a newer version of the site: show the bare name rather than nothing.
        return action
    # An old entry may lack a param that its sentence uses today.
    known = defaultdict(lambda: "–", params)
    known["actor"] = known["actor"] or gettext("The site")
    return str(sentence) % known


def _readable(params: Mapping[str, Any], names: Mapping[int, str]) -> dict[str, Any]:
    """Params in the reader's language."""
    local = {name: _with_erased(value) for name, value in localize_params(params).items()}
    return {
        name: _render(value["action"], _readable(value["params"], names)) if _is_entry(value) else value
        for name, value in with_names(local, names).items()
    }


def _is_entry(value: Any) -> bool:
    return isinstance(value, dict) and isinstance(value.get("action"), str) and isinstance(value.get("params"), dict)


def _with_erased(value: Any) -> Any:
    if not isinstance(value, str) or ERASED not in value:
        return value
    return ", ".join(gettext("Former player") if part == ERASED else part for part in value.split(", "))
