"""The demo club, in every part of the house."""

from accounts import demo
from accounts.demo import DemoLogin
from games import demo as tables
from leagues import demo as leagues


def logins() -> list[DemoLogin]:
    return demo.logins()


def seed() -> list[DemoLogin]:
    seeded = demo.seed()
    tables.seed()
    leagues.seed()
    return seeded
