"""Nights and tables to put into calendars, and calendars read back."""

from datetime import UTC, date, datetime, timedelta
from zoneinfo import ZoneInfo

import vobject

from accounts.models import Club, User
from leagues.feeds import service as feeds
from leagues.models import ClubNight, Division, League, Pairing, Placement, Round, Slot, Stage, Venue
from leagues.rounds import draw
from tests.factories import draft_season, enter, stage_of

WARSAW, NEW_YORK = ZoneInfo("Europe/Warsaw"), ZoneInfo("America/New_York")
NOW = datetime(2026, 3, 20, 12, tzinfo=UTC)


def cellar(club: Club) -> Venue:
    return Venue.objects.create(
        club=club, name="Piwnica pod Żółwiem", address="ul. Długa 5; Łódź", about="Ring twice", tables=4
    )


def a_night(venue: Venue, day: date, hour: int = 19, zone: ZoneInfo = WARSAW, **fields) -> ClubNight:
    begins = datetime(day.year, day.month, day.day, hour, tzinfo=zone)
    night = ClubNight.objects.create(
        club=venue.club,
        venue=venue,
        day=day,
        starts_at=begins.astimezone(UTC),
        ends_at=(begins + timedelta(hours=3)).astimezone(UTC),
        **fields,
    )
    for number in (1, 2):
        Slot.objects.create(
            night=night,
            number=number,
            starts_at=night.starts_at + timedelta(minutes=90 * (number - 1)),
            ends_at=night.starts_at + timedelta(minutes=90 * number),
            tables=venue.tables,
        )
    return night


def paired(league: League, actor: User, *players: User, **terms) -> Stage:
    season = draft_season(league, actor, "round-robin", members_only=False, **terms)
    for player in players:
        enter(Division.objects.get(season=season), actor, player)
    draw.start(actor=actor, season=season)
    stage = stage_of(season)
    draw.draw_next_round(actor=actor, stage=stage)
    return stage


def published(stage: Stage, actor: User, **window) -> Pairing:
    round_ = Round.objects.select_related("stage__division__season__league__club").get(stage=stage)
    draw.publish(actor=actor, round=round_, **window)
    return Pairing.objects.get(round=round_)


def put(pairing: Pairing, slot: Slot, board: int = 2) -> None:
    """Place a table, as the placement verbs do: with its time and revision."""
    Placement.objects.update_or_create(pairing=pairing, defaults={"slot": slot, "board": board})
    Pairing.objects.filter(pk=pairing.pk).update(starts_at=slot.starts_at, revision=pairing.revision + 1)
    pairing.refresh_from_db()


def read(body: bytes) -> dict[str, vobject.base.Component]:
    """Every entry by its id."""
    calendar = vobject.readOne(body.decode())
    events = getattr(calendar, "vevent_list", [])
    by_uid = {event.uid.value: event for event in events}
    assert len(by_uid) == len(events)
    return by_uid


def of(user: User, kind: str) -> list[vobject.base.Component]:
    by_uid = read(feeds.person_feed(user))
    return [event for uid, event in by_uid.items() if uid.startswith(f"{kind}-")]


def wall(moment: datetime) -> str:
    return f"{moment:%Y-%m-%d %H:%M}"
