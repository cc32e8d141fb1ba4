"""A deleted account: its name is in no text column of the database, and what others need is still there."""

import json
from datetime import timedelta

import pytest
from allauth.account.models import EmailAddress
from django.apps import apps
from django.db import DatabaseError, connection, models, transaction

from accounts import api_tokens, audit, people
from accounts.models import AuditEntry, AuditErasure, Delivery, Role, User
from accounts.webhooks import events
from accounts.webhooks import service as webhooks
from games import chat
from games.models import ChatLine, Seat
from games.user_bots import service as own_bots
from leagues.entries import registration, withdrawal
from leagues.models import Division, Entrant, League
from leagues.rounds import draw
from leagues.seasons import setup, undo
from tests.databases import any_database
from tests.factories import GAME, add_member, create_user, draft_season, finished_match, logged_in, started_match

__all__ = ["any_database"]

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("clean_match_cache", "sent_tasks")]

NAMES = ("Zdzisława", "zdzicha", "Zdzisio", "zdz-bot")


def columns_with(words: tuple[str, ...]) -> set[str]:
    """Every text column of every table that has one of these words, as stored and as read."""
    found = set()
    for model in apps.get_models():
        for field in model._meta.concrete_fields:
            if not isinstance(field, models.CharField | models.TextField | models.JSONField):
                continue
            for value in model._base_manager.values_list(field.attname, flat=True):
                text = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False, default=str)
                if any(word.lower() in text.lower() for word in words):
                    found.add(f"{model._meta.label}.{field.name}: {text[:80]}")
    return found


@pytest.fixture
def zdzicha(club, olga, bob) -> User:
    """Somebody who has left traces everywhere."""
    person = User.objects.create_user("zdzicha", "zdzicha@example.org", display_name="Zdzisława")
    EmailAddress.objects.create(user=person, email=person.email, verified=True, primary=True)
    add_member(club, person, Role.ORGANISER)
    api_tokens.issue(person=person, name="zdzicha's phone", scopes=["read"], lasting=timedelta(days=1))
    own_bots.create(
        owner=person, handle="zdz-bot", name="Zdzisio", about="By Zdzisława", games=[GAME], accepts="anyone"
    )
    webhooks.create_webhook(
        actor=olga, club=club, name="News", url="https://news.example/", shape="json", events=events.declared_events()
    )
    league = setup.create_league(actor=person, club=club, name="Thursday league", game=GAME)
    season = draft_season(league, olga, "round-robin", name="Spring")
    division = Division.objects.get(season=season)
    entrants = [registration.add_person(actor=olga, division=division, person=each) for each in (person, bob)]
    draw.start(actor=olga, season=season)
    withdrawal.withdraw(actor=olga, entrant=entrants[0])
    undo.undo(actor=olga, undoable=undo.recent(season=season)[0].undoable)
    withdrawal.withdraw(actor=olga, entrant=entrants[0])
    match = finished_match(started_match(person, bob, club=club))
    chat.post_line(person=person, match=match, text="I am Zdzisława, call me zdzicha")
    hook_news = Delivery.objects.first()
    if hook_news:
        Delivery.objects.update(body=json.dumps({"names": ["Zdzisława"]}))
    return person


def test_no_text_column_has_the_name(zdzicha, club):
    assert any(column.startswith("accounts.AuditEntry.params") for column in columns_with(NAMES))
    people.delete_account(person=zdzicha)
    assert columns_with(NAMES) == set()


def test_what_others_need_stays(zdzicha, bob, as_olga, club):
    seats = Seat.objects.filter(user=zdzicha).count()
    people.delete_account(person=zdzicha)
    assert Seat.objects.filter(user=zdzicha).count() == seats > 0
    assert Entrant.objects.filter(user=zdzicha).count() == 1
    assert ChatLine.objects.get(user=zdzicha).text == "…"
    season = League.objects.get().seasons.get()
    log = as_olga.get(f"{season.get_absolute_url()}log/").content.decode()
    assert "Former player" in log
    assert "~" not in log


def test_its_bot_is_gone(zdzicha, client):
    bot = User.objects.get(handle="zdz-bot")
    people.delete_account(person=zdzicha)
    bot.refresh_from_db()
    assert (bot.is_active, bot.name) == (False, "Former player")
    assert client.get("/people/zdz-bot/").status_code == 404


def test_a_name_that_is_a_word_erases_nothing_else(club, olga):
    """Somebody calls themselves like the league: the log of others keeps its words."""
    person = create_user("thursday", display_name="Thursday league")
    add_member(club, person)
    setup.create_league(actor=olga, club=club, name="Thursday league", game=GAME)
    people.delete_account(person=person)
    entry = AuditEntry.objects.get(action="leagues.founded")
    assert entry.params["league"] == "Thursday league"


@pytest.mark.usefixtures("any_database")
def test_the_log_can_lose_a_name_and_nothing_else(alice):
    entry = audit.record("account.settings", actor=alice, on=alice, person=alice, fields=["x"])
    plain = models.QuerySet(AuditEntry).filter(pk=entry.pk)
    with pytest.raises(DatabaseError), transaction.atomic():
        plain.update(params={})
    with transaction.atomic():
        AuditErasure.objects.create(person=alice)
        plain.update(params={"fields": ["y"]})
        with pytest.raises(DatabaseError), transaction.atomic():
            plain.update(action="account.made")
        AuditErasure.objects.all().delete()
    with pytest.raises(DatabaseError), transaction.atomic():
        plain.update(params={})
    assert connection.vendor in {"sqlite", "postgresql"}
    assert logged_in(alice).get("/settings/").status_code == 200
