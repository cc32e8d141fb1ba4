"""Presets: complete seasons for each game, so that a new organiser has few decisions to make."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from django.db import transaction
from django.utils.functional import Promise
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

import engine
from accounts.infra.errors import Refused
from accounts.models import User
from leagues.core import format_catalogue
from leagues.formats.points import OWN
from leagues.models import League, Season
from leagues.seasons import setup

Words = str | Promise


@dataclass(frozen=True)
class PlannedStage:
    format: str
    settings: Mapping[str, Any] = field(default_factory=dict)
    planned: int | None = None
    take: int | None = None


@dataclass(frozen=True)
class PlannedDivision:
    name: Words
    stages: tuple[PlannedStage, ...]
    cap: int | None = None
    up: int = 0
    down: int = 0


@dataclass(frozen=True)
class Preset:
    """A season template; everything can be changed afterwards."""

    code: str
    title: Words
    words: Words
    divisions: tuple[PlannedDivision, ...]
    terms: Mapping[str, Any] = field(default_factory=dict)

    def fits(self, game: engine.Game) -> bool:
        formats = {stage.format for division in self.divisions for stage in division.stages}
        return all(format_catalogue.FORMATS[code].fits(game) for code in formats)


EVENING = {"where": "club", "check_in": True, "confirmation": "one", "members_only": False}
ONLINE = {"where": "online", "clock": "days", "days": 2, "window_days": 28, "on_unplayed": "bot"}
LIVE = {"where": "online", "clock": "live", "bank": 900, "increment": 15}
# Players agree on the time themselves, a round a week.
WEEKLY = LIVE | {"window_days": 7, "on_unplayed": "forfeit", "answer_hours": 48, "no_show_minutes": 15}
# Over several weeks, a round a club night; who misses nights can still win.
NIGHTS = {"where": "club", "confirmation": "one", "best_rounds": 6}
MAIN = _("Main event")


def _one(*stages: PlannedStage) -> tuple[PlannedDivision, ...]:
    return (PlannedDivision(MAIN, stages),)


def _two(stage: PlannedStage, cap: int) -> tuple[PlannedDivision, ...]:
    return (
        PlannedDivision(_("First division"), (stage,), cap=cap, down=2),
        PlannedDivision(_("Second division"), (stage,), up=2),
    )


PRESETS: list[Preset] = []


def register(*presets: Preset) -> None:
    """Add presets of this module or of an extension."""
    for each in presets:
        if each not in PRESETS:
            PRESETS.append(each)


register(
    Preset(
        "table-swiss-evening",
        _("A table Swiss evening"),
        _("Three rounds at tables of three and four, with check-in at the door. Nobody is out, nobody waits."),
        _one(PlannedStage("table-swiss", planned=3)),
        EVENING,
    ),
    Preset(
        "club-nights-season",
        _("A season of club nights with two divisions"),
        _(
            "Eight rounds at tables of three and four, one a night; everybody’s best six count. "
            "The best two go up, the last two go down."
        ),
        _two(PlannedStage("table-swiss", planned=8), cap=12),
        NIGHTS,
    ),
    Preset(
        "points-season",
        _("A season of club nights for points"),
        _("Eight rounds, one a night: 5, 3, 2 and 1 points by place at the table; everybody’s best six count."),
        _one(PlannedStage("table-swiss", planned=8)),
        NIGHTS | {"points": OWN, "own_points": [5, 3, 2, 1]},
    ),
    Preset(
        "swiss-season",
        _("A Swiss season for two at a table"),
        _("Seven rounds, one a night, equal scores meet; everybody’s best six count."),
        _one(PlannedStage("swiss", planned=7)),
        NIGHTS,
    ),
    Preset(
        "one-vs-many-season",
        _("A season of one against many"),
        _("Eight rounds, one a night; everybody plays alone about equally often, and the best six rounds count."),
        _one(PlannedStage("one-vs-many", planned=8)),
        NIGHTS | {"points": "sides"},
    ),
    Preset(
        "rotating-teams-season",
        _("A season with changing team-mates"),
        _("Eight rounds, one a night, a new team each time; everybody’s best six count."),
        _one(PlannedStage("rotating-teams", planned=8)),
        NIGHTS,
    ),
    Preset(
        "one-vs-many-evening",
        _("An evening of one against many"),
        _("Four rounds; everybody plays alone about equally often."),
        _one(PlannedStage("one-vs-many", planned=4)),
        EVENING | {"points": "sides"},
    ),
    Preset(
        "swiss-evening",
        _("A Swiss evening for two at a table"),
        _("Four rounds, equal scores meet. Any number of players."),
        _one(PlannedStage("swiss", planned=4)),
        EVENING,
    ),
    Preset(
        "duplicate-evening",
        _("A duplicate evening"),
        _("All tables play the same deals and seats rotate: only the play differs."),
        _one(PlannedStage("duplicate", planned=4)),
        LIVE | {"members_only": False},
    ),
    Preset(
        "team-duplicate",
        _("A team challenge on the same deals"),
        _("Fixed teams face the same luck; the best score wins."),
        _one(PlannedStage("teams", planned=3)),
        LIVE | {"members_only": False},
    ),
    Preset(
        "rotating-teams",
        _("An evening with changing team-mates"),
        _("Three rounds, a new team each time, and one winner in the end."),
        _one(PlannedStage("rotating-teams", planned=3)),
        EVENING,
    ),
    Preset(
        "round-robin-season",
        _("A round-robin season with two divisions"),
        _("Everybody meets everybody online, two days a move; the best two go up, the last two go down."),
        _two(PlannedStage("round-robin"), cap=8),
        ONLINE,
    ),
    Preset(
        "weekly-season",
        _("An online season at agreed times"),
        _(
            "A round a week: players suggest and accept a time, and play live. "
            "A player who does nothing loses the game."
        ),
        _one(PlannedStage("round-robin")),
        WEEKLY,
    ),
    Preset(
        "balanced-season",
        _("A balanced season with two divisions"),
        _("Tables of four in which all meet equally often; divisions of seven."),
        _two(PlannedStage("blocks", {"seats": 4}), cap=7),
        ONLINE,
    ),
    Preset(
        "knock-out-night",
        _("A knock-out night"),
        _("A decision by tonight, with a match for third place."),
        _one(PlannedStage("single-elimination")),
        EVENING,
    ),
    Preset(
        "groups-and-finals",
        _("Groups, then a knock-out"),
        _("Everybody plays several games, then the best two of each group meet."),
        _one(PlannedStage("groups", {"groups": 4, "advance": 2}), PlannedStage("single-elimination")),
        {"where": "both", "window_days": 14},
    ),
    Preset(
        "ladder",
        _("A ladder for the whole year"),
        _("Challenge somebody up to three places above you, whenever you like."),
        _one(PlannedStage("ladder", {"declines": 1})),
        ONLINE,
    ),
    Preset(
        "arena-night",
        _("An arena night"),
        _("Online for an hour or two: players who wait are paired at once."),
        _one(PlannedStage("arena")),
        LIVE | {"members_only": False},
    ),
)


def for_game(game: str) -> tuple[Preset, ...]:
    rules = engine.game(game)
    return tuple(preset for preset in PRESETS if preset.fits(rules))


@transaction.atomic
def set_up(
    *,
    actor: User,
    league: League,
    preset: str,
    name: str = "",
    starts_at: datetime | None = None,
    ends_at: datetime | None = None,
) -> Season:
    """Create a season from a preset, open for entries, in one transaction."""
    chosen = next((each for each in for_game(league.game) if each.code == preset), None)
    if chosen is None:
        raise Refused(gettext("There is no such template for this game."))
    season = setup.add_season(
        actor=actor, league=league, name=name, starts_at=starts_at, ends_at=ends_at, **chosen.terms
    )
    for planned in chosen.divisions:
        division = setup.add_division(
            actor=actor, season=season, name=str(planned.name), cap=planned.cap, up=planned.up, down=planned.down
        )
        for stage in planned.stages:
            setup.add_stage(
                actor=actor,
                division=division,
                format=stage.format,
                settings=stage.settings,
                planned=stage.planned,
                take=stage.take,
            )
    return setup.open_registration(actor=actor, season=season)
