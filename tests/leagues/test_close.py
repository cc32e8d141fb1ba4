"""The end: rounds closed by what is open, seasons closed once, movements previewed and then exactly those."""

import random
from collections import Counter
from datetime import timedelta

import pytest
from django.urls import reverse
from django.utils import timezone

from accounts.access import NotAllowed
from accounts.errors import Refused
from accounts.models import AuditEntry, Notice
from leagues import absence, close, competitions, corrections, draw, enrol, scoresheet, undo
from leagues.formats.reasons import told
from leagues.models import Division, Entrant, Movement, Pairing, Result, Round, Season, SignOff, StandingsSnapshot
from tests.leagues.conftest import begun, decide, drafted, guests, next_round, play_out, stage_of


def test_a_round_is_over_when_no_table_is_open_however_results_arrive(league, alice):
    """Guard 2: shuffled and repeated results, and a check after each."""
    stage = begun(league, alice, "swiss", 8, planned=2)
    round_ = next_round(alice, stage)
    arrivals = [pairing for pairing in round_.pairings.all() for _copy in range(2)]
    random.Random(7).shuffle(arrivals)
    for pairing in arrivals:
        still_open = Pairing.objects.open().filter(round=round_).exists()
        assert still_open == (Result.objects.values("pairing").distinct().count() < 4)
        if still_open:
            with pytest.raises(Refused, match="not over"):
                close.close_round(actor=alice, round=round_)
        decide(pairing)
    closed = close.close_round(actor=alice, round=round_)
    assert closed.is_closed
    assert close.close_round(actor=alice, round=round_).closed_at == closed.closed_at
    assert StandingsSnapshot.objects.filter(stage=stage, number=1).count() == 1


def test_a_late_result_is_kept_and_flagged_and_moves_nothing(league, alice):
    """Guard 2: never dropped."""
    from leagues.ranking import ranking

    stage = begun(league, alice, "swiss", 2, planned=1)
    round_ = next_round(alice, stage)
    pairing = round_.pairings.get()
    decide(pairing)
    close.close_round(actor=alice, round=round_)
    before = ranking(stage)
    held = scoresheet.hold(pairing)
    late = scoresheet.write(
        pairing=held,
        kind=Result.Kind.REPORTED,
        source=Result.Source.PLAYER,
        places=scoresheet.checked(held, [{"rank": 2}, {"rank": 1}]),
        by=alice,
        late=True,
    )
    assert late.late
    assert late.version == 2
    assert ranking(stage) == before
    held.refresh_from_db()
    assert held.state == Pairing.State.CONFIRMED


def test_a_closed_round_opens_again_until_something_is_drawn_from_it(league, alice):
    stage = begun(league, alice, "swiss", 4, planned=3)
    round_ = next_round(alice, stage)
    play_out(round_)
    close.close_round(actor=alice, round=round_)
    assert not close.reopen_round(actor=alice, round=round_).is_closed
    play_out(round_)
    next_round(alice, stage)
    with pytest.raises(Refused, match="drawn from this round"):
        close.reopen_round(actor=alice, round=round_)


def two_divisions(league, alice, count: int = 4) -> Season:
    season = drafted(league, alice, "round-robin", divisions=2)
    for division, up, down in zip(Division.objects.filter(season=season), (0, 1), (1, 0)):
        competitions.edit_division(actor=alice, division=division, name=division.name, cap=None, up=up, down=down)
    for level in (1, 2):
        guests(season, alice, count, level=level)
    draw.start(actor=alice, season=season)
    return season


def play_season(season: Season, alice) -> None:
    for level in (1, 2):
        stage = stage_of(season, level=level)
        for round_ in draw.pair_all(actor=alice, stage=stage):
            play_out(draw.publish(actor=alice, round=round_))
        close.finish_stage(actor=alice, stage=stage)


def test_what_was_previewed_is_what_is_written_and_once(league, alice, olga):
    season = two_divisions(league, alice)
    with pytest.raises(Refused, match="not over"):
        close.close_season(actor=alice, season=season)
    assert close.preview(season=season).missing
    play_season(season, alice)
    seen = close.preview(season=season)
    assert not seen.missing
    assert season.movements.count() == 0
    close.close_season(actor=alice, season=season)
    written = {move.entrant_id: (move.old, move.new, move.reason) for move in season.movements.all()}
    assert written == {line.entrant.pk: (line.division.level, line.new, told(line.reason)) for line in seen.lines}
    assert close.close_season(actor=olga, season=season).is_closed
    assert season.movements.count() == 8
    moved = [(old, new) for old, new, _why in written.values() if old != new]
    assert sorted(moved) == [(1, 2), (2, 1)]


def test_who_withdrew_leaves_first_and_the_place_is_filled_from_below(league, alice):
    season = two_divisions(league, alice)
    leaver = Entrant.objects.filter(division__level=1, season=season).first()
    absence.withdraw(actor=alice, entrant=leaver)
    play_season(season, alice)
    lines = {line.entrant.pk: line for line in close.preview(season=season).lines}
    assert lines[leaver.pk].new is None
    assert sum(line.new == 1 for line in lines.values()) == 4
    assert sum(line.new == 2 for line in lines.values()) == 3


def test_a_closed_season_takes_nothing_more(league, alice):
    stage = begun(league, alice, "swiss", 2, planned=1)
    season = stage.division.season
    play_out(next_round(alice, stage))
    close.finish_stage(actor=alice, stage=stage)
    close.close_season(actor=alice, season=season)
    for attempt in (
        lambda: draw.pair(actor=alice, stage=stage),
        lambda: guests(season, alice, 1),
        lambda: competitions.edit_season(actor=alice, season=season, name="Other"),
        lambda: competitions.change_tie_breaks(actor=alice, season=season, codes=["lot"]),
        lambda: absence.withdraw(actor=alice, entrant=season.entrants.first()),
    ):
        with pytest.raises(Refused, match=r"closed|running"):
            attempt()


def test_a_stage_with_rounds_left_is_not_over(league, alice):
    stage = begun(league, alice, "swiss", 4, planned=3)
    play_out(next_round(alice, stage))
    with pytest.raises(Refused, match="1 of 3"):
        close.finish_stage(actor=alice, stage=stage)
    fixed = begun(league, alice, "round-robin", 4)
    play_out(next_round(alice, fixed))
    with pytest.raises(Refused, match="another round"):
        close.finish_stage(actor=alice, stage=fixed)


def test_a_place_left_level_at_the_cut_is_a_visible_question(league, alice):
    season = competitions.add_season(actor=alice, league=league)
    division = competitions.add_division(actor=alice, season=season, name="All")
    competitions.add_stage(actor=alice, division=division, format="swiss", planned=1)
    competitions.add_stage(actor=alice, division=division, format="single-elimination", take=3)
    competitions.change_tie_breaks(actor=alice, season=season, codes=["wins"])
    guests(season, alice, 8)
    draw.start(actor=alice, season=season)
    stage = stage_of(season)
    play_out(next_round(alice, stage))
    with pytest.raises(Refused, match="shared"):
        close.finish_stage(actor=alice, stage=stage)
    stage.refresh_from_db()
    assert stage.trouble["code"] == "error.play-off"
    competitions.change_tie_breaks(actor=alice, season=season, codes=["wins", "lot"])
    after = close.finish_stage(actor=alice, stage=stage)
    assert after.starters.count() == 3


def test_the_snapshot_stays_when_the_list_changes_later(league, alice):
    """Guard 12: standings of a closed round are not recomputed in passing."""
    stage = begun(league, alice, "swiss", 4, planned=2)
    round_ = next_round(alice, stage)
    play_out(round_)
    close.close_round(actor=alice, round=round_)
    kept = StandingsSnapshot.objects.get(stage=stage, number=1)
    season = competitions.change_tie_breaks(actor=alice, season=stage.division.season, codes=["wins"])
    kept.refresh_from_db()
    assert kept.tie_breaks != season.tie_breaks
    entry = season.league.club.audit_entries.filter(action="leagues.tie-breaks").get()
    assert entry.params["round"] == 1
    assert "buchholz" in entry.params["old"]


def test_brackets_are_what_seeds_and_results_say(league, alice):
    """Guard 19: rows are a cache; correcting a result changes the bracket and keeps what was drawn."""
    from leagues.ranking import bracket_of

    stage = begun(league, alice, "single-elimination", 4, settings={"third": False})
    first = next_round(alice, stage)
    play_out(first)
    final = next_round(alice, stage).pairings.get()
    decide(final)
    tree = bracket_of(stage)
    champion = tree.match("W2-1").winner
    semi = first.pairings.get(slot="W1-1")
    assert champion is not None
    decide(semi, ranks=[2, 1])
    changed = bracket_of(stage)
    assert changed.orphans
    assert changed.match("W2-1").winner is None
    assert Round.objects.filter(stage=stage).count() == 2
    decide(semi, ranks=[1, 2])
    assert bracket_of(stage) == tree


def test_standings_are_signed_off_once_and_then_nothing_changes_them(league, alice, olga, bob):
    season = two_divisions(league, alice)
    with pytest.raises(Refused, match="not over"):
        close.sign_off(actor=alice, season=season)
    play_season(season, alice)
    with pytest.raises(NotAllowed):
        close.sign_off(actor=bob, season=season)
    pairing = Pairing.objects.filter(round__stage__division__season=season).first()
    swapped = [{"rank": 2}, {"rank": 1}]
    seen = corrections.preview(actor=alice, pairing=pairing, places=swapped).seal
    corrections.correct(actor=alice, pairing=pairing, places=swapped, why="misread", seen=seen)
    signed = close.sign_off(actor=alice, season=season)
    assert close.sign_off(actor=olga, season=season) == signed
    assert signed.by == alice
    for attempt in (
        lambda: corrections.preview(actor=alice, pairing=pairing, places=[{"rank": 1}, {"rank": 2}]),
        lambda: competitions.change_tie_breaks(actor=alice, season=season, codes=["lot"]),
        lambda: undo.undo(actor=alice, undoable=undo.recent(season=season)[0].undoable),
    ):
        with pytest.raises(Refused, match="signed off"):
            attempt()
    with pytest.raises(Refused, match="Say why"):
        close.take_sign_off_back(actor=olga, season=season, why=" ")
    close.take_sign_off_back(actor=olga, season=season, why="Table 2 was misread")
    assert corrections.preview(actor=alice, pairing=pairing, places=[{"rank": 1}, {"rank": 2}]).standings
    actions = AuditEntry.objects.filter(action__startswith="leagues.sign").order_by("pk")
    assert list(actions.values_list("action", "actor")) == [
        ("leagues.signed-off", alice.pk),
        ("leagues.sign-off-back", olga.pk),
    ]


def test_only_what_was_signed_is_closed(league, alice, olga):
    season = two_divisions(league, alice)
    play_season(season, alice)
    close.sign_off(actor=olga, season=season)
    pairing = Pairing.objects.filter(round__stage__division__season=season).first()
    decide(pairing, ranks=[2, 1])
    with pytest.raises(Refused, match="not those that were signed"):
        close.close_season(actor=alice, season=season)
    decide(pairing, ranks=[1, 2])
    close.close_season(actor=alice, season=season)
    assert SignOff.objects.get(season=season).by == olga
    with pytest.raises(Refused, match="closed"):
        close.take_sign_off_back(actor=alice, season=season, why="too late")


def test_who_closes_without_signing_signs(league, alice):
    season = two_divisions(league, alice)
    play_season(season, alice)
    close.close_season(actor=alice, season=season)
    assert SignOff.objects.get(season=season).by == alice


def test_a_close_that_dies_in_the_middle_leaves_the_league_as_it_was(league, alice, monkeypatch):
    season = two_divisions(league, alice)
    play_season(season, alice)
    logged = AuditEntry.objects.count()

    def broken(*args, **kwargs):
        raise RuntimeError("the worker died")

    monkeypatch.setattr("leagues.close.notices.tell", broken)
    with pytest.raises(RuntimeError):
        close.close_season(actor=alice, season=season)
    season.refresh_from_db()
    assert season.is_running
    assert season.closed_at is None
    assert not Movement.objects.exists()
    assert not SignOff.objects.exists()
    assert AuditEntry.objects.count() == logged
    monkeypatch.undo()
    assert close.close_season(actor=alice, season=season).is_closed
    assert Movement.objects.count() == 8


def test_everybody_hears_where_they_ended(league, alice, bob):
    season = drafted(league, alice, "round-robin")
    enrol.add_person(actor=alice, division=season.divisions.get(), person=bob)
    guests(season, alice, 2)
    draw.start(actor=alice, season=season)
    stage = stage_of(season)
    for round_ in draw.pair_all(actor=alice, stage=stage):
        play_out(draw.publish(actor=alice, round=round_))
    close.finish_stage(actor=alice, stage=stage)
    close.close_season(actor=alice, season=season)
    told = Notice.objects.get(kind="leagues.season-closed")
    assert told.user == bob
    assert told.params["place"] == season.movements.get(entrant__user=bob).place
    assert told.params["division"] == "Division 1"
    # Most leagues have a season of that name.
    assert {each.params["season"] for each in Notice.objects.filter(kind__in=["leagues.drawn", "leagues.added"])} == {
        f"{season.league.name}, {season.name}"
    }
    assert told.params["season"] == f"{season.league.name}, {season.name}"


def test_nothing_is_said_twice_before_the_close(client, league, alice):
    """The row says place, name and direction; only what those do not explain needs a sentence."""
    season = two_divisions(league, alice)
    play_season(season, alice)
    client.force_login(alice)
    page = client.get(reverse("leagues:close", args=[league.slug, season.number])).content.decode()
    names = Counter(line.entrant.name for line in close.preview(season=season).lines)
    assert {name: page.count(name) for name in names} == names
    assert page.count(">stays<") == page.count("stays")
    assert page.count(">moves up<") == page.count("moves up") == 1
    left = Entrant.objects.filter(season=season).first()
    absence.withdraw(actor=alice, entrant=left)
    page = client.get(reverse("leagues:close", args=[league.slug, season.number])).content.decode()
    assert f"{left.name} has withdrawn and leaves" in page


def test_the_page_goes_in_two_steps(client, league, alice):
    season = two_divisions(league, alice)
    play_season(season, alice)
    client.force_login(alice)
    page = reverse("leagues:close", args=[league.slug, season.number])
    first = client.get(page).content.decode()
    assert "These standings are right" in first
    assert "Close the season for good?" not in first
    client.post(reverse("leagues:sign-off", args=[league.slug, season.number]))
    assert "Alice A. signed the final standings off" in client.get(page).content.decode()
    assert "Alice A. signed the final standings off" in client.get(season.get_absolute_url()).content.decode()
    client.post(reverse("leagues:sign-off-back", args=[league.slug, season.number]), {"why": "a slip"})
    assert "These standings are right" in client.get(page).content.decode()
    client.post(reverse("leagues:sign-off", args=[league.slug, season.number]))
    assert client.post(page).status_code == 302
    season.refresh_from_db()
    assert season.is_closed


DAY = timedelta(days=1)
PLANS = [None, -3 * DAY, -DAY, DAY, 3 * DAY]


@pytest.mark.parametrize("ends", PLANS)
@pytest.mark.parametrize("starts", PLANS)
def test_whatever_days_were_planned_a_season_can_be_played_to_its_end(league, alice, starts, ends):
    """Played before, during or after its plan; what is refused is refused in words that lead on."""
    now, zero = timezone.now(), timedelta()
    plan = {
        "starts_at": None if starts is None else now + starts,
        "ends_at": None if ends is None else now + ends,
    }
    if starts is not None and ends is not None and ends <= starts:
        with pytest.raises(Refused, match=r"^A season ends after it starts\.$"):
            drafted(league, alice, "swiss", planned=1, **plan)
        return
    season = drafted(league, alice, "swiss", planned=1, **plan)
    guests(season, alice, 2)
    if starts is None and ends is not None and ends < zero:
        with pytest.raises(Refused, match="Change the end in the settings"):
            draw.start(actor=alice, season=season)
        season = competitions.edit_season(actor=alice, season=season, ends_at=None)
    season = draw.start(actor=alice, season=season)
    assert season.starts_at <= timezone.now()
    stage = stage_of(season)
    play_out(next_round(alice, stage))
    close.finish_stage(actor=alice, stage=stage)
    season = close.close_season(actor=alice, season=season)
    assert season.is_closed
    assert season.starts_at < season.ends_at <= season.closed_at


def test_a_season_that_runs_before_its_day_is_closed_all_the_same(client, league, alice):
    """Seasons that were started before the start put their first day right."""
    stage = begun(league, alice, "swiss", 2, planned=1)
    round_ = next_round(alice, stage)
    play_out(round_)
    close.finish_stage(actor=alice, stage=stage)
    season = stage.division.season
    Season.objects.filter(pk=season.pk).update(starts_at=timezone.now() + 3 * DAY, ends_at=timezone.now() + 9 * DAY)
    client.force_login(alice)
    page = client.post(reverse("leagues:close", args=[league.slug, season.number]), follow=True)
    assert page.status_code == 200
    season.refresh_from_db()
    assert season.is_closed
    assert season.starts_at == round_.drawn_at
