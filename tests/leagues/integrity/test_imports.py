"""Imports are no way around: past results and archives follow the same rules as a result that is typed in."""

import io

import pytest
from django.utils import timezone

from accounts.models import Notice, User
from games.models import Match, Seat
from games.user_bots import service as user_bots
from leagues.entries import invitations, registration
from leagues.import_export.archive import importer, people, reader, writer
from leagues.models import EntryConsent, RatedResult, Rating
from leagues.ratings import pending
from leagues.results import from_matches, reporting
from leagues.seasons import setup
from tests.factories import GAME, add_member, create_user, draft_season, enter, next_round, stage_of, started_match
from tests.leagues.import_export.test_results_import import HEADER, imported

pytestmark = pytest.mark.django_db


@pytest.fixture
def season(club, alice):
    league = setup.create_league(actor=alice, club=club, name="Past", game=GAME)
    return draft_season(league, alice, "swiss", where="club")


def rated() -> set[str]:
    for pool in pending.pools_with_pending_results():
        pending.apply_pending_results(pool_id=pool)
    return set(Rating.objects.values_list("user__handle", flat=True))


def evening(*names: str) -> str:
    lines = [f"2024-03-05,1,{1 + at // 2},{name},{1 + at % 2},\n" for at, name in enumerate(names)]
    return HEADER + "".join(lines)


class TestPastResults:
    def test_members_who_were_entered_by_the_import_have_to_agree(self, season, club, alice):
        ada, bea = create_user("ada", display_name="Ada"), create_user("bea", display_name="Bea")
        for each in (ada, bea):
            add_member(club, each)
            registration.add_person(actor=alice, division=season.divisions.get(), person=each)
        imported(alice, season, evening("Ada", "Bea"))
        assert rated() == set()
        for each in (ada, bea):
            invitations.answer(person=each, entrant=season.entrants.get(user=each), plays=True)
        assert rated() == {"ada", "bea"}
        assert RatedResult.objects.get(counts=True).finished_at.year == 2024
        assert set(Notice.objects.filter(kind="leagues.results-imported").values_list("user__handle", flat=True)) == {
            "ada",
            "bea",
        }

    def test_ones_own_past_waits_for_the_others(self, season, alice):
        ada = create_user("ada", display_name="Ada")
        enter(season.divisions.get(), alice, alice, ada)
        imported(alice, season, evening("Alice A.", "Ada"))
        assert rated() == set()
        pairing = stage_of(season).rounds.get().pairings.get()
        reporting.answer(person=ada, result=pairing.results.get(), agrees=True)
        assert rated() == {"alice", "ada"}

    def test_guests_of_the_past_give_no_points(self, season, alice):
        enter(season.divisions.get(), alice, create_user("ada", display_name="Ada"))
        imported(alice, season, evening("Ada", "Nobody"))
        assert rated() == set()


class TestArchives:
    @pytest.fixture
    def content(self, season, alice) -> bytes:
        enter(season.divisions.get(), alice, create_user("ada"), create_user("bea"))
        from leagues.rounds import draw

        draw.start(actor=alice, season=season)
        pairing = next_round(alice, stage_of(season)).pairings.get()
        reporting.enter_result(actor=alice, pairing=pairing, places=[{"rank": 1}, {"rank": 2}])
        assert rated() == {"ada", "bea"}
        file = io.BytesIO()
        writer.write(season.league, file)
        RatedResult.objects.update(counts=False)
        RatedResult.objects.update(source="match:gone")
        return file.getvalue()

    def bring(self, content: bytes, club, actor: User):
        archive = reader.open_archive(content)
        same = [each.number for each in people.people_in(archive, club) if each.same]
        assert same
        return importer.import_archive(actor=actor, club=club, archive=archive, same=same)

    def test_an_organisers_file_moves_nobody(self, content, club, alice):
        league = self.bring(content, club, alice)
        assert league.seasons.get().entrants.filter(user__handle="ada").exists()
        assert rated() == set()
        # And what is entered in that league later waits until those people agree.
        asked = EntryConsent.objects.filter(season__league=league, state="asked")
        assert set(asked.values_list("user__handle", flat=True)) == {"ada", "bea"}

    def test_one_of_the_sites_staff_does(self, content, club, stella):
        self.bring(content, club, stella)
        assert rated() == {"ada", "bea"}


def test_a_match_with_ones_own_bot_is_not_rated(alice, bob, monkeypatch):
    robot = user_bots.create(owner=alice, handle="robo", name="Robo", about="", games=[GAME], accepts="anyone").bot.user
    for host, counts in ((alice, 0), (bob, 1)):
        match = started_match(host, create_user(f"with-{host.handle}"), rated=True)
        Seat.objects.filter(match=match, index=1).update(user=robot)
        Match.objects.filter(pk=match.pk).update(
            status="finished", finished_at=timezone.now(), cause="played", to_act=None
        )
        from_matches.rate(Match.objects.get(pk=match.pk))
        assert RatedResult.objects.count() == counts
