"""The formats as an organiser chooses them: what each is for, what can be set, and how its rounds come about."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any

from django.utils.functional import Promise
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

import engine
from accounts.errors import Refused
from engine.errors import brief
from leagues import rounds
from leagues.formats.values import Round
from leagues.rounds import Drawn, Situation

Words = str | Promise


@dataclass(frozen=True)
class Setting:
    """Something of a format that can be set: a number between `least` and `most`, or with neither, yes or no."""

    name: str
    title: Words
    default: int | bool
    least: int = 0
    most: int = 0

    @property
    def is_choice(self) -> bool:
        return isinstance(self.default, bool)


@dataclass(frozen=True)
class Format:
    """`plan` gives all rounds from the start, where the format has such a plan.

    `ranks` names how its order comes about (see `leagues.ranking`).
    """

    code: str
    title: Words
    words: Words
    draw: Callable[[Situation], Drawn]
    fits: Callable[[engine.Game], bool]
    settings: tuple[Setting, ...] = ()
    plan: Callable[[Situation], Sequence[Round]] | None = None
    ranks: str = "standings"
    tie_breaks: str = "swiss"
    round_robin: bool = False
    late_entry: bool = False
    requested_byes: bool = False
    knock_out: bool = False
    rounds: bool = True
    teams: bool = False

    @property
    def scores(self) -> bool:
        """Whether its order comes from points; a knock-out, heats and a ladder have places alone."""
        return self.ranks in ("standings", "marks", "arena")

    @property
    def is_planned(self) -> bool:
        """Whether nothing but the list of starters decides who meets whom."""
        return self.plan is not None or self.code == "groups"


def _one_against_many(game: engine.Game) -> bool:
    return len(set(game.roles(game.players[0]))) > 1


def _rivals(game: engine.Game) -> bool:
    return not game.cooperative


def _duels(game: engine.Game) -> bool:
    return not game.cooperative and 2 in game.players


def _free_for_all(game: engine.Game) -> bool:
    return not game.cooperative and not _one_against_many(game) and game.players[-1] > 2


def _together(game: engine.Game) -> bool:
    return game.cooperative


SEATS = Setting("seats", _("players at a table"), 4, 2, 6)
LEAST = Setting("least", _("players at the smallest table"), 3, 2, 6)
SAME_DEAL = Setting("same_deal", _("all tables of a round play the same deal"), True)

FORMATS: Mapping[str, Format] = MappingProxyType(
    {
        each.code: each
        for each in (
            Format(
                "swiss",
                _("Swiss"),
                _("Two at a table. Equal scores meet, nobody meets twice, nobody is out."),
                rounds.swiss_round,
                _duels,
                late_entry=True,
                requested_byes=True,
            ),
            Format(
                "table-swiss",
                _("Table Swiss"),
                _("Tables of three or more. Neighbours in the standings meet, with new faces and seats in turn."),
                rounds.table_swiss_round,
                _free_for_all,
                (SEATS, LEAST),
                tie_breaks="table-swiss",
                late_entry=True,
                requested_byes=True,
            ),
            Format(
                "one-vs-many",
                _("One against many, in turn"),
                _("Everybody plays alone equally often; tables are filled by score, with new faces."),
                rounds.one_vs_many_round,
                _one_against_many,
                (SEATS, LEAST),
                tie_breaks="one-against-many",
                late_entry=True,
                requested_byes=True,
            ),
            Format(
                "round-robin",
                _("Round robin"),
                _("Two at a table. Everybody meets everybody: the fairest there is, for up to a dozen."),
                rounds.round_robin_round,
                _duels,
                (Setting("double", _("everybody meets twice"), False),),
                plan=rounds.round_robin_plan,
                tie_breaks="round-robin",
                round_robin=True,
            ),
            Format(
                "blocks",
                _("Balanced league"),
                _("Tables of three or four. Everybody meets everybody equally often: best for 7, 9, 13 or 16."),
                rounds.block_round,
                _free_for_all,
                (
                    Setting("seats", _("players at a table"), 4, 3, 4),
                    Setting("games", _("games for everybody (0: until all have met)"), 0, 0, 40),
                ),
                plan=rounds.block_plan,
                tie_breaks="season",
            ),
            Format(
                "pod",
                _("Pod"),
                _("One small group, as many games as people: everybody plays alone once."),
                rounds.pod_round,
                _one_against_many,
                plan=rounds.pod_plan,
                tie_breaks="one-against-many",
            ),
            Format(
                "duplicate",
                _("Duplicate"),
                _("All tables play the same deal and seats rotate: you are compared with those in your seat."),
                rounds.duplicate_round,
                _rivals,
                (SEATS,),
                ranks="marks",
                late_entry=True,
                requested_byes=True,
            ),
            Format(
                "teams",
                _("Fixed teams"),
                _("Teams that stay together, each at a table of its own, all facing the same deal."),
                rounds.fixed_teams_round,
                _together,
                (SAME_DEAL,),
                ranks="marks",
                late_entry=True,
                requested_byes=True,
                teams=True,
            ),
            Format(
                "rotating-teams",
                _("Rotating teams"),
                _("New team-mates every round; everybody is ranked by what their teams achieved."),
                rounds.rotating_teams_round,
                _together,
                (SEATS, LEAST, SAME_DEAL),
                ranks="marks",
                late_entry=True,
                requested_byes=True,
            ),
            Format(
                "single-elimination",
                _("Knock-out"),
                _("Two at a table. Who loses is out; decided in a few rounds."),
                rounds.knock_out_round,
                _duels,
                (Setting("third", _("match for third place"), True),),
                ranks="bracket",
                knock_out=True,
            ),
            Format(
                "double-elimination",
                _("Double knock-out"),
                _("Two at a table. Who loses twice is out."),
                rounds.knock_out_round,
                _duels,
                (Setting("reset", _("one more final if the unbeaten side loses it"), True),),
                ranks="bracket",
                knock_out=True,
            ),
            Format(
                "heats",
                _("Heats"),
                _("Knock-out at larger tables: the best of each go on, down to one final table."),
                rounds.heat_round,
                _free_for_all,
                (
                    Setting("seats", _("players at a table"), 4, 3, 6),
                    Setting("advance", _("go on from each table"), 2, 1, 3),
                    Setting("fill", _("wild cards fill the next tables"), True),
                ),
                ranks="heats",
                knock_out=True,
            ),
            Format(
                "groups",
                _("Groups"),
                _("Small groups in which everybody meets everybody; the best of each go on to the next stage."),
                rounds.group_round,
                _duels,
                (
                    Setting("groups", _("groups"), 2, 1, 32),
                    Setting("advance", _("go on from each group"), 2, 1, 8),
                    Setting("seats", _("players at a table"), 2, 2, 4),
                    Setting("double", _("everybody meets twice"), False),
                ),
                tie_breaks="round-robin",
                round_robin=True,
            ),
            Format(
                "ladder",
                _("Ladder"),
                _("Challenge somebody a few places up; who wins has the place. No rounds to miss."),
                rounds.no_round,
                _duels,
                (
                    Setting("reach", _("places up one may challenge"), 3, 1, 50),
                    Setting("days", _("days to answer"), 14, 1, 90),
                ),
                ranks="ladder",
                late_entry=True,
                rounds=False,
            ),
            Format(
                "arena",
                _("Arena"),
                _("One evening: whoever waits is paired at once, and wins in a row count double."),
                rounds.no_round,
                _duels,
                (Setting("patience", _("seconds before the same two may meet again"), 30, 5, 600),),
                ranks="arena",
                late_entry=True,
                rounds=False,
            ),
        )
    }
)


def for_game(name: str) -> list[Format]:
    game = engine.game(name)
    return [each for each in FORMATS.values() if each.fits(game)]


def check(format: str, settings: Mapping[str, Any], game: str) -> dict[str, Any]:
    """The settings complete and within bounds; what does not fit is refused by name."""
    found = FORMATS.get(format)
    if found is None:
        raise Refused(gettext("There is no such format."))
    rules = engine.game(game)
    if not found.fits(rules):
        raise Refused(gettext("“%(format)s” is not for %(game)s.") % {"format": found.title, "game": rules.title})
    unknown = sorted(set(settings) - {each.name for each in found.settings})
    if unknown:
        raise Refused(gettext("This format has no setting “%(name)s”.") % {"name": brief(unknown[0])})
    full = {each.name: _checked(each, settings.get(each.name, _default(each, rules)), rules) for each in found.settings}
    if "least" in full and full["least"] > full["seats"]:
        raise Refused(gettext("The smallest table cannot be larger than the others."))
    if "advance" in full and "fill" in full and full["advance"] >= full["seats"] - 1:
        raise Refused(gettext("Somebody has to be out after each table: let fewer go on."))
    return full


def _default(setting: Setting, game: engine.Game) -> int | bool:
    if setting.name == "seats" and setting.default > game.players[-1]:
        return game.players[-1]
    return setting.default


def _possible(setting: Setting, game: engine.Game) -> list[int]:
    """The numbers that a setting may have; a table holds as many as the game takes."""
    numbers = range(setting.least, setting.most + 1)
    return [each for each in numbers if setting.name not in ("seats", "least") or each in game.players]


def _checked(setting: Setting, value: Any, game: engine.Game) -> int | bool:
    if setting.is_choice:
        if type(value) is bool:
            return value
    elif type(value) is int and value in _possible(setting, game):
        return value
    words = gettext("%(field)s: %(value)s is not possible here.")
    raise Refused(words % {"field": setting.title, "value": brief(value)})
