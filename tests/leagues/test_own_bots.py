"""Bots that people bring, as entrants of a league."""

import pytest

from accounts.errors import Refused
from games import ownbots
from games.models import BotEvent, Match, Seat
from leagues import carry, close, draw, enrol, tables
from leagues.models import Division, Entrant, Pairing
from tests.leagues.conftest import DUEL, drafted, next_round, person, play_out, stage_of


@pytest.fixture
def robo(bob) -> ownbots.NewKey:
    return ownbots.make(owner=bob, handle="robo", name="Robo", about="", games=[DUEL], accepts="clubs")


def running(league, alice, robo, where="online"):
    season = drafted(league, alice, "swiss", planned=1, where=where)
    division = Division.objects.get(season=season)
    entrant = enrol.add_own_bot(actor=alice, division=division, bot=robo.bot)
    enrol.add_bot(actor=alice, division=division, level="rookie")
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
    told = BotEvent.objects.filter(bot=robo.bot, kind="turn").exists()
    assert told == (match.to_act == seat.index)
    assert (match.deadline is not None) == (match.to_act == seat.index)


def test_it_plays_online_only(league, alice, robo):
    season = drafted(league, alice, "swiss", planned=1, where="club")
    with pytest.raises(Refused):
        enrol.add_own_bot(actor=alice, division=Division.objects.get(season=season), bot=robo.bot)
    season, _entrant = running(league, alice, robo, where="both")
    draw.pair(actor=alice, stage=stage_of(season))
    pairing = Pairing.objects.get(round__stage__division__season=season)
    assert pairing.where == Pairing.Where.ONLINE
    with pytest.raises(Refused):
        tables.place(actor=alice, pairing=pairing, where="club")


def test_its_owner_says_who_may_enter_it(league, alice, olga, bob, robo):
    season = drafted(league, alice, "swiss", planned=1, where="online")
    division = Division.objects.get(season=season)
    ownbots.edit(owner=bob, bot=robo.bot, name="Robo", about="", games=[DUEL], accepts="owner")
    robo.bot.refresh_from_db()
    with pytest.raises(Refused):
        enrol.add_own_bot(actor=alice, division=division, bot=robo.bot)
    ownbots.edit(owner=bob, bot=robo.bot, name="Robo", about="", games=["thanos-rising"], accepts="anyone")
    robo.bot.refresh_from_db()
    with pytest.raises(Refused):
        enrol.add_own_bot(actor=alice, division=division, bot=robo.bot)


def test_it_goes_on_into_the_next_season_while_it_is_on(league, alice, bob, robo):
    season, _entrant = running(league, alice, robo)
    round_ = next_round(alice, stage_of(season))
    play_out(round_)
    close.close_round(actor=alice, round=round_)
    close.finish_stage(actor=alice, stage=stage_of(season))
    close.close_season(actor=alice, season=season)
    ownbots.switch(owner=bob, bot=robo.bot, on=False)
    without = carry.go_on(actor=alice, league=league)
    assert [each.bot_level for each in without.entrants.all()] == ["rookie"]


def test_an_organiser_enters_it_by_its_handle(league, alice, robo, client):
    season = drafted(league, alice, "swiss", planned=1, where="online")
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
    stranger = person("zoe")
    assert not ownbots.accepts(robo.bot, stranger, DUEL)
