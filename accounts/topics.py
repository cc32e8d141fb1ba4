"""Realtime topics for pages about people and clubs."""

from typing import Any

from accounts import presence
from accounts.access import Actor, Permission, may
from accounts.infra.realtime.topics import Audience, Topic, TopicDenied
from accounts.models import Club, User


class OwnNotices(Topic):
    """`user`: the visitor's own notices, turns, friends and messages."""

    def audience(self, visitor: Actor, argument: str) -> Audience:
        if argument or not visitor.is_authenticated or not visitor.is_active:
            raise TopicDenied
        return Audience(f"user.{visitor.pk}")

    def receive(self, visitor: Actor, argument: str, message: dict[str, Any]) -> str | None:
        self.audience(visitor, argument)
        match message:
            case {"here": bool(here)} if isinstance(visitor, User):
                presence.record(visitor, here=here)
                return None
            case _:
                raise TopicDenied

    def left(self, visitor: Actor, argument: str, heard_at: float) -> None:
        if isinstance(visitor, User):
            presence.lost(visitor, heard_at)


class ClubPage(Topic):
    """`club.<slug>`: changes on a club's page, for visitors who may see it."""

    def audience(self, visitor: Actor, argument: str) -> Audience:
        club = Club.objects.filter(slug=argument).first()
        if club is None or not may(visitor, Permission.SEE_CLUB, club):
            raise TopicDenied
        return Audience(f"club.{club.slug}")
