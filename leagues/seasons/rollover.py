"""Starting the next season: the same divisions, with promotion and relegation applied."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

from django.db import transaction
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from accounts import audit
from accounts.infra.errors import Refused
from accounts.models import User
from games.models import OwnBot
from leagues.core import season_effects
from leagues.core.access import Permission, require
from leagues.entries import registration
from leagues.models import Division, Entrant, League, Movement, Season, Stage, TeamMember
from leagues.seasons import announcements, renewal, setup

CARRIED = audit.declare_action(
    "leagues.carried-over", _("%(actor)s created the season after %(before)s with %(count)s entrants")
)

# Fields that are not copied to the next season.
_OWN = frozenset({"name", "starts_at", "ends_at"})


@dataclass(frozen=True)
class Outcome:
    """The end of a division of a closed season: its entrants in order, each with their movement."""

    division: Division
    movements: list[Movement]

    @property
    def has_moves(self) -> bool:
        """Whether anybody plays elsewhere in the next season, or leaves."""
        return any(line.new != line.old for line in self.movements)


def last_closed(league: League) -> Season | None:
    """The latest season, if it is closed."""
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
def start_next_season(
    *,
    actor: User,
    league: League,
    name: str = "",
    ask_until: datetime | None = None,
    keep_silent: bool = False,
    quiet: bool = False,
) -> Season:
    """Create the next season like the last one, open for entries, in one transaction.

    With `ask_until`, players are asked whether they play again, and entered when they say yes; else all are entered.
    The other members of the club hear that it is open, unless `quiet`.
    """
    league = League.objects.select_for_update(of=("self",), no_key=True).select_related("club").get(pk=league.pk)
    require(actor, Permission.ORGANISE, league)
    last = last_closed(league)
    if last is None:
        raise Refused(gettext("The last season is not closed yet: close it first."))
    terms = {field: getattr(last, field) for field in setup.TERMS - _OWN}
    # The questions are asked again, as new ones.
    terms["entry_questions"] = [{**each, "id": None} for each in last.entry_questions]
    season = setup.add_season(actor=actor, league=league, name=name, **terms)
    before = list(Division.objects.filter(season=last).order_by("level", "number"))
    divisions = [_again(actor, season, old) for old in before]
    season = setup.change_tie_breaks(actor=actor, season=season, codes=last.tie_breaks)
    # Members hear of it below, when it is known who was asked or entered.
    season = setup.open_registration(actor=actor, season=season, quiet=True)
    going, count = [], 0
    expected = dict.fromkeys((each.pk for each in divisions), 0)
    for movement in _going_on(last):
        division = _place_for(divisions, expected, movement)
        expected[division.pk] += 1
        if ask_until is not None and renewal.can_answer(movement.entrant):
            going.append((movement, division))
        else:
            count += _enter(actor, division, movement)
    for division, old in zip(divisions, before):
        _limit(actor, division, old, expected[division.pk])
    if ask_until is not None:
        renewal.ask_about_renewal(
            actor=actor, season=season, before=last, deadline=ask_until, keep_silent=keep_silent, going=going
        )
    if not quiet:
        announcements.notify_season_opened(actor=actor, season=season)
    season_effects.log_and_refresh(CARRIED, actor=actor, season=season, count=count, before=last.name)
    return season


def _again(actor: User, season: Season, old: Division) -> Division:
    division = setup.add_division(
        actor=actor,
        season=season,
        name=old.name,
        level=old.level,
        number=old.number,
        up=old.up,
        down=old.down,
    )
    for stage in Stage.objects.filter(division=old).order_by("position"):
        setup.add_stage(
            actor=actor,
            division=division,
            format=stage.format,
            settings=stage.settings,
            planned=stage.planned,
            take=stage.take,
        )
    return division


def _limit(actor: User, division: Division, old: Division, expected: int) -> None:
    """Set the cap as before, but never below the number of entrants who go on: it may have been lowered meanwhile."""
    if old.cap is None:
        return
    cap = max(old.cap, expected)
    setup.edit_division(actor=actor, division=division, name=division.name, cap=cap, up=division.up, down=division.down)


def _going_on(last: Season) -> list[Movement]:
    """The movements: first those who stay, so that they keep their division; then the others, the highest first."""
    rows = Movement.objects.filter(season=last, new__isnull=False).select_related("entrant__user", "entrant__division")
    return sorted(rows, key=lambda each: (each.new != each.old, each.new, each.old, each.place, each.pk))


def _enter(actor: User, division: Division, movement: Movement) -> bool:
    """Enter them again; False if an account is gone or a bot does not accept it."""
    entrant = movement.entrant
    if entrant.user is not None and not entrant.user.is_active:
        return False
    match entrant.kind:
        case Entrant.Kind.BOT if not entrant.bot_level:
            try:
                registration.add_own_bot(actor=actor, division=division, bot=OwnBot.objects.get(user=entrant.user))
            except Refused:
                return False
        case Entrant.Kind.BOT:
            registration.add_bot(actor=actor, division=division, level=entrant.bot_level, bot=entrant.user)
        case Entrant.Kind.TEAM:
            members = list(TeamMember.objects.filter(entrant=entrant).select_related("user").order_by("position"))
            if not all(each.user.is_active for each in members):
                return False
            people = [each.user for each in members if not each.bot_level]
            bots = [each.bot_level for each in members if each.bot_level]
            registration.add_team(
                actor=actor, division=division, name=entrant.team, members=people, bots=bots, follows=entrant
            )
        case _ if entrant.user is not None:
            registration.add_person(actor=actor, division=division, person=entrant.user, follows=entrant)
    return True


def _place_for(divisions: Sequence[Division], expected: Mapping[int, int], movement: Movement) -> Division:
    """The division of their new level: their own if they stay, otherwise the one with the fewest entrants."""
    level = [each for each in divisions if each.level == movement.new]
    if movement.new == movement.old:
        return next(each for each in level if each.number == movement.entrant.division.number)
    return min(level, key=lambda each: (expected[each.pk], each.number))
