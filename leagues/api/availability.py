"""Availability: answers for nights, and usual days."""

from typing import Any

from django.shortcuts import get_object_or_404
from rest_framework import serializers

from accounts.api.base import Api, PersonRequest
from accounts.infra.rest import Data, operation
from accounts.infra.rest.fields import InputSerializer, Text, Whole
from accounts.models import Scope, User
from leagues.api.calendar import NightSerializer, club_or_404, night_or_404
from leagues.calendar import availability
from leagues.models.calendar import Answer, Habit
from leagues.rounds import attending


class ComeInput(InputSerializer):
    answer = serializers.ChoiceField(Answer.choices)
    slots = serializers.ListField(
        child=Whole(min_value=1, max_value=12), default=list, max_length=12, help_text="None: all of the night."
    )
    person = Text(max_length=30, required=False, help_text="For somebody else; for organisers.")


class HabitSerializer(serializers.Serializer[Any]):
    weekday = serializers.IntegerField(help_text="Monday is 0.")
    answer = serializers.ChoiceField(Answer.choices)


class HabitsSerializer(serializers.Serializer[Any]):
    habits = HabitSerializer(many=True)


class HabitInput(InputSerializer):
    weekday = Whole(min_value=0, max_value=6)
    answer = serializers.ChoiceField(Answer.choices)


class HabitsInput(InputSerializer):
    habits = HabitInput(many=True, max_length=7)  # type: ignore[call-arg]


class Come(Api):
    tag = "calendar"

    @operation("answer_night", takes=ComeInput, gives=NightSerializer, scope=Scope.PLAY)
    def put(self, request: PersonRequest, key: str, data: Data) -> Any:
        """Answer whether you come to a night, or to which of its slots."""
        night = night_or_404(request, key)
        person = get_object_or_404(User, handle__iexact=data["person"]) if "person" in data else None
        attending.answer_night(
            actor=request.user, night=night, answer=data["answer"], slots=data["slots"], person=person
        )
        return night_or_404(request, key)

    @operation("take_night_answer_back", gives=NightSerializer, scope=Scope.PLAY)
    def delete(self, request: PersonRequest, key: str) -> Any:
        """Remove the answer for a night: your usual days count again."""
        availability.take_back(actor=request.user, night=night_or_404(request, key))
        return night_or_404(request, key)


class Habits(Api):
    tag = "calendar"

    @operation("read_habits", gives=HabitsSerializer, private=True)
    def get(self, request: PersonRequest, slug: str) -> Data:
        """Your usual days at a club."""
        return {"habits": Habit.objects.filter(club=club_or_404(request, slug), user=request.user)}

    @operation("set_habits", takes=HabitsInput, gives=HabitsSerializer, scope=Scope.PLAY)
    def put(self, request: PersonRequest, slug: str, data: Data) -> Data:
        """Set on which weekdays you usually can or cannot come."""
        club = club_or_404(request, slug)
        habits = {row["weekday"]: row["answer"] for row in data["habits"]}
        return {"habits": availability.set_habits(actor=request.user, club=club, habits=habits)}
