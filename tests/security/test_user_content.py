"""User content: text, uploads, limits, and security headers."""

import io
import json
import re
from datetime import timedelta
from zipfile import ZipFile

import pytest
from django.core.cache import cache
from django.test import Client
from django.urls import reverse

from accounts import api_tokens
from accounts.infra.text import markdown
from accounts.models import User
from games import chat
from games.errors import Illegal
from games.models import Match
from games.play import moves
from leagues.import_export.exports import as_csv
from tests.factories import logged_in, started_match
from tests.leagues.pages.conftest import league, season

__all__ = ["league", "season"]

pytestmark = pytest.mark.django_db
HARMFUL = re.compile(r"<(script|img|svg|style|iframe)|<[^>]*\son\w+=|href=\"(?!https?:|mailto:)", re.IGNORECASE)
HARM = "<script>alert(1)</script>{{ 7|add:7 }}{% now 'Y' %}\" onload=x '"


class TestWhatPeopleWrite:
    def test_names_and_lines_are_text_wherever_they_are_shown(self, alice, bob, club):
        User.objects.filter(pk=bob.pk).update(display_name=HARM[:60])
        match = started_match(alice, bob, visibility="club", club=club)
        chat.post_line(person=bob, match=match, text=HARM)
        reader = logged_in(alice)
        for path in (match.get_absolute_url(), bob.get_absolute_url(), f"/clubs/{club.slug}/members/", "/play/"):
            page = reader.get(path).text
            assert "<script>alert" not in page, path
            assert "{{ 7|add:7 }}" in page or path == "/play/", path
        talk = reader.get(f"/play/{match.key}/talk.json")
        assert talk["Content-Type"] == "application/json"
        assert talk.json()["lines"][0]["text"] == HARM

    @pytest.mark.parametrize(
        "source",
        [
            "<script>alert(1)</script>",
            "[x](javascript:alert(1))",
            "[x](JaVaScRiPt&colon;alert(1))",
            "[x](data:text/html;base64,PHNjcmlwdD4=)",
            "<img src=x onerror=alert(1)>",
            "![x](https://evil.example/pixel.png)",
            "<svg><script>alert(1)</script></svg>",
            "<a href='https://x' onclick=alert(1)>x</a>",
            "<style>*{display:none}</style>",
        ],
    )
    def test_markdown_does_no_harm(self, source):
        html = markdown(source)
        assert not re.search(r"<(script|img|svg|style|iframe)|<[^>]*\son\w+=|href=\"(?!https?:|mailto:)", html, re.I), (
            html
        )

    def test_a_formula_stays_text_in_a_spreadsheet(self):
        text = as_csv([{"name": name} for name in ("=HYPERLINK(1)", "+1", "@x", "-2+3", "\tx")])
        for line in text.splitlines()[1:]:
            assert not line.lstrip('"').startswith(("=", "+", "@", "-", "\t")), line

    def test_a_field_that_was_not_asked_for_changes_nothing(self, bob):
        """An operation takes only the fields that it declares."""
        client = logged_in(bob)
        for extra in ({"is_staff": True}, {"is_superuser": True}, {"email": "x@example.org"}, {"handle": "root"}):
            answer = client.patch("/api/v1/me/", json.dumps({"theme": "dark"} | extra), content_type="application/json")
            assert answer.status_code == 400
        bob.refresh_from_db()
        assert (bob.is_staff, bob.handle, bob.theme) == (False, "bob", "auto")
        client.post("/settings/", {"display_name": "Bob", "is_staff": "on", "is_superuser": "on"})
        bob.refresh_from_db()
        assert not bob.is_staff


class TestFiles:
    def handed_in(self, client: Client, season, content: bytes, name: str):
        file = io.BytesIO(content)
        file.name = name
        where = reverse("leagues:hand-in", args=[season.league.slug, season.number, "players"])
        return client.post(where, {"file": file})

    @pytest.mark.parametrize(
        ("content", "name"),
        [
            (b"PK\x03\x04" + b"\0" * 50, "players.csv"),
            (b"x" * (1024 * 1024 + 1), "players.csv"),
            (b"\x89PNG\r\n\x1a\n" + b"\xff" * 50, "players.png"),
            (b"<svg xmlns='http://www.w3.org/2000/svg'><script>alert(1)</script></svg>", "players.svg"),
            (b'name\n"open', "players.csv"),
            (b"", "empty.csv"),
        ],
    )
    def test_what_is_no_spreadsheet_is_refused(self, olga, season, content, name):
        answer = self.handed_in(logged_in(olga), season, content, name)
        assert answer.status_code == 422
        assert "<script>alert" not in answer.text

    def test_a_name_is_shown_and_never_a_path(self, olga, season):
        client = logged_in(olga)
        answer = self.handed_in(client, season, b"name\n<script>alert(1)</script>\n", "../../etc/<b>passwd.csv")
        page = client.get(answer["Location"]).text
        assert "<script>alert" not in page
        assert "<b>passwd" not in page
        assert "../" not in page.partition("passwd")[0][-20:]

    @pytest.mark.parametrize("name", ["../../evil.py", "/etc/passwd", "..\\evil", "manifest.json/../x"])
    def test_an_archive_with_paths_is_no_league(self, olga, club, name):
        packed = io.BytesIO()
        with ZipFile(packed, "w") as archive:
            archive.writestr(name, "x")
        packed.seek(0)
        packed.name = "league.zip"
        answer = logged_in(olga).post(reverse("leagues:archive-import", args=[club.slug]), {"file": packed})
        assert answer.status_code == 422


class TestTooMuch:
    def test_talk(self, alice, bob):
        match = started_match(alice, bob)
        client = logged_in(bob)
        answers = [client.post(f"/play/{match.key}/say/", {"say": "spam"}).status_code for _ in range(16)]
        assert answers == [200] * 15 + [409]
        assert match.lines.count() == 15

    def test_moves_over_http(self, alice, bob, settings):
        settings.API_RATES = settings.API_RATES | {"token": 5, "address": 5}
        match = started_match(alice, bob)
        for client in (logged_in(bob), Client()):
            sent = {"data": json.dumps({"ply": 0, "move": "x"}), "content_type": "application/json"}
            answers = [client.post(f"/play/{match.key}/move/", **sent).status_code for _ in range(6)]
            assert answers[-1] == 429
            assert 429 not in answers[:5]
        assert Match.objects.get(pk=match.pk).ply == 0

    def test_wrong_tokens_count_for_their_address(self, settings):
        settings.API_RATES = settings.API_RATES | {"address": 3}
        cache.clear()
        wrong = {"Authorization": "Bearer gauntlet_wrong"}
        assert [Client().get("/api/v1/me/", headers=wrong).status_code for _ in range(4)] == [401, 401, 401, 429]

    @pytest.mark.parametrize("body", [b"[" * 100_000, b'{"a":' * 50_000, b'"' + b"x" * 300_000 + b'"', b"9" * 5000])
    def test_big_and_deep_bodies(self, alice, bob, body):
        match = started_match(alice, bob)
        for path in ("/api/v1/tables/now/", f"/play/{match.key}/move/"):
            answer = logged_in(bob).post(path, data=body, content_type="application/json")
            assert answer.status_code in (400, 413), (path, answer.status_code)

    def test_a_long_move_is_no_move(self, alice, bob):
        match = started_match(alice, bob)
        with pytest.raises(Illegal):
            moves.play_as(person=alice, match=match, ply=0, move="take " * 100_000)


class TestHeaders:
    FRAMED = ("/leaderboards/splendor-marvel/embed/",)

    def test_every_kind_of_answer_carries_them(self, bob, club, season):
        client = logged_in(bob)
        paths = ["/", "/settings/", f"/clubs/{club.slug}/", "/nowhere/", "/api/v1/me/", "/healthz", "/clubs/new/"]
        for path in paths:
            answer = client.get(path)
            assert answer["X-Content-Type-Options"] == "nosniff", path
            assert answer["X-Frame-Options"] == "DENY", path
            assert "frame-ancestors 'none'" in answer["Content-Security-Policy"], path
            assert answer["Referrer-Policy"] == "same-origin", path
            assert answer["Cross-Origin-Opener-Policy"] == "same-origin", path

    def test_only_what_is_made_for_it_may_be_framed(self, client, season):
        where = [season.league.slug, season.number]
        framed = [*self.FRAMED, *(reverse(f"leagues:embed-{what}", args=where) for what in ("standings", "matches"))]
        for path in framed:
            answer = client.get(path)
            assert answer.status_code == 200
            assert "X-Frame-Options" not in answer
            assert "Set-Cookie" not in answer
            assert "csrfmiddlewaretoken" not in answer.text
            assert (
                "script-src" in answer["Content-Security-Policy"] or "default-src" in answer["Content-Security-Policy"]
            )

    def test_nobody_keeps_somebodys_page(self, bob, club):
        client = logged_in(bob)
        for path in ("/", "/settings/", "/settings/tokens/", "/notices/", f"/clubs/{club.slug}/", "/calendar/"):
            policy = client.get(path)["Cache-Control"]
            assert "private" in policy or "no-store" in policy, path
            assert "public" not in policy
        for path in ("/settings/tokens/", "/play/bots/", "/calendar/"):
            assert "no-store" in client.get(path)["Cache-Control"], path


class TestSecrets:
    def test_an_error_tells_nothing(self, bob, monkeypatch, caplog, settings):
        held = api_tokens.issue(person=bob, name="x", scopes=["read"], lasting=timedelta(days=1))
        monkeypatch.setattr(api_tokens, "revoke", lambda **_: 1 // 0)
        client = Client(raise_request_exception=False, headers={"Authorization": f"Bearer {held.secret}"})
        answer = client.delete("/api/v1/me/token/")
        assert answer.status_code == 500
        assert held.secret not in answer.text
        assert "ZeroDivision" not in answer.text
        assert held.secret not in caplog.text
