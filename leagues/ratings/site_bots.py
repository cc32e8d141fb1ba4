"""The accounts under which the site's own bots are rated: one for each level and version."""

from collections.abc import Iterable, Mapping, Sequence

from django.db import IntegrityError, transaction

from accounts.models import User
from engine.bots import VERSIONS
from leagues.models import HouseBot


def key_of(level: str, version: int = 0) -> str:
    """The key of a site bot in results; by default of the current version."""
    return f"{level}:{version or VERSIONS[level]}"


def accounts(keys: Iterable[str]) -> dict[str, int]:
    """The bots' accounts by key; missing ones are created."""
    wanted = set(keys)
    if not wanted:
        return {}
    levels = {key.partition(":")[0] for key in wanted}
    rows = HouseBot.objects.filter(level__in=levels).values_list("level", "version", "user_id")
    known = {key_of(level, version): user for level, version, user in rows}
    return {key: known.get(key) or _make(key) for key in sorted(wanted)}


def _make(key: str) -> int:
    level, _, number = key.partition(":")
    version = int(number)
    try:
        with transaction.atomic():
            # Users cannot choose a handle with a tilde, so this one is free.
            user = User(handle=f"~{level}-{version}", display_name=f"{level.title()} {version}", is_bot=True)
            user.set_unusable_password()
            user.save()
            return HouseBot.objects.create(level=level, version=version, user=user).user_id
    except IntegrityError:
        # Another process created it at the same moment.
        return HouseBot.objects.get(level=level, version=version).user_id


def keys() -> dict[int, str]:
    """The key of each site bot's account."""
    rows = HouseBot.objects.values_list("level", "version", "user_id")
    return {user: key_of(level, version) for level, version, user in rows}


def earlier_versions() -> Mapping[int, Sequence[int]]:
    """For each site bot's account the accounts of its earlier versions, the latest first."""
    levels: dict[str, list[int]] = {}
    versions = {}
    for level, user in HouseBot.objects.order_by("version").values_list("level", "user_id"):
        versions[user] = list(reversed(levels.setdefault(level, [])))
        levels[level].append(user)
    return versions
