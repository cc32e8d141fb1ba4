"""Who hears whom."""

import pytest
from django.contrib.auth.models import AnonymousUser

from accounts.infra.errors import Refused
from accounts.infra.permissions import NotAllowed
from games import chat
from games.models import ChatLine, Report
from games.models.chat import MAX_LINE_LENGTH
from tests.factories import finished_match, open_table_with, started_match


def lines_for(person, match) -> list[str]:
    return [line.text or line.remark for line in chat.visible_lines(person, match)]


@pytest.fixture
def sent(monkeypatch, django_capture_on_commit_callbacks):
    """What would go out, by group."""
    frames: list[tuple[str, str]] = []
    monkeypatch.setattr("games.realtime.broadcast.publish", lambda group, text: frames.append((group, text)))
    monkeypatch.setattr("games.realtime.broadcast.publish_all", frames.extend)
    return frames


def test_players_talk_at_the_table_and_others_in_the_gallery(alice, bob, charlie):
    match = started_match(alice, bob)
    chat.post_line(person=alice, match=match, text="  well   met ")
    chat.post_line(person=charlie, match=match, text="go for the stones")
    assert lines_for(bob, match) == ["well met"]
    assert lines_for(charlie, match) == ["well met", "go for the stones"]
    assert lines_for(AnonymousUser(), match) == ["well met", "go for the stones"]


def test_the_gallery_goes_to_nobody_at_the_table(alice, bob, charlie, sent, django_capture_on_commit_callbacks):
    match = started_match(alice, bob)
    with django_capture_on_commit_callbacks(execute=True):
        chat.post_line(person=charlie, match=match, text="he holds the time stone")
    assert [group for group, text in sent if "time stone" in text] == [f"match-{match.key}/public"]


def test_when_it_is_over_players_hear_the_gallery(alice, bob, charlie):
    match = started_match(alice, bob)
    chat.post_line(person=charlie, match=match, text="what a blunder")
    match = finished_match(match)
    assert lines_for(alice, match) == ["what a blunder"]


def test_players_of_a_silent_game_have_only_remarks_while_it_runs(alice, bob, charlie):
    match = open_table_with(alice, bob, game="infinity-gauntlet")
    chat.post_line(person=alice, match=match, text="before the start")
    match = started_match(alice, bob, game="infinity-gauntlet")
    with pytest.raises(Refused, match="fixed remarks"):
        chat.post_line(person=alice, match=match, text="Thanos holds a six")
    chat.post_line(person=alice, match=match, remark="nice")
    chat.post_line(person=charlie, match=match, text="the gallery may talk")
    match = finished_match(match)
    chat.post_line(person=alice, match=match, text="now I can say it")
    assert lines_for(bob, match) == ["nice", "the gallery may talk", "now I can say it"]


@pytest.mark.parametrize("text", ["", "   ", "x" * (MAX_LINE_LENGTH + 1)])
def test_an_empty_or_endless_line_is_refused(alice, bob, text):
    with pytest.raises(Refused):
        chat.post_line(person=alice, match=started_match(alice, bob), text=text)
    assert not ChatLine.objects.exists()


def test_an_unknown_remark_is_refused(alice, bob):
    with pytest.raises(Refused):
        chat.post_line(person=alice, match=started_match(alice, bob), remark="rude")


def test_a_muted_person_is_not_heard_by_the_one_who_muted(alice, bob):
    match = started_match(alice, bob)
    chat.post_line(person=bob, match=match, text="la la la")
    chat.mute(person=alice, other=bob)
    chat.mute(person=alice, other=bob)
    assert lines_for(alice, match) == []
    assert lines_for(bob, match) == ["la la la"]
    chat.unmute(person=alice, other=bob)
    assert lines_for(alice, match) == ["la la la"]
    with pytest.raises(Refused):
        chat.mute(person=alice, other=alice)


def test_a_line_is_reported_once_and_staff_decide(alice, bob, stella):
    match = started_match(alice, bob)
    line = chat.post_line(person=bob, match=match, text="something rude")
    report = chat.report(person=alice, line=line, reason="rude")
    with pytest.raises(Refused):
        chat.report(person=alice, line=line)
    with pytest.raises(Refused):
        chat.report(person=bob, line=line)
    with pytest.raises(NotAllowed):
        chat.decide_report(person=bob, report=report, remove=False)
    chat.decide_report(person=stella, report=report, remove=True)
    line.refresh_from_db()
    assert line.removed
    assert Report.objects.get().settled_by == stella
