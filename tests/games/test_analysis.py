"""The analysis of a finished match on the site: asked for once, computed by a worker, read by all who may replay it."""

import pytest
from celery import current_app
from django.conf import settings
from django.urls import reverse
from django.utils import timezone
from django.utils.html import escape

from accounts.infra.errors import Refused
from engine.analysis import VERSION
from games.analysis import compute, presentation, request
from games.models import Analysis, Match, Move
from games.tables import leaving
from tests.factories import create_user, finished_match, fresh, logged_in, started_match

SHORT = {"heroes_life": 1, "thanos_life": 1}

pytestmark = pytest.mark.django_db


@pytest.fixture
def anna():
    return create_user("anna")


@pytest.fixture
def finished(anna):
    match = started_match(anna, create_user("bela"), game="infinity-gauntlet", options=SHORT, visibility="link")
    return fresh(finished_match(match))


def test_it_is_computed_once_and_kept(anna, finished):
    asked = request.ask(person=anna, match=finished)
    assert asked.state == Analysis.State.WAITING
    assert request.ask(person=anna, match=finished).pk == asked.pk
    assert compute.analyse(match_id=finished.pk)
    analysis = Analysis.objects.get(match=finished)
    assert (analysis.state, analysis.version, analysis.seed) == ("done", VERSION, "1")
    assert analysis.report["curve"][-1]["ply"] == finished.ply
    assert not compute.analyse(match_id=finished.pk)
    assert request.ask(person=anna, match=finished).report == analysis.report


def test_the_page_offers_it_waits_and_shows_it(anna, finished):
    page, panel = reverse("games:replay", args=[finished.key]), reverse("games:analysis", args=[finished.key])
    ask = reverse("games:analyse", args=[finished.key])
    client = logged_in(anna)
    assert ask in client.get(page).content.decode()
    waiting = client.post(ask, headers={"HX-Request": "true"}).content.decode()
    assert "hx-trigger" in waiting
    assert "<progress" in waiting
    compute.analyse(match_id=finished.pk)
    shown = client.get(panel).content.decode()
    assert "analysis-curve" in shown
    assert "You gave away" in shown
    assert "hx-trigger" not in shown
    assert "Luck" in logged_in(create_user("watcher")).get(page).content.decode()


def test_the_api_asks_and_reads_it(anna, finished):
    client, path = logged_in(anna), f"/api/v1/matches/{finished.key}/analysis/"
    assert client.get(path).status_code == 404
    assert client.post(path, content_type="application/json").json()["state"] == "waiting"
    compute.analyse(match_id=finished.pk)
    told = client.get(path).json()
    assert (told["state"], told["why_not"], told["version"]) == ("done", "", VERSION)
    assert told["report"]["sides"][0]["seats"] == [0]


def test_who_may_not_read_the_record_may_not_ask_or_read(anna, finished, client):
    running = started_match(anna, create_user("cato"), game="infinity-gauntlet", visibility="link")
    for path in ("analysis", "analyse"):
        url = reverse(f"games:{path}", args=[running.key])
        answer = logged_in(anna).post(url) if path == "analyse" else logged_in(anna).get(url)
        assert answer.status_code == 403
    Match.objects.filter(pk=finished.pk).update(sealed=True)
    stranger = logged_in(create_user("stranger"))
    assert stranger.get(reverse("games:analysis", args=[finished.key])).status_code == 404
    assert stranger.post(reverse("games:analyse", args=[finished.key])).status_code == 404
    assert not Analysis.objects.exists()


def test_a_record_that_cannot_be_judged_is_refused_in_words(anna, finished):
    url = reverse("games:analysis", args=[finished.key])

    def refused():
        Analysis.objects.all().delete()
        request.ask(person=anna, match=fresh(finished))
        assert compute.analyse(match_id=finished.pk)
        return Analysis.objects.get(match=finished).why_not, logged_in(anna).get(url).content.decode()

    Match.objects.filter(pk=finished.pk).update(reason="called-off")
    code, words = refused()
    assert code == "called-off"
    assert "nobody won or lost" in words
    Match.objects.filter(pk=finished.pk).update(reason=finished.reason, rules_version=99)
    assert refused()[0] == "rules"
    Match.objects.filter(pk=finished.pk).update(rules_version=finished.rules_version)
    Move.objects.filter(match=finished).order_by("ply").last().delete()
    assert refused()[0] == "cut"
    assert Analysis.objects.get(match=finished).report is None


def test_what_was_edited_resigned_at_once_or_cannot_be_won_is_refused_and_nothing_is_kept(anna, finished):
    bela = create_user("other")
    resigned = started_match(anna, bela, game="infinity-gauntlet", visibility="link")
    leaving.resign(person=bela, match=resigned)
    hopeless = started_match(anna, bela, game="thanos-rising", options={"preset": "infinity"}, visibility="link")
    hopeless = finished_match(hopeless)
    edited = Move.objects.filter(match=finished).order_by("ply").first()
    Move.objects.filter(pk=edited.pk).delete()
    edited.digest = "00000000"
    edited.save(force_insert=True)
    for match, code in ((finished, "record"), (resigned, "called-off"), (hopeless, "hopeless")):
        request.ask(person=anna, match=fresh(match))
        assert compute.analyse(match_id=match.pk)
        analysis = Analysis.objects.get(match=match)
        assert (analysis.state, analysis.why_not, analysis.report) == ("refused", code, None)
        page = logged_in(anna).get(reverse("games:analysis", args=[match.key])).content.decode()
        assert escape(str(presentation.WHY_NOT[code])) in page


def test_the_page_says_of_how_many_contested_choices_an_accuracy_is(anna, finished):
    request.ask(person=anna, match=finished)
    compute.analyse(match_id=finished.pk)
    analysis = Analysis.objects.get(match=finished)
    url = reverse("games:analysis", args=[finished.key])
    assert "Accuracy" not in logged_in(anna).get(url).content.decode()
    side, other = analysis.report["sides"]
    side |= {"accuracy": 87, "contested": 31}
    other |= {"accuracy": None, "contested": 12}
    analysis.save()
    page = " ".join(logged_in(anna).get(url).content.decode().split())
    assert '87 <small class="muted">(31)</small>' in page
    assert '– <small class="muted">(12)</small>' in page
    assert "on how many choices it rests" in page


def test_work_that_always_kills_its_worker_is_given_up(anna, finished):
    request.ask(person=anna, match=finished)
    Analysis.objects.update(attempts=compute.MAX_ATTEMPTS)
    assert compute.analyse(match_id=finished.pk)
    assert Analysis.objects.get().why_not == compute.FAILED


def waiting_tasks():
    with current_app.connection_for_write() as broker:
        queue = next(queue for queue in settings.CELERY_TASK_QUEUES if queue.name == request.QUEUE)
        return queue(broker.default_channel).queue_declare().message_count


def test_a_lost_task_is_sent_again_but_not_every_time(anna, finished):
    asked, before = request.ask(person=anna, match=finished), waiting_tasks()
    compute.send_lost()
    assert waiting_tasks() == before
    Analysis.objects.filter(pk=asked.pk).update(asked_at=asked.asked_at - 2 * compute.LOST_AFTER)
    compute.send_lost()
    compute.send_lost()
    assert waiting_tasks() == before + 1


# -- who waits for whom


def test_one_person_cannot_fill_the_queue(sent_tasks):
    anna, bela = create_user("anna-asks"), create_user("bela-asks")
    matches = [
        fresh(finished_match(started_match(anna, bela, game="infinity-gauntlet", options=SHORT)))
        for _ in range(request.MOST_OF_A_PERSON + 1)
    ]
    for match in matches[:-1]:
        request.ask(person=anna, match=match)
    with pytest.raises(Refused, match="wait for the analysis that you asked for"):
        request.ask(person=anna, match=matches[-1])
    assert not Analysis.objects.filter(match=matches[-1]).exists()
    # Asking again for one that waits is no new one; somebody else may ask; and so may they once one is done.
    assert request.ask(person=anna, match=matches[0]).state == "waiting"
    assert request.ask(person=bela, match=matches[-1]).asked_by == bela
    Analysis.objects.filter(match=matches[-1]).delete()
    Analysis.objects.filter(match=matches[0]).update(
        state="refused", why_not="cut", computed_at=timezone.now(), version=VERSION
    )
    assert request.ask(person=anna, match=matches[-1]).asked_by == anna
