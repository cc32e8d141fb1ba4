"""Renewal: everybody is asked, a yes is an entry, and a free place goes to the next in order."""

from datetime import timedelta

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from accounts.infra.errors import Refused
from accounts.infra.permissions import NotAllowed
from accounts.models import Membership, Notice, Role, User
from leagues import tasks
from leagues.entries import registration
from leagues.models import Entrant, League, PlaceOffer, ReturnCall, ReturnQuestion, Season
from leagues.rounds import closing as rounds_closing
from leagues.rounds import draw
from leagues.seasons import closing, next_steps, renewal, rollover, setup
from tests.factories import (
    create_user,
    draft_season,
    enter,
    enter_team,
    finish_round,
    logged_in,
    markup_of,
    next_round,
    stage_of,
)

WEEK = timedelta(days=7)


@pytest.fixture
def closed(league: League, alice: User) -> Season:
    """Gold and Silver of four each, one up and one down, a bot among them."""
    season = setup.add_season(actor=alice, league=league, name="Spring", where="both")
    for name, up, down in (("Gold", 0, 1), ("Silver", 1, 0)):
        division = setup.add_division(actor=alice, season=season, name=name, up=up, down=down)
        setup.add_stage(actor=alice, division=division, format="round-robin")
    setup.open_registration(actor=alice, season=season)
    for name in ("Gold", "Silver"):
        division = season.divisions.get(name=name)
        for at in range(1, 4 if name == "Silver" else 5):
            player = create_user(f"{name.lower()}{at}")
            Membership.objects.create(club=league.club, user=player, role=Role.MEMBER)
            enter(division, alice, player)
    registration.add_bot(actor=alice, division=season.divisions.get(name="Silver"), level="rookie")
    season = draw.start(actor=alice, season=season)
    for level in (1, 2):
        stage = stage_of(season, level=level)
        for round_ in draw.draw_all_rounds(actor=alice, stage=stage):
            finish_round(draw.publish(actor=alice, round=round_))
        rounds_closing.finish_stage(actor=alice, stage=stage)
    return closing.close_season(actor=alice, season=season)


@pytest.fixture
def made(closed: Season, league: League, alice: User) -> Season:
    return rollover.start_next_season(actor=alice, league=league, name="Autumn", ask_until=timezone.now() + WEEK)


def question(season: Season, old: Entrant) -> ReturnQuestion:
    return ReturnQuestion.objects.get(call__season=season, entrant=old)


def placed(closed: Season, level: int, *, people: bool = True) -> list[Entrant]:
    """A level's former entrants from first to last."""
    rows = closed.entrants.filter(division__level=level).order_by("movement__place")
    return [each for each in rows.select_related("user") if each.kind == "person" or not people]


def say(season: Season, old: Entrant, answer: str, by: User | None = None) -> ReturnQuestion:
    person = by or old.user
    assert person
    return renewal.answer(actor=person, question=question(season, old), answer=answer)


def test_everybody_who_can_answer_is_asked_and_nobody_is_in_yet(made, closed):
    asked = ReturnQuestion.objects.filter(call__season=made)
    assert asked.count() == 7
    assert list(made.entrants.values_list("kind", flat=True)) == ["bot"]
    notices = Notice.objects.filter(kind="leagues.returning")
    assert set(notices.values_list("user", flat=True)) == set(asked.values_list("entrant__user", flat=True))
    assert {each.division.level for each in asked} == {1, 2}
    for each in asked:
        assert each.division.level == each.entrant.movement.new


def test_yes_is_an_entry_where_the_movement_put_them_no_and_later_are_none(made, closed):
    first, second, third, last = placed(closed, 1)
    say(made, first, "yes")
    say(made, first, "yes")
    assert made.entrants.get(user=first.user).division.level == 1
    say(made, last, "yes")
    assert made.entrants.get(user=last.user).division.level == 2
    say(made, second, "no")
    say(made, third, "later")
    assert not made.entrants.filter(user__in=[second.user, third.user]).exists()
    say(made, first, "no")
    assert not made.entrants.filter(user=first.user).exists()
    say(made, first, "yes")
    assert made.entrants.filter(user=first.user).count() == 1
    assert not Notice.objects.filter(user=first.user, kind="leagues.returning", read_at=None).exists()


def test_home_asks_until_there_is_an_answer(made, closed, alice):
    first, second, *_others = placed(closed, 1)
    for old, answer, asked_still in ((first, "later", True), (first, "no", False), (second, "yes", False)):
        assert "Say whether you play" in logged_in(old.user).get("/").content.decode()
        say(made, old, answer)
        assert ("Say whether you play" in logged_in(old.user).get("/").content.decode()) == asked_still
    # It comes before what is played, of which there may be more than home lists.
    third = placed(closed, 1)[2].user
    another = setup.create_league(actor=alice, club=closed.league.club, name="Another", game=closed.league.game)
    season = draft_season(another, alice, "swiss", planned=1)
    enter(season.divisions.get(), alice, third, alice)
    draw.start(actor=alice, season=season)
    assert [each for each, _next in next_steps.next_steps_everywhere(third)] == [made, season]
    # The page of the season does not offer to sign up as a newcomer meanwhile.
    assert next_steps.next_step_for_reader(made, third).label == "Say whether you play"
    ReturnCall.objects.update(lapsed_at=timezone.now())
    assert next_steps.next_step_for_reader(made, third).label == "Sign up for the season"


def test_only_those_who_were_asked_answer_or_an_organiser_for_them(made, closed, bob, olga):
    first = placed(closed, 1)[0]
    with pytest.raises(NotAllowed):
        say(made, first, "yes", by=bob)
    with pytest.raises(Refused, match="Say whether"):
        say(made, first, "perhaps")
    say(made, first, "yes", by=olga)
    assert question(made, first).by == olga


def test_after_the_deadline_only_organisers_change_anything(made, closed, olga):
    first = placed(closed, 1)[0]
    ReturnCall.objects.update(deadline=timezone.now() - timedelta(minutes=1))
    with pytest.raises(Refused, match="over"):
        say(made, first, "yes")
    say(made, first, "yes", by=olga)


def test_a_free_place_goes_to_the_next_in_order(made, closed):
    """Who was promoted is up already; the best of those who would stay in Silver is asked first, then the next."""
    below = [each for each in placed(closed, 2) if each.movement.new == 2]
    say(made, placed(closed, 1)[1], "no")
    offer = PlaceOffer.objects.get()
    assert offer.question.entrant == below[0]
    assert offer.division.level == 1
    assert Notice.objects.filter(user=below[0].user, kind="leagues.place-offer").exists()
    renewal.answer_offer(actor=below[0].user, offer=offer, takes=False)
    following = PlaceOffer.objects.get(state="open")
    assert following.question.entrant == (below[1] if len(below) > 1 else placed(closed, 1)[-1])
    taker = following.question.entrant
    renewal.answer_offer(actor=taker.user, offer=following, takes=True)
    assert made.entrants.get(user=taker.user).division.level == 1
    assert question(made, taker).division.level == 1
    assert not PlaceOffer.objects.filter(state="open").exists()
    with pytest.raises(Refused, match="not open"):
        renewal.answer_offer(actor=taker.user, offer=following, takes=False)


def test_who_is_in_below_already_moves_up_with_the_offer(made, closed):
    below = next(each for each in placed(closed, 2) if each.movement.new == 2)
    say(made, below, "yes")
    say(made, placed(closed, 1)[1], "no")
    renewal.answer_offer(actor=below.user, offer=PlaceOffer.objects.get(), takes=True)
    assert made.entrants.filter(user=below.user).count() == 1
    assert made.entrants.get(user=below.user).division.level == 1


def test_an_offer_lapses_with_a_no(made, closed):
    below = next(each for each in placed(closed, 2) if each.movement.new == 2)
    say(made, placed(closed, 1)[1], "no")
    say(made, below, "no")
    assert PlaceOffer.objects.get(question__entrant=below).state == "lapsed"
    assert PlaceOffer.objects.filter(state="open").exclude(question__entrant=below).count() == 1


@pytest.mark.parametrize("keep", [False, True])
def test_who_says_nothing_is_left_out_at_the_start_or_kept(closed, league, alice, keep):
    made = rollover.start_next_season(actor=alice, league=league, ask_until=timezone.now() + WEEK, keep_silent=keep)
    for old in [*placed(closed, 1)[:3], *placed(closed, 2)[:2]]:
        say(made, old, "yes")
    silent = [placed(closed, 1)[3], placed(closed, 2)[2]]
    draw.start(actor=alice, season=made, do_not_wait=True)
    here = set(made.entrants.filter(status="active").values_list("user", flat=True))
    assert all((old.user_id in here) == keep for old in silent)
    with pytest.raises(Refused, match="started"):
        say(made, silent[0], "yes")


def test_the_sweep_reminds_once_and_offers_the_places_of_the_silent(made, closed):
    call = ReturnCall.objects.get()
    assert renewal.remind() == 0
    say(made, placed(closed, 1)[0], "yes")
    soon = call.deadline - timedelta(days=1)
    assert renewal.remind(now=soon) == 1
    assert renewal.remind(now=soon) == 0
    reminded = Notice.objects.filter(kind="leagues.returning-soon")
    assert reminded.count() == 6
    below = next(each for each in placed(closed, 2) if each.movement.new == 2)
    say(made, below, "yes")
    assert renewal.remind(now=call.deadline + timedelta(minutes=1)) == 1
    # Of all who would play below only this one has said yes.
    assert [offer.question.entrant for offer in PlaceOffer.objects.filter(state="open")] == [below]
    tasks.sweep()


def test_a_deadline_in_the_past_and_a_failure_in_the_middle_leave_nothing(closed, league, alice, monkeypatch):
    with pytest.raises(Refused, match="past"):
        rollover.start_next_season(actor=alice, league=league, ask_until=timezone.now() - WEEK)

    def broken(*args, **kwargs):
        raise RuntimeError("the worker died")

    monkeypatch.setattr("leagues.seasons.renewal._notify", broken)
    with pytest.raises(RuntimeError):
        rollover.start_next_season(actor=alice, league=league, ask_until=timezone.now() + WEEK)
    assert league.seasons.count() == 1
    assert not ReturnCall.objects.exists()
    assert not Notice.objects.filter(kind="leagues.returning").exists()


def test_any_member_answers_for_a_team(league, alice, bob, charlie):
    thanos = setup.create_league(actor=alice, club=league.club, name="Titans", game="thanos-rising")
    season = setup.add_season(actor=alice, league=thanos, where="online", clock="live", bank=600)
    division = setup.add_division(actor=alice, season=season, name="All")
    setup.add_stage(actor=alice, division=division, format="teams", planned=1)
    setup.open_registration(actor=alice, season=season)
    enter_team(division, alice, "Two", bob, charlie, bots=["rookie"])
    enter_team(division, alice, "One", alice, bots=["expert"])
    season = draw.start(actor=alice, season=season)
    finish_round(next_round(alice, stage_of(season)))
    rounds_closing.finish_stage(actor=alice, stage=stage_of(season))
    closing.close_season(actor=alice, season=season)
    made = rollover.start_next_season(actor=alice, league=thanos, ask_until=timezone.now() + WEEK)
    assert not made.entrants.exists()
    two = season.entrants.get(team="Two")
    say(made, two, "yes", by=charlie)
    assert sorted(made.entrants.get(team="Two").members.values_list("bot_level", flat=True)) == ["", "", "rookie"]
    say(made, two, "no", by=bob)
    assert not made.entrants.exists()


def test_the_pages_ask_tell_and_take_the_answer(client: Client, closed, league, alice, bob):
    client.force_login(alice)
    new = reverse("leagues:season-new", args=[league.slug])
    until = (timezone.localdate() + timedelta(days=3)).isoformat()
    assert client.post(new, {"preset": "go-on", "ask": "on", "until": "2020-01-01"}).status_code == 422
    answer = client.post(new, {"preset": "go-on", "name": "Autumn", "ask": "on", "until": until})
    entries = reverse("leagues:entries", args=[league.slug, 2])
    assert answer["Location"] == entries
    page = client.get(entries).content.decode()
    assert "Who of Spring plays again?" in page
    assert "no answer: 7" in page
    made = league.seasons.get(number=2)
    first, second = placed(closed, 1)[:2]
    client.force_login(first.user)  # type: ignore[arg-type]
    assert "Do you play again?" in client.get(entries).content.decode()
    assert "Do you play again?" in client.get(made.get_absolute_url()).content.decode()
    assert "Who of Spring" not in client.get(entries).content.decode()
    address = reverse("leagues:returning", args=[league.slug, 2, question(made, first).pk])
    assert client.post(address, {"answer": "yes"}).status_code == 302
    assert made.entrants.filter(user=first.user).exists()
    client.force_login(bob)
    assert client.post(address, {"answer": "no"}).status_code == 403
    assert "Do you play again?" not in client.get(entries).content.decode()
    client.force_login(second.user)  # type: ignore[arg-type]
    client.post(reverse("leagues:returning", args=[league.slug, 2, question(made, second).pk]), {"answer": "no"})
    offer = PlaceOffer.objects.get()
    client.force_login(offer.question.entrant.user)  # type: ignore[arg-type]
    assert "A place in Gold is free" in client.get(entries).content.decode()
    taken = client.post(reverse("leagues:returning-offer", args=[league.slug, 2, offer.pk]), {"takes": "yes"})
    assert taken.status_code == 302
    assert made.entrants.get(user=offer.question.entrant.user).division.level == 1
    other = reverse("leagues:returning", args=[league.slug, 1, question(made, first).pk])
    assert client.post(other, {"answer": "no"}).status_code == 404


def test_a_season_waits_for_those_who_can_still_answer(made, closed, alice):
    people = [*placed(closed, 1), *placed(closed, 2)]
    for old in people[:4]:
        say(made, old, "yes")
    say(made, people[4], "no")
    say(made, people[5], "later")
    with pytest.raises(Refused) as refused:
        draw.start(actor=alice, season=made)
    assert {old.name for old in people if old.name in refused.value.message} == {each.name for each in people[5:]}
    made.refresh_from_db()
    assert not made.has_begun
    client = Client()
    client.force_login(alice)
    start = reverse("leagues:start", args=[made.league.slug, made.number])
    assert f"{len(people) - 5} people still have time" in client.get(made.get_absolute_url()).content.decode()
    asked = client.post(start, follow=True)
    assert asked.redirect_chain == [(start, 302)]
    page = markup_of(asked)
    assert "If the season starts now, they are left out." in page
    for old in people:
        assert (f">{old.name}</span>" in page) == (old in people[5:])
    assert "The season has started." in client.post(start, {"do_not_wait": "yes"}, follow=True).content.decode()
    # Nothing left to ask: the address leads to the season.
    assert client.get(start).url == made.get_absolute_url()


def test_a_program_says_that_it_does_not_wait(made, closed, alice):
    client = Client()
    client.force_login(alice)
    path = f"/api/v1/seasons/{made.pk}/start/"
    answer = client.post(path, {}, content_type="application/json")
    assert answer.status_code == 409
    assert "do_not_wait" in answer.json()["detail"]
    for old in placed(closed, 1) + placed(closed, 2)[:1]:
        say(made, old, "yes")
    answer = client.post(path, {"do_not_wait": True}, content_type="application/json")
    assert answer.status_code == 200, answer.content
    made.refresh_from_db()
    assert made.is_running


def test_nobody_is_asked_about_twice_once_the_time_is_over(made, closed, alice, time_machine):
    for old in placed(closed, 1) + placed(closed, 2)[:1]:
        say(made, old, "yes")
    time_machine.move_to(timezone.now() + WEEK + timedelta(hours=1), tick=True)
    assert renewal.unanswered(made) == []
    assert draw.start(actor=alice, season=made).is_running
