"""Bots among themselves: a league that goes on for as long as somebody looks at the demo.

The log is never shortened, but all else of a season goes when two later ones are closed: rounds, tables and matches
with every move. So the database grows by some forty lines of log a season, and by nothing while nobody looks.
"""

from django.conf import settings
from django.db import transaction
from django.utils import timezone

from accounts import people
from accounts.errors import Refused
from accounts.models import Club, User
from games import exhibition
from games.models import Match
from leagues import carry, close, draw, enrol, locks, results
from leagues.demo import cast
from leagues.models import League, Pairing, Round, Season, Stage

NAME = "The clockwork league"
ABOUT = """\
Six bots, *Infinity Gauntlet* for two, day and night: they play for whoever watches, and rest when nobody does.
When a season is over the next one begins by itself.
"""
ORGANISER = "niamh"
OLD_HANDS = {"brass-wren": "regular", "tin-magpie": "rookie", "copper-owl": "regular"}
RECRUITS = {"Iron Heron": "rookie", "Zinc Finch": "regular", "Silver Rook": "rookie"}
PLAYED = 2
KEPT = 2


@transaction.atomic
def seed() -> None:
    """Set it up once; called again it changes nothing."""
    club = cast.club()
    if club is None or (league := cast.found(club, NAME, "infinity-gauntlet", ABOUT)) is None:
        return
    organiser = cast.person(ORGANISER)
    # Not rated: what nobody plays for need not fill the ratings' ledger for ever.
    stage = cast.season(
        organiser, league, _called(1), "round-robin", weeks=1, where="online", points="sides", rated=False
    )
    bots = {cast.person(handle): level for handle, level in OLD_HANDS.items()}
    bots |= {people.make_bot(name=name): level for name, level in RECRUITS.items()}
    for bot, level in bots.items():
        enrol.add_bot(actor=organiser, division=stage.division, level=level, bot=bot)
    stage = _begin(organiser, stage.division.season)
    for number in range(1, PLAYED + 1):
        cast.play(
            organiser,
            stage,
            number,
            timezone.now(),
            lambda table: results.settle(actor=organiser, pairing=table, places=cast.sides(table)),
        )
    _show(organiser, draw.pair(actor=organiser, stage=stage, number=PLAYED + 1))


def step() -> bool:
    """What an organiser would do next, in a house that is a demo and while somebody looks; whether it was done."""
    club = cast.club()
    if not settings.DEMO or club is None or not exhibition.is_watched():
        return False
    season = Season.objects.filter(league__in=_leagues(club)).order_by("-number").first()
    try:
        return season is not None and _go_on(cast.person(ORGANISER), season)
    except (Refused, User.DoesNotExist):
        # Somebody has taken the league in hand: it is theirs.
        return False


def _leagues(club: Club) -> list[League]:
    return list(League.objects.filter(club=club, name=NAME, closed_at=None))


@transaction.atomic
def _go_on(organiser: User, season: Season) -> bool:
    season = locks.season(season)
    if season.is_closed:
        return _next_season(organiser, season)
    stage = Stage.objects.filter(division__season=season, status=Stage.Status.RUNNING).first()
    if stage is None:
        return False
    current = Round.objects.filter(stage=stage).exclude(status=Round.Status.CLOSED).order_by("number").first()
    if current is None:
        close.finish_stage(actor=organiser, stage=stage)
        close.close_season(actor=organiser, season=season)
    elif not current.is_published:
        _show(organiser, current)
    elif Pairing.objects.filter(round=current).open().exists():
        return False
    else:
        close.close_round(actor=organiser, round=current)
    return True


def _next_season(organiser: User, last: Season) -> bool:
    season = carry.go_on(actor=organiser, league=last.league, name=_called(last.number + 1))
    stage = _begin(organiser, season)
    _show(organiser, draw.pair(actor=organiser, stage=stage, number=1))
    _clear_out(last)
    return True


def _begin(organiser: User, season: Season) -> Stage:
    draw.start(actor=organiser, season=season)
    stage = Stage.objects.select_related("division__season__league__club").get(division__season=season)
    draw.pair_all(actor=organiser, stage=stage)
    return stage


def _show(organiser: User, round_: Round) -> None:
    """Published, its tables open by themselves; their bots play at a pace that can be followed."""
    draw.publish(actor=organiser, round=round_)
    exhibition.show(Match.objects.filter(pairing__round=round_))


def _clear_out(last: Season) -> None:
    """Seasons that nobody will look up any more, in the order in which rows hold each other."""
    for season in Season.objects.filter(league=last.league, number__lte=last.number - KEPT):
        rounds = Round.objects.filter(stage__division__season=season)
        matches = list(Match.objects.filter(pairing__round__in=rounds).values_list("pk", flat=True))
        rounds.delete()
        Match.objects.filter(pk__in=matches).delete()
        season.delete()


def _called(number: int) -> str:
    return f"Cycle {number}"
