"""Names that the site gives are in the reader's language, and what is stored is the same for all."""

import pytest
from django.test import Client
from django.utils import translation

from accounts import audit
from accounts.models import AuditEntry, Notice, User
from accounts.notifications import registry
from deploy import translations
from games.analysis.move_words import MoveWords
from games.catalogue import texts
from games.models import Match
from leagues.ratings import site_bots
from tests.factories import started_match
from tests.leagues.leaderboards.conftest import GAUNTLET, SPLENDOR, rate

TITLES = {
    "en": "Infinity Gauntlet: A Love Letter Game",
    "it": "Il Guanto dell’Infinito",
    "pl": "Rękawica Nieskończoności",
}
SHORT = {**TITLES, "en": "Infinity Gauntlet"}
LEVELS = {"en": "Regular 7", "it": "Intermedio 7", "pl": "Bywalec 7"}


@pytest.mark.django_db
def test_the_sites_bots_are_named_in_the_readers_language(alice: User, client: Client) -> None:
    key = site_bots.key_of("regular", 7)
    bot = User.objects.get(pk=site_bots.accounts([key])[key])
    assert bot.display_name == "Regular 7"
    rate(SPLENDOR, [alice, bot], [1, 2])
    for language, name in LEVELS.items():
        with translation.override(language):
            assert bot.name == name
        address = f"/leaderboards/{SPLENDOR}/?bots=yes&all=yes"
        page = client.get(address, headers={"Accept-Language": language}).content.decode()
        assert [level for level in LEVELS.values() if f">{level}<" in page] == [name], language


@pytest.mark.django_db
def test_a_name_that_only_looks_like_a_site_bots_stays(alice: User) -> None:
    alice.display_name = "Rookie 1"
    with translation.override("it"):
        assert alice.name == "Rookie 1"
        # A bot of a level that this version does not know.
        assert User(handle="~tutor-3", display_name="Tutor 3", is_bot=True).name == "Tutor 3"


@pytest.mark.django_db
def test_titles_of_games_are_in_the_readers_language_and_stored_in_english(
    alice: User, bob: User, client: Client
) -> None:
    with translation.override("pl"):
        match = started_match(alice, bob, game=GAUNTLET)
    notice = Notice.objects.get(user=bob, kind="games.started")
    entry = AuditEntry.objects.get(action="games.started")
    assert notice.params["game"] == entry.params["game"] == TITLES["en"]
    for language, title in TITLES.items():
        with translation.override(language):
            assert match.title == title
            assert title in registry.render(notice)
            assert title in audit.render_entries([entry])[0].words
        asked = {"Accept-Language": language}
        for path in ("/play/", f"/leaderboards/{GAUNTLET}/"):
            page = client.get(path, headers=asked)
            assert title in page.content.decode(), (path, language)
        listed = client.get("/api/v1/games/", headers=asked).json()["games"]
        assert title in [game["title"] for game in listed]
        # The bar of the table has little room.
        table = client.get(match.get_absolute_url(), headers=asked).content.decode()
        assert f'<h1 title="{title}">{SHORT[language]}</h1>' in table, language


def test_italian_and_polish_have_printed_apostrophes() -> None:
    written = [
        text
        for language in translations.LANGUAGES
        for message in translations.read_catalogue(language)
        for text in (message.string if isinstance(message.string, tuple | list) else [message.string or ""])
    ]
    cards = texts.built_in(GAUNTLET)
    named = [*cards["hero_deck"], *cards["thanos_deck"]]
    written += [each[language] for language in translations.LANGUAGES for each in cards["effects"].values()]
    written += [each["name"][language] for language in translations.LANGUAGES for each in named]
    assert [text for text in written if "'" in text] == []


def move_in_words(game: str, move: str, language: str) -> str:
    with translation.override(language):
        return MoveWords(Match(game=game), ["Ola", "Jan"]).of(move)


@pytest.mark.parametrize(
    ("game", "move", "english", "italian", "polish"),
    [
        (GAUNTLET, "play black-widow", "Play Black Widow", "Gioca Vedova Nera", "Zagraj kartę Czarna Wdowa"),
        (SPLENDOR, "recruit 3-5", "Recruit Black Widow", "Recluta Vedova Nera", "Zwerbuj kartę Czarna Wdowa"),
        ("thanos-rising", "take red", "Take a red die", "Prendi un dado rosso", "Weź czerwoną kość"),
        (
            "thanos-rising",
            "re-roll red double-battle",
            "Roll again red double battle",
            "Rilancia rosso (doppia battaglia)",
            "Przerzuć czerwoną kość (podwójna walka)",
        ),
        (
            "thanos-rising",
            "red battle on hawkeye",
            "Red battle on Hawkeye",
            "Rosso (battaglia) sulla carta Occhio di Falco",
            "Czerwoną kość (walka) na kartę Hawkeye",
        ),
        (
            "thanos-rising",
            "play heal on thor",
            "Play healing on Thor",
            "Gioca il gettone «cura» sulla carta Thor",
            "Zagraj żeton „leczenie” na kartę Thor",
        ),
        (
            "thanos-rising",
            "play stone on red",
            "Play stone on Reality",
            "Gioca il gettone «gemma» sulla Gemma della Realtà",
            "Zagraj żeton „Kamień” na Kamień Rzeczywistości",
        ),
        (
            "thanos-rising",
            "play red-die",
            "Play extra red die",
            "Gioca il gettone «dado rosso in più»",
            "Zagraj żeton „dodatkowa czerwona kość”",
        ),
        (
            "thanos-rising",
            "play red-die for blue",
            "Play extra red die for blue",
            "Gioca il gettone «dado rosso in più» per un dado blu",
            "Zagraj żeton „dodatkowa czerwona kość” i weź niebieską kość",
        ),
        (
            "thanos-rising",
            "clear red",
            "Remove a counter: Reality",
            "Togli un segnalino dalla Gemma della Realtà",
            "Usuń znacznik z Kamienia Rzeczywistości",
        ),
        ("thanos-rising", "heal thor", "Heal Thor", "Cura Thor", "Ulecz kartę Thor"),
        ("thanos-rising", "to mystic", "To mystic", "Su mistica", "Ścianka: mistyka"),
        (GAUNTLET, "fight", "Fight", "Combatti", "Walcz"),
        (GAUNTLET, "fight 1", "Fight Jan", "Combatti contro Jan", "Walcz z graczem Jan"),
        (GAUNTLET, "target 1", "Choose player Jan", "Scegli Jan", "Wybierz gracza Jan"),
        (
            GAUNTLET,
            "peek 1",
            "Let peek: player Jan",
            "Fai guardare una carta a Jan",
            "Daj obejrzeć kartę graczowi Jan",
        ),
        (GAUNTLET, "guess 3", "Guess 3", "Indovina 3", "Zgadnij 3"),
    ],
)
def test_a_move_is_a_sentence_that_its_language_can_decline(
    game: str, move: str, english: str, italian: str, polish: str
) -> None:
    assert move_in_words(game, move, "en") == english
    assert move_in_words(game, move, "it") == italian
    assert move_in_words(game, move, "pl") == polish


@pytest.mark.django_db
def test_who_looks_for_a_table_chooses_among_titles_in_their_language(alice: User, client: Client) -> None:
    client.force_login(alice)
    for language, title in TITLES.items():
        User.objects.filter(pk=alice.pk).update(language=language)
        page = client.get("/play/quick/", headers={"Accept-Language": language}).content.decode()
        assert [each for each in TITLES.values() if f"{each}\n" in page or f"{each}<" in page] == [title], language
