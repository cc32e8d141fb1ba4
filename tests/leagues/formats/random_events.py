"""Random events for the format tests: entrants who come and go, results and corrections."""

import random
from dataclasses import replace

from leagues.formats.values import Entrant, History, Kind, Place, Round, Step, Table, TableState


def cast(count, **fields):
    """Entrants 1 to `count`, seeded in that order."""
    return tuple(Entrant(number, number, **fields) for number in range(1, count + 1))


def finished(table, ranks, scores=None, kinds=None):
    places = tuple(
        Place(rank, scores[index] if scores else None, kinds[index] if kinds else Kind.PLAYED)
        for index, rank in enumerate(ranks)
    )
    return replace(table, state=TableState.CONFIRMED, places=places)


def random_result(table, rng, *, forfeits=0.0, draws=0.15):
    """A result as a club would report it: mostly clear, sometimes tied, now and then somebody did not come."""
    seats = len(table.seats)
    scores = [rng.randrange(5, 25) for _ in range(seats)]
    if rng.random() < draws:
        scores[rng.randrange(seats)] = max(scores)
    if rng.random() < forfeits:
        absent = rng.randrange(seats)
        ranks = [1 if seats == 2 else 1 + sum(other > score for other in scores) for score in scores]
        kinds = [Kind.PLAYED] * seats
        ranks[absent], kinds[absent] = seats, Kind.FL
        if seats == 2:
            kinds[1 - absent] = Kind.FW
        return finished(table, ranks, None, kinds)
    return finished(table, [1 + sum(other > score for other in scores) for score in scores], scores)


def played(drawn, rng, **chances):
    return replace(drawn, tables=tuple(random_result(table, rng, **chances) for table in drawn.tables))


def walk(entrant, rounds, rng):
    """Random valid steps: some enter late, some leave, some return, some ask for byes."""
    steps, here, at = [], True, 1
    if rng.random() < 0.2:
        at = rng.randint(1, rounds)
    steps.append((at, Step.ENTER))
    while rng.random() < 0.3:
        at = rng.randint(at, rounds)
        steps.append((at, Step.LEAVE if here else Step.RETURN))
        here = not here
    requests = tuple(
        (number, rng.choice([Kind.FPB, Kind.HPB, Kind.ZPB])) for number in range(1, rounds + 1) if rng.random() < 0.05
    )
    return replace(entrant, steps=tuple(steps), requests=requests)


def corrected(history, rng):
    """The same event with one old result corrected."""
    places = [(r, t) for r, each in enumerate(history.rounds) for t, table in enumerate(each.tables) if table.counts]
    if not places:
        return history
    r, t = rng.choice(places)
    tables = list(history.rounds[r].tables)
    tables[t] = random_result(replace(tables[t], places=(), state=TableState.REPORTED), rng)
    rounds = list(history.rounds)
    rounds[r] = replace(rounds[r], tables=tuple(tables))
    return replace(history, rounds=tuple(rounds))


def run(draw, count, rounds, seed, *, busy=True, forfeits=0.0, forbidden=frozenset()):
    """Play an event to its end with `draw(history) -> Round`, yielding the history before and the round drawn."""
    rng = random.Random(seed)
    entrants = cast(count)
    if busy:
        entrants = tuple(walk(entrant, rounds, rng) for entrant in entrants)
    history = History(f"event {seed}", entrants, forbidden=forbidden, planned=rounds)
    for _ in range(rounds):
        if len(history.present()) < 2:
            drawn = Round(history.next_round, (), history.absences())
        else:
            drawn = draw(history)
            yield history, drawn
        history = replace(history, rounds=(*history.rounds, played(drawn, rng, forfeits=forfeits)))
        if busy and rng.random() < 0.3:
            history = corrected(history, rng)
    return history


def opened(table: Table) -> Table:
    return replace(table, state=TableState.PLAYING, places=())
