"""Text that people write: Markdown made safe, and a plain form for addresses and search."""

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


def _reader() -> MarkdownIt:
    # Images are left out because a page makes no request to another site.
    return MarkdownIt("commonmark", {"html": False}).enable(["table", "strikethrough"]).disable("image")


def markdown(source: str) -> SafeString:
    """The HTML of a person's Markdown, with nothing in it that could harm a reader."""
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
    """The page owns the first two levels, and no step down skips one: screen readers walk by them."""
    level = 2
    for token in tokens:
        if token.type == "heading_open":
            level = min(int(token.tag[1]) + 2, level + 1, 6)
        if token.type in {"heading_open", "heading_close"}:
            token.tag = f"h{level}"


def plain(text: str) -> str:
    """Folded for search, so that `lodz` finds `Łódź` on every database."""
    decomposed = unicodedata.normalize("NFKD", text.translate(_LETTERS))
    # PostgreSQL stores no NUL, not even to look for one.
    return "".join(c for c in decomposed if c != "\0" and not unicodedata.combining(c)).casefold()


def slug(text: str, *, fallback: str) -> str:
    return slugify(plain(text))[:48].strip("-") or fallback
