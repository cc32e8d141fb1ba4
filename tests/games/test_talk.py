"""Who hears whom."""

import pytest
from django.contrib.auth.models import AnonymousUser

from accounts.errors import Refused
from games import talk
from games.access import NotAllowed
from games.models import ChatLine, Report
from games.models.talk import LONGEST_LINE
from tests.games.conftest import begun, laid, played_out


def heard(person, match) -> list[str]:
    return [line.text or line.remark for line in talk.heard_by(person, match)]


@pytest.fixture
def sent(monkeypatch, django_capture_on_commit_callbacks):
    """What would go out, by group."""
    frames: list[tuple[str, str]] = []
    monkeypatch.setattr("games.live.announce.publish", lambda group, text: frames.append((group, text)))
    monkeypatch.setattr("games.live.announce.publish_all", frames.extend)
    return frames


def test_players_talk_at_the_table_and_others_in_the_gallery(alice, bob, charlie):
    match = begun(alice, bob)
    talk.say(person=alice, match=match, text="  well   met ")
    talk.say(person=charlie, match=match, text="go for the stones")
    assert heard(bob, match) == ["well met"]
    assert heard(charlie, match) == ["well met", "go for the stones"]
    assert heard(AnonymousUser(), match) == ["well met", "go for the stones"]


def test_the_gallery_goes_to_nobody_at_the_table(alice, bob, charlie, sent, django_capture_on_commit_callbacks):
    match = begun(alice, bob)
    with django_capture_on_commit_callbacks(execute=True):
        talk.say(person=charlie, match=match, text="he holds the time stone")
    assert [group for group, text in sent if "time stone" in text] == [f"match-{match.key}/public"]


def test_when_it_is_over_players_hear_the_gallery(alice, bob, charlie):
    match = begun(alice, bob)
    talk.say(person=charlie, match=match, text="what a blunder")
    match = played_out(match)
    assert heard(alice, match) == ["what a blunder"]


def test_players_of_a_silent_game_have_only_remarks_while_it_runs(alice, bob, charlie):
    match = laid(alice, bob, game="infinity-gauntlet")
    talk.say(person=alice, match=match, text="before the start")
    match = begun(alice, bob, game="infinity-gauntlet")
    with pytest.raises(Refused, match="fixed remarks"):
        talk.say(person=alice, match=match, text="Thanos holds a six")
    talk.say(person=alice, match=match, remark="nice")
    talk.say(person=charlie, match=match, text="the gallery may talk")
    match = played_out(match)
    talk.say(person=alice, match=match, text="now I can say it")
    assert heard(bob, match) == ["nice", "the gallery may talk", "now I can say it"]


@pytest.mark.parametrize("text", ["", "   ", "x" * (LONGEST_LINE + 1)])
def test_an_empty_or_endless_line_is_refused(alice, bob, text):
    with pytest.raises(Refused):
        talk.say(person=alice, match=begun(alice, bob), text=text)
    assert not ChatLine.objects.exists()


def test_an_unknown_remark_is_refused(alice, bob):
    with pytest.raises(Refused):
        talk.say(person=alice, match=begun(alice, bob), remark="rude")


def test_a_muted_person_is_not_heard_by_the_one_who_muted(alice, bob):
    match = begun(alice, bob)
    talk.say(person=bob, match=match, text="la la la")
    talk.mute(person=alice, other=bob)
    talk.mute(person=alice, other=bob)
    assert heard(alice, match) == []
    assert heard(bob, match) == ["la la la"]
    talk.unmute(person=alice, other=bob)
    assert heard(alice, match) == ["la la la"]
    with pytest.raises(Refused):
        talk.mute(person=alice, other=alice)


def test_a_line_is_reported_once_and_staff_decide(alice, bob, stella):
    match = begun(alice, bob)
    line = talk.say(person=bob, match=match, text="something rude")
    report = talk.report(person=alice, line=line, reason="rude")
    with pytest.raises(Refused):
        talk.report(person=alice, line=line)
    with pytest.raises(Refused):
        talk.report(person=bob, line=line)
    with pytest.raises(NotAllowed):
        talk.settle(person=bob, report=report, remove=False)
    talk.settle(person=stella, report=report, remove=True)
    line.refresh_from_db()
    assert line.removed
    assert Report.objects.get().settled_by == stella
