"""When a table is played, as its players and organisers see and enter it."""

from datetime import UTC, datetime, timedelta

import pytest
from django.urls import reverse

from leagues.models import Extension, Pairing, TimeProposal
from leagues.windows import deadlines, extensions, time_proposals
from tests.factories import logged_in
from tests.leagues.pages.test_online import begin, page_text

NOON = datetime(2026, 10, 19, 12, tzinfo=UTC)
DAY = timedelta(days=1)


@pytest.fixture
def clock(time_machine):
    time_machine.move_to(NOON, tick=False)
    return time_machine


@pytest.fixture
def pairing(clock, league, olga, players) -> Pairing:
    """Bob, in Rome, and Dora, in New York: seven days to play."""
    from leagues.models import Stage
    from leagues.rounds import draw

    for person, zone in zip(players, ("Europe/Rome", "America/New_York")):
        person.time_zone = zone
        person.save()
    season = begin(league, olga, players[:2], "weekly-season")
    stage = Stage.objects.get(division__season=season)
    return draw.publish(actor=olga, round=draw.draw_next_round(actor=olga, stage=stage)).pairings.get()


@pytest.fixture
def bobs(pairing, players):
    return logged_in(players[0])


@pytest.fixture
def doras(pairing, players):
    return logged_in(players[1])


def suggest(client, pairing, *times: str, **more):
    fields = {f"time_{number}": time for number, time in enumerate(times, 1)}
    return client.post(reverse("leagues:times", args=[pairing.key]), fields | more, follow=True)


def test_suggested_in_one_zone_and_accepted_in_another(pairing, bobs, doras):
    page = page_text(bobs.get(pairing.get_absolute_url()))
    assert "To be played by Mon 26 Oct, 13:00, in 7 days." in page
    assert "a player who did nothing about it loses without a game" in page
    assert "Times are on your clock: Europe/Rome." in page
    assert "You suggest:" in page_text(suggest(bobs, pairing, "2026-10-20T20:30", "2026-10-21T21:00"))
    theirs = page_text(doras.get(pairing.get_absolute_url()))
    assert "bob suggests:" in theirs
    assert "Tue 20 Oct, 14:30" in theirs
    season = pairing.round.stage.division.season
    assert "bob suggests a time." in page_text(doras.get(season.get_absolute_url()))
    proposal = TimeProposal.objects.get()
    where = reverse("leagues:time-answer", args=[pairing.key, proposal.pk])
    page = page_text(doras.post(where, {"say": proposal.times.first().pk}, follow=True))
    assert "the time is agreed" in page
    assert "Agreed: <strong>Tue 20 Oct, 14:30</strong>, in 30 hours." in page
    assert Pairing.objects.get().starts_at == datetime(2026, 10, 20, 18, 30, tzinfo=UTC)
    assert "On Tue 20 Oct, 20:30." in page_text(bobs.get(season.get_absolute_url()))
    round_page = reverse("leagues:round", args=[season.league.slug, season.number, pairing.round_id])
    assert "Agreed for Tue 20 Oct, 20:30" in page_text(bobs.get(round_page))


def test_hours_that_a_change_of_the_clocks_skips_or_doubles(pairing, bobs, clock):
    """In Rome the clocks go back on 25 October 2026 at three, and forward on 28 March 2027 at two."""
    page = suggest(bobs, pairing, "2026-10-25T02:30")
    assert page.status_code == 422
    assert "The clocks go back that night: 02:30 comes twice." in page_text(page)
    page = suggest(bobs, pairing, "2027-03-28T02:30", "2026-10-21T21:00")
    assert "The clocks go forward that night: there is no 02:30." in page_text(page)
    # What was typed is still there.
    assert 'value="2026-10-21T21:00"' in page_text(page)
    assert not TimeProposal.objects.exists()
    suggest(bobs, pairing, "2026-10-25T03:30")
    assert TimeProposal.objects.get().times.get().starts_at == datetime(2026, 10, 25, 2, 30, tzinfo=UTC)


@pytest.mark.parametrize(
    ("time", "words"),
    [
        ("", "This field is required."),
        ("soon", "Give a day and an hour"),
        ("2026-10-19T13:00", "already over"),
        ("2026-10-27T13:00", "has to be played before"),
    ],
)
def test_times_that_cannot_be(pairing, bobs, time, words):
    page = suggest(bobs, pairing, time)
    assert page.status_code == 422
    assert words in page_text(page)


def test_a_counter_proposal_answers_what_was_seen(pairing, bobs, doras):
    suggest(bobs, pairing, "2026-10-20T20:30")
    assert "answer that first" in page_text(suggest(doras, pairing, "2026-10-21T12:00"))
    first = TimeProposal.objects.get()
    page = page_text(suggest(doras, pairing, "2026-10-21T12:00", answers=str(first.pk)))
    assert "You suggest:" in page
    second = TimeProposal.objects.get(status="open")
    assert "no longer open" in page_text(suggest(doras, pairing, "2026-10-21T12:00", answers=str(first.pk)))
    where = reverse("leagues:time-answer", args=[pairing.key, second.pk])
    assert "these times do not suit you" in page_text(bobs.post(where, {"say": "no"}, follow=True))
    suggest(bobs, pairing, "2026-10-22T20:30")
    where = reverse("leagues:time-answer", args=[pairing.key, TimeProposal.objects.get(status="open").pk])
    assert "taken back" in page_text(bobs.post(where, {"say": "back"}, follow=True))


def test_strangers_look_and_do_not_touch(pairing, bobs, players, as_charlie, as_olga):
    suggest(bobs, pairing, "2026-10-20T20:30")
    proposal = TimeProposal.objects.get()
    page = page_text(as_charlie.get(pairing.get_absolute_url()))
    assert "bob suggests:" in page
    assert "I can play then" not in page
    assert "Suggest" not in page
    where = reverse("leagues:time-answer", args=[pairing.key, proposal.pk])
    for client in (as_charlie, as_olga):
        assert suggest(client, pairing, "2026-10-20T20:30").status_code == 403
        assert client.post(where, {"say": proposal.times.get().pk}).status_code == 403
        assert client.post(reverse("leagues:more-time", args=[pairing.key]), {"reason": "why"}).status_code == 403
        assert client.post(where, {"say": "perhaps"}).status_code == 404
    more = reverse("leagues:more-time", args=[pairing.key])
    assert as_charlie.post(more, {"until": "2026-11-01T12:00"}).status_code == 403


def test_more_time_is_asked_for_and_given(pairing, bobs, doras, as_olga):
    more = reverse("leagues:more-time", args=[pairing.key])
    page = bobs.post(more, {"reason": ""})
    assert page.status_code == 422
    assert "Give a reason: the organisers need it to decide." in page_text(page)
    assert "The organisers are asked." in page_text(bobs.post(more, {"reason": "I am ill"}, follow=True))
    assert "bob asks for more time: I am ill" in page_text(doras.get(pairing.get_absolute_url()))
    season = pairing.round.stage.division.season
    assert "1 table needs more time, or a decision." in page_text(as_olga.get(season.get_absolute_url()))
    queue = reverse("leagues:disputes", args=[season.league.slug, season.number])
    page = page_text(as_olga.get(queue))
    assert "bob asks for more time:" in page
    assert "The deadline stays as it is." in page
    request = Extension.objects.get()
    where = reverse("leagues:extension", args=[pairing.key, request.pk])
    page = as_olga.post(where, {f"e{request.pk}-until": "2026-10-20T12:00"})
    assert page.status_code == 422
    assert "It has until" in page_text(page)
    page = page_text(as_olga.post(where, {f"e{request.pk}-until": "2026-11-01T12:00"}, follow=True))
    assert "Nothing to decide" in page
    assert Pairing.objects.get().closes_at == datetime(2026, 11, 1, 12, tzinfo=UTC)
    assert as_olga.post(more, {"until": "2026-10-30T12:00"}).status_code == 422
    assert as_olga.post(more, {"until": "2026-11-05T12:00"}).status_code == 302


def test_what_was_not_played_in_time_is_decided_from_the_list(pairing, bobs, doras, clock, as_olga, players):
    time_proposals.decline(
        person=players[1],
        proposal=time_proposals.propose(person=players[0], pairing=pairing, times=[NOON + DAY]),
    )
    clock.move_to(NOON + 8 * DAY, tick=False)
    deadlines.sweep()
    season = pairing.round.stage.division.season
    queue = reverse("leagues:disputes", args=[season.league.slug, season.number])
    page = page_text(as_olga.get(queue))
    assert "The deadline has passed and the table was not played." in page
    assert "Then nobody scores: everybody did something, and it was not played." in page
    request = Extension.objects.get(status="open")
    where = reverse("leagues:extension", args=[pairing.key, request.pk])
    assert "Table 1 gets no more time." in page_text(as_olga.post(where, {"refuse": "1"}, follow=True))
    page = page_text(bobs.get(pairing.get_absolute_url()))
    assert "Nobody came." in page
    assert "It was not played, and no more time was given: nobody scores." in page


def test_the_sites_notes_are_read_in_the_readers_language(pairing, bobs, clock, players):
    extensions.ask(person=players[0], pairing=pairing, reason="ill")
    Extension.objects.update(status="refused", decided_at=NOON)
    clock.move_to(NOON + 8 * DAY, tick=False)
    deadlines.sweep()
    players[0].language = "it"
    players[0].save()
    page = page_text(bobs.get(pairing.get_absolute_url()))
    assert "Chi ha perso non ha fatto nulla per questo tavolo prima della scadenza." in page


def test_an_evening_at_the_club_asks_for_no_time(bobs_table, as_bob):
    assert "Suggest times" not in page_text(as_bob.get(bobs_table.pairing.get_absolute_url()))
