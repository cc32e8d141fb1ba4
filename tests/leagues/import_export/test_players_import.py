"""Players from a file: every line checked, everybody or nobody entered."""

from datetime import timedelta

import pytest
from django.utils import timezone

from accounts.infra import shutdown
from accounts.infra.errors import Refused
from accounts.infra.permissions import NotAllowed
from accounts.models import User
from leagues import tasks
from leagues.entries import registration
from leagues.import_export import players_import, uploads
from leagues.models import Division, Entrant, Upload
from tests.factories import draft_season


@pytest.fixture
def division(league, alice) -> Division:
    season = draft_season(league, alice, "swiss")
    return Division.objects.select_related("season__league__club").get(season=season)


def uploaded(actor, division, text: str) -> Upload:
    return uploads.store_spreadsheet(
        actor=actor, season=division.season, kind="players", content=text.encode(), division=division, name="list.csv"
    )


def imported(actor, upload, **how) -> Upload:
    return uploads.confirm(actor=actor, upload=upload, seen=uploads.plan_of(upload).seal, **how)


def test_members_and_guests_enter_with_their_seeds(division, alice, bob):
    registration.add_guest(actor=alice, division=division, name="First")
    upload = uploaded(alice, division, "name,handle,email,seed\nAda,,,2\n,@BOB,,1\n,,olga@example.org,\n")
    assert not Entrant.objects.filter(user=bob).exists()
    done = imported(alice, upload)
    assert done.status == Upload.Status.DONE
    assert not done.content
    assert [each.name for each in Entrant.objects.order_by("seed")] == ["bob", "Ada", "First", "olga"]


def test_a_guest_of_before_is_the_same_guest(league, division, alice):
    old = registration.add_guest(actor=alice, division=division, name="Łucja Kot")
    other = Division.objects.select_related("season__league__club").get(season=draft_season(league, alice, "swiss"))
    imported(alice, uploaded(alice, other, "gracz\nlucja kot\n"))
    assert Entrant.objects.get(division=other).user == old.user


@pytest.mark.parametrize(
    ("line", "column", "reason"),
    [
        (",nobody,,", "handle", "No member of the club has this handle."),
        (",charlie,,", "handle", "No member of the club has this handle."),
        (",,,7", "name", "Give a name"),
        (",,,,stranger@club.test", "email", "No member of the club has this address."),
        (f"{'x' * 61},,,", "name", "1 to 60"),
        ("Ada,,,zero", "seed", "whole number"),
        ("Ada,,,0", "seed", "whole number"),
        ("Ada,,,99999999999999999999", "seed", "whole number"),
        ("ada,,,", "name", "same as line 2"),
        ("Bea,,,1", "seed", "Line 2 has this seed"),
        ("First,,,", "name", "entered this season already"),
        (",,expert,", "bot", "cannot come"),
        (",,genius,", "bot", "no such bot"),
    ],
)
def test_broken_lines(division, alice, charlie, line, column, reason):
    registration.add_guest(actor=alice, division=division, name="First")
    upload = uploaded(alice, division, f"name,handle,bot,seed,email\nAda,,,1\n{line}\n")
    plan = uploads.plan_of(upload)
    assert [(each.line, each.column) for each in plan.problems] == [(3, column)]
    assert reason in plan.problems[0].reason
    with pytest.raises(Refused, match="nothing was imported"):
        imported(alice, upload)
    assert Entrant.objects.count() == 1
    imported(alice, upload, good=True)
    assert sorted(each.name for each in Entrant.objects.all()) == ["Ada", "First"]


def test_doubts_do_not_stop_anybody(division, alice):
    upload = uploaded(alice, division, "name,e-mail,shoe size\nAda Lovelace,ada@example.org,38\nAda Lovelac,,\nbob,,\n")
    plan = uploads.plan_of(upload)
    assert not plan.problems
    assert [(each.line, each.column) for each in plan.warnings] == [
        (1, "shoe size"), (2, "e-mail"), (3, "name"), (4, "name"),
    ]  # fmt: skip


def test_every_member_of_the_same_name_is_named(division, alice, bob, olga):
    User.objects.filter(pk__in=[bob.pk, olga.pk]).update(display_name="Sam")
    plan = uploads.plan_of(uploaded(alice, division, "name\nsam\n"))
    assert [each.reason for each in plan.warnings] == [
        "Several members have the same name: if it is one of @bob and @olga, give the handle."
    ]


def test_the_league_changed_meanwhile(division, alice):
    upload = uploaded(alice, division, "name\nAda\nBea\n")
    seen = uploads.plan_of(upload).seal
    registration.add_guest(actor=alice, division=division, name="Ada")
    with pytest.raises(Refused, match="changed since the preview"):
        uploads.confirm(actor=alice, upload=upload, seen=seen)
    assert Entrant.objects.count() == 1


def test_dying_in_the_middle_leaves_the_league_as_it_was(division, alice, monkeypatch):
    upload = uploaded(alice, division, "name\nAda\nBea\nCid\n")
    before = User.objects.count()
    real = registration.add_guest

    def dies(**known):
        if known["name"] == "Cid":
            raise RuntimeError("the plug was pulled")
        return real(**known)

    monkeypatch.setattr("leagues.entries.registration.add_guest", dies)
    with pytest.raises(RuntimeError):
        imported(alice, upload)
    assert (Entrant.objects.count(), User.objects.count()) == (0, before)
    assert Upload.objects.get().status == Upload.Status.WAITING
    monkeypatch.undo()
    imported(alice, upload)
    assert Entrant.objects.count() == 3


def test_only_once_and_only_by_organisers(division, alice, bob):
    with pytest.raises(NotAllowed):
        uploaded(bob, division, "name\nAda\n")
    upload = uploaded(alice, division, "name\nAda\n")
    with pytest.raises(NotAllowed):
        imported(bob, upload)
    seen = uploads.plan_of(upload).seal
    uploads.confirm(actor=alice, upload=upload, seen=seen)
    with pytest.raises(Refused, match="imported already"):
        uploads.confirm(actor=alice, upload=upload, seen=seen)
    assert Entrant.objects.count() == 1


def test_many_go_to_a_worker(division, alice, monkeypatch, django_capture_on_commit_callbacks):
    sent: list[int] = []
    monkeypatch.setattr("leagues.import_export.uploads._send", sent.append)
    monkeypatch.setattr("leagues.import_export.uploads.AT_ONCE", 2)
    upload = uploaded(alice, division, "name\nAda\nBea\nCid\n")
    with django_capture_on_commit_callbacks(execute=True):
        assert imported(alice, upload).status == Upload.Status.WORKING
    assert sent == [upload.pk]
    assert not Entrant.objects.exists()
    uploads.run(upload_id=upload.pk)
    uploads.run(upload_id=upload.pk)
    assert Entrant.objects.count() == 3
    assert Upload.objects.get().outcome == {"players": 3}


def test_an_import_is_put_down_when_its_program_closes_and_sent_again(division, alice, monkeypatch, lost_ones):
    """A worker that dies leaves nothing half written. An import that ends every worker is given up."""
    monkeypatch.setattr("leagues.import_export.uploads.AT_ONCE", 0)
    upload = imported(alice, uploaded(alice, division, "name\nAda\nBea\n"))
    enter = players_import._enter

    def stop_midway(*about):
        made = enter(*about)
        monkeypatch.setattr(shutdown, "_is_closing", True)
        return made

    monkeypatch.setattr(players_import, "_enter", stop_midway)
    with pytest.raises(shutdown.ShutdownRequested):
        tasks.bring_in(upload.pk)
    assert not Entrant.objects.exists()
    assert Upload.objects.get().status == Upload.Status.WORKING

    monkeypatch.setattr(shutdown, "_is_closing", False)
    monkeypatch.setattr(players_import, "_enter", enter)
    assert lost_ones() == []  # not yet: it may be under way
    assert lost_ones(after=timedelta(minutes=2)) == [upload.pk]
    tasks.bring_in(upload.pk)
    assert Entrant.objects.count() == 2
    assert lost_ones(after=timedelta(minutes=2)) == []


def test_an_import_that_ends_every_worker_is_given_up(division, alice, monkeypatch, lost_ones):
    monkeypatch.setattr("leagues.import_export.uploads.AT_ONCE", 0)
    upload = imported(alice, uploaded(alice, division, "name\nAda\n"))
    for _ in range(uploads.MOST_ATTEMPTS):
        assert lost_ones(after=timedelta(minutes=2)) == [upload.pk]
    assert lost_ones(after=timedelta(minutes=2)) == []
    stored = Upload.objects.get()
    assert (stored.status, stored.is_open) == (Upload.Status.FAILED, True)


@pytest.fixture
def lost_ones(monkeypatch, django_capture_on_commit_callbacks):
    """The imports that the sweep sends again after a while."""

    def swept(after: timedelta = timedelta()) -> list[int]:
        sent: list[int] = []
        monkeypatch.setattr("leagues.import_export.uploads._send", sent.append)
        Upload.objects.update(started_at=timezone.now() - after)
        with django_capture_on_commit_callbacks(execute=True):
            uploads.sweep()
        return sent

    return swept


def test_a_worker_that_is_refused_says_why(division, alice, monkeypatch):
    monkeypatch.setattr("leagues.import_export.uploads.AT_ONCE", 0)
    upload = imported(alice, uploaded(alice, division, "name\nAda\n"))
    registration.add_guest(actor=alice, division=division, name="Ada")
    uploads.run(upload_id=upload.pk)
    stored = Upload.objects.get()
    assert stored.status == Upload.Status.FAILED
    assert "changed" in stored.outcome["failed"]
    assert stored.is_open


def test_a_list_that_is_too_long(division, alice):
    with pytest.raises(Refused, match="too long"):
        uploaded(alice, division, "name\n" + "".join(f"G{at}\n" for at in range(players_import.MAX_PLAYERS + 1)))
