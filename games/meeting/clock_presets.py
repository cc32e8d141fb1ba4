"""The clocks that forms, challenges and quick pairing offer by name."""

from games.models import Match
from games.models.meeting import ClockPreset
from games.tables.setup import Clock

CLOCKS = {
    ClockPreset.NONE: Clock(),
    ClockPreset.LIVE_3: Clock(Match.Clock.LIVE, bank=180, increment=10),
    ClockPreset.LIVE_10: Clock(Match.Clock.LIVE, bank=600, increment=20),
    ClockPreset.LIVE_25: Clock(Match.Clock.LIVE, bank=1500, increment=30),
    ClockPreset.DAYS_1: Clock(Match.Clock.DAYS, days=1),
    ClockPreset.DAYS_3: Clock(Match.Clock.DAYS, days=3),
    ClockPreset.DAYS_7: Clock(Match.Clock.DAYS, days=7),
}


def clock_of(preset: str) -> Clock:
    return CLOCKS[ClockPreset(preset)]


def is_by_correspondence(preset: str) -> bool:
    return clock_of(preset).kind == Match.Clock.DAYS
