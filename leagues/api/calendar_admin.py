"""The API of a club's calendar for organisers: venues, series, nights, placements and plans."""

from typing import Any

from django.db.models import QuerySet
from django.shortcuts import get_object_or_404
from rest_framework import serializers

from accounts.api.base import Api, PersonRequest
from accounts.infra.rest import Data, operation
from accounts.infra.rest.fields import ClockTime, Flag, InputSerializer, ModelInput, Text, Whole
from accounts.models import Club, Scope
from leagues.api.calendar import (
    Night,
    Nights,
    NightSerializer,
    PlacementSerializer,
    Venues,
    VenueSerializer,
    club_or_404,
    night_or_404,
    nights,
    run_club,
)
from leagues.api.common import get_visible_or_404
from leagues.api.serializers import Id
from leagues.calendar import nights as verbs
from leagues.core import access
from leagues.core.access import Permission
from leagues.models import Pairing, Round, Season
from leagues.models.calendar import ClubNight, Placement, Plan, Series, Slot, Venue
from leagues.placement import planning
from leagues.placement import service as placement

ONLY_MEMBERS = "Only members of the club and players of its seasons see it."


class VenueInput(ModelInput):
    tables = Whole(min_value=1, max_value=500)

    class Meta:
        model = Venue
        fields = ["name", "tables", "address", "about"]


class NightInput(InputSerializer):
    """A night in the club’s time zone."""

    venue = Id()
    day = serializers.DateField()
    begins = ClockTime()
    slots = Whole(min_value=1, max_value=12, default=2)
    minutes = Whole(min_value=10, max_value=720, default=60, help_text="Of each slot.")
    tables = Whole(
        min_value=1, max_value=500, required=False, allow_null=True, help_text="By default all of the venue."
    )
    name = Text(max_length=80, default="", allow_blank=True)
    is_private = Flag(default=False, help_text=ONLY_MEMBERS)


class NightChange(InputSerializer):
    venue = Id(required=False)
    day = serializers.DateField(required=False)
    begins = ClockTime(required=False)
    slots = Whole(min_value=1, max_value=12, required=False)
    minutes = Whole(min_value=10, max_value=720, required=False)
    tables = Whole(min_value=1, max_value=500, required=False)
    name = Text(max_length=80, required=False, allow_blank=True)
    is_private = Flag(required=False, help_text=ONLY_MEMBERS)
    free = Flag(required=False, help_text="Tables that no longer fit lose their place.")


class StepInput(InputSerializer):
    do = serializers.ChoiceField(["cancel", "restore"])


class SeriesSerializer(serializers.Serializer[Any]):
    id = serializers.IntegerField()
    venue = serializers.IntegerField(source="venue_id")
    name = serializers.CharField()
    every = serializers.ChoiceField(Series.Every.choices)
    first = serializers.DateField()
    last = serializers.DateField()
    begins = ClockTime()
    slots = serializers.IntegerField()
    minutes = serializers.IntegerField()
    exceptions = serializers.ListField(child=serializers.CharField(), help_text="Skipped days.")
    is_private = serializers.BooleanField(help_text=ONLY_MEMBERS)


class SeriesInput(InputSerializer):
    """Recurring nights in the club’s time zone."""

    venue = Id()
    name = Text(max_length=80)
    every = serializers.ChoiceField(Series.Every.choices, default=Series.Every.WEEK)
    first = serializers.DateField()
    last = serializers.DateField()
    begins = ClockTime()
    slots = Whole(min_value=1, max_value=12, default=2)
    minutes = Whole(min_value=10, max_value=720, default=60)
    is_private = Flag(default=False, help_text=ONLY_MEMBERS)


class DayInput(InputSerializer):
    day = serializers.DateField()
    skipped = Flag(help_text="True skips the day, false restores it.")


class PlaceInSlotInput(InputSerializer):
    slot = Id()
    board = Whole(min_value=1, max_value=500, required=False, allow_null=True, help_text="By default a free one.")
    lock = Flag(default=False, help_text="Whether it stays when the others are placed again.")


class PlanInput(InputSerializer):
    rounds = serializers.ListField(child=Id(), default=list, max_length=200, help_text="By default all that are drawn.")
    a_night = Whole(min_value=1, max_value=12, required=False, help_text="Tables a person plays on one night.")


class PlanSerializer(serializers.Serializer[Any]):
    id = serializers.IntegerField()
    status = serializers.ChoiceField(Plan.Status.choices)
    made_at = serializers.DateTimeField()
    finished_at = serializers.DateTimeField(allow_null=True)
    progress = serializers.DictField()
    outcome = serializers.DictField()


def _fields(club: Club, data: Data) -> Data:
    """The fields with the venue as a row of this club."""
    return data | ({"venue": get_object_or_404(Venue, club=club, pk=data["venue"])} if "venue" in data else {})


class VenuesOfClub(Venues):
    @operation("add_venue", takes=VenueInput, gives=VenueSerializer, scope=Scope.ORGANISE, status=201)
    def post(self, request: PersonRequest, slug: str, data: Data) -> Venue:
        """Add a venue."""
        return verbs.add_venue(actor=request.user, club=run_club(request, slug), **data)


class OneVenue(Api):
    tag = "calendar"

    @operation("edit_venue", takes=VenueInput, gives=VenueSerializer, scope=Scope.ORGANISE)
    def patch(self, request: PersonRequest, slug: str, pk: int, data: Data) -> Venue:
        """Change a venue."""
        venue = get_object_or_404(Venue, club=run_club(request, slug), pk=pk)
        new = {name: getattr(venue, name) for name in VenueInput.Meta.fields} | data
        return verbs.edit_venue(actor=request.user, venue=venue, **new)

    @operation("close_venue", gives=VenueSerializer, scope=Scope.ORGANISE)
    def delete(self, request: PersonRequest, slug: str, pk: int) -> Venue:
        """Close a venue: nothing more is planned there."""
        return verbs.close_venue(
            actor=request.user, venue=get_object_or_404(Venue, club=run_club(request, slug), pk=pk)
        )


class AllSeries(Api):
    tag = "calendar"

    @operation("list_series", gives=SeriesSerializer, pages="pk")
    def get(self, request: PersonRequest, slug: str) -> QuerySet[Series]:
        """The series of a club’s nights."""
        return Series.objects.seen_by(request.user).filter(club=club_or_404(request, slug))

    @operation("add_series", takes=SeriesInput, gives=SeriesSerializer, scope=Scope.ORGANISE, status=201)
    def post(self, request: PersonRequest, slug: str, data: Data) -> Series:
        """Create a series of nights."""
        club = run_club(request, slug)
        return verbs.add_series(actor=request.user, club=club, **_fields(club, data))


class OneSeries(Api):
    tag = "calendar"

    @operation("change_series", takes=SeriesInput, gives=SeriesSerializer, scope=Scope.ORGANISE)
    def patch(self, request: PersonRequest, slug: str, pk: int, data: Data) -> Series:
        """Change a series and its future nights."""
        club = run_club(request, slug)
        series = get_object_or_404(Series.objects.select_related("venue", "club"), club=club, pk=pk)
        verbs.change_series(actor=request.user, series=series, **_fields(club, data))
        return Series.objects.get(pk=pk)


class SkipDay(Api):
    tag = "calendar"

    @operation("skip_day", takes=DayInput, gives=SeriesSerializer, scope=Scope.ORGANISE)
    def post(self, request: PersonRequest, slug: str, pk: int, data: Data) -> Series:
        """Skip a day of a series, or restore it."""
        series = get_object_or_404(Series.objects.select_related("venue", "club"), club=run_club(request, slug), pk=pk)
        verb = verbs.skip if data["skipped"] else verbs.unskip
        return verb(actor=request.user, series=series, day=data["day"])


class NightsOfClub(Nights):
    @operation("add_night", takes=NightInput, gives=NightSerializer, scope=Scope.ORGANISE, status=201)
    def post(self, request: PersonRequest, slug: str, data: Data) -> Any:
        """Create a single night."""
        club = run_club(request, slug)
        made = verbs.add_night(actor=request.user, club=club, **_fields(club, data))
        return nights(request.user).get(pk=made.pk)


class OneNight(Night):
    @operation("change_night", takes=NightChange, gives=NightSerializer, scope=Scope.ORGANISE)
    def patch(self, request: PersonRequest, key: str, data: Data) -> Any:
        """Move or change one night."""
        night = night_or_404(request, key)
        access.require(request.user, Permission.ORGANISE, night)
        verbs.change_night(actor=request.user, night=night, **_fields(night.club, data))
        return night_or_404(request, key)


class NightStep(Api):
    tag = "calendar"

    @operation("cancel_night", takes=StepInput, gives=NightSerializer, scope=Scope.ORGANISE)
    def post(self, request: PersonRequest, key: str, data: Data) -> Any:
        """Cancel or restore a night."""
        night: ClubNight = night_or_404(request, key)
        (verbs.cancel_night if data["do"] == "cancel" else verbs.restore_night)(actor=request.user, night=night)
        return night_or_404(request, key)


class PlacePairing(Api):
    tag = "calendar"

    @operation("place_in_slot", takes=PlaceInSlotInput, gives=PlacementSerializer, scope=Scope.ORGANISE)
    def put(self, request: PersonRequest, key: str, data: Data) -> Placement:
        """Put a table into a slot of a night."""
        pairing = get_visible_or_404(request.user, Pairing, key=key)
        slot = get_object_or_404(Slot, pk=data.pop("slot"))
        return placement.place(actor=request.user, pairing=pairing, slot=slot, **data)

    @operation("clear_placement", scope=Scope.ORGANISE)
    def delete(self, request: PersonRequest, key: str) -> None:
        """Take a table off the calendar."""
        placement.clear(actor=request.user, pairing=get_visible_or_404(request.user, Pairing, key=key))


class LockInput(InputSerializer):
    locked = Flag()


class LockPlacement(Api):
    tag = "calendar"

    @operation("lock_placement", takes=LockInput, gives=PlacementSerializer, scope=Scope.ORGANISE)
    def put(self, request: PersonRequest, key: str, data: Data) -> Placement:
        """Lock or unlock a table: a locked one stays when the others are placed again."""
        verb = placement.lock if data["locked"] else placement.unlock
        return verb(actor=request.user, pairing=get_visible_or_404(request.user, Pairing, key=key))


class Plans(Api):
    tag = "calendar"

    @operation("list_plans", gives=PlanSerializer, pages="-pk", private=True)
    def get(self, request: PersonRequest, pk: int) -> QuerySet[Plan]:
        """Placement runs of a season, the latest first; for organisers."""
        season = get_visible_or_404(request.user, Season, pk=pk)
        access.require(request.user, Permission.ORGANISE, season)
        return Plan.objects.filter(season=season)

    @operation("plan_tables", takes=PlanInput, gives=PlanSerializer, scope=Scope.ORGANISE, status=202)
    def post(self, request: PersonRequest, pk: int, data: Data) -> Plan:
        """Start a task that places the tables of a season; the plan shows its progress."""
        season = get_visible_or_404(request.user, Season, pk=pk)
        known = Round.objects.filter(stage__division__season=season, pk__in=data["rounds"])
        scope = planning.Scope(tuple(known.values_list("pk", flat=True)), data.get("a_night"))
        return planning.request_plan(actor=request.user, season=season, scope=scope)
