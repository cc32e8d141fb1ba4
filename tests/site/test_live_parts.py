"""Parts of pages that fetch themselves again when something changes."""

import re
from pathlib import Path

TEMPLATES = Path(__file__).parents[2] / "templates"
TAG = re.compile(r'<\w[^<]*\blive:\w+ from:body[^<]*?["}]>', re.S)
# They are exchanged whole, since what they are changes with their state, and ask again by themselves until it is final.
ASK_AGAIN = {"games/_analysis.html", "leaderboards/_match_rating_panel.html"}


def test_only_their_content_is_exchanged() -> None:
    """What changes while the answer is on its way asks once more, if the element that heard of it is still there."""
    parts = {
        f"{path.relative_to(TEMPLATES)}": tag
        for path in TEMPLATES.rglob("*.html")
        for tag in TAG.findall(path.read_text(encoding="utf-8"))
    }
    assert len(parts) > 20
    assert {name for name, tag in parts.items() if 'hx-swap="innerHTML"' not in tag} == ASK_AGAIN
