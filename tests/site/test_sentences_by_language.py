"""Numbers, names and times inside sentences, as each language writes them."""

import re
from datetime import timedelta

import pytest
from django.test import Client
from django.utils import timezone, translation

import engine
from accounts.models import User
from deploy import translations
from deploy.templatetags.visuals import relative
from games.forms import quick_forms
from leagues.core.reason_text import render_reason
from leagues.formats.reasons import reason

QUOTES = {"en": "“North”", "it": "«North»", "pl": "„North”"}
IN_A_WEEK = {"en": "in 7 days", "it": "tra 7 giorni", "pl": "za 7 dni"}
FOUR_RED_DICE = {"en": "dice: 4 red", "it": "dadi: 4 × rosso"}


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


def test_italian_titles_and_quotations_have_guillemets() -> None:
    assert [text for text in italian() if re.search(r"\b(?:di|a|in|da|su) %\(game\)s", text)] == []
    assert [text for text in italian() if re.search("[“”„]", text)] == []
