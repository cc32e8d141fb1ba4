"""The rules of a window hold, whatever people suggest, accept and decline, in whatever order."""

import contextlib
import itertools
from datetime import timedelta

import pytest
from django.db import transaction
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st

from accounts.infra.errors import Refused
from accounts.infra.permissions import NotAllowed
from leagues.entries import registration
from leagues.models import Extension, Pairing, PairingSeat, TimeProposal, Undoable
from leagues.rounds import draw, tables
from leagues.seasons import undo
from leagues.windows import deadlines, extensions, time_proposals
from tests.factories import create_user, draft_season, next_round, stage_of
from tests.leagues.windows.conftest import DAY, HOUR, NOON, TERMS
from tests.leagues.windows.test_deadlines import picture

STEPS = ["propose", "propose", "accept", "accept", "decline", "counter", "withdraw"] * 2 + [
    "here",
    "ask",
    "grant",
    "refuse",
    "undo",
    "tick",
    "tick",
]


class Enough(Exception):
    """Raised at the end, to roll everything back."""


class World:
    """Two leagues at once with some of the same people, at tables of two and of three."""

    def __init__(self, league, organiser, people, policy: str) -> None:
        self.organiser, self.people = organiser, people
        for seats, those in ((2, people[:4]), (3, people[1:4])):
            format, options = ("swiss", None) if seats == 2 else ("table-swiss", {"seats": 3})
            terms = TERMS | {"on_unplayed": policy, "window_days": 3}
            season = draft_season(league, organiser, format, options, planned=1, **terms)
            for each in those:
                registration.register(person=each, season=season)
            draw.start(actor=organiser, season=season)
            next_round(organiser, stage_of(season))

    def step(self, data: st.DataObject, clock, name: str) -> None:
        tables_now = list(Pairing.objects.order_by("pk"))
        pairing = data.draw(st.sampled_from(tables_now), label="table")
        somebody = data.draw(st.sampled_from(self.people), label="who")
        now = clock()
        wanted = [now + hours * HOUR for hours in data.draw(st.sets(st.integers(0, 80), max_size=3), label="times")]
        proposal = TimeProposal.objects.filter(pairing=pairing).last()
        request = Extension.objects.filter(pairing=pairing, status="open").first()
        match name:
            case "propose":
                time_proposals.propose(person=somebody, pairing=pairing, times=wanted)
            case "accept" if proposal:
                times = list(proposal.times.order_by("number"))
                time_proposals.accept(person=somebody, time=data.draw(st.sampled_from(times), label="time"))
            case "decline" if proposal:
                time_proposals.decline(person=somebody, proposal=proposal)
            case "counter" if proposal:
                time_proposals.decline(person=somebody, proposal=proposal, times=wanted)
            case "withdraw" if proposal:
                time_proposals.withdraw(person=somebody, proposal=proposal)
            case "here":
                tables.mark_present(person=somebody, pairing=pairing)
            case "ask":
                extensions.ask(person=somebody, pairing=pairing, reason="busy")
            case "grant":
                extensions.grant(actor=self.organiser, pairing=pairing, until=now + 40 * HOUR)
            case "refuse" if request:
                extensions.refuse(actor=self.organiser, extension=request)
            case "undo":
                if last := Undoable.objects.filter(kind="deadline", undone_at=None).last():
                    undo.undo(actor=self.organiser, undoable=last)
            case "tick":
                clock.forward(data.draw(st.sampled_from([HOUR / 4, 5 * HOUR, DAY, 2 * DAY]), label="later"))
                deadlines.sweep()
                self.check_nothing_is_left_waiting(clock())
                before = picture()
                deadlines.sweep()
                assert picture() == before

    def check(self) -> None:
        """Nobody has two agreed times at once, and an agreed time is one of its proposal."""
        agreed: dict[int, list] = {}
        seats = PairingSeat.objects.filter(pairing__in=Pairing.objects.open(), pairing__starts_at__isnull=False)
        for who, starts_at in seats.filter(absent=False).values_list("entrant__user", "pairing__starts_at"):
            agreed.setdefault(who, []).append(starts_at)
        for times in agreed.values():
            times.sort()
            assert all(later - earlier >= HOUR for earlier, later in itertools.pairwise(times))
        for pairing in Pairing.objects.filter(starts_at__isnull=False):
            assert pairing.proposals.get(status="accepted").agreed == pairing.starts_at

    def check_nothing_is_left_waiting(self, now) -> None:
        for pairing in Pairing.objects.open().select_related("round"):
            asked = pairing.extensions.filter(status="open").exists()
            assert asked or pairing.deadline > now, f"{pairing} is late, and nobody knows"
            if pairing.starts_at and pairing.match_id is None and not asked:
                assert pairing.starts_at + timedelta(minutes=15) > now
        assert not TimeProposal.objects.filter(status="open", answer_by__lte=now).exists()


class Clock:
    def __init__(self, machine) -> None:
        self.machine, self.now = machine, NOON
        machine.move_to(NOON, tick=False)

    def __call__(self):
        return self.now

    def forward(self, by) -> None:
        self.now += by
        self.machine.move_to(self.now, tick=False)


@pytest.mark.parametrize("policy", ["bot", "forfeit", "ask"])
@pytest.mark.parametrize("examples", [4, pytest.param(60, marks=pytest.mark.slow)])
def test_whatever_happens(league, alice, policy, examples, time_machine):
    clock = Clock(time_machine)
    world = World(league, alice, [create_user(f"player-{number}") for number in range(4)], policy)

    # Without shrinking: a failure is short enough to read, and shrinking takes minutes.
    @settings(
        max_examples=examples,
        phases=[Phase.generate],
        deadline=None,
        database=None,
        suppress_health_check=list(HealthCheck),
        derandomize=True,
    )
    @given(data=st.data(), steps=st.lists(st.sampled_from(STEPS), min_size=12, max_size=30))
    def run(data, steps):
        clock.forward(NOON - clock())
        with contextlib.suppress(Enough), transaction.atomic():
            for name in [*steps, "tick"]:
                with contextlib.suppress(Refused, NotAllowed), transaction.atomic():
                    world.step(data, clock, name)
                world.check()
            raise Enough

    run()
