"""Bots that people bring, as entrants of a league."""

import pytest

from accounts.infra.errors import Refused
from games.models import BotEvent, Match, Seat
from games.user_bots import service as user_bots
from leagues.entries import registration
from leagues.models import Division, Entrant, Pairing
from leagues.rounds import closing as rounds_closing
from leagues.rounds import draw, tables
from leagues.seasons import closing, rollover
from tests.factories import GAME, create_user, draft_season, finish_round, next_round, stage_of


@pytest.fixture
def robo(bob) -> user_bots.NewKey:
    return user_bots.create(owner=bob, handle="robo", name="Robo", about="", games=[GAME], accepts="clubs")


def running(league, alice, robo, where="online"):
    season = draft_season(league, alice, "swiss", planned=1, where=where)
    division = Division.objects.get(season=season)
    entrant = registration.add_own_bot(actor=alice, division=division, bot=robo.bot)
    registration.add_bot(actor=alice, division=division, level="rookie")
    draw.start(actor=alice, season=season)
    return season, entrant


def test_it_enters_and_its_table_waits_for_nobody(league, alice, robo):
    season, entrant = running(league, alice, robo)
    assert (entrant.kind, entrant.bot_level, entrant.name) == (Entrant.Kind.BOT, "", "Robo")
    next_round(alice, stage_of(season))
    match = Match.objects.get(pairing__round__stage__division__season=season)
    assert match.is_playing
    seat = Seat.objects.get(match=match, user=robo.bot.user)
    assert seat.is_own_bot
    has_turn = BotEvent.objects.filter(bot=robo.bot, kind="turn").exists()
    assert has_turn == (match.to_act == seat.index)
    assert (match.deadline is not None) == (match.to_act == seat.index)


def test_it_plays_online_only(league, alice, robo):
    season = draft_season(league, alice, "swiss", planned=1, where="club")
    with pytest.raises(Refused):
        registration.add_own_bot(actor=alice, division=Division.objects.get(season=season), bot=robo.bot)
    season, _entrant = running(league, alice, robo, where="both")
    draw.draw_next_round(actor=alice, stage=stage_of(season))
    pairing = Pairing.objects.get(round__stage__division__season=season)
    assert pairing.where == Pairing.Where.ONLINE
    with pytest.raises(Refused):
        tables.set_location(actor=alice, pairing=pairing, where="club")


def test_its_owner_says_who_may_enter_it(league, alice, olga, bob, robo):
    season = draft_season(league, alice, "swiss", planned=1, where="online")
    division = Division.objects.get(season=season)
    user_bots.edit(owner=bob, bot=robo.bot, name="Robo", about="", games=[GAME], accepts="owner")
    robo.bot.refresh_from_db()
    with pytest.raises(Refused):
        registration.add_own_bot(actor=alice, division=division, bot=robo.bot)
    user_bots.edit(owner=bob, bot=robo.bot, name="Robo", about="", games=["thanos-rising"], accepts="anyone")
    robo.bot.refresh_from_db()
    with pytest.raises(Refused):
        registration.add_own_bot(actor=alice, division=division, bot=robo.bot)


def test_it_goes_on_into_the_next_season_while_it_is_on(league, alice, bob, robo):
    season, _entrant = running(league, alice, robo)
    round_ = next_round(alice, stage_of(season))
    finish_round(round_)
    rounds_closing.close_round(actor=alice, round=round_)
    rounds_closing.finish_stage(actor=alice, stage=stage_of(season))
    closing.close_season(actor=alice, season=season)
    user_bots.switch(owner=bob, bot=robo.bot, on=False)
    without = rollover.start_next_season(actor=alice, league=league)
    assert [each.bot_level for each in without.entrants.all()] == ["rookie"]


def test_an_organiser_enters_it_by_its_handle(league, alice, robo, client):
    season = draft_season(league, alice, "swiss", planned=1, where="online")
    division = Division.objects.get(season=season)
    client.force_login(alice)
    path = f"/leagues/{league.slug}/{season.number}/divisions/{division.pk}/add/bot/"
    wrong = client.post(path, {"level": "rookie", "bot": "@nobody"})
    assert wrong.status_code == 422
    assert client.post(path, {"level": "rookie", "bot": "@robo"}).status_code == 302
    assert Entrant.objects.get(season=season).user == robo.bot.user
    page = client.get(f"/leagues/{league.slug}/{season.number}/entries/")
    assert "Robo" in page.content.decode()


def test_a_person_who_shares_no_club_cannot_enter_it(league, alice, robo):
    stranger = create_user("zoe")
    assert not user_bots.accepts(robo.bot, stranger, GAME)
