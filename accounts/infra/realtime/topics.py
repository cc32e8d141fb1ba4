"""Topics that pages can listen to. Apps register them here; each topic checks its own permissions."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

Visitor = Any
"""A user or an anonymous visitor. Their class belongs to `accounts.models`, which this package does not know."""


class TopicDenied(Exception):
    """The visitor may not use this topic, or it does not exist: the answer is the same."""


@dataclass(frozen=True)
class Audience:
    """The group that carries exactly what this visitor may see.

    `first` makes the first frame of a new listener. It is called after joining the group, so that no frame is missed.
    """

    group: str
    first: Callable[[], str | None] | None = None


class Topic:
    """One kind of topic, written `name` or `name.argument`. Its methods may use the database."""

    def audience(self, visitor: Visitor, argument: str) -> Audience:
        """The visitor's audience; raises TopicDenied."""
        raise NotImplementedError

    def receive(self, visitor: Visitor, argument: str, message: dict[str, Any]) -> str | None:
        """The answer to a visitor's message to the topic, listener or not; raises TopicDenied."""
        raise TopicDenied

    def left(self, visitor: Visitor, argument: str, heard_at: float) -> None:
        """A page that had said it is looked at is gone; nothing came from it after `heard_at` (seconds since 1970)."""


_topics: dict[str, Topic] = {}


def register(name: str, topic: Topic) -> None:
    """Called from an app's `ready`."""
    if name in _topics:
        raise ValueError(f"the topic {name} is taken")
    _topics[name] = topic


def audience_for(visitor: Visitor, topic: str) -> Audience:
    kind, argument = _find(topic)
    return kind.audience(visitor, argument)


def receive(visitor: Visitor, topic: str, message: dict[str, Any]) -> str | None:
    kind, argument = _find(topic)
    return kind.receive(visitor, argument, message)


def left(visitor: Visitor, topic: str, heard_at: float) -> None:
    kind, argument = _find(topic)
    kind.left(visitor, argument, heard_at)


def _find(topic: str) -> tuple[Topic, str]:
    name, _, argument = topic.partition(".")
    if name not in _topics:
        raise TopicDenied
    return _topics[name], argument
