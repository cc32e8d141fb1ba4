"""The formats as an organiser chooses them: what each is for, its settings, and how its rounds are drawn."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any

from django.utils.functional import Promise
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

import engine
from accounts.infra.errors import Refused
from engine import Scoring
from engine.errors import brief
from games.titles import game_title
from leagues.formats import adapters, game_series
from leagues.formats.adapters import DrawInput, DrawResult
from leagues.formats.score_table import ScoreTable
from leagues.formats.standings import Row
from leagues.formats.values import Ranking, Round
from leagues.models import Stage

Words = str | Promise


@dataclass(frozen=True)
class Setting:
    """One setting of a format: a number from `least` to `most`, or one of `values` alone, or a yes/no choice if all
    are missing."""

    name: str
    title: Words
    default: int | bool
    least: int = 0
    most: int = 0
    values: tuple[int, ...] = ()

    @property
    def is_choice(self) -> bool:
        return isinstance(self.default, bool)


@dataclass(frozen=True)
class Format:
    """All that the site has to know about a format: registering one is enough to use it.

    `draw` makes the next round; `plan` makes all rounds at once, if the format can. `ranking` says how the order is
    computed; with `Ranking.OWN` the function `order` computes it from the score table. `tie_breaks` names the
    list of tie-breaks that a season starts with. `problem` finds settings that contradict each other.

    The setting `seats` is the size of tables and `least` that of the smallest; without them two play at a table.
    """

    code: str
    title: Words
    words: Words
    draw: Callable[[DrawInput], DrawResult]
    fits: Callable[[engine.Game], bool]
    settings: tuple[Setting, ...] = ()
    plan: Callable[[DrawInput], Sequence[Round]] | None = None
    ranking: Ranking = Ranking.STANDINGS
    order: Callable[[ScoreTable], tuple[Row, ...]] | None = None
    tie_breaks: str = "swiss"
    problem: Callable[[Mapping[str, Any]], str] | None = None
    round_robin: bool = False
    """Everybody meets everybody, so a free round gives no points."""
    late_entry: bool = False
    """Players may still enter after a round is drawn."""
    requested_byes: bool = False
    """Players may ask to miss a round."""
    exchanges: bool = False
    """An organiser may exchange players by hand before a round is published."""
    knock_out: bool = False
    """The loser of a match is out, so a level match is played again."""
    rounds: bool = True
    """Games are drawn in rounds; without rounds players start them themselves."""
    teams: bool = False
    """Entrants are teams."""
    grouped: bool = False
    """Entrants are divided into groups, each with its own standings."""
    last_only: bool = False
    """No other stage can follow."""
    void_needs_replay: bool = False
    """A voided table has to be played again before the round can be closed."""

    def __post_init__(self) -> None:
        if (self.ranking is Ranking.OWN) != (self.order is not None):
            raise ValueError(f"{self.code}: an order of its own and Ranking.OWN go together")

    @property
    def has_series(self) -> bool:
        """Whether two may meet for several games instead of one."""
        return any(setting.name == game_series.BEST_OF for setting in self.settings)

    @property
    def scores(self) -> bool:
        """Whether the order comes from points. A knock-out, heats and a ladder only have places."""
        return self.ranking in (Ranking.STANDINGS, Ranking.MARKS, Ranking.ARENA, Ranking.OWN)

    @property
    def counts_best_rounds(self) -> bool:
        """Whether a season may count only the best rounds: not where groups of different sizes are compared."""
        return self.ranking in (Ranking.STANDINGS, Ranking.MARKS, Ranking.OWN) and not self.grouped

    @property
    def counts_points_by_round(self) -> bool:
        """Whether the score is the sum of what rounds pay; marks and arena points come from elsewhere."""
        return self.ranking in (Ranking.STANDINGS, Ranking.OWN)

    @property
    def has_crosstable(self) -> bool:
        return self.scores

    @property
    def explains_tie_breaks(self) -> bool:
        """Whether tie-breaks decide its order, so that each of their values can be explained."""
        return self.ranking is Ranking.STANDINGS

    @property
    def has_bracket(self) -> bool:
        return self.ranking is Ranking.BRACKET

    @property
    def is_ladder(self) -> bool:
        return self.ranking is Ranking.LADDER

    @property
    def is_arena(self) -> bool:
        return self.ranking is Ranking.ARENA

    @property
    def lot_decides_cut(self) -> bool:
        """Whether a lot decides between those who share the last place that goes on: this ranking has no tie-breaks."""
        return self.ranking in (Ranking.MARKS, Ranking.OWN)

    @property
    def takes_imported_results(self) -> bool:
        """Whether past results of single players can become its rounds."""
        by_points = self.ranking in (Ranking.STANDINGS, Ranking.MARKS, Ranking.OWN)
        return by_points and not self.teams and not self.grouped

    @property
    def has_chosen_length(self) -> bool:
        """Whether organisers choose the number of rounds; in plans and knock-outs it follows from the entrants."""
        return self.rounds and not self.is_planned and not self.knock_out

    @property
    def is_planned(self) -> bool:
        """Whether all pairings follow from the list of starters alone."""
        return self.plan is not None or self.grouped


def one_against_many(game: engine.Game) -> bool:
    return game.scoring is Scoring.SIDES


def rivals(game: engine.Game) -> bool:
    return not game.cooperative


def duels(game: engine.Game) -> bool:
    return not game.cooperative and 2 in game.players


def free_for_all(game: engine.Game) -> bool:
    return game.scoring is Scoring.ORDER and game.players[-1] > 2


def together(game: engine.Game) -> bool:
    return game.cooperative


def _nobody_out(settings: Mapping[str, Any]) -> str:
    if settings["advance"] >= settings["seats"] - 1:
        return gettext("Somebody has to be out after each table: let fewer go on.")
    return ""


def _series_of_many(settings: Mapping[str, Any]) -> str:
    if game_series.best_of(settings) > 1 and settings["seats"] > 2:
        return gettext("A series of several games is for two at a table: choose tables of two, or single games.")
    return ""


BEST_OF = Setting(game_series.BEST_OF, _("best of how many games"), 1, 1, 5, game_series.LENGTHS)
SEATS = Setting("seats", _("players at a table"), 4, 2, 6)
LEAST = Setting("least", _("players at the smallest table"), 3, 2, 6)
SAME_DEAL = Setting("same_deal", _("all tables of a round play the same deal"), True)

_formats: dict[str, Format] = {}
FORMATS: Mapping[str, Format] = MappingProxyType(_formats)
"""Every format by its code, including those registered by extensions."""


def register(*formats: Format) -> None:
    """Add formats of this module or of an extension."""
    for each in formats:
        if _formats.setdefault(each.code, each) is not each:
            raise ValueError(f"there is a format {each.code} already")


def format_of(stage: Stage) -> Format:
    return _formats[stage.format]


register(
    Format(
        "swiss",
        _("Swiss"),
        _("Two at a table. Equal scores meet, nobody meets twice, nobody is out."),
        adapters.swiss_round,
        duels,
        (BEST_OF,),
        late_entry=True,
        requested_byes=True,
        exchanges=True,
    ),
    Format(
        "table-swiss",
        _("Table Swiss"),
        _("Tables of three or more. Neighbours in the standings meet, with new opponents and seats in turn."),
        adapters.table_swiss_round,
        free_for_all,
        (SEATS, LEAST),
        tie_breaks="table-swiss",
        late_entry=True,
        requested_byes=True,
        exchanges=True,
    ),
    Format(
        "one-vs-many",
        _("One against many, in turn"),
        _("Everybody plays alone equally often; tables are filled by score, with new opponents."),
        adapters.one_vs_many_round,
        one_against_many,
        (SEATS, LEAST),
        tie_breaks="one-against-many",
        late_entry=True,
        requested_byes=True,
        exchanges=True,
    ),
    Format(
        "round-robin",
        _("Round robin"),
        _("Two at a table. Everybody meets everybody: the fairest there is, for up to a dozen."),
        adapters.round_robin_round,
        duels,
        (Setting("double", _("everybody meets twice"), False), BEST_OF),
        plan=adapters.round_robin_plan,
        tie_breaks="round-robin",
        round_robin=True,
    ),
    Format(
        "blocks",
        _("Balanced league"),
        _("Tables of three or four. Everybody meets everybody equally often: best for 7, 9, 13 or 16."),
        adapters.block_round,
        free_for_all,
        (
            Setting("seats", _("players at a table"), 4, 3, 4),
            Setting("games", _("games for everybody (0: until all have met)"), 0, 0, 40),
        ),
        plan=adapters.block_plan,
        tie_breaks="season",
    ),
    Format(
        "pod",
        _("Pod"),
        _("One small group, as many games as people: everybody plays alone once."),
        adapters.pod_round,
        one_against_many,
        plan=adapters.pod_plan,
        tie_breaks="one-against-many",
    ),
    Format(
        "duplicate",
        _("Duplicate"),
        _("All tables play the same deal and seats rotate: you are compared with those in your seat."),
        adapters.duplicate_round,
        rivals,
        (SEATS,),
        ranking=Ranking.MARKS,
        late_entry=True,
        requested_byes=True,
        exchanges=True,
    ),
    Format(
        "teams",
        _("Fixed teams"),
        _("Teams that stay together, each at a table of its own, all facing the same deal."),
        adapters.fixed_teams_round,
        together,
        (SAME_DEAL,),
        ranking=Ranking.MARKS,
        late_entry=True,
        requested_byes=True,
        teams=True,
    ),
    Format(
        "rotating-teams",
        _("Rotating teams"),
        _("New team-mates every round; everybody is ranked by what their teams achieved."),
        adapters.rotating_teams_round,
        together,
        (SEATS, LEAST, SAME_DEAL),
        ranking=Ranking.MARKS,
        late_entry=True,
        requested_byes=True,
        exchanges=True,
    ),
    Format(
        "single-elimination",
        _("Knock-out"),
        _("Two at a table. The loser of a match is out; decided in a few rounds."),
        adapters.knock_out_round,
        duels,
        (Setting("third", _("match for third place"), True), BEST_OF),
        ranking=Ranking.BRACKET,
        knock_out=True,
    ),
    Format(
        "double-elimination",
        _("Double knock-out"),
        _("Two at a table. A player who loses twice is out."),
        adapters.knock_out_round,
        duels,
        (Setting("reset", _("one more final if the unbeaten side loses it"), True), BEST_OF),
        ranking=Ranking.BRACKET,
        knock_out=True,
    ),
    Format(
        "heats",
        _("Heats"),
        _("Knock-out at larger tables: the best of each go on, down to one final table."),
        adapters.heat_round,
        free_for_all,
        (
            Setting("seats", _("players at a table"), 4, 3, 6),
            Setting("advance", _("go on from each table"), 2, 1, 3),
            Setting("fill", _("wild cards fill the next tables"), True),
        ),
        ranking=Ranking.HEATS,
        knock_out=True,
        void_needs_replay=True,
        problem=_nobody_out,
    ),
    Format(
        "groups",
        _("Groups"),
        _("Small groups in which everybody meets everybody; the best of each go on to the next stage."),
        adapters.group_round,
        duels,
        (
            Setting("groups", _("groups"), 2, 1, 32),
            Setting("advance", _("go on from each group"), 2, 1, 8),
            Setting("seats", _("players at a table"), 2, 2, 4),
            Setting("double", _("everybody meets twice"), False),
            BEST_OF,
        ),
        tie_breaks="round-robin",
        round_robin=True,
        grouped=True,
        problem=_series_of_many,
    ),
    Format(
        "ladder",
        _("Ladder"),
        _("Challenge somebody a few places up; the winner gets the place. No rounds to miss."),
        adapters.no_round,
        duels,
        (
            Setting("reach", _("places up one may challenge"), 3, 1, 50),
            Setting("days", _("days to answer"), 14, 1, 90),
            Setting("declines", _("challenges one may decline in a row"), 0, 0, 10),
        ),
        ranking=Ranking.LADDER,
        late_entry=True,
        rounds=False,
        last_only=True,
    ),
    Format(
        "arena",
        _("Arena"),
        _("One evening: players who wait are paired at once, and wins in a row count double."),
        adapters.no_round,
        duels,
        (Setting("patience", _("seconds before the same two may meet again"), 30, 5, 600),),
        ranking=Ranking.ARENA,
        late_entry=True,
        rounds=False,
        last_only=True,
    ),
)


def best_of(stage: Stage) -> int:
    """How many games a pairing of this stage has at most; 1: a single game."""
    return game_series.best_of(stage.settings)


def for_game(name: str) -> list[Format]:
    game = engine.game(name)
    return [each for each in FORMATS.values() if each.fits(game)]


def check(format: str, settings: Mapping[str, Any], game: str) -> dict[str, Any]:
    """The complete settings, with defaults. An unknown name or a value out of range is refused."""
    spec = FORMATS.get(format)
    if spec is None:
        raise Refused(gettext("There is no such format."))
    rules = engine.game(game)
    if not spec.fits(rules):
        raise Refused(gettext("“%(format)s” is not for %(game)s.") % {"format": spec.title, "game": game_title(game)})
    unknown = sorted(set(settings) - {each.name for each in spec.settings})
    if game_series.BEST_OF in unknown:
        words = gettext(
            "“%(format)s” is played in single games: best of 3 or 5 is for Swiss, round robin, groups and knock-outs "
            "with two at a table."
        )
        raise Refused(words % {"format": spec.title})
    if unknown:
        raise Refused(gettext("This format has no setting “%(name)s”.") % {"name": brief(unknown[0])})
    full = {each.name: _checked(each, settings.get(each.name, _default(each, rules)), rules) for each in spec.settings}
    if "least" in full and full["least"] > full["seats"]:
        raise Refused(gettext("The smallest table cannot be larger than the others."))
    if spec.problem is not None and (problem := spec.problem(full)):
        raise Refused(problem)
    return full


def _default(setting: Setting, game: engine.Game) -> int | bool:
    if setting.name == "seats" and setting.default > game.players[-1]:
        return game.players[-1]
    return setting.default


def _possible(setting: Setting, game: engine.Game) -> list[int]:
    """The allowed values of a setting; tables are limited by the game's number of players."""
    if setting.values:
        return list(setting.values)
    numbers = range(setting.least, setting.most + 1)
    return [each for each in numbers if setting.name not in ("seats", "least") or each in game.players]


def _checked(setting: Setting, value: Any, game: engine.Game) -> int | bool:
    if setting.is_choice:
        if type(value) is bool:
            return value
    elif type(value) is int and value in _possible(setting, game):
        return value
    given = {"field": setting.title, "value": brief(value)}
    if setting.values:
        listed = ", ".join(map(str, setting.values))
        words = gettext("%(field)s: %(value)s is not possible, choose one of %(values)s.")
        raise Refused(words % (given | {"values": listed}))
    raise Refused(gettext("%(field)s: %(value)s is not possible here.") % given)
