"""The next season begins where the last one ended: same divisions, promotion and relegation done."""

import re

import pytest
from django.urls import reverse

from accounts.infra.errors import Refused
from accounts.infra.permissions import NotAllowed
from leagues.entries import registration, withdrawal
from leagues.models import Entrant, Movement, Season
from leagues.rounds import closing as rounds_closing
from leagues.rounds import draw
from leagues.seasons import closing, rollover, setup
from tests.factories import add_guests, enter, enter_team, finish_round, next_round, stage_of


@pytest.fixture
def closed(league, alice, bob) -> Season:
    """Two divisions, one goes up and one down; one of the second division left."""
    season = setup.add_season(actor=alice, league=league, name="Spring", where="both", clock="days", days=3)
    for name, up, down in (("Gold", 0, 1), ("Silver", 1, 0)):
        division = setup.add_division(actor=alice, season=season, name=name, cap=5, up=up, down=down)
        setup.add_stage(actor=alice, division=division, format="swiss", planned=1)
    setup.change_tie_breaks(actor=alice, season=season, codes=["wins", "lot"])
    setup.open_registration(actor=alice, season=season)
    gold = season.divisions.get(level=1)
    enter(gold, alice, bob)
    registration.add_bot(actor=alice, division=gold, level="expert")
    add_guests(season, alice, 2, level=1)
    others = add_guests(season, alice, 4, level=2)
    season = draw.start(actor=alice, season=season)
    for level in (1, 2):
        finish_round(next_round(alice, stage_of(season, level=level)))
    withdrawal.withdraw(actor=alice, entrant=others[-1])
    for level in (1, 2):
        rounds_closing.finish_stage(actor=alice, stage=stage_of(season, level=level))
    return closing.close_season(actor=alice, season=season)


def test_everybody_is_where_the_movements_put_them(closed, league, alice, bob):
    with pytest.raises(NotAllowed):
        rollover.start_next_season(actor=bob, league=league)
    made = rollover.start_next_season(actor=alice, league=league)
    assert (made.number, made.status, made.days, made.tie_breaks) == (2, Season.Status.REGISTRATION, 3, ["wins", "lot"])
    shape = [(each.name, each.cap, each.up, each.down) for each in made.divisions.order_by("level")]
    assert shape == [("Gold", 5, 0, 1), ("Silver", 5, 1, 0)]
    assert stage_of(made, level=2).planned == 1
    staying = Movement.objects.filter(season=closed, new__isnull=False)
    assert Movement.objects.filter(season=closed).count() == staying.count() + 1
    assert set(made.entrants.values_list("user", "division__level")) == set(staying.values_list("entrant__user", "new"))
    assert set(made.entrants.values_list("status", flat=True)) == {Entrant.Status.REGISTERED}
    assert made.entrants.get(kind="bot").bot_level == "expert"


def test_only_a_closed_season_is_gone_on_from_and_once(closed, league, alice):
    rollover.start_next_season(actor=alice, league=league)
    with pytest.raises(Refused, match="not closed"):
        rollover.start_next_season(actor=alice, league=league)
    assert league.seasons.count() == 2


def test_a_cap_that_was_lowered_keeps_nobody_out(closed, league, alice):
    closed.divisions.filter(level=1).update(cap=2)
    made = rollover.start_next_season(actor=alice, league=league)
    assert made.divisions.get(level=1).cap == made.entrants.filter(division__level=1).count() == 4
    assert not made.entrants.filter(status=Entrant.Status.WAITING).exists()


def test_teams_go_on_whole(league, alice, bob, charlie):
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
    made = rollover.start_next_season(actor=alice, league=thanos)
    teams = {each.team: sorted(each.members.values_list("bot_level", flat=True)) for each in made.entrants.all()}
    assert teams == {"Two": ["", "", "rookie"], "One": ["", "expert"]}


def test_the_pages_lead_there(closed, league, alice, client):
    assert "Next season</a>" not in client.get(closed.get_absolute_url()).content.decode()
    client.force_login(alice)
    page = client.get(closed.get_absolute_url()).content.decode()
    assert "Final order" in page
    assert "moves up" in page
    # Everybody stands in it once.
    assert page.count('<th scope="row"') == Movement.objects.filter(season=closed).count()
    assert "Full standings" in page
    # With the points behind it: two tables were played in each division.
    points = re.findall(r'<td class="end"><strong>(.+?)</strong></td>', page)
    assert points == ["1", "1", "0", "0", "1", "1", "0", "0"]
    assert "Next season</a>" in page
    new = reverse("leagues:season-new", args=[league.slug])
    assert "Go on from Spring" in client.get(new).content.decode()
    answer = client.post(new, {"preset": "go-on", "name": "Autumn"})
    made = league.seasons.get(number=2)
    assert answer.url == reverse("leagues:entries", args=[league.slug, 2])
    assert made.name == "Autumn"
    assert "Go on from" not in client.get(new).content.decode()
