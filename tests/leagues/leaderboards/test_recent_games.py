"""A player's page lists what their ratings count, wherever it was played."""

import re

import pytest
from django.test import Client
from django.utils import timezone

from accounts import demo as people
from accounts.models import Club, Membership, Role, User
from games.models import Match
from leagues.demo import rating_history
from leagues.leaderboards import recent_games
from leagues.models import Division, Pairing, Rating, Result
from leagues.results import reporting
from leagues.rounds import draw
from tests.factories import confirm_result, draft_season, enter, logged_in, next_round, stage_of, started_match
from tests.leagues.leaderboards.conftest import settle

SHOWN = 8


def listed(client: Client, handle: str) -> list[list[str]]:
    """The rows of the list on somebody's page, cell by cell."""
    page = client.get(f"/people/{handle}/").content.decode()
    section = page[page.index('id="matches"') :].partition("</section>")[0]
    rows = re.findall(r"<tr>(.*?)</tr>", section, re.DOTALL)[1:]
    return [
        [" ".join(re.sub(r"<[^>]+>", " ", cell).split()) for cell in re.findall(r"<td>(.*?)</td>", row, re.DOTALL)]
        for row in rows
    ]


@pytest.mark.django_db
def test_whoever_has_rated_games_in_the_demo_has_games_in_the_list(client: Client) -> None:
    people.seed()
    rating_history.seed()
    games: dict[str, int] = {}
    for handle, count in Rating.objects.values_list("user__handle", "games"):
        games[handle] = games.get(handle, 0) + count
    assert games
    for handle, count in games.items():
        assert len(listed(client, handle)) == min(count, SHOWN), handle


@pytest.fixture
def table(league, club: Club, alice: User, bob: User, charlie: User) -> Pairing:
    """A table of three in a rated season at the club."""
    season = draft_season(league, alice, "table-swiss", planned=2)
    division = Division.objects.get(season=season)
    for someone in (alice, bob, charlie):
        Membership.objects.get_or_create(club=club, user=someone, defaults={"role": Role.MEMBER})
        enter(division, alice, someone)
    draw.start(actor=alice, season=season)
    return Pairing.objects.get(round=next_round(alice, stage_of(season)))


def test_a_league_table_played_at_the_club_is_listed_once(
    table: Pairing, alice: User, bob: User, client: Client
) -> None:
    assert listed(client, "bob") == []
    places = [{"rank": rank, "score": None} for rank in (2, 1, 3)]
    entered = reporting.enter_result(actor=alice, pairing=table, places=places)
    assert listed(client, "bob") == [], "Alice played there herself: somebody else has to confirm it"
    reporting.answer(person=bob, result=entered, agrees=True)
    settle()
    assert Rating.objects.get(user__handle="bob").games == 1
    winner = next(seat.entrant.user for seat in table.seats.all() if seat.index == 1)
    assert winner
    for handle in ("alice", "bob", "charlie"):
        [(title, names, result, _when)] = listed(client, handle)
        assert title == "Splendor: Marvel"
        assert set(names.split(", ")) == {"Alice Łącka", "Bob", "Charlie"}
        assert result == f"Won by {winner.name}"
    assert table.get_absolute_url() in client.get("/people/bob/").content.decode()


def test_what_was_never_played_is_not_listed(table: Pairing, client: Client) -> None:
    confirm_result(table)
    assert len(listed(client, "bob")) == 1
    Result.objects.filter(pairing=table).update(source=Result.Source.FORFEIT)
    assert listed(client, "bob") == []


def test_the_newest_comes_first_and_a_match_by_link_is_for_its_players(
    evenings, alice: User, bob: User, client: Client
) -> None:
    hidden = started_match(alice, bob, visibility=Match.Visibility.LINK)
    finished = started_match(alice, bob)
    ends = {"status": "finished", "cause": "played", "to_act": None, "bot_due": None, "deadline": None}
    Match.objects.filter(pk=finished.pk).update(finished_at=timezone.now(), **ends)
    shown = recent_games.latest(alice, client)
    assert [one.at for one in shown] == sorted((one.at for one in shown), reverse=True)
    assert len(shown) == SHOWN
    assert shown[0].url == finished.get_absolute_url()
    assert hidden.get_absolute_url() not in client.get("/people/alice/").content.decode()
    assert hidden.get_absolute_url() in logged_in(alice).get("/people/alice/").content.decode()
