"""Plans of all rounds of a league, in which every two meet as nearly equally often as the search can find."""

from itertools import combinations

from leagues.formats.lots import lot
from leagues.formats.swap_search import Groups

LOOKS = 1_500_000
"""How many exchanges a search may try, a second or two. Counted, so that the plan never depends on the clock."""


class Plan:
    """Rounds of groups of players 0 to `count` - 1, and how often each two meet in them."""

    def __init__(self, rounds: list[Groups], count: int) -> None:
        self.rounds = [[list(group) for group in groups] for groups in rounds]
        self.met = [[0] * count for _ in range(count)]
        for groups in self.rounds:
            for group in groups:
                for one, other in combinations(group, 2):
                    self.met[one][other] += 1
                    self.met[other][one] += 1

    @property
    def cost(self) -> tuple[int, int]:
        """Sum of squares of meetings, least when they are most even; then of fourth powers, against outliers."""
        times = [self.met[one][other] for one, other in combinations(range(len(self.met)), 2)]
        return sum([each**2 for each in times]), sum([each**4 for each in times])

    @property
    def even(self) -> bool:
        """Whether the numbers of meetings differ by at most one: no plan can be better."""
        times = {self.met[one][other] for one, other in combinations(range(len(self.met)), 2)}
        return max(times) - min(times) <= 1

    def gain(self, here: list[int], mine: int, there: list[int], theirs: int) -> int:
        """How much the cost falls if these two change places."""
        leaver, comer = here[mine], there[theirs]
        out, into = self.met[leaver], self.met[comer]
        # A pair that meets m times saves 2m - 1 by meeting once less and costs 2m + 1 by meeting once more.
        saved = sum([out[who] - into[who] for who in here if who != leaver])
        saved += sum([into[who] - out[who] for who in there if who != comer])
        return 2 * saved - 2 * (len(here) - 1) - 2 * (len(there) - 1)

    def exchange(self, here: list[int], mine: int, there: list[int], theirs: int) -> None:
        leaver, comer = here[mine], there[theirs]
        for who in here:
            if who != leaver:
                self._count(leaver, who, -1)
                self._count(comer, who, 1)
        for who in there:
            if who != comer:
                self._count(comer, who, -1)
                self._count(leaver, who, 1)
        here[mine], there[theirs] = comer, leaver

    def _count(self, one: int, other: int, by: int) -> None:
        self.met[one][other] += by
        self.met[other][one] += by


def evened(rounds: list[Groups], count: int, seed: str) -> list[Groups]:
    """The best plan found by exchanging players inside rounds, with random restarts until the limit is reached."""
    best = Plan(rounds, count)
    if all(len(groups) < 2 for groups in rounds):
        return best.rounds
    looks = _improve(best, LOOKS)
    attempt = 0
    while looks > 0 and not best.even:
        attempt += 1
        trial = Plan(best.rounds, count)
        for kick in range(3):
            chance = lot(seed, "mix", attempt, kick)
            groups = trial.rounds[chance % len(trial.rounds)]
            if len(groups) < 2:
                continue
            one = chance // 101 % len(groups)
            other = (one + 1 + chance // 10_007 % (len(groups) - 1)) % len(groups)
            here, there = groups[one], groups[other]
            trial.exchange(here, chance // 1_000_003 % len(here), there, chance // 100_000_007 % len(there))
        looks = _improve(trial, looks - 1)
        if trial.cost <= best.cost:
            best = trial
    return best.rounds


def _improve(plan: Plan, looks: int) -> int:
    """Make every exchange that helps until none does or `looks` are used up; returns how many are left."""
    helped = True
    while helped and looks > 0:
        helped = False
        for groups in plan.rounds:
            for here, there in combinations(groups, 2):
                for mine in range(len(here)):
                    for theirs in range(len(there)):
                        looks -= 1
                        if plan.gain(here, mine, there, theirs) > 0:
                            plan.exchange(here, mine, there, theirs)
                            helped = True
    return looks
