"""The end of a season: champions, podium, its course, and certificates; every number counted again from the results."""

import random
from datetime import UTC, datetime, timedelta
from itertools import groupby

import pytest
from django.test import Client
from django.urls import reverse

from leagues.formats.score_table import Game
from leagues.formats.values import Kind, Place, Seat, Table, TableState
from leagues.models import Entrant, Pairing, PairingSeat, Round, Season, Stage
from leagues.rounds import closing, draw
from leagues.seasons import closing as season_closing
from leagues.seasons import place_chart, summary
from leagues.standings import presentation
from tests.api.conftest import Program
from tests.factories import add_guests, confirm_result, draft_season, next_round, stage_of


def closed_season(league, actor, format, count, rounds, *, divisions=1, level=False, **how):
    """A season with random results and ratings, closed; with `level` everybody of every table is first."""
    rng = random.Random(f"{format} {count}")
    season = draft_season(league, actor, format, divisions=divisions, **how)
    for number in range(1, divisions + 1):
        add_guests(season, actor, count, number)
    draw.start(actor=actor, season=season)
    for at, entrant in enumerate(Entrant.objects.filter(season=season).order_by("pk")):
        # Everybody but one has a rating, no two the same.
        entrant.rating = None if at == 1 else 1400 + 37 * at
        entrant.save(update_fields=["rating"])
    for number in range(1, divisions + 1):
        stage = stage_of(season, level=number)
        for _ in range(rounds):
            round_ = next_round(actor, stage)
            for pairing in Pairing.objects.open().filter(round=round_):
                seats = pairing.seats.count()
                confirm_result(pairing, [1] * seats if level else rng.sample(range(1, seats + 1), seats))
            closing.close_round(actor=actor, round=round_)
        closing.finish_stage(actor=actor, stage=stage)
    return season_closing.close_season(actor=actor, season=season)


def games_of(stage):
    """(round, entrant, rank, [(other, rank)]) of every seat, from the stored results alone."""
    for seat in PairingSeat.objects.filter(round__stage=stage).select_related("round", "pairing", "entrant"):
        result = seat.pairing.results.filter(in_force=True).first()
        if result is None:
            continue
        others = list(seat.pairing.seats.select_related("entrant").exclude(pk=seat.pk))
        rank = result.places[seat.index]["rank"]
        yield (
            seat.round.number,
            seat.entrant,
            rank,
            [(each.entrant, result.places[each.index]["rank"]) for each in others],
        )


def check_against_results(found, stage):
    games = sorted(games_of(stage), key=lambda each: (each[1].pk, each[0]))
    runs = {
        who: max((len(list(same)) for won, same in groupby(each[2] == 1 for each in own) if won), default=0)
        for who, own in ((who, list(own)) for who, own in groupby(games, key=lambda each: each[1].pk))
    }
    most = max(runs.values())
    assert (found.streak.length if found.streak else 0) == (most if most > 1 else 0)
    if found.streak:
        assert {each.pk for each in found.streak.entrants} == {who for who, run in runs.items() if run == most}
    gaps = [
        (other.rating - who.rating, -number)
        for number, who, rank, others in games
        for other, worse in others
        if rank < worse and who.rating is not None and other.rating is not None and other.rating > who.rating
    ]
    assert (found.upset and (found.upset.gap, -found.upset.round)) == max(gaps, default=None)


@pytest.mark.parametrize(
    ("format", "count", "rounds", "how"),
    [("table-swiss", 7, 4, {"planned": 4}), ("round-robin", 4, 3, {}), ("single-elimination", 4, 2, {})],
)
def test_the_summary_agrees_with_the_results(league, alice, client, format, count, rounds, how):
    season = closed_season(league, alice, format, count, rounds, **how)
    (found,) = summary.summarise(season)
    stage = Stage.objects.get(division=found.division)
    check_against_results(found, stage)
    assert [each.place for each in found.champions] == [1]
    assert 3 <= len(found.podium) <= 4
    (past,) = found.histories
    numbers = list(Round.objects.filter(stage=stage).order_by("number").values_list("number", flat=True))
    assert list(past.rounds) == numbers
    for at, number in enumerate(numbers):
        (listing,) = presentation.standings_tables(stage, number)
        shown = {line.row.entrant: line.place for line in listing.lines}
        assert {line.entrant.pk: line.places[at] for line in past.lines if line.places[at]} == shown
    page = client.get(reverse("leagues:summary", args=[league.slug, season.number])).content.decode()
    assert found.champions[0].entrant.name in page
    assert page.count("<polyline") >= count
    assert (
        reverse("leagues:summary", args=[league.slug, season.number])
        in client.get(season.get_absolute_url()).content.decode()
    )
    answer = Program().get(f"/seasons/{season.pk}/summary/").json()["divisions"][0]
    assert [each["entrant"]["id"] for each in answer["podium"]] == [each.entrant_id for each in found.podium]
    assert answer["histories"][0]["lines"][0]["places"] == list(past.lines[0].places)


def test_two_divisions_and_a_shared_title_in_a_private_club(league, alice, club, client):
    season = closed_season(league, alice, "round-robin", 3, 3, divisions=2, level=True)
    found = summary.summarise(season)
    assert [each.division.name for each in found] == ["Division 1", "Division 2"]
    for each in found:
        # Nobody won anything: no streak, no upset, and whoever shares the first place shares the title.
        assert (each.upset, each.streak) == (None, None)
        assert {line.place for line in each.champions} == {1}
    papers = reverse("leagues:certificates", args=[league.slug, season.number])
    page = client.get(papers).content.decode()
    assert page.count('class="certificate ') == sum(len(each.podium) for each in found)
    assert "Division 2" in page
    assert client.get(f"{papers}?for=everybody").content.decode().count('class="certificate ') == 6
    club.is_private = True
    club.save()
    for path in (papers, reverse("leagues:summary", args=[league.slug, season.number])):
        assert Client().get(path).status_code in (302, 404)
    assert Program().get(f"/seasons/{season.pk}/summary/").status_code == 404


def test_a_season_of_one_evening_names_its_day_once(league, alice, client):
    season = closed_season(league, alice, "round-robin", 3, 3)
    end = datetime(2026, 3, 5, 20, tzinfo=UTC)

    def page(begin: datetime, path: str) -> str:
        Season.objects.filter(pk=season.pk).update(starts_at=begin, ends_at=end, closed_at=end)
        return " ".join(client.get(path).content.decode().split())

    evening = end - timedelta(hours=2)
    assert "<span> 5 March 2026 </span>" in page(evening, season.get_absolute_url())
    assert "2 March 2026 to 5 March 2026" in page(end - timedelta(days=3), season.get_absolute_url())
    papers = reverse("leagues:certificates", args=[league.slug, season.number])
    assert "<span>5 March 2026</span>" in page(evening, papers)


def test_there_is_no_summary_before_the_end(league, alice, as_alice):
    season = draft_season(league, alice, "round-robin")
    assert as_alice.get(reverse("leagues:summary", args=[league.slug, season.number])).status_code == 404
    assert as_alice.get(reverse("leagues:certificates", args=[league.slug, season.number])).status_code == 404
    assert Program(alice).get(f"/seasons/{season.pk}/summary/").status_code == 404


def test_a_team_that_lost_together_has_no_streak():
    """All who play together share the first place, won or lost: only the grade tells."""
    seats, places = (Seat(1, 1), Seat(2, 2)), (Place(1), Place(1))
    tables = [Table(1, seats, None, TableState.CONFIRMED, places) for _ in range(4)]
    games = {
        who: [Game(at, Kind.PLAYED, 120, (3 - who,), (1,), table, who - 1) for at, table in enumerate(tables, 1)]
        for who in (1, 2)
    }
    stage, people = Stage(pk=7), {who: Entrant(pk=who) for who in (1, 2)}
    lost = {(at, 1): [0, 5] for at in range(1, 5)}
    assert summary._streak([(stage, games)], people, {7: lost}) is None
    found = summary._streak([(stage, games)], people, {7: lost | {(2, 1): [1, 9], (3, 1): [1, 9]}})
    assert found
    assert (found.length, [each.pk for each in found.entrants]) == (2, [1, 2])


def test_every_line_of_the_chart_is_inside_and_every_name_has_its_own_row():
    rng = random.Random("chart")
    for _ in range(30):
        rounds, count = rng.randint(2, 9), rng.randint(2, 12)
        lines = [
            (f"N{who}", [None if rng.random() < 0.1 else rng.randint(1, count) for _ in range(rounds)], who + 1)
            for who in range(count)
        ]
        chart = place_chart.layout(range(1, rounds + 1), lines, 3)
        known = [name for name, places, _final in lines if any(places)]
        assert sorted(curve.name for curve in chart.curves) == sorted(known)
        assert len({curve.label_y for curve in chart.curves}) == len(known)
        for curve in chart.curves:
            places = next(places for name, places, _final in lines if name == curve.name)
            dots = [tuple(map(float, dot.split(","))) for piece in curve.pieces for dot in piece.split()]
            assert len(dots) == sum(place is not None for place in places)
            assert all(chart.left <= x <= chart.right and 0 < y < chart.height for x, y in dots)
        # The podium is drawn last.
        ranks = [curve.rank for curve in chart.curves]
        assert ranks == sorted(ranks, key=lambda rank: (rank != 0, -rank))
