"""Charts are the same in every language: numbers in SVG never have a decimal comma."""

import re

import pytest
from django.test import Client
from django.utils import translation

from leagues.leaderboards.number_format import signed

GEOMETRY = re.compile(r'\s(?:cx|cy|r|x|y|x1|x2|y1|y2|width|height|viewBox)="([^"]*)"')


@pytest.mark.parametrize("language", ["it", "pl"])
def test_no_number_of_a_drawing_is_written_with_a_comma(evenings, language: str, client: Client) -> None:
    client.cookies["django_language"] = language
    with translation.override(language):
        assert signed(1.5) == "+1,5"
    for path in ("/people/alice/", "/leaderboards/between/alice/bob/"):
        page = client.get(path).content.decode()
        assert f'<html lang="{language}"' in page
        drawn = GEOMETRY.findall("".join(re.findall(r"<svg.*?</svg>", page, re.DOTALL)))
        assert any("." in number for number in drawn), path
        assert [number for number in drawn if not re.fullmatch(r"-?[\d.]+%?( -?[\d.]+)*", number)] == []
