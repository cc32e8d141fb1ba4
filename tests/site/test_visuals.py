"""Tokens readable in both themes, pictures that stay the same, files that stay small."""

import re
from dataclasses import dataclass
from pathlib import Path

import pytest

from deploy.templatetags import visuals

STATIC = Path(__file__).parents[2] / "deploy" / "static"
STONES = ("mind", "space", "power", "reality", "soul", "time")


@dataclass
class Person:
    handle: str
    display_name: str = ""


def tokens() -> dict[str, tuple[str, str]]:
    css = (STATIC / "css" / "tokens.css").read_text()
    pairs = re.findall(r"--([\w-]+): light-dark\((#\w{6}), (#\w{6})\);", css)
    return {name: (light, dark) for name, light, dark in pairs}


def luminance(colour: str) -> float:
    parts = [int(colour[place : place + 2], 16) / 255 for place in (1, 3, 5)]
    red, green, blue = (part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast(one: str, other: str) -> float:
    low, high = sorted((luminance(one), luminance(other)))
    return (high + 0.05) / (low + 0.05)


@pytest.mark.parametrize("theme", [0, 1], ids=["light", "dark"])
@pytest.mark.parametrize(
    ("front", "behind", "least"),
    [
        *((text, back, 4.5) for text in ("ink", "ink-soft") for back in ("paper", "surface", "raised", "sunken")),
        ("on-button", "button", 4.5),
        ("on-button", "button-hover", 4.5),
        *((f"{stone}-ink", back, 4.5) for stone in STONES for back in ("paper", "surface", f"{stone}-wash")),
        *((stone, back, 3) for stone in STONES for back in ("paper", "surface")),
        ("line-strong", "surface", 3),
        ("line-strong", "paper", 3),
    ],
)
def test_tokens_have_the_contrast_of_wcag_aa(front: str, behind: str, least: float, theme: int):
    assert contrast(tokens()[front][theme], tokens()[behind][theme]) >= least


@pytest.mark.parametrize("colour", [colour for pair in visuals.PALETTE for colour in pair])
def test_white_initials_are_readable_on_every_avatar(colour: str):
    assert contrast("#ffffff", colour) >= 4.5


def test_a_club_chooses_among_the_stones():
    """Their contrast is tested above, in both themes."""
    assert tuple(visuals.COLOURS) == STONES
    assert len(visuals.COLOURS) == len(visuals.PALETTE)


@pytest.mark.parametrize(
    ("words", "letters"),
    [
        ("Ada Lovelace", "AL"),
        ("ada", "AD"),
        ("żaneta_król", "ŻK"),
        ("x", "X"),
        ("A B C", "AC"),
        ("", "?"),
        ("-- !", "?"),
    ],
)
def test_initials(words: str, letters: str):
    assert visuals.initials(words) == letters


def test_an_avatar_is_the_same_every_time_and_escapes_names():
    assert visuals.avatar(Person("ada", "Ada L")) == visuals.avatar(Person("ada", "Ada L"))
    assert visuals.avatar(Person("ada", "Ada")) != visuals.avatar(Person("bob", "Ada"))
    assert "<script" not in visuals.avatar(Person("eve", "<script> <script>"))


def test_every_icon_that_is_asked_for_is_drawn():
    drawn = set(re.findall(r'<symbol id="(\w+)"', (STATIC / "icons.svg").read_text()))
    templates = STATIC.parents[1] / "templates"
    asked = {name for page in templates.rglob("*.html") for name in re.findall(r'{% icon "(\w+)"', page.read_text())}
    assert asked <= drawn


def test_the_stylesheets_stay_light_and_ask_nobody_else():
    sheets = list((STATIC / "css").glob("*.css"))
    assert sum(sheet.stat().st_size for sheet in sheets) < 35_000
    for asset in [*sheets, *STATIC.rglob("*.js"), *STATIC.rglob("*.svg")]:
        text = asset.read_text().replace("http://www.w3.org/2000/svg", "")
        assert "://" not in text, asset.name
