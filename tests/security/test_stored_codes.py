"""Codes stored in databases, queues and links of running sites must not change.

`stored_codes.txt` lists them, one a line. A new one is added there; an old one that is missing would leave rows that
nothing can read any more, so it is changed only together with a migration of what is stored.
"""

import re
from pathlib import Path

from django.apps import apps
from django.utils import translation

from accounts import audit
from accounts.infra.realtime import topics
from accounts.infra.scopes import Scope
from accounts.notifications import preferences, registry
from accounts.webhooks import events
from deploy.celery import app
from leagues.core.format_catalogue import FORMATS
from leagues.feeds import service as feeds
from leagues.formats import points, reason_templates
from leagues.formats.tiebreaks.registry import PARTS, PRESETS
from leagues.placement.solver import reason_templates as placement_templates
from leagues.seasons import presets, undo
from leagues.windows import outcomes

TABLE = Path(__file__).with_name("stored_codes.txt")
OURS = ("accounts", "deploy", "games", "leagues")


def stored_codes() -> list[str]:
    """All codes of the code base, each with its kind."""
    registry.kind_names()
    app.loader.import_default_modules()
    with translation.override("en"):
        reasons = reason_templates.WORDS | reason_templates.ERRORS | placement_templates.TEMPLATES
        codes = {
            "audit": audit.actions(),
            "format": FORMATS,
            "note": outcomes.NOTES,
            "notice": registry.kind_names(),
            "points": points.CODES,
            "preset": [preset.code for preset in presets.PRESETS],
            "reason": [with_params(code, str(sentence)) for code, sentence in reasons.items()],
            "salt": [str(preferences._signer.salt), str(feeds._signer.salt)],
            "scope": Scope.values,
            "setting": [f"{code}.{each.name}" for code, format in FORMATS.items() for each in format.settings],
            "task": [name for name in app.tasks if not name.startswith("celery.")],
            "tiebreak": PARTS,
            "tiebreak-preset": PRESETS,
            "topic": topics._topics,
            "undo": undo.REVERSALS,
            "webhook": [name for name in events.declared_events() if not name.startswith("tests.")],
            "choice": choices_of_models(),
        }
        return sorted(f"{what} {code}" for what, listed in codes.items() for code in listed)


def with_params(code: str, sentence: str) -> str:
    return " ".join([code, *sorted(set(re.findall(r"%\((\w+)\)", sentence)))])


def choices_of_models() -> list[str]:
    """Every value of every column with choices."""
    return [
        f"{model._meta.label_lower}.{field.name} {value or '(empty)'}"
        for label in OURS
        for model in apps.get_app_config(label).get_models()
        for field in model._meta.get_fields()
        for value, _words in getattr(field, "flatchoices", None) or ()
    ]


def test_no_stored_code_has_changed() -> None:
    known = TABLE.read_text(encoding="utf-8").splitlines()
    now = stored_codes()
    assert sorted(set(known) - set(now)) == []
    assert sorted(set(now) - set(known)) == [], "new codes: add them to stored_codes.txt"
    assert len(now) == len(set(now))
