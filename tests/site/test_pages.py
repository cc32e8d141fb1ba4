"""The site's own pages, errors and e-mails."""

from pathlib import Path

import pytest
from django.core import mail
from django.template.loader import get_template
from django.test import Client
from django.urls import reverse
from django.utils import timezone, translation

from accounts import clubs
from accounts.models import Club, User

TEMPLATES = Path(__file__).parents[2] / "templates"
NAMES = sorted(path.relative_to(TEMPLATES).as_posix() for path in TEMPLATES.rglob("*.*"))


@pytest.fixture
def alice(db) -> User:
    return User.objects.create_user("alice", "alice@example.org")


@pytest.fixture
def as_alice(alice: User, client: Client) -> Client:
    client.force_login(alice)
    return client


@pytest.mark.parametrize("name", NAMES)
def test_every_template_can_be_read(name: str):
    get_template(name)


@pytest.mark.django_db
@pytest.mark.parametrize("name", ["home", "games:lobby", "leagues:index", "boards:index"])
def test_pages_of_an_empty_site_say_what_to_do_next(client: Client, name: str):
    page = client.get(reverse(name))
    assert page.status_code == 200
    assert reverse("account_signup") in page.content.decode()


@pytest.mark.django_db
def test_the_home_page_asks_the_database_once_for_all_clubs(client: Client, alice: User, django_assert_num_queries):
    # A new account founds three clubs at most.
    User.objects.filter(pk=alice.pk).update(joined_at=timezone.now() - clubs.NEW_ACCOUNT)
    alice.refresh_from_db()
    for number in range(8):
        clubs.create_club(founder=alice, name=f"Club {number}")
    # One for the clubs; the others look for a live table, a running season, the next night, the puzzle of the day and
    # the ratings of the bots' levels.
    with django_assert_num_queries(7):
        page = client.get("/")
    assert page.content.decode().count("card-link") == 6


def test_a_new_member_is_told_the_next_steps(as_alice: Client, alice: User):
    page = as_alice.get("/").content.decode()
    assert "You are in no club yet" in page
    assert "Add your name" in page
    clubs.create_club(founder=alice, name="Kettle and Dice")
    page = as_alice.get("/").content.decode()
    assert "Invite people to Kettle and Dice" in page
    assert "/clubs/kettle-and-dice/manage/#invite" in page


def test_a_settled_member_is_not_told_what_is_done(as_alice: Client, alice: User):
    alice.display_name = "Alice"
    alice.save()
    assert "Next steps" not in as_alice.get("/").content.decode()


@pytest.mark.django_db
def test_an_unknown_address_is_answered_in_the_look(client: Client):
    page = client.get("/no/such/page", headers={"accept-language": "it"})
    assert page.status_code == 404
    assert "A questo indirizzo non c’è nulla" in page.content.decode()


def test_a_form_without_its_token_is_answered_in_the_look(alice: User):
    client = Client(enforce_csrf_checks=True)
    page = client.post(reverse("set_theme"), {"theme": "dark"})
    assert page.status_code == 403
    assert "This form has expired" in page.content.decode()


def test_a_failure_is_answered_without_asking_the_database(monkeypatch, client: Client):
    """No database mark: a query would fail the test."""

    def break_down(*_: object) -> None:
        raise RuntimeError("the roof")

    monkeypatch.setattr(Club.objects, "open", break_down)
    client.raise_request_exception = False
    client.cookies["theme"] = "dark"
    page = client.get("/")
    assert page.status_code == 500
    assert 'data-theme="dark"' in page.content.decode()


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("language", "subject", "greeting"),
    [
        ("en", "Confirm your e-mail address", "Hello!"),
        ("it", "Conferma il tuo indirizzo e-mail", "Ciao!"),
        ("pl", "Potwierdź swój adres e-mail", "Cześć!"),
    ],
)
def test_letters_are_written_in_the_readers_language(client: Client, language: str, subject: str, greeting: str):
    form = {"username": "nadia", "email": f"nadia-{language}@example.org", "password1": "a-lantern-in-the-rain"}
    client.post(reverse("account_signup"), form, headers={"accept-language": language})
    letter = mail.outbox[0]
    assert letter.subject == subject
    assert letter.body.startswith(greeting)
    assert "/accounts/confirm-email/" in letter.body
    assert "&" not in letter.body


@pytest.mark.parametrize("language", ["en", "it", "pl"])
@pytest.mark.parametrize("path", sorted((TEMPLATES / "account" / "email").glob("[!_]*_message.txt"), key=str))
def test_every_letter_is_whole(path: Path, language: str):
    words = {"timestamp": "today", "ip": "10.0.0.1", "email": "o'neil@example.org", "from_email": "a@b.example"}
    with translation.override(language):
        text = get_template(f"account/email/{path.name}").render({**words, "user": "O'Neil"})
        subject = get_template(f"account/email/{path.name.replace('_message', '_subject')}").render({})
    assert "&#" not in text
    assert len(text) > 60
    assert subject.strip()
    assert "\n" not in subject.strip()


@pytest.mark.django_db
def test_a_name_that_is_not_ours_is_a_bad_request_and_no_fault(client: Client):
    client.raise_request_exception = False
    page = client.get("/", headers={"host": "elsewhere.example"})
    assert page.status_code == 400
    assert "We could not read that request" in page.content.decode()
