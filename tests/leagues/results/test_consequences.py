"""Every path to a result, and to the end of one, has the same consequences: one table here says which."""

import json
import re
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from celery import Celery
from django.utils import timezone

import leagues
from accounts.models import AuditEntry, Delivery, User
from accounts.webhooks import service as webhooks
from leagues.core import webhook_emit
from leagues.entries import withdrawal
from leagues.models import Entrant, League, Pairing, RatedResult, Result, Season, StandingsSnapshot, Undoable
from leagues.ratings import ledger
from leagues.results import corrections, from_matches, reporting
from leagues.results.rating_sync import batch_of, source_of
from leagues.rounds import closing, draw
from leagues.seasons import undo
from leagues.windows import deadlines
from tests.factories import create_user, draft_season, enter, finished_match, next_round, stage_of
from tests.leagues.import_export.test_results_import import EVENING, imported

WON = [{"rank": 1}, {"rank": 2}]
LOST = [{"rank": 2}, {"rank": 1}]
ONLINE: dict[str, Any] = {"where": "online", "clock": "days", "days": 1, "members_only": False}
WITH_DEADLINE: dict[str, Any] = {
    "where": "online",
    "clock": "live",
    "bank": 600,
    "members_only": False,
    "window_days": 8,
    "on_unplayed": "forfeit",
}

Act = Callable[[], object]


class World:
    """A season of a rated league with people at its tables, and those who act in it."""

    def __init__(self, league: League, alice: User, bob: User) -> None:
        self.league, self.alice, self.bob = league, alice, bob
        self.dana = create_user("dana")
        self.season: Season

    def play(self, people: int = 2, **terms: Any) -> Pairing:
        """The first table of a published round; Dana and Bob sit at it when they are the only two."""
        self.season = draft_season(self.league, self.alice, "swiss", planned=2, **terms)
        others = [create_user(f"player{number}") for number in range(people - 2)]
        for each in (self.dana, self.bob, *others):
            enter(self.season.divisions.get(), self.alice, each)
        self.season = draw.start(actor=self.alice, season=self.season)
        return next_round(self.alice, stage_of(self.season)).pairings.order_by("number")[0]

    def enter(self, pairing: Pairing) -> Result:
        return reporting.enter_result(actor=self.alice, pairing=pairing, places=WON)

    def closed(self) -> Pairing:
        """A table with a result in a round that is closed."""
        pairing = self.play()
        self.enter(pairing)
        closing.close_round(actor=self.alice, round=pairing.round)
        return Pairing.objects.get(pk=pairing.pk)

    def correct(self, pairing: Pairing, places: list[dict[str, int]] | None) -> Result:
        seen = corrections.preview(actor=self.alice, pairing=pairing, places=places)
        return corrections.correct(actor=self.alice, pairing=pairing, places=places, why="misread", seen=seen.seal)

    def undo_last(self) -> None:
        undo.undo(actor=self.alice, undoable=undo.recent(season=self.season)[0].undoable)


def report_that_waits(world: World) -> Act:
    pairing = world.play()
    return lambda: reporting.report(person=world.bob, pairing=pairing, places=WON)


def report_that_counts(world: World) -> Act:
    pairing = world.play(confirmation="none")
    return lambda: reporting.report(person=world.bob, pairing=pairing, places=WON)


def dispute(world: World) -> Act:
    result = reporting.report(person=world.bob, pairing=world.play(), places=WON)
    return lambda: reporting.answer(person=world.dana, result=result, agrees=False)


def confirm(world: World) -> Act:
    result = reporting.report(person=world.bob, pairing=world.play(), places=WON)
    return lambda: reporting.answer(person=world.dana, result=result, agrees=True)


def settle(world: World) -> Act:
    pairing = world.play()
    return lambda: world.enter(pairing)


def enter_a_round(world: World) -> Act:
    rows = dict.fromkeys(world.play(people=4).round.pairings.all(), WON)
    assert len(rows) == 2
    return lambda: reporting.enter_round_results(actor=world.alice, rows=rows)


def forfeit(world: World) -> Act:
    pairing = world.play()
    absent = pairing.seats.get(entrant__user=world.bob).entrant_id
    return lambda: reporting.forfeit(actor=world.alice, pairing=pairing, absent=[absent])


def void(world: World) -> Act:
    pairing = world.play()
    world.enter(pairing)
    return lambda: reporting.void(actor=world.alice, pairing=pairing, why="the wrong game")


def arrive(world: World) -> Act:
    match = world.play(**ONLINE).match
    assert match is not None
    ended = finished_match(match)
    return lambda: from_matches.take_in_match(match_id=ended.pk)


def arrive_late(world: World) -> Act:
    pairing = world.play(**ONLINE)
    assert pairing.match is not None
    match = finished_match(pairing.match)
    reporting.forfeit(
        actor=world.alice, pairing=pairing, absent=[pairing.seats.get(entrant__user=world.bob).entrant_id]
    )
    return lambda: reporting.accept_match_result(match)


def correct(world: World) -> Act:
    pairing = world.closed()
    return lambda: world.correct(pairing, LOST)


def strike(world: World) -> Act:
    pairing = world.closed()
    return lambda: world.correct(pairing, None)


def undo_result(world: World) -> Act:
    world.enter(world.play())
    return world.undo_last


def undo_correction(world: World) -> Act:
    world.correct(world.closed(), LOST)
    return world.undo_last


def deadline(world: World) -> Act:
    pairing = world.play(**WITH_DEADLINE)
    return lambda: deadlines.close(pairing.pk, now=timezone.now() + timedelta(days=9))


def undo_deadline(world: World) -> Act:
    deadline(world)()
    return world.undo_last


def withdraw(world: World) -> Act:
    world.play()
    return lambda: withdrawal.withdraw(actor=world.alice, entrant=Entrant.objects.get(user=world.bob))


def come_back(world: World) -> Act:
    withdraw(world)()
    return lambda: withdrawal.return_to_season(actor=world.alice, entrant=Entrant.objects.get(user=world.bob))


def import_rounds(world: World) -> Act:
    """Into a season that runs with everybody in it, so that nothing else refreshes its pages."""
    season = draft_season(world.league, world.alice, "swiss")
    for name in ("Ada", "Bea", "Cid", "Dan", "Eve"):
        enter(season.divisions.get(), world.alice, create_user(name.lower(), display_name=name))
    world.season = draw.start(actor=world.alice, season=season)
    return lambda: imported(world.alice, world.season, EVENING)


@dataclass(frozen=True)
class Expected:
    """What follows. `rating`: True it counts, False it was taken out, None the ratings never knew the table."""

    log: str
    counts: bool = True
    rating: bool | None = True
    changed: bool = True
    snapshots: bool = False
    undo: str = ""
    # Pages and odds are asked for once for each line of the log, however much happens.
    lines: int = 1


PATHS: list[tuple[Callable[[World], Act], Expected]] = [
    (report_that_waits, Expected("leagues.reported", counts=False, rating=None, changed=False)),
    # It counts in the standings; ratings wait for somebody else to confirm it.
    (report_that_counts, Expected("leagues.reported", rating=None)),
    (dispute, Expected("leagues.disputed", counts=False, rating=None, changed=False)),
    (confirm, Expected("leagues.agreed")),
    (settle, Expected("leagues.settled", undo="result")),
    (enter_a_round, Expected("leagues.settled", undo="result", lines=2)),
    (forfeit, Expected("leagues.forfeited", rating=None, undo="result")),
    (void, Expected("leagues.voided", counts=False, rating=False)),
    (arrive, Expected("leagues.arrived")),
    (arrive_late, Expected("leagues.arrived", rating=None, changed=False)),
    (correct, Expected("leagues.corrected", snapshots=True, undo="correction")),
    (strike, Expected("leagues.struck", counts=False, rating=False, snapshots=True, undo="correction")),
    (undo_result, Expected("leagues.undone", counts=False, rating=False)),
    (undo_correction, Expected("leagues.undone", snapshots=True)),
    (deadline, Expected("leagues.deadline-decided", rating=None, undo="deadline")),
    (undo_deadline, Expected("leagues.undone", counts=False, rating=None)),
    (withdraw, Expected("leagues.withdrawn", rating=None, undo="withdrawal")),
    (come_back, Expected("leagues.returned", counts=False, rating=None)),
    (import_rounds, Expected("leagues.imported-results", snapshots=True)),
]


@dataclass
class Outside:
    """What left this program: frames for open pages, and tasks for workers."""

    frames: list[str] = field(default_factory=list)
    tasks: list[tuple[str, int]] = field(default_factory=list)

    def forget(self) -> None:
        self.frames.clear()
        self.tasks.clear()


@pytest.fixture
def outside(monkeypatch) -> Outside:
    seen = Outside()

    def send(messages):
        for message in messages.values():
            seen.frames += [group for group, text in message["frames"] if json.loads(text)["event"] == "season"]

    def send_task(self, name, args=(), **how):
        seen.tasks.append((name, args[0]))

    monkeypatch.setattr("accounts.infra.realtime.publish._send", send)
    monkeypatch.setattr(Celery, "send_task", send_task)
    return seen


@pytest.fixture
def world(league, alice, bob, club) -> World:
    webhooks.create_webhook(
        actor=alice,
        club=club,
        name="News",
        url="https://news.example/",
        shape="json",
        events=[webhook_emit.STANDINGS_CHANGED],
    )
    return World(league, alice, bob)


@pytest.mark.parametrize(("path", "expected"), PATHS, ids=[path.__name__ for path, _expected in PATHS])
def test_what_follows_from_it(path, expected, world, outside, django_capture_on_commit_callbacks):
    with django_capture_on_commit_callbacks(execute=True):
        act = path(world)
    Delivery.objects.all().delete()
    outside.forget()
    kept, logged = StandingsSnapshot.objects.count(), AuditEntry.objects.count()
    rated = RatedResult.objects.count()
    with django_capture_on_commit_callbacks(execute=True):
        act()

    tables = list(Pairing.objects.select_related("match"))
    assert tables
    for table in tables:
        assert Result.objects.filter(pairing=table, in_force=True).count() == expected.counts
        known = ledger.newest(source_of(table))
        assert (known.counts if known else None) is expected.rating
        if known:
            assert known.batch == batch_of(table.round_id), "a round is rated as one"
    stages = {stage_of(world.season).pk} if expected.changed else set()
    assert set(Delivery.objects.values_list("subject", flat=True)) == stages
    assert Delivery.objects.count() == len(stages)
    assert (StandingsSnapshot.objects.count() > kept) is expected.snapshots

    entry = AuditEntry.objects.latest("pk")
    assert entry.action == expected.log
    assert "".join(Undoable.objects.filter(entry=entry).values_list("kind", flat=True)) == expected.undo
    assert AuditEntry.objects.count() - logged == expected.lines
    assert outside.frames == [f"season.{world.season.pk}"] * expected.lines
    odds = [season for name, season in outside.tasks if name == "leagues.tasks.odds"]
    assert odds == [world.season.pk] * expected.lines
    settled = [name for name, _pool in outside.tasks if name == "leagues.tasks.settle"]
    assert bool(settled) is (RatedResult.objects.count() > rated)


def test_every_writer_of_a_result_is_one_of_these_paths():
    """A row of a result is made in `recording` and nowhere else, but where a whole league is copied from an archive."""
    root = Path(leagues.__file__).parent
    made = re.compile(r"\bResult\.objects\.(create|bulk_create|get_or_create|update_or_create)\b")
    writers = {str(file.relative_to(root)) for file in root.rglob("*.py") if made.search(file.read_text())}
    assert writers == {"results/recording.py"}
    causes = re.compile(r"\b(sync_rating|record_past|refresh_snapshots_from)\(")
    users = {str(file.relative_to(root)) for file in root.rglob("*.py") if causes.search(file.read_text())}
    assert users == {"results/recording.py", "results/rating_sync.py", "standings/snapshots.py"}
