"""The accounts under which the house's own bots are rated: one for each level and version."""

from collections.abc import Mapping, Sequence

from django.db import IntegrityError, transaction

from accounts.models import User
from engine.bots import VERSION
from leagues.models import HouseBot


def key_of(level: str, version: int = VERSION) -> str:
    """How a result names a house bot; by default the one that plays now."""
    return f"{level}:{version}"


def account(key: str) -> User:
    """The bot's account, made when it is first asked for."""
    level, _, version = key.partition(":")
    known = HouseBot.objects.select_related("user").filter(level=level, version=int(version)).first()
    return known.user if known else _make(level, int(version))


def _make(level: str, version: int) -> User:
    try:
        with transaction.atomic():
            # A tilde is in no handle that can be chosen, so nobody holds this name already.
            user = User(handle=f"~{level}-{version}", display_name=f"{level.title()} {version}", is_bot=True)
            user.set_unusable_password()
            user.save()
            HouseBot.objects.create(level=level, version=version, user=user)
            return user
    except IntegrityError:
        return HouseBot.objects.select_related("user").get(level=level, version=version).user


def forebears() -> Mapping[int, Sequence[int]]:
    """For each house bot's account those of the earlier versions of its level, the latest first."""
    levels: dict[str, list[int]] = {}
    found = {}
    for level, user in HouseBot.objects.order_by("version").values_list("level", "user_id"):
        found[user] = list(reversed(levels.setdefault(level, [])))
        levels[level].append(user)
    return found
