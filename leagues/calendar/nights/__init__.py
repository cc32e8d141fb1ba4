"""Club nights: venues, series of nights, single nights. `docs/calendar.md` is their contract."""

from leagues.calendar.nights.series import SeriesChange, add_series, change_series, skip, unskip
from leagues.calendar.nights.single import add_night, cancel_night, change_night, restore_night
from leagues.calendar.nights.venues import add_venue, close_venue, edit_venue

__all__ = [
    "SeriesChange",
    "add_night",
    "add_series",
    "add_venue",
    "cancel_night",
    "change_night",
    "change_series",
    "close_venue",
    "edit_venue",
    "restore_night",
    "skip",
    "unskip",
]
