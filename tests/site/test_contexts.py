"""A page's context comes from several places, and none of them may override another one's keys."""

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest
from django.contrib.auth.models import AnonymousUser
from django.template import engines

ROOT = Path(__file__).parents[2]
RENDERS = ("render(request", "render_to_string(")


def modules_with_pages() -> list[Path]:
    """Views, template tags, and everything else that fills a template."""
    modules = []
    for app in ("accounts", "games", "leagues", "deploy"):
        for path in sorted((ROOT / app).rglob("*.py")):
            if {"views", "templatetags"} & set(path.parts) or any(call in path.read_text() for call in RENDERS):
                modules.append(path)
    return modules


def merged(source: str) -> Iterator[str]:
    """Dictionaries merged so that a key may occur twice and the last one wins.

    `dict(**one, **other)` is allowed: Python refuses a keyword argument that occurs twice.
    """
    tree = ast.parse(source)
    types = {
        id(part)
        for node in ast.walk(tree)
        for side in (getattr(node, "annotation", None), getattr(node, "returns", None))
        if side is not None
        for part in ast.walk(side)
    }
    for node in ast.walk(tree):
        if id(node) in types:
            continue
        match node:
            case ast.Dict(keys=keys) if None in keys and len(keys) > 1:
                yield f"line {node.lineno}: {ast.unparse(node)[:80]}"
            case (
                ast.BinOp(op=ast.BitOr(), left=left, right=right)
                | ast.AugAssign(op=ast.BitOr(), target=left, value=right)
            ) if not (is_no_dict(left) or is_no_dict(right)):
                yield f"line {node.lineno}: {ast.unparse(node)[:80]}"
            case ast.Call(func=ast.Attribute(attr="update"), args=[_, *_]):
                yield f"line {node.lineno}: {ast.unparse(node)[:80]}"


def is_no_dict(node: ast.expr) -> bool:
    """A set, or a condition of a query."""
    match node:
        case ast.Set() | ast.SetComp() | ast.Call(func=ast.Name(id="Q" | "set" | "frozenset")):
            return True
        case ast.UnaryOp(operand=inner) | ast.BinOp(op=ast.BitOr() | ast.BitAnd(), left=inner):
            return is_no_dict(inner)
    return False


@pytest.mark.parametrize("path", modules_with_pages(), ids=lambda path: path.relative_to(ROOT).as_posix())
def test_no_source_of_a_page_covers_another(path: Path):
    assert not list(merged(path.read_text())), "give each source a name of its own, or join with dict(**one, **other)"


def test_the_check_sees_every_way_to_join():
    for line in (
        "context |= when.shown(request)",
        "page = told | context",
        "page = {**told, 'asked': asked}",
        "context.update(more)",
        "return one(request) | {'asked': asked}",
    ):
        assert list(merged(f"def view():\n    {line}")), line
    for line in ("found: set | None = {1} | seen", "x = Q(a=1) | Q(b=2)", "rows.update(sent_at=now)", "dict(**a, **b)"):
        assert not list(merged(f"def view():\n    {line}")), line


def test_no_page_covers_what_every_page_has(rf):
    """The reader, the request, the messages: everything that the context processors give."""
    request = rf.get("/")
    request.user = AnonymousUser()
    always = {name for each in engines["django"].engine.template_context_processors for name in each(request)}
    assert {"request", "user", "messages"} <= always
    always.remove("theme")  # an embedded part uses the theme of its address
    wrong = []
    for path in modules_with_pages():
        if "templatetags" in path.parts:
            continue  # a tag's template only has the tag's own context
        for node in ast.walk(ast.parse(path.read_text())):
            match node:
                case (
                    ast.Assign(targets=[ast.Name(id="context" | "frame")], value=ast.Dict(keys=keys))
                    | ast.Call(func=ast.Name(id="render"), args=[_, _, ast.Dict(keys=keys), *_])
                ):
                    names = {key.value for key in keys if isinstance(key, ast.Constant)}
                case ast.Call(func=ast.Name(id="dict" | "show"), keywords=given):
                    names = {each.arg for each in given}
                case _:
                    continue
            wrong += [f"{path.relative_to(ROOT)}:{node.lineno} {name}" for name in names & always]
    assert not wrong
