"""What a closed season was like: champions, places over the rounds, biggest upset, longest streak. Reads only."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

import engine
from leagues.core import format_catalogue
from leagues.formats.order_rules import Grades
from leagues.formats.score_table import Game
from leagues.formats.values import Kind
from leagues.models import Division, Entrant, Movement, Round, Season, Stage, StandingsSnapshot
from leagues.seasons import rollover
from leagues.standings import history, ranking

PODIUM = 3
SHORTEST_STREAK = 2


@dataclass(frozen=True)
class PlaceLine:
    """An entrant's place after each of the rounds; None while not in the event."""

    entrant: Entrant
    places: tuple[int | None, ...]
    final: int


@dataclass(frozen=True)
class PlaceHistory:
    """The places over the rounds of one stage, best at the end first."""

    stage: Stage
    title: str
    rounds: tuple[int, ...]
    lines: tuple[PlaceLine, ...]


@dataclass(frozen=True)
class Upset:
    """Somebody placed ahead of an opponent who was rated so much higher when the season started."""

    winner: Entrant
    loser: Entrant
    gap: int
    stage: Stage
    round: int


@dataclass(frozen=True)
class Streak:
    """The most wins in a row; several may have as many."""

    entrants: tuple[Entrant, ...]
    length: int


@dataclass(frozen=True)
class DivisionSummary:
    division: Division
    movements: tuple[Movement, ...]
    histories: tuple[PlaceHistory, ...]
    upset: Upset | None
    streak: Streak | None

    @property
    def champions(self) -> list[Movement]:
        """Those in the first place: several if they share it."""
        return [each for each in self.movements if each.place == 1]

    @property
    def podium(self) -> list[Movement]:
        return [each for each in self.movements if each.place <= PODIUM]


def summarise(season: Season) -> list[DivisionSummary]:
    """Every division of a closed season; nothing before it is closed."""
    if not season.is_closed:
        return []
    return [_division(season, each) for each in rollover.outcome(season)]


def _division(season: Season, outcome: rollover.Outcome) -> DivisionSummary:
    stages = list(
        Stage.objects.filter(division=outcome.division)
        .exclude(status=Stage.Status.PLANNED)
        .select_related("division__season__league__club")
        .order_by("position")
    )
    entrants = Entrant.objects.named().filter(season=season).in_bulk()
    final = {movement.entrant_id: movement.place for movement in outcome.movements}
    played = [(stage, history.load_score_table(stage).games) for stage in stages]
    together = engine.game(season.league.game).cooperative
    grades = {stage.pk: ranking.grades(stage) for stage in stages} if together else {}
    return DivisionSummary(
        outcome.division,
        tuple(outcome.movements),
        tuple(each for stage in stages for each in _place_history(stage, entrants, final)),
        _upset(played, entrants),
        _streak(played, entrants, grades),
    )


def _place_history(stage: Stage, entrants: Mapping[int, Entrant], final: Mapping[int, int]) -> Iterator[PlaceHistory]:
    """The stored standings of its rounds as lines. A group has standings of its own, and one round has no course."""
    closed = Round.objects.filter(stage=stage, status=Round.Status.CLOSED).order_by("number")
    rounds = list(closed.values_list("number", flat=True))
    stored: dict[int, dict[int, int]] = {}
    for kept in StandingsSnapshot.objects.filter(stage=stage, group=0, number__in=rounds).order_by("version"):
        stored[kept.number] = {row["entrant"]: row["place"] for row in kept.rows}
    rounds = [number for number in rounds if number in stored]
    if len(rounds) < 2:
        return
    listed = sorted({who for places in stored.values() for who in places}, key=lambda who: (final.get(who, 0), who))
    lines = tuple(
        PlaceLine(entrants[who], tuple(stored[number].get(who) for number in rounds), final[who])
        for who in listed
        if who in entrants and who in final
    )
    title = str(format_catalogue.FORMATS[stage.format].title)
    yield PlaceHistory(stage, title, tuple(rounds), lines)


Played = Sequence[tuple[Stage, Mapping[int, Sequence[Game]]]]


def _upset(played: Played, entrants: Mapping[int, Entrant]) -> Upset | None:
    """Of equal gaps the earliest. Whoever has no rating surprises nobody."""
    best: Upset | None = None
    for stage, games in played:
        for who in sorted(games):
            for game in games[who]:
                for other, took in zip(game.others, game.took):
                    one, two = entrants[who].rating, entrants[other].rating
                    if game.kind is not Kind.PLAYED or took < 2 or one is None or two is None or two <= one:
                        continue
                    if best is None or (two - one, -game.round) > (best.gap, -best.round):
                        best = Upset(entrants[who], entrants[other], two - one, stage, game.round)
    return best


def _streak(played: Played, entrants: Mapping[int, Entrant], grades: Mapping[int, Grades]) -> Streak | None:
    """Rounds without a game neither end a streak nor lengthen it; a game lost by not coming ends it.

    Where all play together, `grades` by stage say whether they won.
    """
    longest: dict[int, int] = {}
    running: dict[int, int] = {}
    for stage, games in played:
        for who, own in games.items():
            for game in own:
                if game.kind is Kind.PLAYED:
                    running[who] = running.get(who, 0) + 1 if _won(game, grades.get(stage.pk)) else 0
                elif game.kind is Kind.FL:
                    running[who] = 0
                longest[who] = max(longest.get(who, 0), running.get(who, 0))
    most = max(longest.values(), default=0)
    if most < SHORTEST_STREAK:
        return None
    return Streak(tuple(entrants[who] for who in sorted(longest) if longest[who] == most), most)


def _won(game: Game, grades: Grades | None) -> bool:
    """First at the table. Where all are level nobody has won, unless they play together and their grade says so."""
    if game.table is None:
        return False
    if grades is not None:
        return any(grades.get((game.round, game.table.number), ())[:1])
    ranks = [place.rank for place in game.table.places]
    return ranks[game.seat] == 1 and len(set(ranks)) > 1
