"""What organisers do with a club's calendar: venues, series, nights, placements and plans."""

from typing import Any

from django.db.models import QuerySet
from django.shortcuts import get_object_or_404
from rest_framework import serializers

from accounts.models import Club, Scope
from accounts.rest import Api, Data, PersonRequest, operation
from accounts.rest.fields import ClockTime, Flag, ModelTerms, Terms, Text, Whole
from leagues import access
from leagues.access import Permission
from leagues.api.calendar import (
    Night,
    Nights,
    NightShape,
    PlacementShape,
    Venues,
    VenueShape,
    club_or_404,
    night_or_404,
    nights,
)
from leagues.api.common import found
from leagues.api.shapes import Id
from leagues.models import Pairing, Round, Season
from leagues.models.calendar import ClubNight, Placement, Plan, Series, Slot, Venue
from leagues.scheduling import nights as verbs
from leagues.scheduling import placing, planning


class VenueTerms(ModelTerms):
    tables = Whole(min_value=1, max_value=500)

    class Meta:
        model = Venue
        fields = ["name", "tables", "address", "about"]


class NightTerms(Terms):
    """A night on the club’s own clock."""

    venue = Id()
    day = serializers.DateField()
    begins = ClockTime()
    slots = Whole(min_value=1, max_value=12, default=2)
    minutes = Whole(min_value=10, max_value=720, default=60, help_text="Of each slot.")
    tables = Whole(min_value=1, max_value=500, required=False, allow_null=True, help_text="Else all of the venue.")
    name = Text(max_length=80, default="", allow_blank=True)


class NightChange(Terms):
    venue = Id(required=False)
    day = serializers.DateField(required=False)
    begins = ClockTime(required=False)
    slots = Whole(min_value=1, max_value=12, required=False)
    minutes = Whole(min_value=10, max_value=720, required=False)
    tables = Whole(min_value=1, max_value=500, required=False)
    name = Text(max_length=80, required=False, allow_blank=True)
    free = Flag(required=False, help_text="Tables that no longer fit lose their place.")


class StepTerms(Terms):
    do = serializers.ChoiceField(["cancel", "restore"])


class SeriesShape(serializers.Serializer):
    id = serializers.IntegerField()
    venue = serializers.IntegerField(source="venue_id")
    name = serializers.CharField()
    every = serializers.ChoiceField(Series.Every.choices)
    first = serializers.DateField()
    last = serializers.DateField()
    begins = ClockTime()
    slots = serializers.IntegerField()
    minutes = serializers.IntegerField()
    exceptions = serializers.ListField(child=serializers.CharField(), help_text="Days that are left out.")


class SeriesTerms(Terms):
    """Nights that recur, on the club’s own clock."""

    venue = Id()
    name = Text(max_length=80)
    every = serializers.ChoiceField(Series.Every.choices, default=Series.Every.WEEK)
    first = serializers.DateField()
    last = serializers.DateField()
    begins = ClockTime()
    slots = Whole(min_value=1, max_value=12, default=2)
    minutes = Whole(min_value=10, max_value=720, default=60)


class DayTerms(Terms):
    day = serializers.DateField()
    skipped = Flag(help_text="True leaves the day out, false makes it a night again.")


class PlaceInSlotTerms(Terms):
    slot = Id()
    board = Whole(min_value=1, max_value=500, required=False, allow_null=True, help_text="Else a free one.")
    lock = Flag(default=False, help_text="Whether it stays when all others are planned anew.")


class PlanTerms(Terms):
    rounds = serializers.ListField(child=Id(), default=list, max_length=200, help_text="None: all that are drawn.")
    a_night = Whole(min_value=1, max_value=12, required=False, help_text="Tables a person plays on one night.")


class PlanShape(serializers.Serializer):
    id = serializers.IntegerField()
    status = serializers.ChoiceField(Plan.Status.choices)
    made_at = serializers.DateTimeField()
    finished_at = serializers.DateTimeField(allow_null=True)
    progress = serializers.DictField()
    outcome = serializers.DictField()


def _run(request: PersonRequest, slug: str) -> Club:
    club = club_or_404(request, slug)
    access.require(request.user, Permission.ORGANISE, club)
    return club


def _fields(club: Club, data: Data) -> Data:
    """The venue as a row of this club."""
    return data | ({"venue": get_object_or_404(Venue, club=club, pk=data["venue"])} if "venue" in data else {})


class VenuesOfClub(Venues):
    @operation("add_venue", takes=VenueTerms, gives=VenueShape, scope=Scope.ORGANISE, status=201)
    def post(self, request: PersonRequest, slug: str, data: Data) -> Venue:
        """A place with tables."""
        return verbs.add_venue(actor=request.user, club=_run(request, slug), **data)


class OneVenue(Api):
    tag = "calendar"

    @operation("edit_venue", takes=VenueTerms, gives=VenueShape, scope=Scope.ORGANISE)
    def patch(self, request: PersonRequest, slug: str, pk: int, data: Data) -> Venue:
        """Change a venue."""
        venue = get_object_or_404(Venue, club=_run(request, slug), pk=pk)
        new = {name: getattr(venue, name) for name in VenueTerms.Meta.fields} | data
        return verbs.edit_venue(actor=request.user, venue=venue, **new)

    @operation("close_venue", gives=VenueShape, scope=Scope.ORGANISE)
    def delete(self, request: PersonRequest, slug: str, pk: int) -> Venue:
        """Close a venue: nothing more is planned there."""
        return verbs.close_venue(actor=request.user, venue=get_object_or_404(Venue, club=_run(request, slug), pk=pk))


class AllSeries(Api):
    tag = "calendar"

    @operation("list_series", gives=SeriesShape, pages="pk")
    def get(self, request: PersonRequest, slug: str) -> QuerySet[Series]:
        """The series of a club’s nights."""
        return Series.objects.filter(club=club_or_404(request, slug))

    @operation("add_series", takes=SeriesTerms, gives=SeriesShape, scope=Scope.ORGANISE, status=201)
    def post(self, request: PersonRequest, slug: str, data: Data) -> Series:
        """Plan nights that recur."""
        club = _run(request, slug)
        return verbs.add_series(actor=request.user, club=club, **_fields(club, data))


class OneSeries(Api):
    tag = "calendar"

    @operation("change_series", takes=SeriesTerms, gives=SeriesShape, scope=Scope.ORGANISE)
    def patch(self, request: PersonRequest, slug: str, pk: int, data: Data) -> Series:
        """Change a series and its nights to come."""
        club = _run(request, slug)
        series = get_object_or_404(Series.objects.select_related("venue", "club"), club=club, pk=pk)
        verbs.change_series(actor=request.user, series=series, **_fields(club, data))
        return Series.objects.get(pk=pk)


class SkipDay(Api):
    tag = "calendar"

    @operation("skip_day", takes=DayTerms, gives=SeriesShape, scope=Scope.ORGANISE)
    def post(self, request: PersonRequest, slug: str, pk: int, data: Data) -> Series:
        """Leave a day out of a series, or take it in again."""
        series = get_object_or_404(Series.objects.select_related("venue", "club"), club=_run(request, slug), pk=pk)
        verb = verbs.skip if data["skipped"] else verbs.unskip
        return verb(actor=request.user, series=series, day=data["day"])


class NightsOfClub(Nights):
    @operation("add_night", takes=NightTerms, gives=NightShape, scope=Scope.ORGANISE, status=201)
    def post(self, request: PersonRequest, slug: str, data: Data) -> Any:
        """Plan one night."""
        club = _run(request, slug)
        made = verbs.add_night(actor=request.user, club=club, **_fields(club, data))
        return nights(request.user).get(pk=made.pk)


class OneNight(Night):
    @operation("change_night", takes=NightChange, gives=NightShape, scope=Scope.ORGANISE)
    def patch(self, request: PersonRequest, key: str, data: Data) -> Any:
        """Move or change one night."""
        night = night_or_404(request, key)
        access.require(request.user, Permission.ORGANISE, night)
        verbs.change_night(actor=request.user, night=night, **_fields(night.club, data))
        return night_or_404(request, key)


class NightStep(Api):
    tag = "calendar"

    @operation("cancel_night", takes=StepTerms, gives=NightShape, scope=Scope.ORGANISE)
    def post(self, request: PersonRequest, key: str, data: Data) -> Any:
        """Cancel a night, or let it take place after all."""
        night: ClubNight = night_or_404(request, key)
        (verbs.cancel_night if data["do"] == "cancel" else verbs.restore_night)(actor=request.user, night=night)
        return night_or_404(request, key)


class PlacePairing(Api):
    tag = "calendar"

    @operation("place_in_slot", takes=PlaceInSlotTerms, gives=PlacementShape, scope=Scope.ORGANISE)
    def put(self, request: PersonRequest, key: str, data: Data) -> Placement:
        """Put a table into a slot of a night."""
        pairing = found(request.user, Pairing, key=key)
        slot = get_object_or_404(Slot, pk=data.pop("slot"))
        return placing.place(actor=request.user, pairing=pairing, slot=slot, **data)

    @operation("clear_placement", scope=Scope.ORGANISE)
    def delete(self, request: PersonRequest, key: str) -> None:
        """Take a table off the calendar."""
        placing.clear(actor=request.user, pairing=found(request.user, Pairing, key=key))


class LockTerms(Terms):
    locked = Flag()


class LockPlacement(Api):
    tag = "calendar"

    @operation("lock_placement", takes=LockTerms, gives=PlacementShape, scope=Scope.ORGANISE)
    def put(self, request: PersonRequest, key: str, data: Data) -> Placement:
        """A locked table stays where it is when all others are planned anew."""
        verb = placing.lock if data["locked"] else placing.unlock
        return verb(actor=request.user, pairing=found(request.user, Pairing, key=key))


class Plans(Api):
    tag = "calendar"

    @operation("list_plans", gives=PlanShape, pages="-pk", private=True)
    def get(self, request: PersonRequest, pk: int) -> QuerySet[Plan]:
        """Attempts to place the tables of a season, the latest first; for organisers."""
        season = found(request.user, Season, pk=pk)
        access.require(request.user, Permission.ORGANISE, season)
        return Plan.objects.filter(season=season)

    @operation("plan_tables", takes=PlanTerms, gives=PlanShape, scope=Scope.ORGANISE, status=202)
    def post(self, request: PersonRequest, pk: int, data: Data) -> Plan:
        """Have the tables of a season placed: a task does it, and the plan tells how far it is."""
        season = found(request.user, Season, pk=pk)
        known = Round.objects.filter(stage__division__season=season, pk__in=data["rounds"])
        scope = planning.Scope(tuple(known.values_list("pk", flat=True)), data.get("a_night"))
        return planning.ask(actor=request.user, season=season, scope=scope)
