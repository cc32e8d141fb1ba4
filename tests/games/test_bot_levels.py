"""The eight levels on the site: which suits whom, what the ratings say of them, a step up or down after a match."""

from datetime import UTC, datetime
from xml.etree import ElementTree

import pytest
from django.contrib.staticfiles import finders
from django.db import IntegrityError, transaction
from django.urls import reverse

import engine
from accounts.infra.errors import Refused
from engine.bots import EARLIER, FIRST, LADDER, LEVELS, VERSIONS, level_of
from games import bot_levels
from games.bot_levels import Known, Rated
from games.forms import PlayNowForm
from games.models import Match, Seat
from games.models.record import LEVEL_CHOICES, LEVEL_NAMES
from games.tables import setup
from leagues.elo.result_types import SCALE
from leagues.models import Rating, RatingPool
from leagues.ratings import site_bots
from leagues.ratings.level_ratings import known_ratings
from tests.factories import finished_match, logged_in, markup_of, started_match

pytestmark = pytest.mark.django_db
GAME = "splendor-marvel"


def rate(user_id: int, rating: int, games: int = 50, game: str = GAME) -> None:
    pool, _ = RatingPool.objects.get_or_create(game=game)
    numbers = dict.fromkeys(("rating", "as_solo", "as_team"), rating * SCALE)
    Rating.objects.create(pool=pool, user_id=user_id, is_bot=False, games=games, last_at=datetime.now(UTC), **numbers)


def alone(person, level: str, players: int = 2) -> Match:
    """A finished match of one person against bots of this level."""
    return finished_match(setup.play_now(person=person, game=GAME, players=players, level=level))


class TestStored:
    def test_a_table_may_have_every_level_old_and_new_and_no_other(self, alice):
        assert len(LADDER) == 8
        assert EARLIER == ("rookie", "regular", "expert", "master")
        match = setup.open_table(host=alice, setting=setup.Setting(GAME, 2))
        seat = Seat.objects.filter(match=match).first()
        for level in LEVELS:
            seat.bot_level = level
            seat.save()
        seat.bot_level = "godlike"
        with pytest.raises(IntegrityError), transaction.atomic():
            seat.save()

    def test_the_earlier_levels_keep_their_versions_and_so_their_ratings(self):
        assert {level: VERSIONS[level] for level in EARLIER} == {"rookie": 3, "regular": 3, "expert": 4, "master": 4}
        assert site_bots.key_of("regular") == "regular:3"
        assert site_bots.key_of("titan") == "titan:1"

    def test_every_level_has_a_name_and_those_of_the_ladder_a_portrait(self):
        assert set(LEVEL_NAMES) == set(LEVELS)
        for level in LADDER:
            path = finders.find(f"games/bots/{level}.svg")
            assert ElementTree.parse(path).getroot().attrib["viewBox"] == "0 0 40 40"


class TestWhichSuits:
    def test_nothing_rated_yet_a_newcomer_meets_an_equal(self):
        for game in engine.GAMES:
            ratings = bot_levels.ratings(game, Known())
            assert ratings[FIRST] == bot_levels.NEWCOMER
            assert list(ratings.values()) == sorted(ratings.values())
            assert bot_levels.suggested(game, Known()) == FIRST

    def test_the_level_nearest_to_ones_rating_is_suggested(self):
        ratings = bot_levels.ratings(GAME, Known())
        for level, rating in ratings.items():
            assert bot_levels.suggested(GAME, Known(person={GAME: Rated(rating + 20, 9)})) == level
        assert bot_levels.suggested(GAME, Known(person={GAME: Rated(3000, 9)})) == "titan"
        assert bot_levels.suggested(GAME, Known(person={GAME: Rated(100, 9)})) == "novice"

    def test_what_the_site_has_rated_counts_before_the_arena(self):
        """Of two levels one is rated, the other keeps its distance to it."""
        apart = level_of(GAME, "titan").strength - level_of(GAME, "sage").strength
        known = Known({(GAME, "sage"): Rated(1700, bot_levels.SETTLED), (GAME, "novice"): Rated(5, 2)})
        ratings = bot_levels.ratings(GAME, known)
        assert (ratings["sage"], ratings["titan"]) == (1700, 1700 + apart)
        assert ratings["novice"] == 1700 - level_of(GAME, "sage").strength + level_of(GAME, "novice").strength

    def test_the_leagues_know_both(self, alice, django_assert_num_queries):
        accounts = site_bots.accounts(["sage:1", "regular:2", "regular:3"])
        rate(accounts["sage:1"], 1712)
        rate(accounts["regular:2"], 1200)
        rate(accounts["regular:3"], 1300)
        rate(alice.pk, 1650, games=12)
        with django_assert_num_queries(2):
            known = known_ratings(alice)
        assert known.levels == {(GAME, "sage"): Rated(1712, 50), (GAME, "regular"): Rated(1300, 50)}
        assert known.person == {GAME: Rated(1650, 12)}

    def test_the_lobby_says_it_and_play_now_begins_with_it(self, alice):
        rating = bot_levels.ratings(GAME, Known())["knight"]
        rate(alice.pk, rating)
        page = markup_of(logged_in(alice).get(reverse("games:lobby")))
        assert f"Level 5 suits your rating of {rating}." in page
        assert f'<option value="knight" selected>5 · Knight ({rating})</option>' in page
        assert '<option value="regular"' not in page
        logged_in(alice).post(reverse("games:play-now", args=[GAME]))
        assert set(Seat.objects.filter(user=None).values_list("bot_level", flat=True)) == {"knight"}

    def test_a_form_offers_eight_and_takes_what_programs_knew_before(self):
        assert [level for level, _ in LEVEL_CHOICES] == list(LADDER)
        for level, accepted in {"titan": True, "regular": True, "godlike": False, "": False}.items():
            form = PlayNowForm({"players": "2", "level": level}, game=engine.game(GAME))
            assert form.is_valid() is accepted


class TestAStepAfterAMatch:
    @pytest.mark.parametrize(("asked", "level"), [("harder", "knight"), ("easier", "scout"), ("", "ranger")])
    def test_the_same_table_a_step_up_or_down(self, alice, asked, level):
        match = alone(alice, "ranger", players=3)
        page = markup_of(logged_in(alice).get(match.get_absolute_url()))
        assert ("A bit harder" in page, "A bit easier" in page) == (True, True)
        logged_in(alice).post(reverse("games:rematch", args=[match.key]), {"bots": asked})
        again = Match.objects.get(rematch_of=match)
        assert again.is_playing
        assert again.players == 3
        assert list(again.seats.filter(user=None).values_list("bot_level", flat=True)) == [level, level]

    def test_the_ladder_has_two_ends(self, alice):
        match = alone(alice, "titan")
        page = markup_of(logged_in(alice).get(match.get_absolute_url()))
        assert ("A bit harder" in page, "A bit easier" in page) == (False, True)
        with pytest.raises(Refused):
            setup.rematch(person=alice, match=match, step=1)
        assert not Match.objects.filter(rematch_of=match).exists()

    def test_an_earlier_level_is_not_on_the_ladder(self, alice):
        match = alone(alice, "regular")
        assert "A bit harder" not in markup_of(logged_in(alice).get(match.get_absolute_url()))
        with pytest.raises(Refused):
            setup.rematch(person=alice, match=match, step=1)

    def test_where_others_play_it_is_not_for_one_to_choose(self, alice, bob):
        match = finished_match(started_match(alice, bob, bots=1))
        with pytest.raises(Refused):
            setup.rematch(person=alice, match=match, step=1)
        assert "A bit harder" not in markup_of(logged_in(alice).get(match.get_absolute_url()))
