"""What a browser needs to install the site, and what its service worker is told."""

import json
import re
import struct

import pytest
from django.test import Client
from django.urls import reverse

from deploy import app_icons
from tests.factories import create_user, logged_in

pytestmark = pytest.mark.django_db


def test_the_manifest_is_in_the_readers_language(as_bob, bob):
    answer = as_bob.get("/manifest.webmanifest")
    assert answer["Content-Type"] == "application/manifest+json"
    english = json.loads(answer.content)
    bob.language = "pl"
    bob.save()
    polish = json.loads(as_bob.get("/manifest.webmanifest").content)
    assert (english["lang"], polish["lang"]) == ("en", "pl")
    assert english["description"] != polish["description"]
    assert english["id"] == polish["id"] == "/"
    for shortcut in english["shortcuts"]:
        assert as_bob.get(shortcut["url"]).status_code == 200


def test_every_icon_is_as_large_as_it_says_and_is_what_the_drawing_gives(client):
    named = {
        icon["src"].rpartition("/")[2]: icon["sizes"] for icon in client.get("/manifest.webmanifest").json()["icons"]
    }
    pictures = app_icons.pictures()
    assert set(named) < set(pictures)
    for name, drawn in pictures.items():
        assert (app_icons.FOLDER / name).read_bytes() == drawn
        width, height = struct.unpack(">II", drawn[16:24])
        assert width == height
        assert named.get(name, f"{width}x{height}") == f"{width}x{height}"


def test_the_service_worker_is_for_the_whole_site_and_never_old(client):
    answer = client.get("/service-worker.js")
    assert answer["Content-Type"].startswith("text/javascript")
    assert "no-store" in answer["Cache-Control"]
    assert "default-src 'self'" in answer["Content-Security-Policy"]
    site = json.loads(re.findall(r"self\.SITE = (\{.*\});", answer.text)[0])
    assert set(site["rules"]) | {site["offline"]} == {
        "/offline/",
        "/rules/",
        "/rules/infinity-gauntlet/",
        "/rules/splendor-marvel/",
        "/rules/thanos-rising/",
    }
    for path in (*site["rules"], site["offline"]):
        assert client.get(path).status_code == 200


def test_pages_link_to_it_and_frames_for_other_sites_do_not(client, as_bob):
    assert 'rel="manifest"' in client.get("/").text
    assert "alerts-mark" not in client.get("/").text
    assert "alerts-mark" in as_bob.get("/").text
    assert 'rel="manifest"' not in client.get(reverse("boards:embed", args=["splendor-marvel"])).text


def test_the_page_without_a_connection_has_the_rules_and_only_ones_own_dates(client, as_bob):
    visitor, member = client.get("/offline/").text, as_bob.get("/offline/").text
    assert "Your next dates" not in visitor
    assert "Your next dates" in member
    for page in (visitor, member):
        assert "/rules/thanos-rising/" in page


class TestMarks:
    def test_each_log_in_has_a_mark_of_its_own(self, bob):
        first, second, other = logged_in(bob), logged_in(bob), logged_in(create_user("emil"))
        marks = [browser.get("/rules/")["X-Reader"] for browser in (first, second, other, Client())]
        assert len(set(marks)) == 4
        assert first.get("/")["X-Reader"] == marks[0]
        assert marks[3].startswith("visitor-")
        assert first.session.session_key not in marks[0]

    def test_language_and_theme_change_it(self, bob):
        browser = logged_in(bob)
        before = browser.get("/")["X-Reader"]
        browser.post("/language/", {"language": "it"})
        after = browser.get("/")["X-Reader"]
        browser.post("/theme/", {"theme": "dark"})
        assert len({before, after, browser.get("/")["X-Reader"]}) == 3

    def test_logging_out_changes_it(self, as_bob):
        before = as_bob.get("/")["X-Reader"]
        as_bob.post("/accounts/logout/")
        assert as_bob.get("/")["X-Reader"] != before

    def test_programs_get_none(self, client):
        assert "X-Reader" not in client.get("/api/v1/games/")
        assert "X-Reader" not in client.get("/service-worker.js")
