"""The pages: upload, preview, exports, embedded parts and print; and who may use them."""

import csv
import io
import json
import re

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.urls import reverse
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from leagues.models import Entrant, Upload
from tests.leagues.pages.conftest import *  # noqa: F403  (the cast and their evening)


def at(name, season, *more):
    return reverse(f"leagues:{name}", args=[season.league.slug, season.number, *more])


def upload_page(client, season, text, kind="players"):
    return client.post(at("hand-in", season, kind), {"text": text})


def test_a_list_is_shown_and_then_imported(as_olga, season):
    answer = upload_page(as_olga, season, "name,seed\nAda,1\nBruno,x\n")
    page = as_olga.get(answer["Location"]).content.decode()
    assert "1 line is broken" in page
    assert "A seed is a whole number" in page
    assert "Ada" in page
    seal = re.search(r'name="seen" value="(\w+)"', page).group(1)
    confirm = f"{answer['Location']}import/"
    assert as_olga.post(confirm, {"seen": seal}).status_code == 422
    assert not Entrant.objects.exists()
    done = as_olga.post(confirm, {"seen": seal, "good": "1"}, follow=True)
    assert "1 player has entered." in done.content.decode()
    assert [each.name for each in Entrant.objects.all()] == ["Ada"]
    assert "imported" in as_olga.get(answer["Location"]).content.decode()
    assert as_olga.post(confirm, {"seen": seal}).status_code == 422


def test_a_file_in_polish_letters(as_olga, season):
    file = SimpleUploadedFile("lista.csv", "Imię i nazwisko;Nick\nŻaneta;\n;bob\n".encode("utf-16"))
    answer = as_olga.post(at("hand-in", season, "players"), {"file": file})
    page = as_olga.get(answer["Location"]).content.decode()
    assert "Żaneta" in page
    assert "lista.csv" in page
    assert "member" in page


@pytest.mark.parametrize("text", ["", "   \n", "what,ever\n1,2", 'name\n"open', "x" * 1_100_000])
def test_what_cannot_be_read_comes_back_with_the_reason(as_olga, season, text):
    answer = upload_page(as_olga, season, text)
    assert answer.status_code == 422
    assert "errorlist" in answer.content.decode()
    assert not Upload.objects.exists()


def test_a_file_is_nobody_elses_business(as_olga, as_bob, as_charlie, client, season, running):
    answer = upload_page(as_olga, season, "name\nAda\n")
    for other in (as_bob, as_charlie):
        assert other.get(answer["Location"]).status_code == 404
        assert other.post(f"{answer['Location']}import/", {"seen": "x"}).status_code == 404
        assert upload_page(other, season, "name\nAda\n").status_code == 403
        assert other.get(at("files", season)).status_code == 403
    assert client.get(answer["Location"]).status_code == 302


def test_an_expired_file(as_olga, season):
    answer = upload_page(as_olga, season, "name\nAda\n")
    Upload.objects.update(expires_at="2020-01-01T00:00Z")
    assert "expired" in as_olga.get(answer["Location"]).content.decode()
    assert as_olga.post(f"{answer['Location']}import/", {"seen": "x"}).status_code == 422
    upload_page(as_olga, season, "name\nBea\n")
    assert Upload.objects.count() == 1


@pytest.mark.parametrize("kind", ["players", "results"])
def test_no_text_breaks_the_page(as_olga, season, kind):
    cells = st.text(alphabet=st.sampled_from("ab1-=;,\t\"'\n\0\x07é\u202e2024 .:"), max_size=12)
    header = {"players": "name,handle,bot,seed", "results": "date,round,table,name,role,place,score,kind"}[kind]
    rows = st.lists(st.lists(cells, max_size=9).map(",".join), max_size=6).map("\n".join)

    @settings(max_examples=15, deadline=None, derandomize=True, suppress_health_check=list(HealthCheck))
    @given(rows)
    def any_text(text: str) -> None:
        answer = upload_page(as_olga, season, f"{header}\n{text}", kind)
        # NUL is refused before any page reads the form; nothing else is.
        assert (answer.status_code == 400) == ("\0" in text)
        assert answer.status_code in (302, 400, 422)
        if answer.status_code == 302:
            page = as_olga.get(answer["Location"])
            assert page.status_code == 200
            seal = re.search(r'name="seen" value="(\w+)"', page.content.decode())
            done = as_olga.post(f"{answer['Location']}import/", {"seen": seal.group(1) if seal else "", "good": "1"})
            assert done.status_code in (302, 422)

    any_text()


# -- exports


@pytest.mark.parametrize("what", ["standings", "pairings", "results"])
def test_exports(client, played, running, stage, what):
    answer = client.get(at("export", running, what, "csv"))
    assert answer["Content-Type"] == "text/csv; charset=utf-8"
    assert "attachment" in answer["Content-Disposition"]
    listed = list(csv.DictReader(io.StringIO(answer.content.decode("utf-8-sig"))))
    assert {row["name"] for row in listed} == {"bob", "dora", "emil", "fay", "gus", "hana", "ivo", "jana"}
    data = json.loads(client.get(at("export", running, what, "json")).content)
    assert len(data[what]) == len(listed) == 8
    assert data["season"] == "Spring"
    assert client.get(at("stage-export", running, stage.pk, what, "csv")).content == answer.content
    assert client.get(at("export", running, what, "xml")).status_code == 404
    assert client.get(at("export", running, "secrets", "csv")).status_code == 404


def test_what_is_only_drawn_is_in_no_export(client, drawn, running):
    for what in ("pairings", "results"):
        assert json.loads(client.get(at("export", running, what, "json")).content)[what] == []


def test_a_name_that_computes(client, played, running, bob):
    bob.display_name = "=cmd|' /C calc'!A0"
    bob.save()
    assert "'=cmd" in client.get(at("export", running, "standings", "csv")).content.decode()


def test_frames(client, published, running):
    for what, words in (("embed-standings", "Points"), ("embed-matches", "Table 1")):
        answer = client.get(at(what, running))
        assert words in answer.content.decode()
        assert "bob" in answer.content.decode()
        assert "X-Frame-Options" not in answer
        assert "frame-ancestors *" in answer["Content-Security-Policy"]
        assert "max-age=60" in answer["Cache-Control"]
        assert "<nav" not in answer.content.decode()
        assert 'data-theme="dark"' in client.get(f"{at(what, running)}?theme=dark").content.decode()
        assert client.get(f"{at(what, running)}?theme=pink").status_code == 400
        assert client.get(f"{at(what, running)}?lang=xx").status_code == 400
    assert 'lang="it"' in client.get(f"{at('embed-matches', running)}?lang=it").content.decode()
    assert "Runda 1" in client.get(f"{at('embed-matches', running)}?lang=pl").content.decode()


def test_a_draft_is_in_no_frame_even_for_organisers(as_olga, season):
    season.status = "draft"
    season.save()
    assert as_olga.get(at("embed-standings", season)).status_code == 404


def test_paper(client, as_olga, published, running):
    page = client.get(at("print-pairings", running, published.pk)).content.decode()
    assert "By name" in page
    assert "jana" in page
    assert "Played" in client.get(at("print-standings", running)).content.decode()
    page = as_olga.get(at("files", running)).content.decode()
    assert at("sheet", running, published.pk) in page
    assert "&lt;iframe" in page


# -- a whole league


def test_a_league_leaves_and_comes_back_by_its_pages(as_olga, as_bob, as_charlie, played, running, club):
    league = running.league
    address = reverse("leagues:archive", args=[league.slug])
    assert as_bob.get(address).status_code == as_charlie.get(address).status_code == 403
    answer = as_olga.get(address)
    assert answer["Content-Type"] == "application/zip"
    file = SimpleUploadedFile("league.zip", answer.content)
    handed = as_olga.post(reverse("leagues:archive-import", args=[club.slug]), {"file": file})
    page = as_olga.get(handed["Location"]).content.decode()
    assert "Who is the same person?" in page
    assert "jana" in page
    numbers = re.findall(r'name="same" value="(\d+)"', page)
    assert len(numbers) == 9
    assert as_bob.get(handed["Location"]).status_code == 404
    done = as_olga.post(f"{handed['Location']}import/", {"same": numbers}, follow=True)
    copy = club.leagues.exclude(pk=league.pk).get()
    assert done.redirect_chain[-1][0] == copy.get_absolute_url()
    assert set(copy.seasons.get().entrants.values_list("user__handle", flat=True)) == set(
        running.entrants.values_list("user__handle", flat=True)
    )
    assert "is imported" in as_olga.get(handed["Location"]).content.decode()
    assert as_olga.get(at("standings-index", copy.seasons.get()), follow=True).status_code == 200


@pytest.mark.parametrize("content", [b"", b"name\nAda\n", b"PK\x03\x04"])
def test_what_is_no_league_comes_back_with_the_reason(as_olga, club, content):
    answer = as_olga.post(
        reverse("leagues:archive-import", args=[club.slug]), {"file": SimpleUploadedFile("x.zip", content)}
    )
    assert answer.status_code == 422
    assert "not an archive of a league" in answer.content.decode()
