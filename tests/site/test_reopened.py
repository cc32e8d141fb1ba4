"""Every address shown in the browser can be opened again: by reload, in a new tab, or by pressing Enter."""

import ast
from pathlib import Path

import pytest
from django.test import Client
from django.urls import reverse

from accounts import clubs
from accounts.models import User

ROOT = Path(__file__).parents[2]
# Answers that leave no address in the browser: a redirect, or an answer to a script.
ANSWERS = {"redirect", "redirect_to_login", "JsonResponse", "HttpResponse", "_back", "_at_the_door"}
# Answers to a script: rendered by a template, or the table as JSON.
TO_SCRIPTS = {
    ("leagues/views/nights.py", "answer"),
    ("games/views/moves.py", "play"),
    ("games/views/analysis.py", "ask"),
    ("games/views/meeting.py", "stay"),
    ("games/views/moves.py", "answer"),
}


def views() -> list[Path]:
    return [path for app in ("accounts", "games", "leagues", "deploy") for path in sorted((ROOT / app).rglob("*.py"))]


def shows_pages(source: str) -> list[str]:
    """Views that only accept forms but answer with a page."""
    views = []
    for node in ast.parse(source).body:
        if not isinstance(node, ast.FunctionDef):
            continue
        if not any(isinstance(each, ast.Name) and each.id == "require_POST" for each in node.decorator_list):
            continue
        for inner in ast.walk(node):
            match inner:
                case ast.Return(value=ast.Call(func=ast.Name(id=name))) if name not in ANSWERS:
                    views.append(node.name)
                case ast.Return(value=ast.Call(func=ast.Attribute(value=ast.Name(id=module)))) if module != "i18n":
                    views.append(node.name)
    return views


def test_a_view_that_shows_a_page_can_be_opened_again():
    wrong = {
        (path.relative_to(ROOT).as_posix(), name) for path in views() for name in shows_pages(path.read_text())
    } - TO_SCRIPTS
    assert not wrong, "use accounts.views.common.form_of instead of require_POST"


def test_the_check_sees_both_ways_to_show_a_page():
    view = "@login_required\n@require_POST\ndef view(request):\n    return {}\n"
    assert shows_pages(view.format("manage_page(request)")) == ["view"]
    assert shows_pages(view.format("table.table_page(request)")) == ["view"]
    assert shows_pages(view.format("redirect(club)")) == []


@pytest.mark.django_db
class TestOpenedAgain:
    @pytest.fixture
    def alice(self) -> User:
        return User.objects.create_user("alice", "alice@example.org")

    def test_an_invitation_that_was_refused_or_made(self, alice: User, client: Client):
        club = clubs.create_club(founder=alice, name="Kettle and Dice")
        client.force_login(alice)
        path = reverse("accounts:invite-new", args=[club.slug])
        manage = reverse("accounts:club-manage", args=[club.slug])
        assert client.post(path).status_code == 422
        assert client.get(path)["Location"] == manage
        assert client.head(path)["Location"] == manage
        assert client.put(path).status_code == 405

    def test_other_addresses_of_forms_say_what_they_are(self, alice: User, client: Client):
        club = clubs.create_club(founder=alice, name="Kettle and Dice")
        client.force_login(alice)
        path = reverse("accounts:club-leave", args=[club.slug])
        answer = client.get(path, headers={"accept": "text/html"})
        assert answer.status_code == 405
        assert answer["Allow"] == "POST"
        assert "Content-Security-Policy" in answer
        assert "This address only takes forms" in answer.content.decode()
        assert not client.get(path).content  # a program reads the status
