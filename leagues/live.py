"""What pages about a competition listen to. A frame only says that something changed: pages fetch themselves anew."""

from accounts.access import Actor
from accounts.effects import after_commit
from accounts.live.publish import frame, publish
from accounts.live.topics import Audience, Refused, Topic
from accounts.models import Club
from leagues import access
from leagues.models import Season


def group(season_id: int) -> str:
    return f"season.{season_id}"


def changed(season: Season) -> None:
    """After commit, tell open pages of the season."""
    after_commit(publish, group(season.pk), frame("season"))


def nights_changed(club: Club) -> None:
    """After commit, tell open pages of the club that its calendar, or who comes, is not what they show."""
    after_commit(publish, f"club.{club.slug}", frame("nights"))


class SeasonPage(Topic):
    """`season.<id>`: what changes in a season, for those who may see it."""

    def audience(self, visitor: Actor, argument: str) -> Audience:
        season = Season.objects.filter(pk=int(argument) if argument.isdecimal() else 0).first()
        if season is None or not access.may(visitor, access.Permission.SEE, season):
            raise Refused
        return Audience(group(season.pk))
