"""The audit trail: one call a verb, inside the verb's transaction; words are made when it is read."""

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.db import models
from django.utils.functional import Promise
from django.utils.translation import gettext

from accounts.models import AuditEntry, Club, User
from accounts.moments import said

_sentences: dict[str, str | Promise] = {}


def action(name: str, sentence: str | Promise) -> str:
    """Declare an action and how it reads; `%(actor)s`, `%(person)s` and the entry's params may be named."""
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
class Line:
    at: datetime
    words: str


def in_words(entries: Iterable[AuditEntry]) -> list[Line]:
    """Read entries aloud; give a queryset with `select_related("actor", "person")`."""
    return [Line(at=entry.at, words=_words(entry)) for entry in entries]


def _words(entry: AuditEntry) -> str:
    sentence = _sentences.get(entry.action)
    if sentence is None:
        # Written by a newer version of the house: better a bare name than a hole in the trail.
        return entry.action
    names = {
        "actor": entry.actor.name if entry.actor else gettext("The house"),
        "person": entry.person.name if entry.person else "",
    }
    # An entry may be older than a word of its sentence.
    return str(sentence) % defaultdict(lambda: "–", {**said(entry.params), **names})
