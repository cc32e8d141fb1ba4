from dataclasses import asdict
from typing import Any

from django.shortcuts import get_object_or_404
from rest_framework.request import Request

from accounts import access as people
from accounts.access import Permission
from accounts.api.base import Api, PersonRequest
from accounts.infra.rest import Data, operation
from accounts.models import Scope, User
from games import access
from games.analysis import hints, skill
from games.analysis.hint_text import serialize
from games.analysis.learn import Lesson
from games.api import serializers
from games.api.common import match_or_404, record_or_refusal
from games.models import Match
from games.tables import play_on


def lesson_of(request: Request, key: str, seat: int | None) -> Lesson:
    match = record_or_refusal(request.user, key)
    mine = access.seat_of(request.user, match)
    return Lesson(match, list(match.seats.all()), seat if seat is not None else mine.index if mine else 0)


class Mistakes(Api):
    tag = "matches"

    @operation("list_mistakes", gives=serializers.MistakesSerializer, query=serializers.SeatQuery, also=(409,))
    def get(self, request: Request, key: str, query: Data) -> Data:
        """The choices of a seat that gave something away, by the analysis of a finished match."""
        lesson = lesson_of(request, key, query.get("seat"))
        return {"seat": lesson.seat, "mistakes": lesson.mistakes}


class OneMistake(Api):
    tag = "matches"

    @operation("read_mistake", gives=serializers.MistakePositionSerializer, query=serializers.SeatQuery, also=(409,))
    def get(self, request: Request, key: str, number: int, query: Data) -> Data:
        """The table before such a choice, as the seat saw it then."""
        lesson = lesson_of(request, key, query.get("seat"))
        return {"mistake": lesson.mistake(number), **lesson.position(number)}

    @operation(
        "try_mistake", takes=serializers.TryInput, gives=serializers.TriedSerializer, scope=Scope.PLAY, also=(409,)
    )
    def post(self, request: PersonRequest, key: str, number: int, data: Data) -> Any:
        """Try such a choice again, and learn what each answer was worth. Nothing is stored."""
        return asdict(lesson_of(request, key, data.get("seat")).judge(number, data["move"]))


class SkillsOf(Api):
    tag = "matches"

    @operation("read_skills", gives=serializers.SkillsSerializer)
    def get(self, request: Request, handle: str) -> Data:
        """Luck, accuracy and kinds of choices in a person's latest analysed matches, game by game."""
        person = get_object_or_404(User, handle__iexact=handle, is_active=True)
        people.require(request.user, Permission.SEE_PROFILE, person)
        return {"person": person, "skills": skill.skills_of(person, request.user)}


class PlayOn(Api):
    tag = "matches"

    @operation(
        "play_on",
        takes=serializers.PlayOnInput,
        gives=serializers.TableSerializer,
        scope=Scope.PLAY,
        status=201,
        also=(409,),
    )
    def post(self, request: PersonRequest, key: str, data: Data) -> Match:
        """Play on from a position of a finished match, against bots: a new table, unrated.

        What the seat could not know at that moment is drawn anew.
        """
        table = play_on.play_on(person=request.user, match=record_or_refusal(request.user, key), **data)
        return match_or_404(request.user, table.key)


class MatchHint(Api):
    tag = "matches"

    @operation("read_hint", gives=serializers.HintSerializer, private=True)
    def get(self, request: PersonRequest, key: str) -> Data:
        """The hint for my present decision, once it was asked for and computed."""
        match = match_or_404(request.user, key)
        return serialize(match, hints.latest(person=request.user, match=match))

    @operation("ask_hint", takes=serializers.HintInput, gives=serializers.HintSerializer, scope=Scope.PLAY)
    def post(self, request: PersonRequest, key: str, data: Data) -> Data:
        """Ask for a hint in a match against the site’s bots; read it until its state is `done`."""
        match = match_or_404(request.user, key)
        return serialize(match, hints.ask(person=request.user, match=match, unrated=data["unrated"]))
