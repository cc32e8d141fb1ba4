"""A league of bots that goes on while somebody looks at the demo.

The log is kept, but the rest of a season is deleted once two later ones are closed: rounds, tables and matches with
every move. So the database grows by about forty log lines a season, and not at all while nobody looks.
"""

from django.conf import settings
from django.db import transaction
from django.utils import timezone

from accounts import people
from accounts.infra.errors import Refused
from accounts.models import Club, User
from games.models import Match
from games.tables import exhibition
from leagues.core import locks
from leagues.demo import helpers
from leagues.entries import registration
from leagues.models import League, Pairing, Round, Season, Stage
from leagues.results import reporting
from leagues.rounds import closing as rounds_closing
from leagues.rounds import draw
from leagues.seasons import closing, rollover

NAME = "The clockwork league"
ABOUT = """\
Six bots, *Infinity Gauntlet* for two, day and night: they play while somebody watches, and rest when nobody does.
When a season is over the next one begins automatically.
"""
ORGANISER = "niamh"
OLD_HANDS = {"brass-wren": "regular", "tin-magpie": "rookie", "copper-owl": "regular"}
RECRUITS = {"Iron Heron": "rookie", "Zinc Finch": "regular", "Silver Rook": "rookie"}
PLAYED = 2
KEPT = 2


@transaction.atomic
def seed() -> None:
    """Set it up once; called again it changes nothing."""
    club = helpers.club()
    if club is None or (league := helpers.create_league(club, NAME, "infinity-gauntlet", ABOUT)) is None:
        return
    organiser = helpers.person(ORGANISER)
    # Not rated: these games would only fill the ratings' ledger.
    stage = helpers.season(
        organiser, league, _season_name(1), "round-robin", weeks=1, where="online", points="sides", rated=False
    )
    bots = {helpers.person(handle): level for handle, level in OLD_HANDS.items()}
    bots |= {people.create_bot_account(name=name): level for name, level in RECRUITS.items()}
    for bot, level in bots.items():
        registration.add_bot(actor=organiser, division=stage.division, level=level, bot=bot)
    stage = _begin(organiser, stage.division.season)
    for number in range(1, PLAYED + 1):
        helpers.play(
            organiser,
            stage,
            number,
            timezone.now(),
            lambda table: reporting.enter_result(actor=organiser, pairing=table, places=helpers.sides(table)),
        )
    _publish(organiser, draw.draw_next_round(actor=organiser, stage=stage, number=PLAYED + 1))


def step() -> bool:
    """Do what an organiser would do next, on a demo site while somebody looks. Returns whether anything was done."""
    club = helpers.club()
    if not settings.DEMO or club is None or not exhibition.is_watched():
        return False
    season = Season.objects.filter(league__in=_leagues(club)).order_by("-number").first()
    try:
        return season is not None and _continue_season(helpers.person(ORGANISER), season)
    except (Refused, User.DoesNotExist):
        # An organiser has taken the league over: leave it alone.
        return False


def _leagues(club: Club) -> list[League]:
    return list(League.objects.filter(club=club, name=NAME, closed_at=None))


@transaction.atomic
def _continue_season(organiser: User, season: Season) -> bool:
    season = locks.season(season)
    if season.is_closed:
        return _next_season(organiser, season)
    stage = Stage.objects.filter(division__season=season, status=Stage.Status.RUNNING).first()
    if stage is None:
        return False
    current = Round.objects.filter(stage=stage).exclude(status=Round.Status.CLOSED).order_by("number").first()
    if current is None:
        rounds_closing.finish_stage(actor=organiser, stage=stage)
        closing.close_season(actor=organiser, season=season)
    elif not current.is_published:
        _publish(organiser, current)
    elif Pairing.objects.filter(round=current).open().exists():
        return False
    else:
        rounds_closing.close_round(actor=organiser, round=current)
    return True


def _next_season(organiser: User, last: Season) -> bool:
    name = _season_name(last.number + 1)
    season = rollover.start_next_season(actor=organiser, league=last.league, name=name, quiet=True)
    stage = _begin(organiser, season)
    _publish(organiser, draw.draw_next_round(actor=organiser, stage=stage, number=1))
    _delete_old_seasons(last)
    return True


def _begin(organiser: User, season: Season) -> Stage:
    draw.start(actor=organiser, season=season)
    stage = Stage.objects.select_related("division__season__league__club").get(division__season=season)
    draw.draw_all_rounds(actor=organiser, stage=stage)
    return stage


def _publish(organiser: User, round_: Round) -> None:
    """Publish the round. Its tables open automatically, and their bots play at a pace that can be followed."""
    draw.publish(actor=organiser, round=round_)
    exhibition.pace_for_spectators(Match.objects.filter(pairing__round=round_))


def _delete_old_seasons(last: Season) -> None:
    """Delete old seasons, in an order that respects foreign keys."""
    for season in Season.objects.filter(league=last.league, number__lte=last.number - KEPT):
        rounds = Round.objects.filter(stage__division__season=season)
        matches = list(Match.objects.filter(pairing__round__in=rounds).values_list("pk", flat=True))
        rounds.delete()
        Match.objects.filter(pk__in=matches).delete()
        season.delete()


def _season_name(number: int) -> str:
    return f"Cycle {number}"
