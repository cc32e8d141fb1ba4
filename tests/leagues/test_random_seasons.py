"""Random events through the verbs, one for each kind of format: the invariants always hold."""

import contextlib
from collections import Counter
from collections.abc import Callable, Sequence
from typing import Any, TypeVar

import pytest
from django.db import transaction
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from accounts.infra.errors import Refused
from accounts.models import User
from leagues.core import format_catalogue
from leagues.entries import bye_requests, registration, withdrawal
from leagues.formats.score_table import ScoreTable
from leagues.models import Bye, Entrant, Pairing, PairingSeat, Result, Round, Stage
from leagues.results import corrections, reporting
from leagues.rounds import closing as rounds_closing
from leagues.rounds import draw
from leagues.seasons import closing, setup, undo
from leagues.standings.history import load_history, scheme
from leagues.standings.ranking import bracket_of, ranking
from tests.factories import add_guests, draft_season, stage_of

FAMILIES = {
    "swiss": ("splendor-marvel", 7, {}, 4),
    "table-swiss": ("splendor-marvel", 9, {}, 3),
    "duplicate": ("splendor-marvel", 9, {}, 3),
    "round-robin": ("splendor-marvel", 5, {}, None),
    "blocks": ("splendor-marvel", 7, {"seats": 4}, None),
    "groups": ("splendor-marvel", 7, {"groups": 2}, None),
    "single-elimination": ("splendor-marvel", 6, {}, None),
    "double-elimination": ("splendor-marvel", 5, {"best_of": 3}, None),
    "heats": ("splendor-marvel", 9, {}, None),
    "one-vs-many": ("infinity-gauntlet", 8, {}, 3),
    "pod": ("infinity-gauntlet", 4, {}, None),
    "rotating-teams": ("thanos-rising", 8, {}, 3),
}


class Enough(Exception):
    """Raised at the end of the event, to roll everything back."""


T = TypeVar("T")


class Event:
    """An organiser and many entrants, with every action that may happen to them."""

    def __init__(self, stage: Stage, organiser: User) -> None:
        self.stage, self.organiser = stage, organiser
        self.format = format_catalogue.FORMATS[stage.format]

    @property
    def actions(self) -> list[Callable[[st.DataObject], None]]:
        tables = [self.settle, self.settle, self.settle, self.report, self.report, self.answer]
        changes = [self.correct, self.void, self.forfeit]
        people = [self.leave, self.come_back, self.enter, self.ask]
        return [self.draw, self.draw, *tables, *changes, *people, self.close_round, self.take_back, self.undo]

    def some(self, data: st.DataObject, rows: Sequence[T]) -> T:
        if not rows:
            raise Refused("nobody")
        return rows[data.draw(st.integers(0, len(rows) - 1), label="which")]

    def draw(self, data: st.DataObject) -> None:
        round_ = draw.draw_next_round(actor=self.organiser, stage=self.stage)
        assert draw.draw_next_round(actor=self.organiser, stage=self.stage, number=round_.number) == round_
        draw.publish(actor=self.organiser, round=round_)

    def table(self, data: st.DataObject, **where: str) -> Pairing:
        return self.some(data, list(Pairing.objects.filter(round__stage=self.stage, **where)))

    def places(self, data: st.DataObject, pairing: Pairing) -> list[dict[str, int]]:
        best_of, count = format_catalogue.best_of(self.stage), pairing.seats.count()
        if best_of > 1:
            # Not all of them are possible.
            won = data.draw(st.permutations([best_of // 2 + 1, data.draw(st.integers(0, best_of // 2 + 1))]))
            return [{"score": games} for games in won]
        ranks = data.draw(st.lists(st.integers(1, count), min_size=count, max_size=count), label="ranks")
        return [{"rank": rank, "score": 10 - rank} for rank in ranks]

    def player(self, data: st.DataObject, pairing: Pairing) -> User:
        seats = pairing.seats.select_related("entrant__user")
        return self.some(data, [seat.entrant.user for seat in seats if seat.entrant.user])

    def settle(self, data: st.DataObject) -> None:
        pairing = self.some(data, list(Pairing.objects.open().filter(round__stage=self.stage)))
        reporting.enter_result(
            actor=self.organiser, pairing=pairing, places=self.places(data, pairing), grade=[pairing.number, 1]
        )

    def report(self, data: st.DataObject) -> None:
        pairing = self.table(data)
        reporting.report(
            person=self.player(data, pairing), pairing=pairing, places=self.places(data, pairing), grade=[0, 1]
        )

    def answer(self, data: st.DataObject) -> None:
        pairing = self.table(data, state="reported")
        agrees = data.draw(st.booleans(), label="agrees")
        latest = reporting.latest(pairing)
        assert latest
        reporting.answer(person=self.player(data, pairing), result=latest, agrees=agrees)

    def void(self, data: st.DataObject) -> None:
        reporting.void(actor=self.organiser, pairing=self.table(data), why="a spilt drink")

    def forfeit(self, data: st.DataObject) -> None:
        pairing = self.table(data)
        absent = self.some(data, list(pairing.seats.values_list("entrant", flat=True)))
        reporting.forfeit(actor=self.organiser, pairing=pairing, absent=[absent])

    def correct(self, data: st.DataObject) -> None:
        """Whatever the preview says, drawn rounds are not drawn again. A bracket keeps what was played."""
        pairing = self.table(data, state="confirmed")
        seats = PairingSeat.objects.filter(round__stage=self.stage)
        if format_catalogue.format_of(self.stage).has_bracket:
            seats = seats.filter(pairing__results__isnull=False).distinct()
        drawn = list(seats.values_list("pairing", "entrant", "index"))
        new: dict[str, Any] = {
            "actor": self.organiser,
            "pairing": pairing,
            "places": self.places(data, pairing),
        }
        seen = corrections.preview(**new).seal
        corrections.correct(**new, why="a slip of the pen", seen=seen)
        again = set(PairingSeat.objects.filter(round__stage=self.stage).values_list("pairing", "entrant", "index"))
        assert set(drawn) <= again
        if not format_catalogue.format_of(self.stage).has_bracket:
            assert set(drawn) == again

    def leave(self, data: st.DataObject) -> None:
        here = list(Entrant.objects.filter(division=self.stage.division, status=Entrant.Status.ACTIVE))
        withdrawal.withdraw(actor=self.organiser, entrant=self.some(data, here))

    def come_back(self, data: st.DataObject) -> None:
        gone = list(Entrant.objects.filter(division=self.stage.division, status=Entrant.Status.WITHDRAWN))
        withdrawal.return_to_season(actor=self.organiser, entrant=self.some(data, gone))

    def enter(self, data: st.DataObject) -> None:
        registration.add_guest(actor=self.organiser, division=self.stage.division, name="Latecomer")

    def ask(self, data: st.DataObject) -> None:
        entrants = list(Entrant.objects.filter(division=self.stage.division))
        number = Round.objects.filter(stage=self.stage).count() + 1
        kind = data.draw(st.sampled_from(["FPB", "HPB", "ZPB"]))
        bye_requests.request_bye(
            actor=self.organiser, entrant=self.some(data, entrants), stage=self.stage, number=number, kind=kind
        )

    def close_round(self, data: st.DataObject) -> None:
        rounds_closing.close_round(
            actor=self.organiser, round=self.some(data, list(Round.objects.filter(stage=self.stage)))
        )

    def take_back(self, data: st.DataObject) -> None:
        draw.delete_round(actor=self.organiser, round=self.some(data, list(Round.objects.filter(stage=self.stage))))

    def undo(self, data: st.DataObject) -> None:
        steps = undo.recent(season=self.stage.division.season)
        undo.undo(actor=self.organiser, undoable=self.some(data, steps[:3]).undoable)

    # -- what must always hold

    def check(self) -> None:
        self.nobody_is_in_two_places()
        self.confirmed_is_in_force()
        self.byes_are_fair()
        self.who_left_is_not_waited_for()
        self.open_tables_count_for_nothing()
        self.the_order_names_everybody_once()
        self.a_series_was_played_to_its_end()

    def nobody_is_in_two_places(self) -> None:
        for round_ in Round.objects.filter(stage=self.stage):
            seated = list(PairingSeat.objects.filter(round=round_).values_list("entrant", flat=True))
            resting = list(Bye.objects.filter(round=round_).values_list("entrant", flat=True))
            assert len(set(seated + resting)) == len(seated) + len(resting)

    def confirmed_is_in_force(self) -> None:
        for pairing in Pairing.objects.filter(round__stage=self.stage):
            counted = pairing.results.filter(in_force=True).count()
            assert counted == (pairing.state == Pairing.State.CONFIRMED)
        assert not Pairing.objects.open().filter(round__stage=self.stage, round__status="closed").exists()

    def byes_are_fair(self) -> None:
        given = Bye.objects.filter(round__stage=self.stage, kind="PAB").order_by("round__number")
        seen: Counter[int] = Counter()
        for bye in given:
            again = bye.reason is not None and bye.reason["code"] in ("bye.PAB-again", "heat.bye", "bye.round-robin")
            assert not seen[bye.entrant_id] or again, "a second free point"
            seen[bye.entrant_id] += 1

    def who_left_is_not_waited_for(self) -> None:
        gone = Entrant.objects.filter(division=self.stage.division, status=Entrant.Status.WITHDRAWN)
        for seat in PairingSeat.objects.filter(
            round__stage=self.stage, entrant__in=gone, pairing__state=Pairing.State.SCHEDULED
        ):
            assert seat.absent
            assert seat.pairing.seats.filter(absent=False).count() > 1

    def open_tables_count_for_nothing(self) -> None:
        past = load_history(self.stage)
        kept = [
            type(each)(each.number, tuple(table for table in each.tables if table.counts), each.byes)
            for each in past.rounds
        ]
        bare = type(past)(past.seed, past.entrants, tuple(kept), past.forbidden, past.planned)
        robin = self.format.round_robin
        now, without = (ScoreTable(each, scheme(self.stage), round_robin=robin) for each in (past, bare))
        assert now.score == without.score

    def the_order_names_everybody_once(self) -> None:
        rows = ranking(self.stage)
        listed = [row.entrant for row in rows]
        assert len(listed) == len(set(listed))
        assert set(listed) <= set(self.stage.starters.values_list("entrant", flat=True))
        if self.format.has_bracket:
            assert bracket_of(self.stage) == bracket_of(self.stage)

    def a_series_was_played_to_its_end(self) -> None:
        best_of = format_catalogue.best_of(self.stage)
        for result in Result.objects.filter(pairing__round__stage=self.stage, in_force=True):
            if best_of > 1 and all(place["kind"] == "PLAYED" for place in result.places):
                (first, games), (second, others) = ((place["rank"], place["score"]) for place in result.places)
                assert max(games, others) == best_of // 2 + 1 > min(games, others)
                assert (first < second) == (games > others)

    def finish(self) -> None:
        """Play everything that is open in the order of the seats, to the end of the season."""
        for _lap in range(40):
            for round_ in Round.objects.filter(stage=self.stage, status=Round.Status.DRAWN).order_by("number"):
                draw.publish(actor=self.organiser, round=round_)
            unplayed = Pairing.objects.filter(round__stage=self.stage).exclude(state="confirmed")
            for pairing in unplayed if self.format.code == "heats" else unplayed.open():
                places = [{"rank": at} for at in range(1, pairing.seats.count() + 1)]
                if (best_of := format_catalogue.best_of(self.stage)) > 1:
                    places = [{"score": best_of // 2 + 1}, {"score": 0}]
                reporting.enter_result(actor=self.organiser, pairing=pairing, places=places, grade=[1, 2])
            try:
                draw.publish(actor=self.organiser, round=draw.draw_next_round(actor=self.organiser, stage=self.stage))
            except Refused:
                break
            self.check()
        if not self.can_finish():
            return
        season = self.stage.division.season
        closing.close_season(actor=self.organiser, season=season)
        assert season.movements.count() == self.stage.starters.count()
        assert not Result.objects.filter(in_force=True).exclude(pairing__state="confirmed").exists()

    def can_finish(self) -> bool:
        """If too few are left to draw the missing rounds, that is refused, and nothing is written."""
        try:
            rounds_closing.finish_stage(actor=self.organiser, stage=self.stage)
        except Refused:
            present = Entrant.objects.filter(division=self.stage.division, status=Entrant.Status.ACTIVE).count()
            if present >= 6:
                raise
            return False
        return True


def run(stage: Stage, organiser: User, examples: int, steps: int) -> None:
    @settings(
        max_examples=examples,
        derandomize=True,
        database=None,
        deadline=None,
        suppress_health_check=list(HealthCheck),
    )
    @given(data=st.data())
    def events(data: st.DataObject) -> None:
        event = Event(Stage.objects.select_related("division__season__league__club").get(pk=stage.pk), organiser)
        with contextlib.suppress(Enough), transaction.atomic():
            for _step in range(data.draw(st.integers(5, steps), label="steps")):
                act = event.some(data, event.actions)
                with contextlib.suppress(Refused), transaction.atomic():
                    act(data)
                event.check()
            event.finish()
            raise Enough

    events()


@pytest.fixture
def family(request, club, alice) -> Stage:
    format = request.param
    game, count, settings_, planned = FAMILIES[format]
    league = setup.create_league(actor=alice, club=club, name=format, game=game)
    points = "sides" if game == "infinity-gauntlet" else "normal"
    season = draft_season(league, alice, format, settings_, planned, points=points, rated=False)
    add_guests(season, alice, count)
    draw.start(actor=alice, season=season)
    return stage_of(season)


@pytest.mark.parametrize("family", FAMILIES, indirect=True)
def test_a_few_random_events(family, alice):
    run(family, alice, examples=2, steps=12)


@pytest.mark.slow
@pytest.mark.timeout(1800)
@pytest.mark.parametrize("family", FAMILIES, indirect=True)
def test_many_random_events(family, alice):
    run(family, alice, examples=40, steps=40)
