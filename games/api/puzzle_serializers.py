"""What the API takes and gives about puzzles."""

from typing import Any

from rest_framework import serializers

from accounts.infra.input import LARGEST
from accounts.infra.rest.fields import InputSerializer, Text
from games.api.serializers import ViewSerializer
from games.play.moves import MAX_MOVE_LENGTH


class PuzzleSerializer(serializers.Serializer[Any]):
    """A choice with one right answer, as its seat saw the table; how good the answers are is told after a try."""

    id = serializers.IntegerField()
    game = serializers.CharField()
    players = serializers.IntegerField()
    seat = serializers.IntegerField(help_text="Who is to choose. Seats have no names.")
    rating = serializers.IntegerField()
    tries = serializers.IntegerField(help_text="Rated ones.")
    is_whole_turn = serializers.BooleanField(help_text="Several choices, up to the end of the turn.")
    v = serializers.IntegerField(help_text="The ply of the view.")
    view = ViewSerializer()
    events = serializers.ListField(child=serializers.DictField(), help_text="What the seat had seen until then.")


class NextPuzzleQuery(serializers.Serializer[Any]):
    after = serializers.IntegerField(
        required=False, min_value=0, max_value=LARGEST, help_text="Any but this one, for those who are not logged in."
    )


class PuzzleTryInput(InputSerializer):
    move = Text(max_length=MAX_MOVE_LENGTH, help_text="One of `legal` of the position.")
    before = serializers.ListField(
        child=Text(max_length=MAX_MOVE_LENGTH),
        required=False,
        max_length=60,
        help_text="In a whole turn: the answers that I have given before this one.",
    )


class PuzzlePositionSerializer(serializers.Serializer[Any]):
    v = serializers.IntegerField(help_text="The ply of the view.")
    view = ViewSerializer()
    events = serializers.ListField(child=serializers.DictField(), help_text="What the seat has seen until now.")


class PuzzleChoiceSerializer(serializers.Serializer[Any]):
    move = serializers.CharField()
    words = serializers.CharField()
    lost = serializers.IntegerField(help_text="What it gave away, of 100.")


class PuzzleAnswerSerializer(serializers.Serializer[Any]):
    move = serializers.CharField()
    words = serializers.CharField()
    chance = serializers.IntegerField(help_text="Of 100 worlds that the seat could not tell from the real one.")
    is_yours = serializers.BooleanField()
    is_best = serializers.BooleanField()
    is_missed = serializers.BooleanField(help_text="What the Regular bot would play.")


class SolvedSerializer(serializers.Serializer[Any]):
    solved = serializers.BooleanField()
    words = serializers.CharField()
    best = serializers.CharField()
    best_words = serializers.CharField()
    worlds = serializers.IntegerField()
    answers = PuzzleAnswerSerializer(many=True)
    is_small = serializers.BooleanField(help_text="Judged with a small budget, where the engine is not compiled.")
    puzzle_rating = serializers.IntegerField(help_text="Before this try.")
    rated = serializers.BooleanField(help_text="Only a first try with an account is.")
    rating = serializers.IntegerField(allow_null=True, help_text="My rating in puzzles after a rated try.")
    change = serializers.IntegerField(allow_null=True)
    rating_words = serializers.CharField()
    goes_on = serializers.BooleanField(help_text="A whole turn is not over yet: nothing is judged so far.")
    position = PuzzlePositionSerializer(allow_null=True, help_text="The table after the answer, where it goes on.")
    choices = PuzzleChoiceSerializer(many=True, help_text="Of a whole turn that is over.")


class PuzzleTrySerializer(serializers.Serializer[Any]):
    puzzle = serializers.IntegerField(source="puzzle_id")
    game = serializers.CharField(source="puzzle.game")
    move = serializers.CharField()
    solved = serializers.BooleanField()
    rated = serializers.BooleanField()
    rating_before = serializers.IntegerField(allow_null=True, help_text="In thousandths of a point.")
    rating_after = serializers.IntegerField(allow_null=True)
    at = serializers.DateTimeField()
