"""Numbers and text from outside."""

import json
import re

import pytest
from django.conf import settings

from accounts.infra import input
from accounts.infra.errors import Refused
from tests.factories import logged_in


@pytest.mark.parametrize(
    ("text", "number"),
    [
        ("0", 0),
        ("7", 7),
        ("007", 7),
        ("9" * 18, 10**18 - 1),
        ("9" * 19, None),
        ("9" * 5000, None),
        ("", None),
        ("-1", None),
        ("+1", None),
        (" 1", None),
        ("1_000", None),
        ("1e3", None),
        ("٣", None),
        ("²", None),
        (None, None),
        (7, None),
    ],
)
def test_a_whole_number_is_plain_digits_that_fit_a_column(text, number):
    assert input.whole_number(text) == number


def test_bounds_and_lists():
    assert input.whole_number("5", minimum=6) is None
    assert input.whole_number("5", maximum=4) is None
    assert input.whole_numbers(["1", "x", "9" * 5000, "2"]) == [1, 2]
    assert input.row_number("9" * 5000) == 0


@pytest.mark.parametrize("text", ["\0", "a\0b", "\ud800", "x\udfffy"])
def test_text_that_no_database_stores_is_refused_in_words(text):
    assert not input.is_storable(text)
    with pytest.raises(Refused, match="cannot be stored"):
        input.require_storable(text)
    assert input.require_storable("Łódź 😀") == "Łódź 😀"


@pytest.mark.parametrize(
    "text",
    [
        "",
        "{",
        "NaN",
        "-Infinity",
        "1e999",
        '{"a": -1e999}',
        "9" * 5000,
        "9" * 25,
        json.dumps("\0"),
        json.dumps("\ud800"),
        json.dumps({"\0": 1}),
        "[" * 100_000,
        "[" * 60 + "]" * 60,
        b"\xff\xfe\xfd",
    ],
)
def test_json_that_nothing_could_store(text):
    with pytest.raises(input.Unreadable):
        input.parse_json(text)


def test_json_that_is_fine():
    assert input.parse_json('{"a": [1, -2, 2.5, "ł", null, true]}') == {"a": [1, -2, 2.5, "ł", None, True]}


def test_no_other_module_turns_digits_into_numbers_itself():
    """`isdecimal()` before `int()` crashes on 5000 digits: `whole_number` does not."""
    found = [
        str(path.relative_to(settings.ROOT))
        for app in ("accounts", "games", "leagues")
        for path in (settings.ROOT / app).rglob("*.py")
        if re.search(r"\.is(decimal|digit|numeric)\(", path.read_text(encoding="utf-8"))
    ]
    assert found == ["accounts/infra/input.py"]


class TestForms:
    def test_nul_in_a_form_is_refused_in_words_and_changes_nothing(self, alice):
        answer = logged_in(alice).post("/clubs/new/", {"name": "A\0B", "city": "", "time_zone": "UTC"})
        assert answer.status_code == 400
        assert "holds a character that cannot be stored" in answer.content.decode()
        assert not alice.memberships.exists()

    def test_nul_in_a_query_too(self, client, db):
        assert client.get("/clubs/?q=%00").status_code == 400
