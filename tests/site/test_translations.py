"""The catalogues are complete, and the tool that updates them works."""

import gettext
import os
import re
from pathlib import Path

import pytest
from django.core.management.base import CommandError

from deploy import translations

TEMPLATE = """{% load i18n %}
<h1>{% translate "Play" context "navigation" %}</h1>
{% translate 'It is "quoted"' %} {% trans "100% sure" %} {{ name|default:_("nobody") }}
{% blocktranslate count size=club.size %}{{ size }} member{% plural %}{{ size }} members{% endblocktranslate %}
{% blocktranslate trimmed with name=user %}
  Hello,
  {{ name }}
{% endblocktranslate %}
{% comment %}{% translate "Not this" %}{% endcomment %}
"""
PYTHON = """from django.utils.translation import gettext as _, ngettext, pgettext_lazy
_("One " "sentence")
ngettext("%(n)d table", "%(n)d tables", n)
pgettext_lazy("role", "Owner")
"""
FOUND = {
    ("Play", "navigation"),
    ('It is "quoted"', None),
    ("100%% sure", None),
    ("nobody", None),
    (("%(size)s member", "%(size)s members"), None),
    ("Hello, %(name)s", None),
    ("One sentence", None),
    (("%(n)d table", "%(n)d tables"), None),
    ("Owner", "role"),
}


@pytest.fixture
def project(tmp_path: Path) -> Path:
    for folder in (*translations.SOURCES, translations.TEMPLATES):
        (tmp_path / folder).mkdir()
    (tmp_path / "templates" / "page.html").write_text(TEMPLATE, encoding="utf-8")
    (tmp_path / "accounts" / "verbs.py").write_text(PYTHON, encoding="utf-8")
    return tmp_path


def translate_all(locale: Path) -> None:
    for language in translations.LANGUAGES:
        catalogue = translations.read_catalogue(language, locale)
        for message in catalogue:
            if message.id:
                plural = isinstance(message.id, tuple)
                message.string = (message.id[1],) * catalogue.num_plurals if plural else message.id
        translations.po_path(language, locale).write_bytes(translations.text_of(catalogue, language))


def test_every_string_of_the_site_is_translated():
    assert translations.check() == []


def test_the_catalogues_are_as_the_tool_writes_them(tmp_path: Path):
    for language in translations.LANGUAGES:
        path = translations.po_path(language, tmp_path)
        path.parent.mkdir(parents=True)
        path.write_bytes(translations.po_path(language).read_bytes())
    translations.update_catalogues(locale=tmp_path)
    for language in translations.LANGUAGES:
        assert translations.po_path(language, tmp_path).read_text() == translations.po_path(language).read_text()


def test_extraction_reads_templates_and_python(project: Path):
    catalogue = translations.extract_messages(project)
    assert {(message.id, message.context) for message in catalogue if message.id} == FOUND


def test_an_update_keeps_translations_and_drops_what_is_gone(project: Path):
    locale = project / "locale"
    translations.update_catalogues(project, locale)
    translate_all(locale)
    assert translations.check(project, locale) == []
    (project / "accounts" / "verbs.py").write_text('_("One sentence")\n_("Another")\n', encoding="utf-8")
    translations.update_catalogues(project, locale)
    for language in translations.LANGUAGES:
        catalogue = translations.read_catalogue(language, locale)
        kept = catalogue.get("One sentence")
        assert kept is not None
        assert kept.string == "One sentence"
        assert catalogue.get("Owner", "role") is None
    assert translations.check(project, locale) == ["it: untranslated 'Another'", "pl: untranslated 'Another'"]


@pytest.mark.parametrize(
    ("before", "after", "flaw"),
    [
        ('msgstr "Owner"', 'msgstr ""', "untranslated 'Owner' (context 'role')"),
        ('msgctxt "role"', '#, fuzzy\nmsgctxt "role"', "fuzzy 'Owner' (context 'role')"),
        ('msgstr "Hello, %(name)s"', 'msgstr "Hello, %(user)s"', "other placeholders in 'Hello, %(name)s'"),
        ('msgid "nobody"', 'msgid "somebody"', "missing 'nobody'; run manage.py messages"),
        ('msgid "nobody"', 'msgid "somebody"', "no longer used 'somebody'; run manage.py messages"),
        ('msgstr[1] "%(n)d tables"', 'msgstr[1] ""', "untranslated '%(n)d table'"),
        ('msgid "One sentence"', '#~ msgid "Old"\n#~ msgstr "Old"\n\nmsgid "One sentence"', "obsolete 'Old'"),
    ],
)
def test_the_check_finds_each_kind_of_flaw(project: Path, before: str, after: str, flaw: str):
    locale = project / "locale"
    translations.update_catalogues(project, locale)
    translate_all(locale)
    path = translations.po_path("pl", locale)
    text = path.read_text(encoding="utf-8")
    assert before in text
    path.write_text(text.replace(before, after), encoding="utf-8")
    assert f"pl: {flaw}" in translations.check(project, locale)


def test_binary_catalogues_are_made_once_and_again_after_a_change(project: Path):
    locale = project / "locale"
    translations.update_catalogues(project, locale)
    translate_all(locale)
    assert len(translations.compile_catalogues(locale)) == 2
    assert translations.compile_catalogues(locale) == []
    source = translations.po_path("pl", locale)
    source.write_text(source.read_text().replace('msgstr "nobody"', 'msgstr "nikt"'))
    later = source.with_suffix(".mo").stat().st_mtime_ns + 1_000_000
    os.utime(source, ns=(later, later))
    assert translations.compile_catalogues(locale) == [source.with_suffix(".mo")]
    with source.with_suffix(".mo").open("rb") as file:
        assert gettext.GNUTranslations(file).gettext("nobody") == "nikt"


def test_catalogues_that_cannot_be_written_are_one_clear_line(project: Path):
    locale = project / "locale"
    translations.update_catalogues(project, locale)
    target = translations.po_path("it", locale).with_suffix(".mo")
    target.mkdir()
    (target / "in the way").touch()
    os.utime(target, (0, 0))
    with pytest.raises(CommandError, match=r"cannot write .*django\.mo .*: run 'python3 manage.py messages --compile'"):
        translations.compile_catalogues(locale)
    assert not list(target.parent.glob("*.part"))


def test_a_site_on_a_read_only_tree_compiles_into_its_own_folder(project: Path, tmp_path: Path):
    locale, var = project / "locale", tmp_path / "var"
    translations.update_catalogues(project, locale)
    translate_all(locale)
    target = var / "locale" / "pl" / "LC_MESSAGES" / "django.mo"
    assert target in translations.prepare_catalogues(var, locale)
    assert translations.prepare_catalogues(var, locale) == []
    # An upgrade, with files that are older than what was compiled.
    source = translations.po_path("pl", locale)
    source.write_text(source.read_text().replace('msgstr "nobody"', 'msgstr "nikt"'))
    os.utime(source, (0, 0))
    assert translations.prepare_catalogues(var, locale) == [target]
    with target.open("rb") as file:
        assert gettext.GNUTranslations(file).gettext("nobody") == "nikt"
    assert not list(locale.rglob("*.mo"))
    # What is compiled with the installation comes first.
    translations.compile_catalogues(locale)
    assert translations.prepare_catalogues(var, locale) == []
    assert not target.exists()


@pytest.mark.parametrize(("number", "form"), [(1, 0), (2, 1), (4, 1), (5, 2), (12, 2), (22, 1), (112, 2), (0, 2)])
def test_polish_counts_as_poles_do(project: Path, number: int, form: int):
    locale = project / "locale"
    translations.update_catalogues(project, locale)
    translate_all(locale)
    source = translations.po_path("pl", locale)
    text = source.read_text()
    for index in range(3):
        text = text.replace(f'msgstr[{index}] "%(n)d tables"', f'msgstr[{index}] "{index}"')
    source.write_text(text)
    translations.compile_catalogues(locale)
    with source.with_suffix(".mo").open("rb") as file:
        assert gettext.GNUTranslations(file).ngettext("%(n)d table", "%(n)d tables", number) == str(form)


def test_polish_speaks_to_its_reader_in_lower_case():
    """Ty, Ci, Twój with a capital are for personal letters; in an interface they look wrong, and were inconsistent."""
    spoken = re.compile(r"(?<=[^.!?…\n] )(Ty|Ciebie|Tobie|Tobą|Ci|Cię|Tw(ój|oj\w{1,3}))\b")
    capitals = [
        text
        for message in translations.read_catalogue("pl")
        for text in (message.string if isinstance(message.string, tuple | list) else [message.string or ""])
        if spoken.search(text)
    ]
    assert capitals == []
