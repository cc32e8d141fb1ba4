"""Who is here now: an entry in the shared cache for everyone who looks at a page, and gone soon after the last one."""

import time
from collections.abc import Iterable

from django.core.cache import cache

from accounts import follows
from accounts.infra.best_effort_cache import ignore_errors
from accounts.infra.realtime.publish import frame, publish_all
from accounts.models import User

# Pages report once a minute: one lost report does no harm.
PRESENT_FOR = 150
# Of somebody with more friends the others see it when they open a page.
MOST_NOTIFIED = 200


def record(person: User, *, here: bool) -> None:
    """A page of this person is looked at, or not any more; friends see it at once."""
    with ignore_errors():
        came = here and cache.add(_key(person.pk), time.time(), PRESENT_FOR)
        if here and not came:
            cache.set(_key(person.pk), time.time(), PRESENT_FOR)
        left = not here and cache.delete(_key(person.pk))
        if came or left:
            _notify_friends(person)


def lost(person: User, heard_at: float) -> None:
    """A page of this person is gone, last heard at this time; perhaps another one of theirs has reported since."""
    with ignore_errors():
        reported = cache.get(_key(person.pk))
        if reported is not None and reported <= heard_at and cache.delete(_key(person.pk)):
            _notify_friends(person)


def people_here(people: Iterable[int]) -> set[int]:
    """Of these people, those who are here, in one look. Show it to nobody but their friends."""
    keys = {_key(person): person for person in people}
    with ignore_errors():
        return {keys[key] for key in cache.get_many(keys)}
    return set()


def _notify_friends(person: User) -> None:
    friends = follows.friend_ids(person)
    publish_all((f"user.{friend}", frame("people")) for friend in sorted(friends)[:MOST_NOTIFIED])


def _key(person: int) -> str:
    return f"here-user-{person}"
