"""A club's calendar: venues, nights and placed tables."""

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
from accounts.api.base import Api, PersonRequest
from accounts.api.fields import PersonSerializer
from accounts.infra.rest import Data, operation
from accounts.models import Club
from leagues.api.common import get_visible_or_404
from leagues.calendar import availability
from leagues.core import access as league_access
from leagues.models import Season
from leagues.models.calendar import Answer, Availability, ClubNight, Placement, Venue


class VenueSerializer(serializers.Serializer[Any]):
    id = serializers.IntegerField()
    name = serializers.CharField()
    address = serializers.CharField()
    about = serializers.SerializerMethodField(help_text="How to get in; for members of the club.")
    tables = serializers.IntegerField()

    def get_about(self, venue: Venue) -> str:
        """Empty for others. Asked once for all rows of a club."""
        request = self.context["request"]
        known: dict[int, bool] = request.__dict__.setdefault("venue_remarks_of_clubs", {})
        if venue.club_id not in known:
            may = league_access.may(request.user, league_access.Permission.SEE_COMERS, venue.club)
            known[venue.club_id] = may
        return venue.about if known[venue.club_id] else ""


class SlotSerializer(serializers.Serializer[Any]):
    id = serializers.IntegerField()
    number = serializers.IntegerField()
    starts_at = serializers.DateTimeField()
    ends_at = serializers.DateTimeField()
    tables = serializers.IntegerField()


class NightSerializer(serializers.Serializer[Any]):
    key = serializers.CharField()
    club = serializers.CharField(source="club.slug")
    name = serializers.CharField()
    venue = VenueSerializer()
    day = serializers.DateField()
    starts_at = serializers.DateTimeField()
    ends_at = serializers.DateTimeField()
    cancelled_at = serializers.DateTimeField(allow_null=True)
    slots = SlotSerializer(many=True, source="slots.all")
    coming = serializers.IntegerField(help_text="How many come.")
    my_answer = serializers.ChoiceField(Answer.choices, allow_null=True, help_text="My own answer.")
    is_private = serializers.BooleanField(help_text="Only members of the club and players of its seasons see it.")


class ComerSerializer(serializers.Serializer[Any]):
    """Whether one person comes to a night."""

    person = PersonSerializer(source="user")
    comes = serializers.ChoiceField([each.value for each in availability.Can], source="summary")
    slots = serializers.ListField(child=serializers.IntegerField(), source="only", help_text="If not the whole night.")
    by_habit = serializers.SerializerMethodField(help_text="From the usual days: there is no answer for this night.")

    def get_by_habit(self, comer: availability.Attendee) -> bool:
        return comer.answer is None


class ComersSerializer(serializers.Serializer[Any]):
    comers = ComerSerializer(many=True)


class NightQuery(serializers.Serializer[Any]):
    past = serializers.BooleanField(default=False, help_text="Include past nights.")


class PlacementSerializer(serializers.Serializer[Any]):
    pairing = serializers.CharField(source="pairing.key")
    night = serializers.CharField(source="slot.night.key")
    slot = serializers.IntegerField(source="slot.number")
    board = serializers.IntegerField()
    starts_at = serializers.DateTimeField(source="slot.starts_at")
    locked = serializers.BooleanField()


class Venues(Api):
    tag = "calendar"

    @operation("list_venues", gives=VenueSerializer, pages="pk")
    def get(self, request: Request, slug: str) -> QuerySet[Venue]:
        """Where a club plays."""
        return Venue.objects.filter(club=club_or_404(request, slug), closed_at=None)


class Nights(Api):
    tag = "calendar"

    @operation("list_nights", gives=NightSerializer, query=NightQuery, pages=("starts_at", "pk"))
    def get(self, request: Request, slug: str, query: Data) -> QuerySet[Any]:
        """A club’s nights, the next first."""
        rows = nights(request.user).filter(club=club_or_404(request, slug))
        return rows if query["past"] else rows.filter(ends_at__gt=timezone.now())


class Night(Api):
    tag = "calendar"

    @operation("read_night", gives=NightSerializer)
    def get(self, request: Request, key: str) -> Any:
        """One night: where, when, its slots, and how many come."""
        return night_or_404(request, key)


class Comers(Api):
    tag = "calendar"

    @operation("list_comers", gives=ComersSerializer)
    def get(self, request: Request, key: str) -> Data:
        """Who comes to a night, who does not, and who has not answered; for members of the club."""
        night = night_or_404(request, key)
        league_access.require(request.user, league_access.Permission.SEE_COMERS, night)
        return {"comers": [each for each in availability.attendees_of(night) if not each.user.is_bot]}


class Placements(Api):
    tag = "calendar"

    @operation("list_placements", gives=PlacementSerializer, pages="pk")
    def get(self, request: Request, pk: int) -> QuerySet[Placement]:
        """Which tables of a season are played in which slot of which night."""
        season = get_visible_or_404(request.user, Season, pk=pk)
        rows = Placement.objects.filter(pairing__round__stage__division__season=season)
        rows = rows.filter(slot__night__in=ClubNight.objects.seen_by(request.user))
        return rows.exclude(pairing__round__status="drawn").select_related("pairing", "slot__night")


def nights(person: Actor) -> QuerySet[Any]:
    counted = availability.coming().filter(night=OuterRef("pk")).values("night").annotate(count=Count("pk"))
    coming = Coalesce(Subquery(counted.values("count")), 0)
    mine = Availability.objects.filter(night=OuterRef("pk"), user=person.pk).values("answer")[:1]
    rows: QuerySet[Any] = ClubNight.objects.seen_by(person).annotate(coming=coming, my_answer=Subquery(mine))
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


def run_club(request: PersonRequest, slug: str) -> Club:
    """A club that the reader organises."""
    club = club_or_404(request, slug)
    league_access.require(request.user, league_access.Permission.ORGANISE, club)
    return club
