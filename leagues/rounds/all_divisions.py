"""Drawing and publishing the next round of all divisions of a season at once."""

from collections.abc import Sequence
from typing import NoReturn

from django.db import transaction
from django.utils.translation import gettext

from accounts.infra.errors import Refused
from accounts.models import User
from leagues.core import format_catalogue, locks
from leagues.core.access import Permission, require
from leagues.formats.adapters import DrawInput
from leagues.formats.errors import FormatError
from leagues.models import Round, Season, Stage
from leagues.rounds import closing, draw


class _NoDraw(Exception):
    """The round of this stage cannot be drawn."""

    def __init__(self, stage: Stage, error: FormatError) -> None:
        super().__init__(stage, error)
        self.stage, self.error = stage, error


def draw_and_publish_all(*, actor: User, season: Season, seen: int | None = None) -> list[Round]:
    """Publish the next round of every division that is ready, drawn now where it is not yet: all of them or none.

    `seen` is how many rounds the season had when the organiser looked: if another was drawn since, it is refused, so
    that pressing twice draws nothing more. If a draw is not possible, the reason is stored on that stage.
    """
    try:
        return _draw_and_publish(actor, season, seen)
    except _NoDraw as failed:
        stage, error = failed.stage, failed.error

        def again() -> NoReturn:
            raise error

        try:
            draw.recording_draw_failure(stage, actor, again)
        except Refused as refused:
            words = gettext("Nothing was drawn, because of %(division)s: %(why)s")
            raise Refused(words % {"division": stage.division.name, "why": refused.message}) from error
        raise


@transaction.atomic
def _draw_and_publish(actor: User, season: Season, seen: int | None) -> list[Round]:
    season = locks.season(season)
    require(actor, Permission.ORGANISE, season)
    if not season.is_running:
        raise Refused(gettext("Rounds are drawn while the season is running."))
    if seen is not None and seen != count_rounds(season):
        raise Refused(gettext("Somebody has drawn or deleted a round meanwhile: look again before you go on."))
    stages = Stage.objects.filter(division__season=season, status=Stage.Status.RUNNING)
    published = []
    for row in stages.order_by("division__level", "division__number", "position"):
        round_ = _next_round(actor, locks.stage(row))
        if round_ is not None:
            published.append(draw.publish(actor=actor, round=round_))
    if not published:
        raise Refused(gettext("No division is ready for its next round: tables are open, or all rounds are drawn."))
    return published


def count_rounds(season: Season) -> int:
    return Round.objects.filter(stage__division__season=season).count()


def _next_round(actor: User, stage: Stage) -> Round | None:
    """The round to publish, drawn if it was not; None while tables are open, or if no round is left."""
    if not format_catalogue.FORMATS[stage.format].rounds:
        return None
    rows = Round.objects.filter(stage=stage).select_related("stage__division__season__league__club")
    rounds = list(rows.order_by("number"))
    over = [each for each in rounds if each.is_published]
    if any(not each.is_closed and closing.undecided(each) for each in over):
        return None
    drawn = len(rounds)
    if len(over) == drawn and not closing.can_draw(stage, drawn) and not closing.rounds_missing(stage, drawn):
        return None
    for each in over:
        closing.close_if_over(actor, each)
    if len(over) < drawn:
        return rounds[len(over)]
    try:
        return draw.pair_next(actor, stage, drawn + 1)
    except FormatError as error:
        raise _NoDraw(stage, error) from error


def is_ready(stage: Stage, rounds: Sequence[Round], now: DrawInput | None) -> bool:
    """Whether a running stage takes part in such a draw. For lists: the rounds have their open tables as `left`."""
    if not format_catalogue.FORMATS[stage.format].rounds or _being_played(rounds):
        return False
    return not all(each.is_published for each in rounds) or closing.can_draw(stage, len(rounds), now)


def is_played(rounds: Sequence[Round]) -> bool:
    """Whether every round that was drawn is published and has all its results."""
    return all(each.is_published for each in rounds) and not _being_played(rounds)


def _being_played(rounds: Sequence[Round]) -> bool:
    return any(each.is_published and getattr(each, "left", 0) for each in rounds)
