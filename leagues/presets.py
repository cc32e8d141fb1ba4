"""Whole seasons ready to use, game by game, so that a newcomer has few decisions to make."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from django.db import transaction
from django.utils.functional import Promise
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

import engine
from accounts.errors import Refused
from accounts.models import User
from leagues import catalogue, competitions
from leagues.models import League, Season

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
    """A season as it would be set up: everything in it can be changed afterwards."""

    code: str
    title: Words
    words: Words
    divisions: tuple[PlannedDivision, ...]
    terms: Mapping[str, Any] = field(default_factory=dict)

    def fits(self, game: engine.Game) -> bool:
        formats = {stage.format for division in self.divisions for stage in division.stages}
        return all(catalogue.FORMATS[code].fits(game) for code in formats)


EVENING = {"where": "club", "check_in": True, "confirmation": "one", "members_only": False}
ONLINE = {"where": "online", "clock": "days", "days": 2, "window_days": 28, "on_unplayed": "bot"}
LIVE = {"where": "online", "clock": "live", "bank": 900, "increment": 15}
# The players agree on the hour themselves, a round a week.
WEEKLY = LIVE | {"window_days": 7, "on_unplayed": "forfeit", "answer_hours": 48, "no_show_minutes": 15}
MAIN = _("Main event")


def _one(*stages: PlannedStage) -> tuple[PlannedDivision, ...]:
    return (PlannedDivision(MAIN, stages),)


def _two(stage: PlannedStage, cap: int) -> tuple[PlannedDivision, ...]:
    return (
        PlannedDivision(_("First division"), (stage,), cap=cap, down=2),
        PlannedDivision(_("Second division"), (stage,), up=2),
    )


PRESETS: tuple[Preset, ...] = (
    Preset(
        "table-swiss-evening",
        _("A table Swiss evening"),
        _("Three rounds at tables of three and four, with check-in at the door. Nobody is out, nobody waits."),
        _one(PlannedStage("table-swiss", planned=3)),
        EVENING,
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
        _("A round a week: players suggest and accept a time, and play live. Who does nothing loses the game."),
        _one(PlannedStage("round-robin")),
        WEEKLY,
    ),
    Preset(
        "balanced-season",
        _("A balanced season with two divisions"),
        _("Tables of four in which all meet equally often; leagues of seven."),
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
        _one(PlannedStage("ladder")),
        ONLINE,
    ),
    Preset(
        "arena-night",
        _("An arena night"),
        _("Online for an hour or two: whoever waits is paired at once."),
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
    """A whole season from a preset, open for entries at once; all of it or nothing."""
    chosen = next((each for each in for_game(league.game) if each.code == preset), None)
    if chosen is None:
        raise Refused(gettext("There is no such template for this game."))
    season = competitions.add_season(
        actor=actor, league=league, name=name, starts_at=starts_at, ends_at=ends_at, **chosen.terms
    )
    for planned in chosen.divisions:
        division = competitions.add_division(
            actor=actor, season=season, name=str(planned.name), cap=planned.cap, up=planned.up, down=planned.down
        )
        for stage in planned.stages:
            competitions.add_stage(
                actor=actor,
                division=division,
                format=stage.format,
                settings=stage.settings,
                planned=stage.planned,
                take=stage.take,
            )
    return competitions.open_registration(actor=actor, season=season)
