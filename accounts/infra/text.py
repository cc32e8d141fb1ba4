"""Text that users write: safe HTML from Markdown, and a plain form for slugs and search."""

import unicodedata

import nh3
from django.utils.safestring import SafeString, mark_safe
from django.utils.text import slugify
from markdown_it import MarkdownIt
from markdown_it.token import Token

_TAGS = {"p", "br", "hr", "strong", "em", "s", "code", "pre", "blockquote", "ul", "ol", "li", "a"}
_TAGS |= {"h3", "h4", "h5", "h6", "table", "thead", "tbody", "tr", "th", "td"}

# Letters that Unicode does not decompose into a base letter and a mark.
_LETTERS = str.maketrans({"ł": "l", "Ł": "L", "ø": "o", "Ø": "O", "đ": "d", "Đ": "D", "æ": "ae", "Æ": "AE"})

# What a spreadsheet takes for the beginning of a formula.
FORMULA = ("=", "+", "-", "@", "\t", "\r", "\n")


def _reader() -> MarkdownIt:
    # No images: pages make no requests to other sites.
    return MarkdownIt("commonmark", {"html": False}).enable(["table", "strikethrough"]).disable("image")


def markdown(source: str) -> SafeString:
    """Safe HTML of a user's Markdown."""
    reader = _reader()
    tokens = reader.parse(source)
    _lower_headings(tokens)
    html = reader.renderer.render(tokens, reader.options, {})
    clean = nh3.clean(
        html,
        tags=_TAGS,
        attributes={"a": {"href"}},
        url_schemes={"http", "https", "mailto"},
        link_rel="nofollow noopener noreferrer",
    )
    return mark_safe(clean)  # noqa: S308


def _lower_headings(tokens: list[Token]) -> None:
    """Start at h3, because the page uses h1 and h2, and skip no level, for screen readers."""
    level = 2
    for token in tokens:
        if token.type == "heading_open":
            level = min(int(token.tag[1]) + 2, level + 1, 6)
        if token.type in {"heading_open", "heading_close"}:
            token.tag = f"h{level}"


def plain(text: str) -> str:
    """Folded for search: `lodz` matches `Łódź` on every database."""
    decomposed = unicodedata.normalize("NFKD", text.translate(_LETTERS))
    # PostgreSQL stores no NUL, not even to look for one.
    return "".join(c for c in decomposed if c != "\0" and not unicodedata.combining(c)).casefold()


def escape_formula(text: str) -> str:
    """For a cell of a CSV file: what a spreadsheet would compute is led by an apostrophe, which makes it text."""
    return f"'{text}" if text.startswith(FORMULA) else text


def slug(text: str, *, fallback: str) -> str:
    return slugify(plain(text))[:48].strip("-") or fallback


def shorten(text: str, length: int = 40) -> str:
    """What somebody sent as a message repeats it: enough to recognise it, too little to fill a page or a log."""
    return text if len(text) <= length else text[:length] + "…"
