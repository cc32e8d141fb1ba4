"""The demo club: people, matches and leagues."""

from django.db import transaction

from accounts import demo
from accounts.demo import DemoLogin
from accounts.models import Club, User
from games import demo as tables
from leagues import demo as leagues


def logins() -> list[DemoLogin]:
    return demo.logins()


def is_wanted() -> bool:
    """Whether nobody has used this database yet: a first start that was killed gets its demo the next time."""
    return not (User.objects.filter(is_bot=False).exists() or Club.objects.exists())


@transaction.atomic
def seed() -> list[DemoLogin]:
    """All of it or nothing, and nothing if it is already there."""
    seeded = demo.seed()
    tables.seed()
    leagues.seed()
    return seeded
