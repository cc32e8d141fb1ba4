"""Announcements to all players or members, the notice that a season opens, and what latecomers read."""

from datetime import timedelta
from xml.etree import ElementTree

import pytest
from django.core import mail
from django.urls import reverse
from django.utils import timezone

from accounts import people
from accounts.infra.errors import Refused
from accounts.infra.permissions import NotAllowed
from accounts.models import Club, Delivery, Notice, User
from accounts.notifications.service import deliver_notification
from accounts.webhooks import service as webhooks
from leagues.entries import late_entry, registration, withdrawal
from leagues.models import Announcement, League, Season
from leagues.rounds import draw
from leagues.seasons import announcements, next_steps, rollover, setup
from leagues.webhook_events import describe_announcement
from tests.api.conftest import Program
from tests.factories import (
    actions_of,
    add_guests,
    add_member,
    create_user,
    draft_season,
    enter,
    logged_in,
    next_round,
    running_stage,
    stage_of,
)

TEXT = "The hall is closed on Thursday.\n\nWe play **upstairs**."


@pytest.fixture
def season(league: League, alice: User, bob: User) -> Season:
    """Bob plays, with guests; Olga organises and does not."""
    made = draft_season(league, alice, "swiss")
    enter(made.divisions.get(), alice, bob)
    add_guests(made, alice, 3)
    return made


def got(person: User) -> list[str]:
    return list(Notice.objects.filter(user=person).order_by("pk").values_list("kind", flat=True))


def test_players_of_the_season_hear_and_nobody_else(season, club, alice, olga, bob, charlie):
    left = create_user("lena")
    enter(season.divisions.get(), alice, left)
    withdrawal.withdraw(actor=alice, entrant=season.entrants.get(user=left))
    Notice.objects.all().delete()
    row = announcements.announce(actor=alice, season=season, text=TEXT)
    assert got(bob) == ["leagues.announcement"]
    assert not got(olga)
    assert not got(alice)
    assert not got(charlie)
    assert not got(left)
    notice = Notice.objects.get(user=bob)
    assert notice.path == row.get_absolute_url()
    assert "upstairs" not in str(notice.params)
    assert actions_of(club)[-1] == "leagues.announced"
    page = logged_in(bob).get(notice.path).content.decode()
    assert "<strong>upstairs</strong>" in page
    assert "The hall is closed" in logged_in(bob).get(season.get_absolute_url()).content.decode()


def test_the_waiting_list_hears(league, alice, bob, charlie):
    season = draft_season(league, alice, "swiss")
    enter(season.divisions.get(), alice, bob)
    season.divisions.update(cap=2)
    enter(season.divisions.get(), alice, alice)
    enter(season.divisions.get(), alice, charlie)
    assert season.entrants.get(user=charlie).is_waiting
    Notice.objects.all().delete()
    announcements.announce(actor=alice, season=season, text=TEXT)
    assert got(bob) == got(charlie) == ["leagues.announcement"]


def test_the_mail_has_the_text_in_full(season, alice, bob):
    User.objects.filter(pk=bob.pk).update(notices_by_mail=True)
    Notice.objects.all().delete()
    announcements.announce(actor=alice, season=season, text=TEXT)
    mail.outbox.clear()
    deliver_notification(notice_id=Notice.objects.get(user=bob).pk)
    (sent,) = mail.outbox
    assert TEXT in sent.body
    assert sent.subject == f"{alice.name} has written to all players of {season.full_name}."


def test_all_members_of_a_club_hear(club, alice, olga, bob, charlie):
    announcements.announce(actor=olga, club=club, text=TEXT)
    assert got(alice) == got(bob) == ["club.announcement"]
    assert not got(olga)
    assert not got(charlie)
    assert actions_of(club)[-1] == "club.announced"
    assert "The hall is closed" in logged_in(bob).get(club.get_absolute_url()).content.decode()


def test_there_is_a_limit_for_a_day(season, club, alice):
    for _number in range(announcements.MOST_A_DAY):
        announcements.announce(actor=alice, season=season, text=TEXT)
    before = Notice.objects.count()
    with pytest.raises(Refused, match="Enough for today"):
        announcements.announce(actor=alice, season=season, text=TEXT)
    assert Notice.objects.count() == before
    announcements.announce(actor=alice, club=club, text=TEXT)
    Announcement.objects.update(at=timezone.now() - timedelta(hours=25))
    announcements.announce(actor=alice, season=season, text=TEXT)


def test_seasons_by_the_dozen_do_not_multiply_it(club, league, alice):
    for number in range(announcements.MOST_OF_A_CLUB_A_DAY):
        Announcement.objects.create(club=club, season=draft_season(league, alice, "swiss"), by=alice, text=str(number))
    with pytest.raises(Refused, match="Enough for today"):
        announcements.announce(actor=alice, club=club, text=TEXT)


def test_who_may_and_what_is_refused(season, club, league, alice, bob, charlie):
    for person in (bob, charlie):
        with pytest.raises(NotAllowed):
            announcements.announce(actor=person, season=season, text=TEXT)
        with pytest.raises(NotAllowed):
            announcements.announce(actor=person, club=club, text=TEXT)
    for text in ("", " \n ", "x" * 4001):
        with pytest.raises(Refused):
            announcements.announce(actor=alice, season=season, text=text)
    draft = setup.add_season(actor=alice, league=league)
    with pytest.raises(Refused, match="not open yet"):
        announcements.announce(actor=alice, season=draft, text=TEXT)
    assert not Announcement.objects.exists()


def test_the_page_keeps_what_was_typed_and_says_how_many_it_reaches(season, as_alice, as_bob, alice):
    path = reverse("leagues:announcements", args=[season.league.slug, season.number])
    page = as_alice.get(path).content.decode()
    assert "It reaches 1 person." in page
    assert "Send the announcement" not in as_bob.get(path).content.decode()
    assert as_alice.post(path, {"text": TEXT}, follow=True).status_code == 200
    Announcement.objects.bulk_create(
        Announcement(club=season.league.club, season=season, by=alice, text="More") for _ in range(2)
    )
    refused = as_alice.post(path, {"text": "One too many"})
    assert refused.status_code == 422
    assert "One too many" in refused.content.decode()
    assert as_bob.post(path, {"text": TEXT}).status_code == 403


def test_an_announcement_can_be_deleted_with_its_notices(season, alice, bob, as_bob, as_alice):
    row = announcements.announce(actor=alice, season=season, text=TEXT)
    path = reverse("leagues:announcement-delete", args=[row.pk])
    assert as_bob.post(path).status_code == 403
    as_alice.post(path)
    assert not announcements.latest(season).exists()
    assert describe_announcement(row.pk) is None
    assert TEXT not in Announcement.objects.get().text
    assert not Notice.objects.filter(kind="leagues.announcement").exists()
    assert as_alice.get(row.get_absolute_url()).status_code == 404
    # Deleting makes no room for more.
    for _number in range(announcements.MOST_A_DAY - 1):
        announcements.announce(actor=alice, season=season, text=TEXT)
    with pytest.raises(Refused, match="Enough for today"):
        announcements.announce(actor=alice, season=season, text=TEXT)


def test_what_is_private_stays_private(season, club, league, alice, bob, charlie):
    hook = webhooks.create_webhook(
        actor=alice, club=club, name="News", url="https://news.example/", shape="json", events=["announcement.made"]
    ).hook
    to_players = announcements.announce(actor=alice, season=season, text=TEXT)
    to_members = announcements.announce(actor=alice, club=club, text=TEXT)
    assert Delivery.objects.filter(hook=hook, event="announcement.made").count() == 2
    public = describe_announcement(to_players.pk)
    assert public is not None
    assert public.object["text"] == TEXT
    outside = logged_in(charlie)
    assert outside.get(to_members.get_absolute_url()).status_code == 200
    League.objects.update(is_private=True)
    assert describe_announcement(to_players.pk) is None
    assert outside.get(to_players.get_absolute_url()).status_code == 404
    assert outside.get(to_members.get_absolute_url()).status_code == 200
    Club.objects.update(is_private=True)
    assert describe_announcement(to_members.pk) is None
    assert outside.get(to_members.get_absolute_url()).status_code == 404
    assert Program(charlie).get(f"/clubs/{club.slug}/announcements/").status_code == 404
    assert Program(charlie).get(f"/seasons/{season.pk}/announcements/").status_code == 404
    assert logged_in(bob).get(to_players.get_absolute_url()).status_code == 200


def test_the_api_writes_lists_and_deletes(season, club, alice, bob):
    program = Program(alice)
    made = program.post(f"/seasons/{season.pk}/announcements/", {"text": TEXT})
    assert made.status_code == 201
    assert (made.json()["season"], made.json()["text"]) == (season.pk, TEXT)
    program.post(f"/clubs/{club.slug}/announcements/", {"text": "To all"})
    (row,) = Program().get(f"/clubs/{club.slug}/announcements/").json()["results"]
    assert (row["season"], row["text"]) == (None, "To all")
    assert Program(bob).post(f"/seasons/{season.pk}/announcements/", {"text": TEXT}).status_code == 403


def test_a_deleted_account_leaves_no_words(season, alice, olga):
    row = announcements.announce(actor=olga, season=season, text="I am olga")
    people.delete_account(person=olga)
    row.refresh_from_db()
    assert "olga" not in row.text


# -- news of a club


def test_news_need_not_ring(club, bob, charlie, as_bob, as_olga):
    path = reverse("leagues:club-announcements", args=[club.slug])
    assert as_olga.post(path, {"title": "  A new  hall ", "text": TEXT}).status_code == 302
    row = Announcement.objects.get()
    assert (row.title, row.is_told, row.season) == ("A new hall", False, None)
    assert not Notice.objects.exists()
    assert actions_of(club)[-1] == "club.news"
    for page in (club.get_absolute_url(), path, row.get_absolute_url(), "/"):
        assert "A new hall" in as_bob.get(page).text
    assert "A new hall" not in logged_in(charlie).get("/").text
    assert as_olga.post(path, {"text": "Come all", "tells": "on"}).status_code == 302
    assert got(bob) == ["club.announcement"]
    Announcement.objects.update(at=timezone.now() - announcements.NEWS_AT_HOME)
    assert "A new hall" not in as_bob.get("/").text


def test_news_have_a_limit_of_their_own(club, alice):
    for number in range(announcements.MOST_OF_A_CLUB_A_DAY):
        announcements.announce(actor=alice, club=club, text=str(number), tells=False)
    with pytest.raises(Refused, match="at most 12"):
        announcements.announce(actor=alice, club=club, text=TEXT, tells=False)


@pytest.mark.parametrize("sent", [{"text": ""}, {"text": "x" * 4001}, {"text": "x", "title": "y" * 121}, {}])
def test_news_that_are_refused(club, olga, as_olga, as_bob, sent):
    path = reverse("leagues:club-announcements", args=[club.slug])
    assert as_olga.post(path, sent).status_code == 422
    assert as_bob.post(path, sent).status_code == 403
    assert Program(olga).post(f"/clubs/{club.slug}/announcements/", sent).status_code in {400, 422}
    assert not Announcement.objects.exists()


def test_news_are_changed(club, olga, as_olga, as_bob):
    row = announcements.announce(actor=olga, club=club, title="A new hall", text=TEXT)
    path = reverse("leagues:announcement-edit", args=[row.pk])
    assert "A new hall" in as_olga.get(path).text
    assert as_bob.post(path, {"title": "Mine", "text": "x"}).status_code == 403
    assert as_olga.post(path, {"title": "", "text": " "}).status_code == 422
    before = Notice.objects.count()
    assert as_olga.post(path, {"title": "The old hall", "text": "We stay."}).status_code == 302
    row.refresh_from_db()
    assert (row.title, row.text) == ("The old hall", "We stay.")
    assert row.edited_at is not None
    assert Notice.objects.count() == before
    assert actions_of(club)[-1] == "leagues.announcement-edited"
    announcements.edit(actor=olga, announcement=row, title="The old hall", text="We stay.")
    assert actions_of(club).count("leagues.announcement-edited") == 1
    announcements.delete(actor=olga, announcement=row)
    with pytest.raises(Refused, match="deleted"):
        announcements.edit(actor=olga, announcement=row, title="", text="Back")
    assert Announcement.objects.get().title == ""


def test_the_feed(club, olga, client, as_olga, as_bob):
    announcements.announce(actor=olga, club=club, title="A <new> hall", text="Come **all** & bring dice.", tells=False)
    row = announcements.announce(actor=olga, club=club, text="# Untitled\n\nmore", tells=False)
    path = reverse("leagues:club-news-feed", args=[club.slug])
    answer = client.get(path)
    assert answer["Content-Type"].startswith("application/atom+xml")
    assert "public" in answer["Cache-Control"]
    atom = "{http://www.w3.org/2005/Atom}"
    entries = list(ElementTree.fromstring(answer.content).iter(f"{atom}entry"))
    assert [entry.findtext(f"{atom}title") for entry in entries] == ["Untitled", "A <new> hall"]
    assert "<strong>all</strong> &amp; bring" in str(entries[1].findtext(f"{atom}summary"))
    assert client.get(path, headers={"If-None-Match": answer["ETag"]}).status_code == 304
    announcements.delete(actor=olga, announcement=row)
    assert b"Untitled" not in client.get(path).content
    assert path in client.get(club.get_absolute_url()).text
    Club.objects.update(is_private=True)
    assert {each.get(path).status_code for each in (client, as_olga, as_bob)} == {404}
    assert path not in as_bob.get(club.get_absolute_url()).text


def test_news_by_program(club, olga, bob, charlie):
    program, path = Program(olga), f"/clubs/{club.slug}/announcements/"
    made = program.post(path, {"text": TEXT, "title": "Hall", "tells": False}).json()
    assert (made["title"], made["told"], made["edited_at"]) == ("Hall", False, None)
    one = f"/announcements/{made['id']}/"
    assert Program(bob).patch(one, {"title": "Mine"}).status_code == 403
    assert program.patch(one, {"title": "A hall"}).json()["text"] == TEXT
    assert Program().get(one).json()["title"] == "A hall"
    Club.objects.update(is_private=True)
    assert Program(charlie).get(one).status_code == 404
    assert Program(charlie).patch(one, {"title": "Mine"}).status_code == 404


def test_a_deleted_account_leaves_no_title(club, olga):
    row = announcements.announce(actor=olga, club=club, title="olga writes", text="I am olga", tells=False)
    people.delete_account(person=olga)
    row.refresh_from_db()
    assert (row.title, row.text) == ("", "…")


# -- a season opens


def test_members_hear_that_a_season_opens(league, alice, olga, bob, charlie):
    season = draft_season(league, alice, "swiss")
    assert got(bob) == got(olga) == ["leagues.season-opened"]
    assert not got(alice)
    assert not got(charlie)
    notice = Notice.objects.get(user=bob)
    assert logged_in(bob).get(notice.path).status_code == 200
    setup.open_registration(actor=alice, season=season)
    assert got(bob) == ["leagues.season-opened"]


def test_who_is_asked_to_play_again_hears_that_only(league, club, alice, olga, bob):
    stage = running_stage(league, alice, "swiss", 2, planned=1)
    season = stage.division.season
    Season.objects.filter(pk=season.pk).update(status="registration")
    enter(stage.division, alice, bob)
    Season.objects.filter(pk=season.pk).update(status="closed", closed_at=timezone.now())
    for place, entrant in enumerate(season.entrants.order_by("pk"), 1):
        season.movements.create(entrant=entrant, place=place, old=1, new=1, reason={"code": "x", "params": {}})
    Notice.objects.all().delete()
    rollover.start_next_season(actor=alice, league=league, ask_until=timezone.now() + timedelta(days=3))
    assert got(bob) == ["leagues.returning"]
    assert got(olga) == ["leagues.season-opened"]


def test_opening_one_season_after_the_other_is_not_announced_for_ever(league, alice, bob):
    for _number in range(announcements.MOST_OPENINGS_A_DAY + 3):
        draft_season(league, alice, "swiss")
    assert len(got(bob)) == announcements.MOST_OPENINGS_A_DAY


# -- latecomers


def test_latecomers_read_how_to_get_in_and_it_works(season, club, alice, olga, charlie):
    season = draw.start(actor=alice, season=season)
    next_round(alice, stage_of(season))
    words = next_steps.next_step_for_reader(season, charlie).words
    assert "from round 2 on" in words
    assert "Join The Round Table first" in words
    assert alice.name in words
    assert olga.name in words
    assert next_steps.next_step_for_reader(season, None).path == club.get_absolute_url()
    add_member(club, charlie)
    step = next_steps.next_step_for_reader(season, charlie)
    assert "Join" not in step.words
    assert not step.path
    (division,) = late_entry.late_entry(season, charlie).divisions
    registration.add_person(actor=alice, division=division, person=charlie)
    assert next_steps.next_step_for_reader(season, charlie).words.startswith("Nothing to do for you now")
    assert next_steps.next_step_for_reader(season, olga) is None


def test_latecomers_read_why_not(league, club, alice, bob):
    stage = running_stage(league, alice, "round-robin", 4)
    season = stage.division.season
    assert late_entry.late_entry(season, bob).is_possible
    next_round(alice, stage)
    late = late_entry.late_entry(season, bob)
    assert not late.is_possible
    assert "takes no late entries" in late.words
    assert "As a member of The Round Table you will be notified" in late.words
    with pytest.raises(Refused):
        registration.add_person(actor=alice, division=stage.division, person=bob)
    page = logged_in(bob).get(reverse("leagues:entries", args=[league.slug, season.number])).content.decode()
    assert "takes no late entries" in page
    told = Program(bob).get(f"/seasons/{season.pk}/late-entry/").json()
    assert (told["possible"], told["divisions"]) == (False, [])


def test_a_full_division_takes_no_latecomer(season, alice, bob, charlie):
    season.divisions.update(cap=4)
    season = draw.start(actor=alice, season=season)
    assert not late_entry.late_entry(season, charlie).is_possible
    season.divisions.update(cap=5)
    assert late_entry.late_entry(season, charlie).is_possible
    assert Program().get(f"/seasons/{season.pk}/late-entry/").json()["possible"]


def test_no_advice_before_and_after(season, alice):
    assert late_entry.late_entry(season, None) is None
    assert Program().get(f"/seasons/{season.pk}/late-entry/").status_code == 404
