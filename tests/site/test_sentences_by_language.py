"""Numbers, names and times inside sentences, as each language writes them."""

import re
from datetime import UTC, datetime, timedelta

import pytest
from django.test import Client
from django.utils import timezone, translation
from django.utils.translation import gettext, gettext_lazy, ngettext

import engine
from accounts.infra.datetimes import format_datetime
from accounts.models import User
from deploy import translations
from deploy.templatetags.visuals import day, relative, with_sign
from games.forms import quick_forms
from leagues.core.reason_text import render_reason
from leagues.formats.reasons import reason

QUOTES = {"en": "“North”", "it": "«North»", "pl": "„North”"}
IN_A_WEEK = {"en": "in 7 days", "it": "tra 7 giorni", "pl": "za 7 dni"}
FOUR_RED_DICE = {"en": "dice: 4 red", "it": "dadi: 4 × rosso"}
SINCE = {
    1: "Qui dal 1 ottobre 2026",
    4: "Qui dal 4 ottobre 2026",
    8: "Qui dall’8 ottobre 2026",
    11: "Qui dall’11 ottobre 2026",
    18: "Qui dal 18 ottobre 2026",
}
BY_SUNDAY = "La tua mossa è attesa entro dom 8 nov, 20:00."
PLACES = {
    1: "al 1º posto",
    3: "al 3º posto",
    8: "all’8º posto",
    11: "all’11º posto",
    80: "all’80º posto",
    118: "al 118º",
}
LUCK = {
    0: "La fortuna ti ha dato lo 0% di una vittoria.",
    1: "La fortuna ti ha dato l’1% di una vittoria.",
    7: "La fortuna ti ha dato il 7% di una vittoria.",
    11: "La fortuna ti ha dato l’11% di una vittoria.",
    12: "La fortuna ti ha dato il 12% di una vittoria.",
    88: "La fortuna ti ha dato l’88% di una vittoria.",
}


def italian() -> list[str]:
    strings = [message.string for message in translations.read_catalogue("it") if message.id]
    return [text for each in strings for text in (each if isinstance(each, tuple | list) else [each]) if text]


@pytest.mark.parametrize("language", QUOTES)
def test_a_division_is_quoted_as_the_language_does(language: str) -> None:
    why = reason("season.up", entrant=1, old=1)
    with translation.override(language):
        assert QUOTES[language] in render_reason(why, {1: "Ada"}, "North")


@pytest.mark.parametrize("language", IN_A_WEEK)
def test_a_time_to_come(language: str) -> None:
    with translation.override(language):
        assert relative(timezone.now() + timedelta(days=7, minutes=1)) == IN_A_WEEK[language]


def test_a_time_that_is_past() -> None:
    with translation.override("it"):
        assert relative(timezone.now() - timedelta(days=3)) == "3\xa0giorni fa"


@pytest.mark.django_db
@pytest.mark.parametrize("language", FOUR_RED_DICE)
def test_so_many_of_a_colour(client: Client, language: str) -> None:
    page = client.get("/rules/thanos-rising/", headers={"Accept-Language": language}).content.decode()
    assert FOUR_RED_DICE[language] in page


@pytest.mark.django_db
def test_a_name_in_a_label_keeps_its_capital(alice: User) -> None:
    with translation.override("it"):
        choices = [form["choices"] for form in quick_forms(alice)]
    assert len(choices) == len(engine.GAMES)
    assert all(text.endswith("valida per l’Elo") for text in choices)


@pytest.mark.parametrize("date", SINCE)
def test_an_italian_article_fits_the_day_of_the_month(date: int) -> None:
    with translation.override("it"):
        assert gettext("Here since %(day)s") % {"day": day(datetime(2026, 10, date, 12, tzinfo=UTC))} == SINCE[date]


def test_an_italian_weekday_has_no_article() -> None:
    """It would be another one on Sundays."""
    with translation.override("it"), timezone.override("Europe/Rome"):
        when = format_datetime(datetime(2026, 11, 8, 19, tzinfo=UTC))
        assert gettext("Your move is due by %(when)s.") % {"when": when} == BY_SUNDAY


@pytest.mark.parametrize("place", PLACES)
def test_an_italian_article_fits_a_place(place: int) -> None:
    why = reason("season.up-placed", entrant=1, old=1, place=place)
    with translation.override("it"):
        assert PLACES[place] in render_reason(why, {1: "Ada"}, "Nord")


@pytest.mark.parametrize("percent", LUCK)
def test_an_italian_article_fits_a_percentage(percent: int) -> None:
    lazy = gettext_lazy("Luck gave you %(luck)s%% of a win.")
    with translation.override("it"):
        assert lazy % {"luck": percent} == str(lazy) % {"luck": percent} == LUCK[percent]


@pytest.mark.parametrize(("runs", "all_of_them"), [(8, "tutti gli 8 finali"), (12, "tutti i 12 finali")])
def test_an_italian_article_fits_a_number_of_things(runs: int, all_of_them: str) -> None:
    message = (
        "All %(runs)s possible ends were gone through, so nothing is off by chance. How unsure the ratings are is part "
        "of the chances themselves."
    )
    with translation.override("it"):
        assert all_of_them in gettext(message) % {"runs": runs}


@pytest.mark.django_db
def test_an_italian_page_fits_its_articles(client: Client, alice: User) -> None:
    User.objects.filter(pk=alice.pk).update(joined_at=datetime(2026, 11, 8, 12, tzinfo=UTC))
    page = client.get(alice.get_absolute_url(), headers={"Accept-Language": "it"}).content.decode()
    assert "Qui dall’8 novembre 2026" in page


def test_only_italian_sentences_change() -> None:
    for language in ("en", "pl"):
        with translation.override(language):
            assert type(gettext("Here since %(day)s")) is str
    with translation.override("it"):
        assert type(gettext("Rules")) is type(ngettext("%(count)s table placed", "%(count)s tables placed", 8)) is str


@pytest.mark.parametrize("language", QUOTES)
def test_no_space_before_a_percent_sign(language: str) -> None:
    messages = translations.read_catalogue("it" if language == "en" else language)
    for message in messages:
        texts = message.id if language == "en" else message.string
        for text in texts if isinstance(texts, tuple | list) else [texts]:
            assert not re.search(r"\s%%", text or ""), text


def test_italian_titles_and_quotations_have_guillemets() -> None:
    assert [text for text in italian() if re.search(r"\b(?:di|a|in|da|su) %\(game\)s", text)] == []
    assert [text for text in italian() if re.search("[“”„]", text)] == []


@pytest.mark.parametrize(("number", "written"), [(3, "+3"), (0, "0"), (-12, "−12")])
def test_a_number_with_its_sign(number: int, written: str) -> None:
    assert with_sign(number) == written
