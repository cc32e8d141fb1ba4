from tests.leagues.calendar.conftest import club, room, tables

__all__ = ["club", "room", "tables"]
