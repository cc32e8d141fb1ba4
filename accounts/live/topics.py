"""What a page can listen to, and who may: apps register their topics here."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from accounts.access import Actor, Permission, may
from accounts.models import Club


class Refused(Exception):
    """This visitor may not listen or speak here, or there is no such topic: the answer is the same."""


@dataclass(frozen=True)
class Audience:
    """The group that carries exactly what this visitor may know.

    `first` makes the frame that a new listener gets at once; it is called after the group was joined, so that
    nothing falls between the two.
    """

    group: str
    first: Callable[[], str | None] | None = None


class Topic:
    """One kind of topic, written `name` or `name.argument`. Its methods may use the database."""

    def audience(self, visitor: Actor, argument: str) -> Audience:
        """Where this visitor listens; raises Refused."""
        raise NotImplementedError

    def receive(self, visitor: Actor, argument: str, message: dict[str, Any]) -> str | None:
        """What to answer to a message that a visitor sends to the topic, listener or not; raises Refused."""
        raise Refused


class OwnNotices(Topic):
    """`user`: what concerns the visitor personally."""

    def audience(self, visitor: Actor, argument: str) -> Audience:
        if argument or not visitor.is_authenticated:
            raise Refused
        return Audience(f"user.{visitor.pk}")


class ClubPage(Topic):
    """`club.<slug>`: what changes on a club's page, for those who may see it."""

    def audience(self, visitor: Actor, argument: str) -> Audience:
        club = Club.objects.filter(slug=argument).first()
        if club is None or not may(visitor, Permission.SEE_CLUB, club):
            raise Refused
        return Audience(f"club.{club.slug}")


_topics: dict[str, Topic] = {"user": OwnNotices(), "club": ClubPage()}


def register(name: str, topic: Topic) -> None:
    """Called from an app's `ready`."""
    if name in _topics:
        raise ValueError(f"the topic {name} is taken")
    _topics[name] = topic


def audience(visitor: Actor, topic: str) -> Audience:
    kind, argument = _find(topic)
    return kind.audience(visitor, argument)


def receive(visitor: Actor, topic: str, message: dict[str, Any]) -> str | None:
    kind, argument = _find(topic)
    return kind.receive(visitor, argument, message)


def _find(topic: str) -> tuple[Topic, str]:
    name, _, argument = topic.partition(".")
    if name not in _topics:
        raise Refused
    return _topics[name], argument
