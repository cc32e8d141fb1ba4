"""From one season to the next: the same divisions, and everybody where promotion and relegation put them."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

from django.db import transaction
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from accounts import audit
from accounts.errors import Refused
from accounts.models import User
from games.models import OwnBot
from leagues import competitions, enrol, log, returning
from leagues.access import Permission, require
from leagues.models import Division, Entrant, League, Movement, Season, Stage, TeamMember

CARRIED = audit.action("leagues.carried-over", _("%(actor)s went on from %(before)s with %(count)s entrants"))

# What belongs to one edition alone.
_OWN = frozenset({"name", "starts_at", "ends_at"})


@dataclass(frozen=True)
class Outcome:
    """How a division of a closed season ended: its entrants in order, each with where they go."""

    division: Division
    movements: list[Movement]


def last_closed(league: League) -> Season | None:
    """The season to go on from: the latest, if it is closed."""
    latest = Season.objects.filter(league=league).order_by("-number").first()
    return latest if latest is not None and latest.is_closed else None


def outcome(season: Season) -> list[Outcome]:
    by_division: dict[int, list[Movement]] = {}
    rows = Movement.objects.filter(season=season).select_related("entrant__user").order_by("place", "pk")
    for movement in rows:
        by_division.setdefault(movement.entrant.division_id, []).append(movement)
    divisions = Division.objects.filter(season=season).order_by("level", "number")
    return [Outcome(division, by_division[division.pk]) for division in divisions if division.pk in by_division]


@transaction.atomic
def go_on(
    *, actor: User, league: League, name: str = "", ask_until: datetime | None = None, keep_silent: bool = False
) -> Season:
    """The next season, set up like the last and open for entries; all of it or nothing.

    With `ask_until` those who played are asked whether they do again, and are in once they say so; without, all are in.
    """
    league = League.objects.select_for_update(of=("self",), no_key=True).select_related("club").get(pk=league.pk)
    require(actor, Permission.ORGANISE, league)
    last = last_closed(league)
    if last is None:
        raise Refused(gettext("The last season is not closed yet: there is nothing to go on from."))
    terms = {field: getattr(last, field) for field in competitions.TERMS - _OWN}
    season = competitions.add_season(actor=actor, league=league, name=name, **terms)
    before = list(Division.objects.filter(season=last).order_by("level", "number"))
    divisions = [_again(actor, season, old) for old in before]
    season = competitions.change_tie_breaks(actor=actor, season=season, codes=last.tie_breaks)
    season = competitions.open_registration(actor=actor, season=season)
    going, count = [], 0
    expected = dict.fromkeys((each.pk for each in divisions), 0)
    for movement in _going_on(last):
        division = _place_for(divisions, expected, movement)
        expected[division.pk] += 1
        if ask_until is not None and returning.can_answer(movement.entrant):
            going.append((movement, division))
        else:
            count += _enter(actor, division, movement)
    for division, old in zip(divisions, before):
        _limit(actor, division, old, expected[division.pk])
    if ask_until is not None:
        returning.open_call(
            actor=actor, season=season, before=last, deadline=ask_until, keep_silent=keep_silent, going=going
        )
    log.note(CARRIED, actor=actor, season=season, count=count, before=last.name)
    return season


def _again(actor: User, season: Season, old: Division) -> Division:
    division = competitions.add_division(
        actor=actor,
        season=season,
        name=old.name,
        level=old.level,
        number=old.number,
        up=old.up,
        down=old.down,
    )
    for stage in Stage.objects.filter(division=old).order_by("position"):
        competitions.add_stage(
            actor=actor,
            division=division,
            format=stage.format,
            settings=stage.settings,
            planned=stage.planned,
            take=stage.take,
        )
    return division


def _limit(actor: User, division: Division, old: Division, expected: int) -> None:
    """As many places as before, and never fewer than there are who go on: a cap may have been lowered meanwhile."""
    if old.cap is None:
        return
    cap = max(old.cap, expected)
    competitions.edit_division(
        actor=actor, division=division, name=division.name, cap=cap, up=division.up, down=division.down
    )


def _going_on(last: Season) -> list[Movement]:
    """Those who stay first, so that they keep their own league of a level; then the others, the highest first."""
    rows = Movement.objects.filter(season=last, new__isnull=False).select_related("entrant__user", "entrant__division")
    return sorted(rows, key=lambda each: (each.new != each.old, each.new, each.old, each.place, each.pk))


def _enter(actor: User, division: Division, movement: Movement) -> bool:
    """Whether they are in: an account that is gone, a team that lost one, or a bot that does not want to, cannot be."""
    entrant = movement.entrant
    if entrant.user is not None and not entrant.user.is_active:
        return False
    match entrant.kind:
        case Entrant.Kind.BOT if not entrant.bot_level:
            try:
                enrol.add_own_bot(actor=actor, division=division, bot=OwnBot.objects.get(user=entrant.user))
            except Refused:
                return False
        case Entrant.Kind.BOT:
            enrol.add_bot(actor=actor, division=division, level=entrant.bot_level, bot=entrant.user)
        case Entrant.Kind.TEAM:
            members = list(TeamMember.objects.filter(entrant=entrant).select_related("user").order_by("position"))
            if not all(each.user.is_active for each in members):
                return False
            people = [each.user for each in members if not each.bot_level]
            bots = [each.bot_level for each in members if each.bot_level]
            enrol.add_team(actor=actor, division=division, name=entrant.team, members=people, bots=bots)
        case _ if entrant.user is not None:
            enrol.add_person(actor=actor, division=division, person=entrant.user)
    return True


def _place_for(divisions: Sequence[Division], expected: Mapping[int, int], movement: Movement) -> Division:
    """In their new level: their own league of it if they stay, otherwise the one with the fewest."""
    level = [each for each in divisions if each.level == movement.new]
    if movement.new == movement.old:
        return next(each for each in level if each.number == movement.entrant.division.number)
    return min(level, key=lambda each: (expected[each.pk], each.number))
