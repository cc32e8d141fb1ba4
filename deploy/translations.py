"""Catalogues without gettext's binaries: extract, update, compile and check with Babel alone.

Catalogues have no dates and no line numbers and are sorted by message, so that two branches that
each add a string merge without a conflict.
"""

import hashlib
import io
import os
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

from babel.messages import Catalog, Message
from babel.messages.extract import extract
from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po, write_po
from django.core.management.base import CommandError
from django.utils.translation.template import templatize

ROOT = Path(__file__).resolve().parent.parent
LOCALE = ROOT / "deploy" / "locale"
LANGUAGES = ("it", "pl")
SOURCES = ("accounts", "games", "leagues", "deploy", "engine")
TEMPLATES = "templates"
KEYWORDS: dict[str, Any] = {
    "_": None,
    "gettext": None,
    "gettext_lazy": None,
    "gettext_noop": None,
    "ngettext": (1, 2),
    "ngettext_lazy": (1, 2),
    "pgettext": ((1, "c"), 2),
    "pgettext_lazy": ((1, "c"), 2),
    "pgettext_noop": ((1, "c"), 2),
    "npgettext": ((1, "c"), 2, 3),
    "npgettext_lazy": ((1, "c"), 2, 3),
}
PLURALS = {
    "it": "nplurals=2; plural=(n != 1);",
    "pl": "nplurals=3; plural=(n==1 ? 0 : n%10>=2 && n%10<=4 && (n%100<12 || n%100>14) ? 1 : 2);",
}
STRING = r"""u?(?:"(?:\\.|[^"\\])*"|'(?:\\.|[^'\\])*')"""
CALL = re.compile(rf"\b(?:n?p?gettext|_)\(\s*{STRING}(?:\s*,\s*(?:{STRING}|count))*\s*\)")
PLACEHOLDER = re.compile(r"%\(\w+\)[#0\- +]*\d*(?:\.\d+)?[a-zA-Z]|%[sdifr]|\{\w*\}")


class SourceMessage(NamedTuple):
    message: str | tuple[str, ...]
    context: str | None
    file: str
    comments: list[str]


def extract_messages(root: Path = ROOT) -> Catalog:
    """Every translatable string of the code and the templates, as an empty catalogue."""
    catalogue = Catalog(domain="django", charset="utf-8", fuzzy=False)
    for one in sorted(_source_messages(root), key=lambda one: (_sort_key(one.message, one.context), one.file)):
        catalogue.add(one.message, context=one.context, locations=[(one.file, 0)], auto_comments=one.comments)
    return catalogue


def update_catalogues(root: Path = ROOT, locale: Path = LOCALE) -> None:
    """Bring every catalogue in line with the sources; translations stay, unused ones go."""
    wanted = extract_messages(root)
    for language in LANGUAGES:
        known = read_catalogue(language, locale)
        fresh = Catalog(locale=language, domain="django", charset="utf-8", fuzzy=False)
        for message in wanted:
            if not message.id:
                continue
            old = known.get(message.id, message.context)
            if old is None or isinstance(old.id, tuple) != isinstance(message.id, tuple):
                old = Message(message.id)
            fresh.add(
                message.id,
                old.string,
                context=message.context,
                locations=message.locations,
                auto_comments=message.auto_comments,
                flags=message.flags | ({"fuzzy"} if old.fuzzy else set()),
            )
        path = po_path(language, locale)
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(text_of(fresh, language))


def read_catalogue(language: str, locale: Path = LOCALE) -> Catalog:
    path = po_path(language, locale)
    if not path.exists():
        return Catalog(locale=language)
    with path.open("rb") as file:
        return read_po(file, locale=language, abort_invalid=True)


def compile_catalogues(locale: Path = LOCALE) -> list[Path]:
    """Write the binary catalogues that are missing or older than their source. Returns those written."""
    written = []
    for language in LANGUAGES:
        if is_compiled(language, locale):
            continue
        target = po_path(language, locale).with_suffix(".mo")
        try:
            write_binary(read_catalogue(language, locale), target)
        except OSError as error:
            raise CommandError(
                f"cannot write {target} ({error.strerror}): run 'python3 manage.py messages --compile' as the owner of "
                f"{ROOT} and start again"
            ) from None
        written.append(target)
    return written


def prepare_catalogues(var: Path, locale: Path = LOCALE) -> list[Path]:
    """For a site that starts: have fresh binary catalogues, without writing next to the sources. Returns those written.

    What an installation did not compile is compiled into the site's folder, which settings.LOCALE_PATHS names first.
    """
    written = []
    for language in LANGUAGES:
        source, target = po_path(language, locale), po_path(language, var / "locale").with_suffix(".mo")
        stamp = target.with_suffix(".source")
        if is_compiled(language, locale):
            target.unlink(missing_ok=True)  # of an earlier version
            continue
        # Not by time: the files of a release may be older than what was compiled from the one before.
        digest = hashlib.sha256(source.read_bytes()).hexdigest()
        if target.exists() and stamp.exists() and stamp.read_text() == digest:
            continue
        try:
            target.parent.mkdir(parents=True, exist_ok=True)
            write_binary(read_catalogue(language, locale), target)
            stamp.write_text(digest)
        except OSError as error:
            raise CommandError(f"cannot write {target} ({error.strerror}): make {var} writable for this user") from None
        written.append(target)
    return written


def is_compiled(language: str, locale: Path) -> bool:
    source = po_path(language, locale)
    target = source.with_suffix(".mo")
    return target.exists() and target.stat().st_mtime >= source.stat().st_mtime


def write_binary(catalogue: Catalog, target: Path) -> None:
    """Several processes may start at the same time, and none must read half a file."""
    binary = io.BytesIO()
    write_mo(binary, catalogue)
    part = target.with_suffix(f".{os.getpid()}.part")
    try:
        part.write_bytes(binary.getvalue())
        part.replace(target)
    finally:
        part.unlink(missing_ok=True)


def check(root: Path = ROOT, locale: Path = LOCALE) -> list[str]:
    """Every string that is not ready in Italian or Polish, one line each."""
    wanted = {(message.id, message.context): message for message in extract_messages(root) if message.id}
    problems = []
    for language in LANGUAGES:
        known = read_catalogue(language, locale)
        have = {(message.id, message.context): message for message in known if message.id}
        forms = known.num_plurals
        for key in sorted(wanted.keys() - have.keys(), key=str):
            problems.append(f"{language}: missing {_describe(key)}; run manage.py messages")
        for key in sorted(have.keys() - wanted.keys(), key=str):
            problems.append(f"{language}: no longer used {_describe(key)}; run manage.py messages")
        problems += [f"{language}: obsolete {_describe((key, None))}" for key in known.obsolete]
        for key in sorted(have.keys() & wanted.keys(), key=str):
            problems += [f"{language}: {problem} {_describe(key)}" for problem in _problems(have[key], forms)]
    return problems


def po_path(language: str, locale: Path = LOCALE) -> Path:
    return locale / language / "LC_MESSAGES" / "django.po"


def _source_messages(root: Path) -> Iterator[SourceMessage]:
    for folder in SOURCES:
        for path in sorted((root / folder).rglob("*.py")):
            if "migrations" not in path.parts:
                yield from _from_python(path.read_bytes(), path.relative_to(root).as_posix())
    if root == ROOT:
        yield from _from_engine()
    for path in sorted((root / TEMPLATES).rglob("*.*")):
        name = path.relative_to(root).as_posix()
        # Django turns tags into calls and everything else into X's.
        code = templatize(path.read_text(encoding="utf-8"), origin=name)
        yield from _from_python(_calls(code).encode(), name)


def _from_engine() -> Iterator[SourceMessage]:
    """The engine does not translate: its sentences, names and texts are read from its tables."""
    from games.catalogue import texts

    for source in texts.sources():
        yield SourceMessage(source.text, source.context, source.file, [])


def _calls(code: str) -> str:
    """Only the calls in the output of templatize: the X's between them are not Python."""
    return "\n".join(CALL.findall(code))


def _from_python(code: bytes, name: str) -> Iterator[SourceMessage]:
    options = {"encoding": "utf-8"}
    for _line, message, comments, context in extract("python", io.BytesIO(code), KEYWORDS, ("Translators:",), options):
        yield SourceMessage(message, context, name, comments)


def text_of(catalogue: Catalog, language: str) -> bytes:
    body = io.BytesIO()
    write_po(body, catalogue, omit_header=True, sort_output=False, no_location=False, include_lineno=False, width=100)
    header = (
        'msgid ""\nmsgstr ""\n'
        f'"Language: {language}\\n"\n'
        '"MIME-Version: 1.0\\n"\n'
        '"Content-Type: text/plain; charset=utf-8\\n"\n'
        '"Content-Transfer-Encoding: 8bit\\n"\n'
        f'"Plural-Forms: {PLURALS[language]}\\n"\n\n'
    )
    return header.encode() + body.getvalue()


def _problems(message: Message, forms: int) -> Iterator[str]:
    ids, strings = _parts(message.id), _parts(message.string)
    if message.fuzzy:
        yield "fuzzy"
    if not all(strings) or len(strings) != (forms if len(ids) > 1 else 1):
        yield "untranslated"
        return
    allowed = {_placeholders(text) for text in ids}
    if any(_placeholders(string) not in allowed for string in strings):
        yield "other placeholders in"


def _parts(text: Any) -> tuple[str, ...]:
    return tuple(text) if isinstance(text, list | tuple) else (text or "",)


def _placeholders(text: str) -> tuple[str, ...]:
    return tuple(sorted(PLACEHOLDER.findall(text)))


def _sort_key(message: str | tuple[str, ...], context: str | None) -> tuple[str, str, str]:
    singular = message if isinstance(message, str) else message[0]
    return singular.casefold(), singular, context or ""


def _describe(key: tuple[object, str | None]) -> str:
    message, context = key
    text = message[0] if isinstance(message, tuple) else message
    return f"{text!r}" + (f" (context {context!r})" if context else "")
