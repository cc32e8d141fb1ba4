"""What a person wants to be told, kind by kind, and the link that stops just one kind of e-mail."""

import re
from datetime import UTC, datetime

import pytest
from django.core import mail
from django.test import Client
from django.utils import timezone, translation

from accounts import people
from accounts.infra.permissions import NotAllowed
from accounts.models import AuditEntry, Digest, Mail, Notice, NoticeChoice, User
from accounts.notifications import email, preferences, registry
from accounts.notifications import service as notifications
from accounts.notifications.preferences import Preference
from tests.factories import logged_in

pytestmark = pytest.mark.django_db

# One that only tells, and one that waits for an answer.
TELLS, ASKS = "club.closed", "request.made"


def notify_one(person: User, kind: str = TELLS, **params) -> Notice:
    notifications.notify([person], kind, path="/clubs/", **params)
    return Notice.objects.filter(user=person).latest("pk")


def letter_to(person: User, kind: str = TELLS) -> mail.EmailMessage:
    notifications.deliver_notification(notice_id=notify_one(person, kind).pk)
    return mail.outbox[-1]


class TestKinds:
    def test_every_kind_belongs_to_a_group_and_has_a_title(self):
        found = {kind.name for members in registry.by_group().values() for kind in members}
        assert found == registry.kind_names()
        assert not [name for name in found if not registry.get_kind(name).title]

    def test_what_the_site_promises_to_tell(self):
        promised = {"leagues.drawn", "leagues.time-proposed", "games.your-turn"}
        promised |= {"leagues.reported", "leagues.deadline-near", "leagues.season-closed"}
        assert promised <= registry.kind_names()

    def test_titles_stand_in_every_language(self):
        """Two kinds called the same could not be told apart on the page."""
        for language in ("en", "it", "pl"):
            with translation.override(language):
                titles = [registry.kind_title(name) for name in registry.kind_names()]
            assert len(set(titles)) == len(titles)

    def test_one_without_a_group_is_a_bug(self):
        with pytest.raises(ValueError, match="no group"):
            registry.declare_kind("weather.rain", "It rains.")

    def test_one_without_a_title_is_called_by_its_sentence(self, monkeypatch):
        monkeypatch.setattr(registry, "_kinds", {})
        registry.declare_kind("club.painted", "%(actor)s painted %(club)s.")
        assert registry.kind_title("club.painted") == "… painted …."


class TestMoments:
    @pytest.fixture
    def deadline(self, monkeypatch) -> str:
        monkeypatch.setattr(registry, "_kinds", dict(registry._kinds))
        return registry.declare_kind("club.deadline", "Answer by %(closes_at)s.", "A deadline")

    @pytest.mark.parametrize(
        ("zone", "language", "words"),
        [
            ("Europe/Warsaw", "en", "Answer by Sun 29 Mar, 03:30."),
            ("America/New_York", "en", "Answer by Sat 28 Mar, 21:30."),
            ("Europe/Warsaw", "pl", "Answer by niedz., 29 mar, 03:30."),
            ("Europe/Rome", "it", "Answer by dom 29 mar, 03:30."),
        ],
    )
    def test_on_the_readers_clock_in_their_language(self, deadline, bob, zone, language, words):
        """Kept as a moment, an hour after the change to summer time."""
        people.change_settings(person=bob, time_zone=zone, language=language)
        notice = notify_one(User.objects.get(pk=bob.pk), deadline, closes_at=datetime(2026, 3, 29, 1, 30, tzinfo=UTC))
        assert notice.params == {"closes_at": "2026-03-29T01:30:00+00:00"}
        notifications.deliver_notification(notice_id=notice.pk)
        assert mail.outbox[0].subject == words
        with email.as_reader(User.objects.get(pk=bob.pk)):
            assert notifications.render(Notice.objects.get(pk=notice.pk)) == words

    def test_a_day_is_a_day_wherever_one_is(self, monkeypatch, bob):
        monkeypatch.setattr(registry, "_kinds", dict(registry._kinds))
        kind = registry.declare_kind("club.night", "On %(day)s in %(place)s, %(year)s.", "A night")
        notice = notify_one(bob, kind, day="2026-03-29", place="2026-99-99", year="2026")
        assert notifications.render(notice) == "On Sun 29 Mar in 2026-99-99, 2026."


class TestChoose:
    def test_who_has_chosen_nothing_gets_both(self, bob):
        notice = notify_one(bob)
        assert (notice.silent, notice.mail) == (False, Mail.NOW)

    def test_never_by_mail(self, bob, mailoutbox):
        preferences.set_preferences(person=bob, changes={TELLS: Preference(mail=Mail.NEVER)})
        notifications.deliver_notification(notice_id=notify_one(bob).pk)
        assert mailoutbox == []
        assert notifications.unread_count(bob) == 1
        notifications.deliver_notification(notice_id=notify_one(bob, "club.removed").pk)
        assert len(mailoutbox) == 1

    def test_without_the_bell_it_is_in_the_list_all_the_same(self, bob, monkeypatch, mailoutbox):
        rung = []
        monkeypatch.setattr(notifications, "publish", lambda *args: rung.append(args))
        preferences.set_preferences(person=bob, changes={TELLS: Preference(bell=False)})
        notifications.deliver_notification(notice_id=notify_one(bob).pk)
        assert rung == []
        assert notifications.unread_count(bob) == 0
        assert "has closed" in logged_in(bob).get("/notices/").text
        assert len(mailoutbox) == 1

    def test_whoever_is_waited_for_hears_the_bell(self, bob):
        preferences.set_preferences(person=bob, changes={ASKS: Preference(bell=False, mail=Mail.NEVER)})
        assert preferences.preferences_of(bob)[ASKS] == Preference(bell=True, mail=Mail.NEVER)

    def test_only_changes_are_written(self, bob):
        defaults = {name: Preference() for name in registry.kind_names()}
        assert preferences.set_preferences(person=bob, changes=defaults) == []
        assert not NoticeChoice.objects.exists()
        assert preferences.set_preferences(person=bob, changes={TELLS: Preference(mail=Mail.DIGEST)}) == [TELLS]
        assert preferences.set_preferences(person=bob, changes={TELLS: Preference(mail=Mail.DIGEST)}) == []
        assert AuditEntry.objects.filter(action=preferences.CHOSEN).count() == 1

    def test_ones_own_only(self, bob, alice):
        preferences.set_preferences(person=bob, changes={TELLS: Preference(mail=Mail.NEVER)})
        assert preferences.preferences_of(alice)[TELLS] == Preference()
        bob.is_active = False
        with pytest.raises(NotAllowed):
            preferences.set_preferences(person=bob, changes={TELLS: Preference()})

    def test_nonsense(self, bob):
        with pytest.raises(ValueError, match="not declared"):
            preferences.set_preferences(person=bob, changes={"club.eaten": Preference()})
        with pytest.raises(ValueError, match="pigeon"):
            preferences.set_preferences(person=bob, changes={TELLS: Preference(mail="pigeon")})

    def test_all_are_asked_about_at_once(self, bob, alice, olga, django_assert_num_queries):
        with django_assert_num_queries(4):
            notifications.notify([bob, alice, olga], TELLS, path="/")

    def test_who_leaves_leaves_no_choice_behind(self, bob):
        preferences.set_preferences(person=bob, changes={TELLS: Preference(mail=Mail.NEVER)})
        people.delete_account(person=bob)
        assert not NoticeChoice.objects.filter(user=bob).exists()


class TestPage:
    def form(self, client: Client) -> dict[str, str]:
        form = client.get("/settings/notices/").context["form"]
        return {field.html_name: field.value() for field in form if field.value() is not False}

    def test_everything_is_offered(self, as_bob):
        page = as_bob.get("/settings/notices/").text
        for name in registry.kind_names():
            assert f'name="mail-{name}"' in page
        assert f'name="bell-{TELLS}"' in page
        assert f'name="bell-{ASKS}"' not in page

    def test_saved(self, as_bob, bob):
        wanted = self.form(as_bob) | {
            f"mail-{TELLS}": "digest",
            "every": "week",
            "weekday": "4",
            "hour": "7",
        }
        del wanted[f"bell-{TELLS}"], wanted["by_mail"]
        assert as_bob.post("/settings/notices/", wanted).status_code == 302
        assert preferences.preferences_of(bob) == {name: Preference() for name in registry.kind_names()} | {
            TELLS: Preference(False, Mail.DIGEST)
        }
        digest = Digest.objects.get(user=bob)
        assert (digest.every, digest.weekday, digest.hour) == ("week", 4, 7)
        bob.refresh_from_db()
        assert not bob.notices_by_mail
        shown = self.form(as_bob)
        assert (shown[f"mail-{TELLS}"], shown["every"], shown["weekday"], shown["hour"]) == ("digest", "week", 4, 7)
        assert not {"by_mail", f"bell-{TELLS}"} & set(shown)

    @pytest.mark.parametrize("bad", [{"hour": "24"}, {"every": "hour"}, {f"mail-{TELLS}": "pigeon"}, {"weekday": "x"}])
    def test_nonsense_stands_by_its_field_and_changes_nothing(self, as_bob, bob, bad):
        answer = as_bob.post("/settings/notices/", self.form(as_bob) | {f"mail-{ASKS}": "never"} | bad)
        assert answer.status_code == 422
        assert list(answer.context["form"].errors) == list(bad)
        assert not NoticeChoice.objects.exists()


class TestStop:
    def link(self, letter: mail.EmailMessage) -> str:
        found = re.fullmatch(r"<http://127\.0\.0\.1:8000(/notices/stop/\S+)>", letter.extra_headers["List-Unsubscribe"])
        assert found
        assert found[1] in letter.body
        return found[1]

    def test_one_click_in_the_mail_program(self, bob):
        """No session, no token of a form, no question: RFC 8058."""
        letter = letter_to(bob)
        assert letter.extra_headers["List-Unsubscribe-Post"] == "List-Unsubscribe=One-Click"
        client = Client(enforce_csrf_checks=True)
        answer = client.post(self.link(letter), {"List-Unsubscribe": "One-Click"})
        assert answer.status_code == 200
        assert preferences.preferences_of(bob) == {name: Preference() for name in registry.kind_names()} | {
            TELLS: Preference(mail=Mail.NEVER)
        }
        assert client.post(self.link(letter)).status_code == 200

    def test_a_look_stops_nothing(self, bob, client):
        page = client.get(self.link(letter_to(bob)))
        assert "A club closed" in page.text
        assert preferences.preferences_of(bob)[TELLS] == Preference()

    def test_the_bell_stays_as_it_was(self, bob, client):
        preferences.set_preferences(person=bob, changes={TELLS: Preference(bell=False)})
        client.post(self.link(letter_to(bob)))
        assert preferences.preferences_of(bob)[TELLS] == Preference(bell=False, mail=Mail.NEVER)

    def test_those_under_way_are_stopped_too(self, bob, client, mailoutbox):
        waiting = notify_one(bob)
        preferences.unsubscribe(person=bob, kind=TELLS)
        notifications.deliver_notification(notice_id=waiting.pk)
        assert mailoutbox == []

    def test_made_up(self, bob, client):
        good = preferences.unsubscribe_token(bob, TELLS)
        for ticket in (
            "x",
            good[:-1] + ("A" if good[-1] != "A" else "B"),
            preferences.unsubscribe_token(bob, "club.eaten"),
        ):
            assert client.post(f"/notices/stop/{ticket}/").status_code == 404
        assert not NoticeChoice.objects.exists()

    def test_in_the_language_of_whom_it_is_about(self, bob, client):
        people.change_settings(person=bob, language="it")
        page = client.get(
            f"/notices/stop/{preferences.unsubscribe_token(bob, TELLS)}/", headers={"accept-language": "pl"}
        )
        assert "Meno e-mail?" in page.text

    def test_the_digest(self, bob, client):
        client.post(f"/notices/stop/{preferences.unsubscribe_token(bob, preferences.DIGEST)}/")
        assert Digest.objects.get(user=bob).every == Digest.Every.OFF
        assert not NoticeChoice.objects.exists()


def test_read_ones_are_no_news(bob):
    notifications.read(person=bob, notice=notify_one(bob))
    assert Notice.objects.get(user=bob).read_at <= timezone.now()
    assert notifications.unread_count(bob) == 0
