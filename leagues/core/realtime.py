"""The topic that pages of a competition subscribe to. A message only says that something changed; pages then reload."""

from accounts.access import Actor
from accounts.infra.input import row_number
from accounts.infra.on_commit import after_commit
from accounts.infra.realtime.publish import frame, publish
from accounts.infra.realtime.topics import Audience, Topic, TopicDenied
from accounts.models import Club
from leagues.core import access
from leagues.models import Screen, Season


def group(season_id: int) -> str:
    return f"season.{season_id}"


def broadcast_season_changed(season: Season) -> None:
    """Notify open pages of the season after commit."""
    after_commit(publish, group(season.pk), frame("season"))


def broadcast_calendar_changed(club: Club) -> None:
    """Notify open pages of the club after commit that its calendar or attendance has changed."""
    after_commit(publish, f"club.{club.slug}", frame("nights"))


class SeasonPage(Topic):
    """The topic `season.<id>`: changes of a season, for those who may see it."""

    def audience(self, visitor: Actor, argument: str) -> Audience:
        season = Season.objects.filter(pk=row_number(argument)).first()
        if season is None or not access.may(visitor, access.Permission.SEE, season):
            raise TopicDenied
        return Audience(group(season.pk))


class ScreenPage(Topic):
    """The topic `screen.<key>`: changes of a season, for whoever has the secret link to its screen."""

    def audience(self, visitor: Actor, argument: str) -> Audience:
        screen = Screen.objects.exclude(key="").filter(key=argument).first() if len(argument) <= 16 else None
        if screen is None:
            raise TopicDenied
        return Audience(group(screen.season_id))
