"""The icons of the app on the phone, drawn from the site's own mark: `python -m deploy.app_icons` writes them.

`tests/deploy/test_phone.py` checks that the stored files are what this draws.
"""

import re
from pathlib import Path

import resvg_py

from deploy.bootstrap import ROOT

FOLDER = ROOT / "deploy" / "static" / "app"
MARK = ROOT / "deploy" / "static" / "favicon.svg"

# Name, pixels, and how much of the square the mark takes. A maskable icon may lose all but the middle four fifths.
ICONS = {
    "icon-192.png": (192, 0.68),
    "icon-512.png": (512, 0.68),
    "maskable-192.png": (192, 0.5),
    "maskable-512.png": (512, 0.5),
    "apple-180.png": (180, 0.62),
}
BADGE = "badge-96.png"
ROUND = {"icon-192.png", "icon-512.png"}


def drawing(share: float, *, rounded: bool) -> str:
    """The mark in light metal on the night colour of the site."""
    # The mark is drawn on a square of 48; it is light here, because the ground is dark.
    mark = _paths().replace("#4a3f73", "#ece7f8").replace('stroke="#ffffff"', 'stroke="#4a3f73"')
    scale, corner = share * 512 / 48, 112 if rounded else 0
    margin = 512 * (1 - share) / 2
    return (
        '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 512 512">'
        '<defs><radialGradient id="night" cx=".5" cy=".4">'
        '<stop offset="0" stop-color="#5b4e8c"/><stop offset="1" stop-color="#2a2344"/></radialGradient></defs>'
        f'<rect width="512" height="512" rx="{corner}" fill="url(#night)"/>'
        f'<g transform="translate({margin} {margin}) scale({scale})">{mark}</g></svg>'
    )


def badge() -> str:
    """One colour on nothing: Android shows only its shape in the status bar."""
    shapes = re.sub(r'<path fill="none".*?/>', "", _paths(), flags=re.DOTALL)
    white = re.sub(r'fill="#[0-9a-f]+"', 'fill="#ffffff"', shapes)
    return f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="-4 -4 56 56">{white}</svg>'


def _paths() -> str:
    return "".join(re.findall(r"<path .*?/>", MARK.read_text(encoding="utf-8"), re.DOTALL))


def pictures() -> dict[str, bytes]:
    drawn = {name: _png(drawing(share, rounded=name in ROUND), pixels) for name, (pixels, share) in ICONS.items()}
    return {**drawn, BADGE: _png(badge(), 96)}


def _png(svg: str, pixels: int) -> bytes:
    return bytes(resvg_py.svg_to_bytes(svg_string=svg, width=pixels, height=pixels, skip_system_fonts=True))


def write(folder: Path) -> None:
    folder.mkdir(exist_ok=True)
    for name, picture in pictures().items():
        (folder / name).write_bytes(picture)


if __name__ == "__main__":
    write(FOLDER)
