"""Setting up: who may, what fits the game, what is frozen at the start, and presets in a few decisions."""

import pytest
from django.utils import timezone

from accounts import clubs
from accounts.infra.errors import Refused
from accounts.infra.permissions import NotAllowed
from accounts.models import AuditEntry
from leagues.core import access, format_catalogue
from leagues.models import Division, League, Season, Stage
from leagues.rounds import draw
from leagues.seasons import presets, setup
from tests.factories import add_guests, draft_season, running_stage, set_up_preset


def test_organisers_found_leagues_and_others_do_not(club, alice, olga, bob, charlie):
    for runner in (alice, olga):
        setup.create_league(actor=runner, club=club, name="League", game="splendor-marvel")
    assert sorted(League.objects.values_list("slug", flat=True)) == ["league", "league-2"]
    for somebody in (bob, charlie):
        with pytest.raises(NotAllowed):
            setup.create_league(actor=somebody, club=club, name="League", game="splendor-marvel")


@pytest.mark.parametrize(("name", "game"), [("", "splendor-marvel"), ("x" * 81, "splendor-marvel"), ("x", "chess")])
def test_a_league_that_cannot_be(club, alice, name, game):
    with pytest.raises(Refused):
        setup.create_league(actor=alice, club=club, name=name, game=game)
    assert not League.objects.exists()


def test_a_draft_is_seen_by_those_who_run_it(league, alice, bob):
    season = setup.add_season(actor=alice, league=league)
    assert access.may(alice, access.Permission.SEE, season)
    assert not access.may(bob, access.Permission.SEE, season)
    division = setup.add_division(actor=alice, season=season, name="All")
    setup.add_stage(actor=alice, division=division, format="swiss", planned=3)
    season = setup.open_registration(actor=alice, season=season)
    assert access.may(bob, access.Permission.SEE, season)
    assert not access.may(bob, access.Permission.ORGANISE, season)


def test_a_closed_club_is_read_only(league, alice, bob):
    season = draft_season(league, alice, "swiss", planned=2)
    clubs.close(actor=alice, club=league.club)
    season = Season.objects.get(pk=season.pk)
    assert access.allowed(alice, season) <= {access.Permission.SEE}


@pytest.mark.parametrize(
    ("format", "settings", "why"),
    [
        ("chess960", {}, "no such format"),
        ("teams", {}, "is not for"),
        ("pod", {}, "is not for"),
        ("swiss", {"seats": 4}, "no setting"),
        ("table-swiss", {"seats": 6}, "not possible"),
        ("table-swiss", {"seats": "4"}, "not possible"),
        ("table-swiss", {"seats": 3, "least": 4}, "smallest table"),
        ("round-robin", {"double": 1}, "not possible"),
        ("heats", {"seats": 3, "advance": 2}, "fewer go on"),
        ("groups", {"groups": 0}, "not possible"),
    ],
)
def test_settings_are_checked_by_the_format(league, alice, format, settings, why):
    season = setup.add_season(actor=alice, league=league)
    division = setup.add_division(actor=alice, season=season, name="All")
    with pytest.raises(Refused, match=why):
        setup.add_stage(actor=alice, division=division, format=format, settings=settings)
    assert not Stage.objects.exists()


@pytest.mark.parametrize(
    "terms",
    [
        {"points": "golden"},
        {"clock": "live", "bank": 3, "where": "online"},
        {"where": "moon"},
        {"rating_from": 1600, "rating_to": 1500},
        {"options": {"points": 3}},
        {"ends_at": timezone.now(), "starts_at": timezone.now()},
    ],
)
def test_terms_that_cannot_be(league, alice, terms):
    """Said in words, never by the name of a rule of the database."""
    with pytest.raises(Refused, match=r"^(?!.*Constraint)"):
        setup.add_season(actor=alice, league=league, **terms)
    assert not Season.objects.exists()


def test_what_was_agreed_at_the_start_stays(league, alice):
    stage = running_stage(league, alice, "swiss", 4, planned=3)
    season = stage.division.season
    for change in ({"points": "meeple"}, {"rated": False}, {"where": "online"}):
        with pytest.raises(Refused, match="started"):
            setup.edit_season(actor=alice, season=season, **change)
    assert setup.edit_season(actor=alice, season=season, name="Spring").name == "Spring"
    with pytest.raises(Refused, match="started"):
        setup.edit_stage(actor=alice, stage=stage, format="round-robin", settings={}, planned=None)
    assert setup.edit_stage(actor=alice, stage=stage, format="swiss", settings={}, planned=5).planned == 5
    with pytest.raises(Refused, match="started"):
        setup.remove_division(actor=alice, division=stage.division)
    with pytest.raises(Refused, match="started"):
        setup.delete_draft(actor=alice, season=season)


def test_tie_breaks_are_codes_listed_once(league, alice):
    season = setup.add_season(actor=alice, league=league)
    for wrong in (["buchholz", "buchholz"], ["best looks"]):
        with pytest.raises(Refused, match="tie-break"):
            setup.change_tie_breaks(actor=alice, season=season, codes=wrong)
    assert setup.change_tie_breaks(actor=alice, season=season, codes=["wins", "lot"]).tie_breaks == [
        "wins",
        "lot",
    ]


def test_a_season_without_divisions_or_people_does_not_start(league, alice):
    season = setup.add_season(actor=alice, league=league)
    with pytest.raises(Refused, match="no division"):
        setup.open_registration(actor=alice, season=season)
    division = setup.add_division(actor=alice, season=season, name="All")
    with pytest.raises(Refused, match="no format"):
        setup.open_registration(actor=alice, season=season)
    setup.add_stage(actor=alice, division=division, format="swiss", planned=2)
    setup.open_registration(actor=alice, season=season)
    add_guests(season, alice, 1)
    with pytest.raises(Refused, match="too few"):
        draw.start(actor=alice, season=season)
    season.refresh_from_db()
    assert season.status == Season.Status.REGISTRATION


def test_a_division_with_entries_is_not_removed(league, alice):
    season = draft_season(league, alice, "swiss", planned=2, divisions=2)
    add_guests(season, alice, 1)
    first, second = Division.objects.filter(season=season)
    with pytest.raises(Refused, match="entries"):
        setup.remove_division(actor=alice, division=first)
    setup.remove_division(actor=alice, division=second)
    assert season.divisions.count() == 1


def test_a_draft_that_is_deleted_leaves_a_line_in_the_log(league, alice):
    season = draft_season(league, alice, "swiss", planned=2)
    add_guests(season, alice, 2)
    setup.delete_draft(actor=alice, season=season)
    assert not Season.objects.exists()
    assert AuditEntry.objects.filter(action="leagues.season-deleted").exists()


def test_a_league_closes_once_its_seasons_have(league, alice, bob):
    season = draft_season(league, alice, "swiss", planned=2)
    with pytest.raises(Refused, match="not closed yet"):
        setup.close_league(actor=alice, league=league)
    setup.delete_draft(actor=alice, season=season)
    with pytest.raises(NotAllowed):
        setup.close_league(actor=bob, league=league)
    setup.close_league(actor=alice, league=league)
    assert not League.objects.open().exists()
    with pytest.raises(Refused, match="closed"):
        setup.add_season(actor=alice, league=league)


def test_a_preset_sets_up_two_divisions_open_for_entries(league, alice):
    season = set_up_preset(league, alice, "round-robin-season")
    assert season.status == Season.Status.REGISTRATION
    assert [(each.level, each.up, each.down) for each in season.divisions.all()] == [(1, 0, 2), (2, 2, 0)]
    assert season.tie_breaks[0] == "head-to-head"
    with pytest.raises(Refused, match="template"):
        presets.set_up(actor=alice, league=league, preset="team-duplicate")


def test_every_game_has_formats_and_presets():
    for game in ("splendor-marvel", "infinity-gauntlet", "thanos-rising"):
        assert len(presets.for_game(game)) >= 2
        assert format_catalogue.for_game(game)
    assert {each.code for each in format_catalogue.for_game("thanos-rising")} == {"teams", "rotating-teams"}
    assert not {"table-swiss", "blocks", "heats"} & {
        each.code for each in format_catalogue.for_game("infinity-gauntlet")
    }
