"""Who is here for a round."""

from typing import Any

from django.http import Http404
from django.shortcuts import get_object_or_404
from rest_framework import serializers

from accounts.api.base import Api, PersonRequest
from accounts.infra.rest import Data, operation
from accounts.infra.rest.fields import Flag, InputSerializer, Text
from accounts.models import Scope
from leagues.api.common import get_visible_or_404, runs
from leagues.api.serializers import EntrantRef, Id
from leagues.core import access
from leagues.core.access import Permission
from leagues.entries import attendance
from leagues.entries.attendance_text import attendance_words, planned_words
from leagues.models import ClubNight, Entrant, RequestedBye, Stage
from leagues.rounds import attending


class AttendingSerializer(serializers.Serializer[Any]):
    """Whether one entrant is here, and why they count as here or away."""

    entrant = EntrantRef()
    here = serializers.BooleanField(source="is_here")
    why = serializers.ChoiceField(
        [each.value for each in attendance.Why],
        help_text="From what they said for the round, the answer for the night, the usual days; or nothing is known.",
    )
    words = serializers.CharField()
    bye = serializers.ChoiceField(RequestedBye.KINDS, allow_null=True, help_text="What they get if they are away.")


class AttendanceSerializer(serializers.Serializer[Any]):
    stage = serializers.IntegerField()
    round = serializers.IntegerField()
    night = serializers.CharField(allow_null=True, help_text="The key of the club night whose answers count.")
    open = serializers.BooleanField(help_text="Whether it can still change: until the round is published.")
    rule = serializers.CharField(help_text="What happens in a format that leaves nobody out; otherwise empty.")
    outdated = serializers.BooleanField(help_text="Whether the draw does not fit any more; for organisers.")
    people = AttendingSerializer(many=True)


class AttendingInput(InputSerializer):
    entrant = Id()
    here = Flag()


class RoundNightInput(InputSerializer):
    night = Text(max_length=12, allow_null=True, help_text="The key of a club night; null: none.")


class Attendance(Api):
    tag = "rounds"

    @operation("read_attendance", gives=AttendanceSerializer, private=True)
    def get(self, request: PersonRequest, pk: int, round: int) -> Data:
        """Who is here for a round of a stage; for the club’s members and players."""
        return _serialize(request, _stage(request, pk, round), round)

    @operation("set_attendance", takes=AttendingInput, gives=AttendanceSerializer, scope=Scope.PLAY)
    def put(self, request: PersonRequest, pk: int, round: int, data: Data) -> Data:
        """Say whether an entrant is here for a round: yourself, or anybody as an organiser."""
        stage = _stage(request, pk, round)
        entrant = get_object_or_404(
            Entrant.objects.select_related("season__league__club"), pk=data["entrant"], season=stage.division.season
        )
        attending.set_attendance(actor=request.user, entrant=entrant, stage=stage, number=round, here=data["here"])
        return _serialize(request, stage, round)


class RoundNight(Api):
    tag = "rounds"

    @operation("choose_round_night", takes=RoundNightInput, gives=AttendanceSerializer, scope=Scope.ORGANISE)
    def put(self, request: PersonRequest, pk: int, round: int, data: Data) -> Data:
        """Choose the club night whose answers count for a round."""
        stage = _stage(request, pk, round)
        key = data["night"]
        night = get_object_or_404(ClubNight, key=key, club=stage.division.season.league.club) if key else None
        attending.choose_night(actor=request.user, stage=stage, number=round, night=night)
        return _serialize(request, stage, round)


def _stage(request: PersonRequest, pk: int, number: int) -> Stage:
    stage = get_visible_or_404(request.user, Stage, pk=pk)
    access.require(request.user, Permission.SEE_COMERS, stage.division.season.league.club)
    if not 1 <= number <= (stage.planned or attending.MOST_ROUNDS):
        raise Http404
    return stage


def _serialize(request: PersonRequest, stage: Stage, number: int) -> Data:
    listed = attendance.attendance(stage, number)
    return {
        "stage": stage.pk,
        "round": number,
        "night": listed.night.key if listed.night else None,
        "open": listed.is_open,
        "rule": planned_words(stage),
        # Players must not learn that an unpublished round is drawn.
        "outdated": bool(runs(request.user, stage) and listed.is_open and (listed.missing or listed.unwanted)),
        "people": [
            {
                "entrant": row.entrant,
                "is_here": row.is_here,
                "why": row.why.value,
                "words": attendance_words(row, listed.night),
                "bye": row.bye or None,
            }
            for row in listed.rows
        ],
    }
