"""When and where a club plays: venues, nights and what is placed where."""

from typing import Any

from django.db.models import Count, OuterRef, QuerySet, Subquery
from django.db.models.functions import Coalesce
from django.http import Http404
from django.shortcuts import get_object_or_404
from django.utils import timezone
from rest_framework import serializers
from rest_framework.request import Request

from accounts import access
from accounts.access import Actor, Permission
from accounts.models import Club
from accounts.rest import Api, Data, operation
from accounts.rest.fields import PersonShape
from leagues.api.common import found
from leagues.models import Season
from leagues.models.calendar import Answer, Availability, ClubNight, Placement, Venue
from leagues.scheduling import availability


class VenueShape(serializers.Serializer):
    id = serializers.IntegerField()
    name = serializers.CharField()
    address = serializers.CharField()
    about = serializers.CharField(help_text="How to get in.")
    tables = serializers.IntegerField()


class SlotShape(serializers.Serializer):
    id = serializers.IntegerField()
    number = serializers.IntegerField()
    starts_at = serializers.DateTimeField()
    ends_at = serializers.DateTimeField()
    tables = serializers.IntegerField()


class NightShape(serializers.Serializer):
    key = serializers.CharField()
    club = serializers.CharField(source="club.slug")
    name = serializers.CharField()
    venue = VenueShape()
    day = serializers.DateField()
    starts_at = serializers.DateTimeField()
    ends_at = serializers.DateTimeField()
    cancelled_at = serializers.DateTimeField(allow_null=True)
    slots = SlotShape(many=True, source="slots.all")
    coming = serializers.IntegerField(help_text="How many have said that they come.")
    my_answer = serializers.ChoiceField(Answer.choices, allow_null=True, help_text="What I have said about it.")


class ComerShape(serializers.Serializer):
    """What is known of one person and one night."""

    person = PersonShape(source="user")
    comes = serializers.ChoiceField([each.value for each in availability.Can], source="summary")
    slots = serializers.ListField(child=serializers.IntegerField(), source="only", help_text="Where not to all of it.")
    by_habit = serializers.SerializerMethodField(help_text="Nothing was said about this night.")

    def get_by_habit(self, comer: availability.Comer) -> bool:
        return comer.answer is None


class ComersShape(serializers.Serializer):
    comers = ComerShape(many=True)


class NightQuery(serializers.Serializer):
    past = serializers.BooleanField(default=False, help_text="Nights that are over, too.")


class PlacementShape(serializers.Serializer):
    pairing = serializers.CharField(source="pairing.key")
    night = serializers.CharField(source="slot.night.key")
    slot = serializers.IntegerField(source="slot.number")
    board = serializers.IntegerField()
    starts_at = serializers.DateTimeField(source="slot.starts_at")
    locked = serializers.BooleanField()


class Venues(Api):
    tag = "calendar"

    @operation("list_venues", gives=VenueShape, pages="pk")
    def get(self, request: Request, slug: str) -> QuerySet[Venue]:
        """Where a club plays."""
        return Venue.objects.filter(club=club_or_404(request, slug), closed_at=None)


class Nights(Api):
    tag = "calendar"

    @operation("list_nights", gives=NightShape, query=NightQuery, pages=("starts_at", "pk"))
    def get(self, request: Request, slug: str, query: Data) -> QuerySet[Any]:
        """A club’s nights, the next first."""
        rows = nights(request.user).filter(club=club_or_404(request, slug))
        return rows if query["past"] else rows.filter(ends_at__gt=timezone.now())


class Night(Api):
    tag = "calendar"

    @operation("read_night", gives=NightShape)
    def get(self, request: Request, key: str) -> Any:
        """One night: where, when, its slots, and how many come."""
        return night_or_404(request, key)


class Comers(Api):
    tag = "calendar"

    @operation("list_comers", gives=ComersShape)
    def get(self, request: Request, key: str) -> Data:
        """Who comes to a night, who does not, and who has not said."""
        night = night_or_404(request, key)
        return {"comers": [each for each in availability.who(night) if not each.user.is_bot]}


class Placements(Api):
    tag = "calendar"

    @operation("list_placements", gives=PlacementShape, pages="pk")
    def get(self, request: Request, pk: int) -> QuerySet[Placement]:
        """Which tables of a season are played in which slot of which night."""
        season = found(request.user, Season, pk=pk)
        rows = Placement.objects.filter(pairing__round__stage__division__season=season)
        return rows.exclude(pairing__round__status="drawn").select_related("pairing", "slot__night")


def nights(person: Actor) -> QuerySet[Any]:
    said = availability.coming().filter(night=OuterRef("pk")).values("night").annotate(count=Count("pk"))
    coming = Coalesce(Subquery(said.values("count")), 0)
    mine = Availability.objects.filter(night=OuterRef("pk"), user=person.pk).values("answer")[:1]
    rows = ClubNight.objects.annotate(coming=coming, my_answer=Subquery(mine))
    return rows.select_related("club", "venue").prefetch_related("slots")


def night_or_404(request: Request, key: str) -> Any:
    night = nights(request.user).filter(key=key).first()
    if night is None or not access.may(request.user, Permission.SEE_CLUB, night.club):
        raise Http404
    return night


def club_or_404(request: Request, slug: str) -> Club:
    club = get_object_or_404(Club, slug=slug)
    access.require(request.user, Permission.SEE_CLUB, club)
    return club
