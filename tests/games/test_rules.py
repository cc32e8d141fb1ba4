"""The pages of rules: they show what the engine plays, in every language, to everybody."""

import html
import re

import pytest
from django.conf import settings
from django.test import Client
from django.urls import reverse
from django.utils import translation

import engine
from accounts import clubs
from accounts.models import User
from games.catalogue import option_labels, texts
from games.catalogue.rulebooks import components
from games.catalogue.rulebooks.contents import Rulebook, rulebook
from games.catalogue.spec import Words, spec
from games.models import Match
from games.tables import setup
from games.tables.setup import Setting

LANGUAGES = [code for code, _name in settings.LANGUAGES]
pytestmark = pytest.mark.django_db


def read(client: Client, path: str, language: str = "en") -> str:
    page = client.get(path, headers={"accept-language": language})
    assert page.status_code == 200
    return html.unescape(page.content.decode())


def in_language(language: str, words: Words) -> str:
    with translation.override(language):
        return str(words)


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("game", engine.GAMES)
def test_every_card_of_the_engine_is_on_the_page_with_its_name_and_text(client: Client, game: str, language: str):
    page = read(client, f"/rules/{game}/", language)
    assert f'<html lang="{language}"' in page
    document = texts.built_in(game)
    assert len(texts.cards(document)) > 20
    with translation.override(language):
        called = texts.names(document, language)
        for key, card in texts.cards(document).items():
            assert re.search(rf'<rule-piece what="\w+ {key}">', page), key
            name = called.get(key) or str(spec(game).terms[key])
            assert re.search(rf'id="card-{key}" tabindex="-1">{re.escape(name)}<', page, re.IGNORECASE), (key, name)
            assert texts.translate_card_text(document, card, language) in page


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_numbers_on_a_card_are_those_that_are_played(client: Client, language: str):
    page = read(client, "/rules/splendor-marvel/", language)
    words = {term: in_language(language, label) for term, label in spec("splendor-marvel").terms.items()}
    times = " " if language == "en" else " × "
    for card in texts.built_in("splendor-marvel")["cards"]:
        cost = ", ".join(f"{count}{times}{words[colour]}" for colour, count in card["cost"].items())
        row = page.split(f'id="card-{card["id"]}"')[1].split("</li>")[0]
        assert words["ui-costs"].format(cost=cost) in row
        assert words["ui-gives"].format(colour=words[card["bonus"]]) in row


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_face_of_every_die_is_on_the_page_as_often_as_it_is_on_the_die(client: Client, language: str):
    page = read(client, "/rules/thanos-rising/", language)
    document = texts.built_in("thanos-rising")
    words = {term: in_language(language, label) for term, label in spec("thanos-rising").terms.items()}
    with translation.override(language):
        stones = texts.names(document, language)
    dice = {f"die {die['colour']}": die["faces"] for die in document["power_dice"]}
    dice |= {"thanos-die": document["thanos_die"]["faces"], "stone-die": document["stone_die"]["faces"]}
    counts = [int(count) for count in re.findall(r'<h3>[^<]*<span class="rule-facts">\([^<:]*: (\d+)\)</span>', page)]
    assert counts == [die["count"] for die in document["power_dice"]]
    for die, faces in dice.items():
        for face in set(faces):
            shown = f"double-{face[:-3]}" if face.endswith("_x2") else face.replace("_", "-")
            name = (stones if die == "stone-die" else words)[shown]
            times = f" × {faces.count(face)}" if faces.count(face) > 1 else ""
            found = re.search(rf'<rule-piece what="{die} {shown}"></rule-piece>\s*<span>(.*?)</span>', page)
            assert found, (die, face)
            assert found[1].casefold() == f"{name}{times}".casefold()


@pytest.mark.parametrize("game", engine.GAMES)
def test_the_sections_are_whole_and_said_in_every_language(client: Client, game: str):
    book = rulebook(game)
    assert min(map(len, (book.turn, book.rulings, book.example))) >= 5
    for words in (book.turn[0].text, book.rulings[0].reason, book.example[0].text):
        assert len({in_language(language, words) for language in LANGUAGES}) == len(LANGUAGES)
    page = read(client, f"/rules/{game}/")
    for section in ("overview", "turn", "example", "symbols", "cards", "rulings", "options"):
        assert f'href="#rules-{section}"' in page
        assert f'id="rules-{section}"' in page
    words = "".join(re.findall(r'<ol class="rule-(?:steps|rulings)">(.*?)</ol>', page, re.DOTALL))
    assert len(words) > 2000
    assert "{" not in words


def test_the_title_of_the_box_is_there_in_the_readers_language(client: Client):
    for language, title in (("it", "Il Guanto dell’Infinito"), ("pl", "Rękawica Nieskończoności")):
        assert title in read(client, "/rules/infinity-gauntlet/", language)


def test_the_examples_agree_with_the_cards():
    gauntlet, marvel, rising = (
        texts.cards(texts.built_in(game)) for game in ("infinity-gauntlet", "splendor-marvel", "thanos-rising")
    )
    assert gauntlet["hulk"]["effect"] == "may_fight_thanos"
    assert (gauntlet["iron-man"]["number"], gauntlet["thanos"]["number"], gauntlet["thanos"]["returns"]) == (6, 7, True)
    assert (marvel["1-2"]["bonus"], marvel["1-9"]["cost"], marvel["1-9"]["bonus"]) == ("yellow", {"yellow": 3}, "blue")
    assert (rising["hawkeye"]["symbols"], rising["avengers-compound"]["dice"]) == ({"battle": 3}, {"red": 4})
    assert "technology" in rising["outrider-a"]["symbols"]


def test_a_game_of_somebody_else_shows_what_is_known_of_it():
    document = {"cards": [{"id": "a", "name": "Ace"}], "life": 3, "setup": [], "power_dice": "none"}
    [part] = components.card_parts("another-game", document, "en")
    assert [card["name"] for row in part["rows"] for card in row["cards"]] == ["Ace"]
    assert components.dice("another-game", document, "en") == components.tables("another-game", document) == []
    assert rulebook("another-game") == Rulebook()


def test_presets_and_options_are_those_of_the_engine(client: Client):
    page = read(client, "/rules/thanos-rising/")
    assert "Defeated villains that win the match" in page
    rows = re.findall(r'<th scope="row">(\w+):[^<]*</th>(.*?)</tr>', page, re.DOTALL)
    assert [(name.lower(), re.findall(r"<td>(\d+)</td>", cells)) for name, cells in rows] == [
        ("recruit", ["7", "18", "6", "0"]),
        ("hero", ["7", "10", "6", "0"]),
        ("avenger", ["8", "10", "6", "0"]),
        ("infinity", ["10", "10", "6", "1"]),
    ]


@pytest.mark.parametrize(("language", "bases"), [("en", "Avengers Compound"), ("it", "Base degli Avengers")])
def test_cards_among_the_options_of_a_table_have_their_names(language: str, bases: str):
    given = {"bases": "avengers-compound,wakanda", "villains_to_defeat": 8}
    with translation.override(language):
        values = {option["value"] for option in option_labels.non_default_options("thanos-rising", given)}
    assert values == {f"{bases}, Wakanda", 8}


def test_a_new_player_finds_the_rules(client: Client):
    for page in (read(client, "/"), read(client, "/play/")):
        assert 'href="/rules/"' in page
        assert all(f'href="/rules/{game}/"' in page for game in engine.GAMES)
    index = read(client, "/rules/")
    assert all(f'href="/rules/{game}/"' in index for game in engine.GAMES)
    assert client.get("/rules/no-such-game/").status_code == 404


def test_a_table_shows_its_rules_only_to_those_who_may_see_it(client: Client):
    host = User.objects.create_user("host", "host@example.org")
    club = clubs.create_club(founder=host, name="Behind closed doors", is_private=True)
    setting = Setting("thanos-rising", 2, {"preset": "avenger"}, visibility=Match.Visibility.CLUB, club=club)
    match = setup.open_table(host=host, setting=setting)
    path = reverse("games:table-rules", args=[match.key])
    assert client.get(path).status_code == client.get(f"{path}?part").status_code == 404
    client.force_login(host)
    assert "Avenger: harder" in read(client, path).split('id="rules-overview"')[0]
    part = read(client, f"{path}?part")
    assert "<html" not in part
    assert 'id="card-hawkeye"' in part
    assert path not in part


@pytest.mark.parametrize("game", engine.GAMES)
def test_play_now_on_the_page_begins_a_match_as_usual(client: Client, game: str):
    """The button asks for nothing; it led back to the lobby without a word."""
    page = read(client, reverse("rules:game", args=[game]))
    address = reverse("games:play-now", args=[game])
    assert f'action="{address}"' in page
    began = client.post(address)
    match = Match.objects.get()
    assert began.headers["Location"] == match.get_absolute_url()
    assert match.is_playing
