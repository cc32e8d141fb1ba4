"""From the table to the standings: reports, answers, disputes, late and doubled results, forfeits."""

from dataclasses import replace
from types import SimpleNamespace

import pytest
from django.utils import translation

from accounts.infra.errors import Refused
from accounts.infra.permissions import NotAllowed
from accounts.models import AuditEntry, Club, Membership, Notice, Role, User
from games.models import Match
from games.play import bot_turns
from leagues.entries import registration
from leagues.models import Division, Pairing, Result, ResultAnswer, Round, Season, StandingsSnapshot
from leagues.ratings import ledger
from leagues.results import corrections, from_matches, presentation, reporting
from leagues.rounds import closing, draw
from leagues.seasons import final_standings, setup, undo
from leagues.standings import ranking, snapshots
from tests.factories import (
    add_guests,
    confirm_result,
    create_user,
    draft_season,
    enter,
    finish_round,
    next_round,
    running_stage,
    stage_of,
)


def places(*ranks: int, scores: tuple[int, ...] = ()) -> list[dict]:
    return [{"rank": rank, "score": scores[at] if scores else None} for at, rank in enumerate(ranks)]


def ranks(result: Result) -> list[int]:
    return [place["rank"] for place in result.places]


@pytest.fixture
def table(league, club, alice, bob) -> SimpleNamespace:
    """A table of three in a running evening: Bob, Carla and Dora sit at it, with accounts of their own."""
    season = draft_season(league, alice, "table-swiss", planned=3)
    division = Division.objects.get(season=season)
    people = {"bob": bob, "carla": create_user("carla"), "dora": create_user("dora")}
    for someone in people.values():
        Membership.objects.get_or_create(club=club, user=someone, defaults={"role": Role.MEMBER})
        enter(division, alice, someone)
    draw.start(actor=alice, season=season)
    round_ = next_round(alice, stage_of(season))
    pairing = Pairing.objects.get(round=round_)
    return SimpleNamespace(season=season, round=round_, pairing=pairing, alice=alice, **people)


def state(table) -> str:
    return Pairing.objects.get(pk=table.pairing.pk).state


def policy(table, confirmation: str) -> None:
    Season.objects.filter(pk=table.season.pk).update(confirmation=confirmation)


def test_a_report_counts_once_another_player_confirms_it(table):
    reported = reporting.report(person=table.bob, pairing=table.pairing, places=places(1, 2, 3))
    assert state(table) == "reported"
    assert not Result.objects.filter(in_force=True).exists()
    assert ranking.ranking(stage_of(table.season))[0].score == 0
    confirmed = reporting.answer(person=table.carla, result=reported, agrees=True)
    assert confirmed.in_force
    assert state(table) == "confirmed"
    assert ranking.ranking(stage_of(table.season))[0].score == 120


def test_reporting_the_same_is_confirming(table):
    reporting.report(person=table.bob, pairing=table.pairing, places=places(2, 1, 3))
    assert reporting.report(person=table.dora, pairing=table.pairing, places=places(2, 1, 3)).in_force


def test_where_all_must_confirm_one_is_not_enough(table):
    policy(table, "all")
    reported = reporting.report(person=table.bob, pairing=table.pairing, places=places(1, 2, 3))
    assert not reporting.answer(person=table.carla, result=reported, agrees=True).in_force
    assert reporting.answer(person=table.dora, result=reported, agrees=True).in_force


def test_where_it_counts_as_reported_nobody_is_asked(table):
    policy(table, "none")
    assert reporting.report(person=table.bob, pairing=table.pairing, places=places(1, 2, 3)).in_force


def test_where_an_organiser_confirms_players_agree_in_vain(table):
    policy(table, "organiser")
    reported = reporting.report(person=table.bob, pairing=table.pairing, places=places(1, 2, 3))
    assert not reporting.answer(person=table.carla, result=reported, agrees=True).in_force
    assert reporting.disputed_pairings(Season.objects.get()) == [table.pairing]
    assert reporting.enter_result(actor=table.alice, pairing=table.pairing, places=places(1, 2, 3)).in_force


def test_what_is_answered_is_no_news_any_more(table):
    def asked(kind: str) -> set[str]:
        return set(Notice.objects.filter(kind=kind, read_at=None).values_list("user__handle", flat=True))

    policy(table, "all")
    reported = reporting.report(person=table.bob, pairing=table.pairing, places=places(1, 2, 3))
    assert asked("leagues.reported") == {table.carla.handle, table.dora.handle}
    reporting.answer(person=table.carla, result=reported, agrees=True)
    assert asked("leagues.reported") == {table.dora.handle}
    reporting.answer(person=table.dora, result=reported, agrees=False)
    assert asked("leagues.reported") == set()
    assert table.alice.handle in asked("leagues.disputed")
    reporting.enter_result(actor=table.alice, pairing=table.pairing, places=places(1, 2, 3))
    assert asked("leagues.disputed") == set()


def test_nobody_confirms_their_own_report(table):
    reported = reporting.report(person=table.bob, pairing=table.pairing, places=places(1, 2, 3))
    with pytest.raises(Refused):
        reporting.answer(person=table.bob, result=reported, agrees=True)
    assert not ResultAnswer.objects.exists()


def test_another_version_is_a_dispute_that_an_organiser_settles(table):
    reporting.report(person=table.bob, pairing=table.pairing, places=places(1, 2, 3))
    reporting.report(person=table.carla, pairing=table.pairing, places=places(2, 1, 3))
    assert state(table) == "disputed"
    assert reporting.disputed_pairings(Season.objects.get()) == [table.pairing]
    assert Notice.objects.filter(user=table.alice, kind="leagues.disputed").exists()
    assert [ranks(each) for each in Result.objects.order_by("version")] == [[1, 2, 3], [2, 1, 3]]
    settled = reporting.enter_result(actor=table.alice, pairing=table.pairing, places=places(2, 1, 3))
    assert settled.in_force
    assert reporting.disputed_pairings(Season.objects.get()) == []
    assert Notice.objects.filter(user=table.bob, kind="leagues.settled").exists()


def test_saying_no_is_a_dispute_too(table):
    reported = reporting.report(person=table.bob, pairing=table.pairing, places=places(1, 2, 3))
    reporting.answer(person=table.dora, result=reported, agrees=False, note="I was second")
    assert state(table) == "disputed"


def test_the_reporter_may_mend_a_slip_before_anybody_answers(table):
    reporting.report(person=table.bob, pairing=table.pairing, places=places(1, 2, 3))
    reporting.report(person=table.bob, pairing=table.pairing, places=places(1, 3, 2))
    assert state(table) == "reported"
    assert ranks(reporting.latest(table.pairing)) == [1, 3, 2]


def test_an_answer_to_an_older_version_is_refused(table):
    first = reporting.report(person=table.bob, pairing=table.pairing, places=places(1, 2, 3))
    reporting.report(person=table.bob, pairing=table.pairing, places=places(1, 3, 2))
    with pytest.raises(Refused):
        reporting.answer(person=table.carla, result=first, agrees=True)


def test_strangers_and_other_players_do_not_report(table, charlie):
    with pytest.raises(NotAllowed):
        reporting.report(person=charlie, pairing=table.pairing, places=places(1, 2, 3))
    with pytest.raises(NotAllowed):
        reporting.enter_result(actor=table.bob, pairing=table.pairing, places=places(1, 2, 3))
    assert not Result.objects.exists()


@pytest.mark.parametrize("nonsense", [[], places(1, 2), places(0, 1, 2), [{"rank": "1"}] * 3, [{}] * 3])
def test_nonsense_is_refused_and_changes_nothing(table, nonsense):
    with pytest.raises(Refused):
        reporting.report(person=table.bob, pairing=table.pairing, places=nonsense)
    assert state(table) == "scheduled"


def test_an_evening_is_entered_whole_or_not_at_all(league, alice):
    stage = running_stage(league, alice, "table-swiss", 8, planned=3)
    first, second = Pairing.objects.filter(round=next_round(alice, stage))
    with pytest.raises(reporting.RoundEntryErrors) as caught:
        reporting.enter_round_results(actor=alice, rows={first: places(1, 2, 3, 4), second: places(1, 2, 3)})
    assert set(caught.value.rows) == {second.pk}
    assert not Result.objects.exists()
    reporting.enter_round_results(actor=alice, rows={first: places(1, 2, 3, 4), second: places(1, 2, 2, 4)})
    assert Pairing.objects.filter(state="confirmed").count() == 2


def test_a_late_result_is_kept_and_flagged_and_changes_nothing(table):
    reporting.enter_result(actor=table.alice, pairing=table.pairing, places=places(1, 2, 3))
    closing.close_round(actor=table.alice, round=table.round)
    Pairing.objects.update(state="scheduled")
    Result.objects.update(in_force=False)
    late = reporting.report(person=table.bob, pairing=table.pairing, places=places(3, 2, 1))
    assert late.late
    assert not late.in_force
    assert reporting.disputed_pairings(Season.objects.get()) == [table.pairing]


def test_two_of_two_seats_a_no_show_decides(league, alice):
    stage = running_stage(league, alice, "swiss", 4, planned=2)
    pairing = Pairing.objects.filter(round=next_round(alice, stage)).first()
    absent = pairing.seats.first().entrant_id
    reporting.forfeit(actor=alice, pairing=pairing, absent=[absent])
    kinds = {place["kind"] for place in Result.objects.get(pairing=pairing, in_force=True).places}
    assert kinds == {"FL", "FW"}


def test_at_a_larger_table_the_others_play_on(table):
    absent = table.pairing.seats.get(entrant__user=table.dora).entrant_id
    reporting.forfeit(actor=table.alice, pairing=table.pairing, absent=[absent])
    assert state(table) == "scheduled"
    reporting.enter_result(actor=table.alice, pairing=table.pairing, places=places(1, 1, 1))
    last = table.pairing.seats.get(entrant__user=table.dora).index
    assert Result.objects.get(in_force=True).places[last] == {"rank": 3, "score": None, "kind": "FL"}


def test_every_step_stands_in_the_log(table):
    reported = reporting.report(person=table.bob, pairing=table.pairing, places=places(1, 2, 3))
    reporting.answer(person=table.carla, result=reported, agrees=True)
    assert {"leagues.reported", "leagues.agreed"} <= set(AuditEntry.objects.values_list("action", flat=True))


def test_an_entered_result_can_be_undone_while_its_round_is_open(table):
    reporting.enter_result(actor=table.alice, pairing=table.pairing, places=places(1, 2, 3))
    undo.undo(actor=table.alice, undoable=undo.recent(season=table.season)[0].undoable)
    assert state(table) == "scheduled"
    assert not Result.objects.filter(in_force=True).exists()


def test_a_confirmed_table_of_a_rated_season_is_rated_once(table):
    reporting.enter_result(actor=table.alice, pairing=table.pairing, places=places(1, 2, 3))
    known = ledger.newest(f"pairing:{table.pairing.key}")
    assert [seat[1] for seat in known.seats] == [1, 2, 3]
    assert known.version == 1


def test_an_unrated_season_leaves_ratings_alone(table):
    Season.objects.update(rated=False)
    reporting.enter_result(actor=table.alice, pairing=table.pairing, places=places(1, 2, 3))
    assert ledger.newest(f"pairing:{table.pairing.key}") is None


# Corrections


@pytest.fixture
def evening(league, alice) -> SimpleNamespace:
    """Two closed rounds of eight at tables of four, and a third drawn."""
    stage = running_stage(league, alice, "table-swiss", 8, planned=3)
    stage.seed = "the lots of this evening"
    stage.save(update_fields=["seed"])
    rounds = []
    for _ in range(2):
        rounds.append(next_round(alice, stage))
        finish_round(rounds[-1])
        closing.close_round(actor=alice, round=rounds[-1])
    rounds.append(next_round(alice, stage))
    first = Pairing.objects.filter(round=rounds[0]).first()
    return SimpleNamespace(stage=stage, season=stage.division.season, rounds=rounds, first=first, alice=alice)


def order(stage) -> list[tuple[int, int]]:
    return [(row.entrant, row.score) for row in ranking.ranking(stage)]


def test_a_preview_tells_all_and_changes_nothing(evening):
    before = order(evening.stage), Result.objects.count(), StandingsSnapshot.objects.count()
    seen = corrections.preview(actor=evening.alice, pairing=evening.first, places=places(4, 3, 2, 1))
    assert (order(evening.stage), Result.objects.count(), StandingsSnapshot.objects.count()) == before
    assert {shift.name for shift in seen.standings} <= {f"Guest {n}" for n in range(1, 9)}
    assert len(seen.standings) >= 4
    assert [redraw.number for redraw in seen.redraws]


@pytest.fixture
def two_levels(league, alice) -> SimpleNamespace:
    """Gold and Silver of three each, one up and one down, everything played."""
    season = setup.add_season(actor=alice, league=league, where="club")
    for name, up, down in (("Gold", 0, 1), ("Silver", 1, 0)):
        division = setup.add_division(actor=alice, season=season, name=name, up=up, down=down)
        setup.add_stage(actor=alice, division=division, format="round-robin")
    setup.open_registration(actor=alice, season=season)
    for level in (1, 2):
        add_guests(season, alice, 3, level=level)
    season = draw.start(actor=alice, season=season)
    for level in (1, 2):
        for round_ in draw.draw_all_rounds(actor=alice, stage=stage_of(season, level=level)):
            finish_round(draw.publish(actor=alice, round=round_))
    return SimpleNamespace(season=season, alice=alice)


def goes(season: Season) -> dict[int, int | None]:
    """Where each entrant would go at the close, by who they are."""
    return {line.entrant.pk: line.new for line in final_standings.preview(season=season).lines}


def test_a_preview_is_of_people_and_not_of_names(two_levels):
    """Everybody called Sam: the same places, ratings and promotions as with six names, person by person."""
    pairings = Pairing.objects.filter(round__stage__division__season=two_levels.season)
    moved = 0
    for pairing in pairings.order_by("pk"):
        how = {"actor": two_levels.alice, "pairing": pairing, "places": places(2, 1)}
        before, named = goes(two_levels.season), corrections.preview(**how)
        User.objects.filter(is_guest=True).update(display_name="Sam")
        sams = corrections.preview(**how)
        assert [replace(each, name="") for each in sams.standings] == [
            replace(each, name="") for each in named.standings
        ]
        assert sams.ratings == tuple(replace(each, name="Sam") for each in named.ratings)
        assert [replace(each, name="") for each in sams.transfers] == [
            replace(each, name="") for each in named.transfers
        ]
        assert sams.seal == named.seal
        # Nobody reads the same name twice and has to guess who is meant.
        for part in (sams.standings, sams.transfers):
            assert len({each.name for each in part}) == len({each.entrant for each in part})
        with translation.override("pl"):
            assert corrections.preview(**how).seal == named.seal
        corrections.correct(**how, why="misread", seen=named.seal)
        after = goes(two_levels.season)
        previewed = {each.entrant: (each.old_level, each.new_level) for each in sams.transfers}
        assert previewed == {who: (before[who], after[who]) for who in before if before[who] != after[who]}
        moved += bool(previewed)
        for at, guest in enumerate(User.objects.filter(is_guest=True).order_by("pk")):
            User.objects.filter(pk=guest.pk).update(display_name=f"Guest {at}")
    assert moved


def test_confirming_does_exactly_what_the_preview_showed(evening):
    drawn = set(Pairing.objects.filter(round=evening.rounds[2]).values_list("seats__entrant", "number"))
    seen = corrections.preview(actor=evening.alice, pairing=evening.first, places=places(4, 3, 2, 1))
    corrections.correct(
        actor=evening.alice, pairing=evening.first, places=places(4, 3, 2, 1), why="read upside down", seen=seen.seal
    )
    now = {row.entrant: row for row in ranking.ranking(evening.stage)}
    names = {each.entrant_id: each.entrant.name for each in evening.stage.starters.select_related("entrant__user")}
    for shift in seen.standings:
        row = next(row for who, row in now.items() if names[who] == shift.name)
        assert (row.place, row.score) == (shift.new_place, shift.new_score)
    # Nothing is silently drawn again.
    assert set(Pairing.objects.filter(round=evening.rounds[2]).values_list("seats__entrant", "number")) == drawn
    # Old pages keep their version, the new one stands beside it.
    assert snapshots.latest(evening.stage, 1).version == 2
    assert snapshots.latest(evening.stage, 2).version == 2


def test_what_changed_since_the_preview_is_not_confirmed(evening):
    seen = corrections.preview(actor=evening.alice, pairing=evening.first, places=places(4, 3, 2, 1))
    other = Pairing.objects.filter(round=evening.rounds[1]).first()
    corrections.correct(
        actor=evening.alice,
        pairing=other,
        places=places(4, 3, 2, 1),
        why="other",
        seen=corrections.preview(actor=evening.alice, pairing=other, places=places(4, 3, 2, 1)).seal,
    )
    with pytest.raises(Refused):
        corrections.correct(
            actor=evening.alice, pairing=evening.first, places=places(4, 3, 2, 1), why="late", seen=seen.seal
        )
    assert Result.objects.filter(pairing=evening.first).count() == 1


def test_a_correction_moves_ratings_and_its_undo_moves_them_back(evening, club):
    # Guests move no rating: give everybody an account.
    User.objects.filter(entries__season=evening.season).update(is_guest=False)
    results_before = ledger.newest(f"pairing:{evening.first.key}")
    assert results_before is None or results_before.version == 1
    seen = corrections.preview(actor=evening.alice, pairing=evening.first, places=places(2, 1, 3, 4))
    corrections.correct(
        actor=evening.alice, pairing=evening.first, places=places(2, 1, 3, 4), why="swapped", seen=seen.seal
    )
    assert [seat[1] for seat in ledger.newest(f"pairing:{evening.first.key}").seats] == [2, 1, 3, 4]
    undo.undo(actor=evening.alice, undoable=undo.recent(season=evening.season)[0].undoable)
    assert [seat[1] for seat in ledger.newest(f"pairing:{evening.first.key}").seats] == [1, 2, 3, 4]


def test_striking_a_table_out_takes_its_points_away(evening):
    seen = corrections.preview(actor=evening.alice, pairing=evening.first, places=None)
    corrections.correct(actor=evening.alice, pairing=evening.first, places=None, why="wrong people", seen=seen.seal)
    assert Pairing.objects.get(pk=evening.first.pk).state == "void"
    assert sum(score for _, score in order(evening.stage)) < 4 * 2 * 120


def test_a_correction_needs_a_reason_and_an_organiser(evening, bob):
    seen = corrections.preview(actor=evening.alice, pairing=evening.first, places=places(2, 1, 3, 4))
    with pytest.raises(Refused):
        corrections.correct(
            actor=evening.alice, pairing=evening.first, places=places(2, 1, 3, 4), why=" ", seen=seen.seal
        )
    with pytest.raises(NotAllowed):
        corrections.preview(actor=bob, pairing=evening.first, places=places(2, 1, 3, 4))


# Online


@pytest.fixture
def online(league, alice) -> SimpleNamespace:
    """A live table of two bots, opened by the draw itself."""
    season = draft_season(league, alice, "swiss", planned=1, where="online")
    division = Division.objects.get(season=season)
    for _ in range(2):
        registration.add_bot(actor=alice, division=division, level="rookie")
    draw.start(actor=alice, season=season)
    round_ = next_round(alice, stage_of(season))
    pairing = Pairing.objects.get(round=round_)
    return SimpleNamespace(season=season, round=round_, pairing=pairing, match=pairing.match, alice=alice)


def played_out(match: Match) -> Match:
    while bot_turns.take_bot_turns(match_id=match.pk):
        pass
    return Match.objects.get(pk=match.pk)


def test_a_live_table_brings_its_result_once_however_often_it_is_brought(online):
    match = played_out(online.match)
    assert from_matches.take_in_match(match_id=match.pk)
    first = Result.objects.get(pairing=online.pairing)
    assert first.in_force
    assert ranks(first) == [seat.rank for seat in match.seats.order_by("index")]
    assert reporting.accept_match_result(match) == first
    assert Result.objects.filter(pairing=online.pairing).count() == 1


def test_a_match_that_ends_after_the_organiser_decided_is_kept_apart(online):
    reporting.enter_result(actor=online.alice, pairing=online.pairing, places=places(1, 2))
    late = reporting.accept_match_result(played_out(online.match))
    assert late.late
    assert ranks(Result.objects.get(in_force=True)) == [1, 2]
    assert reporting.disputed_pairings(Season.objects.get()) == [online.pairing]


def test_the_last_round_counts_only_when_confirmed(evening):
    """Removing every open table changes no standing."""
    shown = order(evening.stage)
    draw.delete_round(actor=evening.alice, round=evening.rounds[2])
    assert order(evening.stage) == shown
    assert Round.objects.filter(stage=evening.stage).count() == 2
    assert User.objects.filter(is_guest=True).count() == 8


def test_heroes_win_as_a_side_and_thanos_by_name(club: Club, alice: User) -> None:
    held = setup.create_league(actor=alice, club=club, name="Gauntlets", game="infinity-gauntlet")
    pairing = next_round(alice, running_stage(held, alice, "one-vs-many", 4, planned=1)).pairings.get()
    seats = presentation.seats_of(pairing)
    alone = [presentation.role(pairing, seat) == "thanos" for seat in seats]
    assert sum(alone) == 1
    heroes_won = confirm_result(pairing, [4 if is_thanos else 1 for is_thanos in alone])
    assert presentation.result_headline(pairing, heroes_won) == "The heroes won"
    thanos_won = confirm_result(pairing, [1 if is_thanos else 2 for is_thanos in alone])
    assert presentation.result_headline(pairing, thanos_won) == f"Won by {seats[alone.index(True)].entrant.name}"


def test_several_winners_have_a_verb_in_the_plural(league, alice):
    pairing = next_round(alice, running_stage(league, alice, "table-swiss", 3, planned=1)).pairings.get()
    names = [each.entrant.name for each in presentation.seats_of(pairing)]
    alone, together = confirm_result(pairing, [1, 2, 3]), confirm_result(pairing, [1, 1, 3])
    with translation.override("pl"):
        assert presentation.result_headline(pairing, alone) == f"Wygrywa {names[0]}"
        assert presentation.result_headline(pairing, together) == f"Wygrywają {names[0]} i {names[1]}"
