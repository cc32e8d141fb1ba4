"""Spreadsheets of every program are read in the same way; what cannot be read is refused with one message."""

import pytest
from django.utils import translation
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from accounts.infra.errors import Refused
from leagues.import_export import columns, spreadsheet
from leagues.import_export.name_matching import SimilarNames

ROWS = "name,seed\nŁucja,1\nBruno,2\n"


@pytest.mark.parametrize(
    "content",
    [
        ROWS.encode(),
        b"\xef\xbb\xbf" + ROWS.encode(),
        ROWS.encode("utf-16"),
        ROWS.encode("utf-16-le"),
        ROWS.encode("utf-16-be"),
        ROWS.replace(",", ";").encode(),
        ROWS.replace(",", "\t").encode(),
        ROWS.replace("\n", "\r\n").encode(),
        ROWS.replace("\n", "\n\n").encode(),
        ("sep=;\n" + ROWS.replace(",", ";")).encode(),
        ('"name","seed"\n"Łucja","1"\n"Bruno","2"\n').encode(),
    ],
)
def test_every_make_of_file(content):
    sheet = spreadsheet.read(content, columns.PLAYERS)
    assert [line.cells for line in sheet.lines] == [{"name": "Łucja", "seed": "1"}, {"name": "Bruno", "seed": "2"}]
    assert not sheet.problems


def test_old_code_pages():
    assert spreadsheet.read("name\nNicolò\n".encode("cp1252"), columns.PLAYERS).lines[0]["name"] == "Nicolò"
    with translation.override("pl"):
        assert spreadsheet.read("gracz\nŁucja\n".encode("cp1250"), columns.PLAYERS).lines[0]["name"] == "Łucja"


@pytest.mark.parametrize("header", ["Name;Seed", "Nome e cognome;Testa di serie", "IMIĘ I NAZWISKO;Rozstawienie"])
def test_headers_in_three_languages(header):
    assert spreadsheet.read(f"{header}\nAda;3\n".encode(), columns.PLAYERS).lines[0].cells == {
        "name": "Ada",
        "seed": "3",
    }


@pytest.mark.parametrize(
    ("content", "words"),
    [
        (b"", "empty"),
        (b"\n\n", "empty"),
        (b"name\n", "no rows"),
        (b"what,ever\n1,2\n", "no known column"),
        (b"name,player\nA,B\n", "mean the same"),
        (b'name\n"Ada\n', "quotation mark"),
        (b"PK\x03\x04" + b"x" * 90, "save it as CSV"),
        (b"name\n" + b"x" * spreadsheet.LARGEST, "larger than 1 MB"),
        (b"name\n" + b"x\n" * (spreadsheet.MAX_ROWS + 1), "too long"),
    ],
)
def test_what_cannot_be_read(content, words):
    with pytest.raises(Refused, match=words):
        spreadsheet.read(content, columns.PLAYERS)


def test_faults_are_told_by_line():
    sheet = spreadsheet.read(
        'name,seed\nAda,1\n"Two\nlines",2\nBad\x07bell,3\nEve,4,5\nMir\u202ea,6\n'.encode(), columns.PLAYERS
    )
    assert [(each.line, each.column) for each in sheet.problems] == [(5, "name"), (6, ""), (7, "name")]
    assert [line.number for line in sheet.lines] == [2, 3]
    assert sheet.lines[1]["name"] == "Two lines"


def test_names_that_are_nearly_the_same():
    known = SimilarNames(["Anna Nowak"])
    assert known.near("Ana Nowak") == known.near("Nowak Anna-") == known.near("Anna Novak") == "Anna Nowak"
    assert known.near("Anan Nowak") == "Anna Nowak"
    assert not known.near("Hanna Nowaki")
    assert not SimilarNames(["Ada", "Dan"]).near("Ida")
    assert not known.near("Anna Nowak")
    assert not known.near("ANNA  NOWAK")
    assert not known.near("Bruno Rossi")


def test_our_own_apostrophe_goes_again():
    assert spreadsheet.read(b"name\n'=SUM(A1)\n'tHooft\n", columns.PLAYERS).lines[0]["name"] == "=SUM(A1)"
    assert spreadsheet.read(b"name\n'tHooft\n", columns.PLAYERS).lines[0]["name"] == "'tHooft"


@settings(max_examples=150, deadline=None, derandomize=True, suppress_health_check=list(HealthCheck))
@given(st.one_of(st.binary(max_size=200), st.text(max_size=200).map(lambda text: f"name;round\n{text}".encode())))
def test_any_bytes_are_read_or_refused(content):
    try:
        sheet = spreadsheet.read(content, columns.RESULTS)
    except Refused:
        return
    assert sheet.lines or sheet.problems
