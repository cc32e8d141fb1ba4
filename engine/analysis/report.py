"""The report of a finished match: what each turn gave away, what was luck, and how the chances went.

It is a function of the record, the version of the judge, the seed and the budget. Chances and losses are parts of 1.
"""

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from functools import cache
from itertools import pairwise
from math import sqrt
from typing import Any

from engine.analysis.futures import Future
from engine.analysis.judge import LEAVE, Table
from engine.analysis.judges import METHODS, STANDARD, VERSION, Budget, Method, budget_here
from engine.analysis.luck import Chances, chances_of, play_after
from engine.analysis.steps import NotAnalysed, Step, finished_match, opening, standing_moves, steps
from engine.bots.protocol import Situation
from engine.kernel import Match, Scoring
from engine.rng import stream

FINE = "fine"
KINDS = ((0.20, "blunder"), (0.10, "mistake"), (0.05, "inaccuracy"))
"""The class of a turn by what it gave away at least: the loss less one standard error."""

NEAR = 1.5
"""A turn whose loss is within so many standard errors of a threshold is judged with more worlds."""

SMALL_PART = 1.0
"""Of a turn's choices, those whose error is a smaller part of its error than this times the average get no more."""

CONTESTED = 0.01
"""A choice counts for the accuracy if the best answer is better than a random one by this much."""

ENOUGH_CHOICES = 20
"""With fewer contested choices there is no accuracy: it would be mostly noise."""

A_TURNING_POINT = 0.10
MOST_TURNING_POINTS = 3
HOPELESS = 0.005
"""Below this chance at the start, the table cannot be won and there is nothing to judge."""

LEFT = "leave"
"""In place of a move: a seat that may act out of turn does not."""

Progress = Callable[[int, int], None]


@dataclass
class Choice:
    """One judged answer."""

    step: Step
    table: Table
    played: int
    notations: list[str]

    @property
    def loss(self) -> float:
        return float(self.table.loss(self.played))

    @property
    def error(self) -> float:
        return float(self.table.error(self.played))

    @property
    def better(self) -> str:
        """The best answer, where it is another than the one played."""
        best = int(self.table.best())
        return "" if best == self.played else self.notations[best]


@dataclass
class Turn:
    """What one seat answered in one turn, its own or another's."""

    number: int
    seat: int
    choices: list[Choice] = field(default_factory=list)

    @property
    def loss(self) -> float:
        return sum(choice.loss for choice in self.choices)

    @property
    def error(self) -> float:
        return sqrt(sum(choice.error**2 for choice in self.choices))

    @property
    def kind(self) -> str:
        return kind_of(self.loss - self.error)

    @property
    def is_near_a_threshold(self) -> bool:
        return any(abs(self.loss - self.error - least) < NEAR * self.error for least, _ in KINDS)

    def judge_further(self, budget: Budget) -> None:
        """Twice as many worlds again and again, while the turn is near a threshold."""
        worlds = budget.worlds
        while worlds < budget.most_worlds and self.is_near_a_threshold:
            worlds = min(2 * worlds, budget.most_worlds)
            least = SMALL_PART * self.error**2 / len(self.choices)
            for choice in self.choices:
                if choice.error**2 >= least:
                    choice.table.run(worlds)


@dataclass
class Point:
    """The chances of each side after a ply, and which part of the last change was luck."""

    ply: int
    chances: list[float]
    variances: list[float]
    luck: list[float]
    luck_variances: list[float]
    revealed: bool


def kind_of(loss: float) -> str:
    return next((kind for least, kind in KINDS if loss >= least), FINE)


def sides_of(match: Match) -> list[list[int]]:
    """The seats that win and lose together."""
    seats = list(range(match.players))
    if match.game.scoring == Scoring.TEAM:
        return [seats]
    if match.game.scoring == Scoring.SIDES:
        roles = match.game.roles(match.players)
        return [[seat for seat in seats if roles[seat] == role] for role in dict.fromkeys(roles)]
    return [[seat] for seat in seats]


def analyse(
    document: dict[str, Any],
    *,
    seed: str = "1",
    budget: tuple[str, Budget] | None = None,
    ended: bool = False,
    progress: Progress | None = None,
) -> dict[str, Any]:
    """The report of a record, JSON-able. `NotAnalysed` and `TranscriptError` say why there is none.

    `ended`: the match ended by resignation or on time, so its record may stop before the rules end it.
    """
    match = finished_match(document, ended=ended)
    method = method_of(match)
    name, spent = budget or budget_here(method)
    sides = sides_of(match)
    total = len(standing_moves(match))
    curve = Curve(match, method, spent.playouts, [side[0] for side in sides], seed)
    turns: dict[tuple[int, int], Turn] = {}
    believed: list[list[list[float]]] = [[] for _ in range(match.players)]
    for done, (live, step) in enumerate(steps(match), start=1):
        curve.add(step)
        choice = judged(live, step, method, spent, seed)
        if choice is not None:
            turns.setdefault((step.turn, step.seat), Turn(step.turn, step.seat)).choices.append(choice)
        if not step.forced and not step.aside:
            chance = believed_chance(live, step, choice, method, spent, seed)
            believed[step.seat].append([step.ply, round(chance, 4)])
        if progress is not None:
            progress(done, total)
    for turn in turns.values():
        turn.judge_further(spent)
    curve.finish()
    ranks = method.ranks_players and name == STANDARD
    return {
        "version": VERSION,
        "seed": seed,
        "budget": name,
        "game": match.game.name,
        "players": match.players,
        "judged": method.worlds_of is not None,
        "sides": [side_summary(side, place, turns.values(), curve, ranks) for place, side in enumerate(sides)],
        "seats": [seat_summary(seat, turns.values(), ranks, believed[seat]) for seat in range(match.players)],
        "turns": [turn_summary(turn) for turn in turns.values()],
        "curve": [
            {"ply": point.ply, "chances": rounded(point.chances), "luck": rounded(point.luck)} for point in curve.points
        ],
        "turning_points": turning_points(curve.points),
    }


def method_of(match: Match) -> Method:
    game = match.game
    method = METHODS.get(game.name)
    if method is None:
        raise NotAnalysed("game", f"{game.title} has no analysis")
    if game.card_option and match.options[game.card_option] is not None:
        raise NotAnalysed("cards", "the match was played with cards of its own: the chances are known for the site's")
    return method


@cache
def shared(make: Callable[[], Future]) -> Future:
    """One for all choices: it remembers odds that it has worked out."""
    return make()


def judged(live: Match, step: Step, method: Method, budget: Budget, seed: str) -> Choice | None:
    """The answer against all others, by what the seat could know; None where there was no choice or is no judge."""
    if method.worlds_of is None or method.judged_future is None or step.forced:
        return None
    seen = Situation(live, step.seat)
    actions = [*seen.legal, LEAVE] if step.aside else list(seen.legal)
    notations = [live.notation(action, step.seat) if action != LEAVE else LEFT for action in actions]
    rng = stream(f"{seed} {step.ply} {step.seat}", "judge")
    table = Table(method.worlds_of(seen), shared(method.judged_future), rng, actions)
    table.run(budget.worlds)
    return Choice(step, table, actions.index(step.action), notations)


def believed_chance(live: Match, step: Step, choice: Choice | None, method: Method, budget: Budget, seed: str) -> float:
    """The chance of a seat after its answer, by what it could know."""
    if choice is not None:
        return float(choice.table.mean(choice.played))
    rng = stream(f"{seed} {step.ply} {step.seat}", "believed")
    sampler, future, chances = Situation(live, step.seat).sampler, shared(method.future), Chances([step.seat])
    for _ in range(budget.playouts):
        world = sampler.draw(rng)
        world.apply(step.action)
        future.play(world, rng)
        chances.add(world, future)
    return float(chances.mean(0))


class Curve:
    """The chances of every side from the deal on, with the luck of each event.

    A point is measured when the next answer is known: playouts that happen to begin with it serve twice.
    """

    def __init__(self, match: Match, method: Method, playouts: int, seats: list[int], seed: str) -> None:
        self.future = shared(method.future)
        self.playouts = playouts
        self.seats = seats
        # Other playouts in every match: with the same ones their error would be the same, and not average out. Not so
        # for the judge: the seed of the match is not known to the seat.
        self.seed = f"{seed} {match.seed}"
        self.points: list[Point] = []
        # Twice the covariance of what two points share, for the error of their sum.
        self.shared = [0.0 for _ in seats]
        first = opening(match)
        self.ply, self.state = first.ply, first.state
        self.over_deals = Chances(seats)
        self.expected: Chances | None = None
        if first.ply:
            return  # played on from a position of another match: nobody of this one was dealt anything
        for number in range(playouts):
            deal = match.game.deal(match.players, f"{self.seed} deal {number}", match.options)
            self.future.play(deal, stream(f"{self.seed} deal {number}", "playout"))
            self.over_deals.add(deal, self.future)
        self.expected = self.over_deals
        if max(self.over_deals.mean(place) for place in range(len(seats))) < HOPELESS:
            raise NotAnalysed("hopeless", "this table cannot be won by club players: no move makes a difference")

    def add(self, step: Step) -> None:
        """The point before an answer, and what was to be expected after it."""
        answered = self.add_point(-1 if step.aside else step.action)
        after = step.before.clone()
        if step.aside:
            after.apply_aside(step.seat, step.action)
        else:
            after.apply(step.action)
        self.ply, self.state = step.ply, after
        if after.luck == step.before.luck:
            # Nothing was drawn: the chances change only as far as the answer was not the expected one.
            self.expected = None
            return
        if self.points[-1].revealed:
            part = int(answered.count) / self.playouts
            for place in range(len(self.seats)):
                self.shared[place] += 2 * part**2 * float(answered.variance(place)) if part else 0.0
        rng = stream(f"{self.seed} {step.ply}", "luck")
        play_after(answered, step.before, step.seat, step.action, self.future, rng, self.playouts)
        self.expected = answered

    def finish(self) -> None:
        """The point after the last answer."""
        self.add_point(-1)

    def add_point(self, answer: int) -> Chances:
        """Measure the present point; returns the playouts that began with the answer to it."""
        answered = Chances(self.seats)
        rng = stream(f"{self.seed} {self.ply}", "curve")
        playouts = 1 if self.state.over else self.playouts
        here = chances_of(self.state, self.future, rng, playouts, self.seats, answer, answered)
        if not self.over_deals.count:
            self.over_deals = here
        self.points.append(self.point(here))
        return answered

    def point(self, here: Chances) -> Point:
        """`expected` are the chances with other luck; None where nothing was drawn or revealed."""
        places, expected = range(len(self.seats)), self.expected
        chances, variances = [here.mean(place) for place in places], [here.variance(place) for place in places]
        luck = [chances[place] - expected.mean(place) if expected else 0.0 for place in places]
        spread = [variances[place] + expected.variance(place) if expected else 0.0 for place in places]
        return Point(self.ply, chances, variances, luck, spread, expected is not None)


def turning_points(points: list[Point]) -> list[dict[str, Any]]:
    """The largest changes of the curve, in the order of the match, and whether luck or a choice made them."""
    found = []
    for before, after in pairwise(points):
        changes = [now - then for then, now in zip(before.chances, after.chances, strict=True)]
        place = max(range(len(changes)), key=lambda side: abs(changes[side]))
        error = sqrt(before.variances[place] + after.variances[place])
        if abs(changes[place]) - error >= A_TURNING_POINT:
            chosen = changes[place] - after.luck[place]
            by_luck = after.revealed and abs(after.luck[place]) >= abs(chosen)
            found.append((abs(changes[place]), after.ply, place, changes[place], "luck" if by_luck else "choice"))
    largest = sorted(sorted(found, reverse=True)[:MOST_TURNING_POINTS], key=lambda each: each[1])
    return [{"ply": ply, "side": place, "change": round(change, 4), "by": by} for _, ply, place, change, by in largest]


def turn_summary(turn: Turn) -> dict[str, Any]:
    worst = max(turn.choices, key=lambda choice: choice.loss)
    return {
        "turn": turn.number,
        "seat": turn.seat,
        "ply": turn.choices[0].step.ply,
        "loss": round(turn.loss, 4),
        "error": round(turn.error, 4),
        "kind": turn.kind,
        "worst": {
            "ply": worst.step.ply,
            "played": worst.step.move,
            "better": worst.better,
            "loss": round(worst.loss, 4),
            "chance": round(float(worst.table.mean(worst.played)), 4),
            "worlds": int(worst.table.worlds),
            "answers": [] if turn.kind == FINE else answers_of(worst),
        },
    }


def answers_of(choice: Choice) -> list[dict[str, Any]]:
    """What each answer to a choice was worth, for those who try it again."""
    return [
        {
            "move": notation,
            "chance": round(float(choice.table.mean(place)), 4),
            "loss": round(float(choice.table.loss(place)), 4),
            "kind": kind_of(float(choice.table.loss(place) - choice.table.error(place))),
        }
        for place, notation in enumerate(choice.notations)
    ]


def accuracy_of(lost: float, stake: float, contested: int) -> int | None:
    """100 for always the best answer, 0 for drawing lots or worse; None for too few contested choices."""
    if contested < ENOUGH_CHOICES:
        return None
    return min(100, max(0, round(100 * (1 - lost / stake))))


def given_away(choices: Iterable[Choice], *, ranks: bool) -> dict[str, Any]:
    """What choices gave away, and the accuracy if the judge ranks players and there are enough contested ones.

    `stake` and `contested_loss` are sums over the contested choices, so that matches can be taken together.
    """
    choices = list(choices)
    contested = [choice for choice in choices if choice.table.stake() >= CONTESTED]
    lost = max(0.0, sum(choice.loss for choice in choices))
    stake = sum(float(choice.table.stake()) for choice in contested)
    contested_loss = sum(choice.loss for choice in contested)
    return {
        "given_away": round(lost, 4),
        "given_away_error": round(sqrt(sum(choice.error**2 for choice in choices)), 4),
        "choices": len(choices),
        "contested": len(contested),
        "contested_loss": round(contested_loss, 4),
        "stake": round(stake, 4),
        "accuracy": accuracy_of(contested_loss, stake, len(contested)) if ranks else None,
    }


def seat_summary(seat: int, turns: Iterable[Turn], ranks: bool, believed: list[list[float]]) -> dict[str, Any]:
    own = [choice for turn in turns if turn.seat == seat for choice in turn.choices]
    return {"seat": seat, **given_away(own, ranks=ranks), "believed": believed}


def side_summary(side: list[int], place: int, turns: Iterable[Turn], curve: Curve, ranks: bool) -> dict[str, Any]:
    own = [choice for turn in turns if turn.seat in side for choice in turn.choices]
    luck = sum(point.luck[place] for point in curve.points)
    error = sqrt(max(0.0, sum(point.luck_variances[place] for point in curve.points) - curve.shared[place]))
    return {
        "seats": side,
        "start": round(float(curve.over_deals.mean(place)), 4),
        "luck": round(luck, 4),
        "luck_error": round(error, 4),
        **given_away(own, ranks=ranks),
    }


def rounded(values: list[float]) -> list[float]:
    return [round(value, 4) for value in values]
