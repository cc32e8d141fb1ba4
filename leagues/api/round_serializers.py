"""Serializers of rounds, tables and results."""

from typing import Any

from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from accounts.api.fields import PersonSerializer
from accounts.infra.rest.fields import Flag, InputSerializer, Text, Whole
from leagues.api.serializers import EntrantRef, Id, StageSerializer
from leagues.calendar.presentation import hide_private_places
from leagues.core import format_catalogue
from leagues.formats.values import Kind
from leagues.models import Pairing, Result, Round
from leagues.results.recording import HIGHEST_SCORE
from leagues.rounds.draw import explain_pairing

SEAT_KINDS = ["PLAYED", "FW", "FL"]


class RoundSerializer(serializers.Serializer[Any]):
    id = serializers.IntegerField()
    stage = serializers.IntegerField(source="stage_id")
    number = serializers.IntegerField()
    status = serializers.ChoiceField(Round.Status.choices)
    opens_at = serializers.DateTimeField(allow_null=True)
    closes_at = serializers.DateTimeField(allow_null=True)
    drawn_at = serializers.DateTimeField()
    published_at = serializers.DateTimeField(allow_null=True)
    closed_at = serializers.DateTimeField(allow_null=True)


class RoundsSerializer(serializers.Serializer[Any]):
    rounds = RoundSerializer(many=True)


class FinishedSerializer(serializers.Serializer[Any]):
    next = StageSerializer(allow_null=True, help_text="The stage that starts, if there is one.")


class DrawInput(InputSerializer):
    number = Whole(min_value=1, max_value=100, required=False, help_text="Of the round.")


class PublishInput(InputSerializer):
    opens_at = serializers.DateTimeField(required=False, allow_null=True)
    closes_at = serializers.DateTimeField(required=False, allow_null=True)


class PairingSeatSerializer(serializers.Serializer[Any]):
    index = serializers.IntegerField()
    entrant = EntrantRef()
    role = serializers.CharField()
    absent = serializers.BooleanField()


class PlaceSerializer(serializers.Serializer[Any]):
    rank = serializers.IntegerField()
    score = serializers.IntegerField(allow_null=True)
    kind = serializers.ChoiceField(SEAT_KINDS)


class ResultSerializer(serializers.Serializer[Any]):
    """One version of a table’s result; `places` follow the seats."""

    version = serializers.IntegerField()
    kind = serializers.ChoiceField(Result.Kind.choices)
    source = serializers.ChoiceField(Result.Source.choices)  # type: ignore[assignment]
    places = PlaceSerializer(many=True)
    grade = serializers.ListField(child=serializers.IntegerField())
    note = serializers.CharField()
    late = serializers.BooleanField()
    in_force = serializers.BooleanField(help_text="Whether it is the version that counts.")
    by = PersonSerializer(allow_null=True)
    at = serializers.DateTimeField()

    class Meta:
        ref_name = "TableResult"


class PairingSerializer(serializers.Serializer[Any]):
    """A table of a round."""

    key = serializers.CharField()
    page = serializers.CharField(source="get_absolute_url")
    round = serializers.IntegerField(source="round_id")
    number = serializers.IntegerField(help_text="Its number in the draw of its round.")
    table = serializers.IntegerField(help_text="The number of the place where one sits, as all pages have it.")
    group = serializers.IntegerField(allow_null=True)
    slot = serializers.CharField(help_text="The id of its match in the bracket, such as W2-1.")
    where = serializers.ChoiceField(Pairing.Where.choices)
    state = serializers.ChoiceField(Pairing.State.choices)
    match = serializers.CharField(source="match.key", allow_null=True, default=None, help_text="The live table’s key.")
    starts_at = serializers.SerializerMethodField(help_text="Null also at a club night that you may not see.")
    closes_at = serializers.DateTimeField(allow_null=True)
    seats = PairingSeatSerializer(many=True, source="seats.all")
    result = serializers.SerializerMethodField(help_text="The version that counts.")

    @extend_schema_field(serializers.DateTimeField(allow_null=True))
    def get_starts_at(self, pairing: Pairing) -> Any:
        request = self.context["request"]
        hide_private_places([pairing], request.user, request.__dict__.setdefault("private_nights_of_clubs", {}))
        return serializers.DateTimeField().to_representation(pairing.starts_at) if pairing.starts_at else None

    @extend_schema_field(ResultSerializer(allow_null=True))
    def get_result(self, pairing: Pairing) -> Any:
        counts = next((result for result in pairing.results.all() if result.in_force), None)
        return ResultSerializer(counts).data if counts else None


class GameSerializer(serializers.Serializer[Any]):
    """A game of a series that is played online."""

    number = serializers.IntegerField()
    match = serializers.CharField(source="match.key", help_text="The live table’s key.")
    ended_at = serializers.DateTimeField(allow_null=True)
    winner = serializers.IntegerField(
        allow_null=True, help_text="The index of a seat of the pairing; null for a draw, and until it is over."
    )

    class Meta:
        ref_name = "SeriesGame"


class WholePairingSerializer(PairingSerializer):
    """A table with the reason of its pairing and every version of its result."""

    best_of = serializers.SerializerMethodField(help_text="How many games two play at most; scores are the games won.")
    games = GameSerializer(many=True, source="games.all", help_text="Of a series online, so far.")

    why = serializers.SerializerMethodField()
    results = ResultSerializer(many=True, source="results.all")

    def get_why(self, pairing: Pairing) -> str:
        return explain_pairing(what=pairing)

    def get_best_of(self, pairing: Pairing) -> int:
        return format_catalogue.best_of(pairing.round.stage)


class PairingQuery(serializers.Serializer[Any]):
    season = serializers.IntegerField(required=False, min_value=1, max_value=2**63 - 1)
    state = serializers.ChoiceField(Pairing.State.choices, required=False)
    mine = serializers.BooleanField(default=False, help_text="Only your own tables.")


class ByeOfRoundSerializer(serializers.Serializer[Any]):
    entrant = EntrantRef()
    kind = serializers.ChoiceField([kind.name for kind in Kind if kind is not Kind.PLAYED])
    why = serializers.CharField()


class ByesSerializer(serializers.Serializer[Any]):
    byes = ByeOfRoundSerializer(many=True)


class PlaceInput(InputSerializer):
    """A seat’s place: equal ranks are ties; FW and FL are won and lost without a game.

    In a best of 3 or 5 `score` is the number of games won, and the rank follows from it.
    """

    rank = Whole(min_value=1, max_value=12, allow_null=True, default=None)
    score = Whole(min_value=-HIGHEST_SCORE, max_value=HIGHEST_SCORE, allow_null=True, default=None)
    kind = serializers.ChoiceField(SEAT_KINDS, default="PLAYED")

    class Meta:
        ref_name = "SeatPlace"


class ResultInput(InputSerializer):
    places = PlaceInput(many=True, max_length=12, help_text="In the order of the seats.")  # type: ignore[call-arg]
    grade = serializers.ListField(
        child=Whole(min_value=-100_000, max_value=100_000),
        default=list,
        max_length=8,
        help_text="How far a team came, in cooperative games: more is better.",
    )
    note = Text(max_length=300, default="", allow_blank=True)


class SentResultInput(ResultInput):
    key = Text(
        max_length=40,
        default="",
        allow_blank=True,
        help_text="Made up by you. Sent again with the same key, nothing is written: the answer is the first result.",
    )


class RowInput(ResultInput):
    pairing = Text(max_length=16, help_text="The key of the table.")


class EveningInput(InputSerializer):
    results = RowInput(many=True, max_length=500)  # type: ignore[call-arg]


class ResultsSerializer(serializers.Serializer[Any]):
    results = ResultSerializer(many=True)


class AnswerInput(InputSerializer):
    version = Whole(min_value=1, max_value=32_000, help_text="Of the result that you answer.")
    agrees = Flag()
    note = Text(max_length=300, default="", allow_blank=True)


class WhereInput(InputSerializer):
    where = serializers.ChoiceField(Pairing.Where.choices)


class ReasonedInput(InputSerializer):
    why = Text(max_length=300, help_text="It is shown in the season’s log.")


class AbsentInput(InputSerializer):
    absent = serializers.ListField(
        child=Id(), max_length=12, help_text="Entrants who did not come; none, if they came after all."
    )


class PreviewInput(InputSerializer):
    """The correct result; without places the table is voided."""

    places = PlaceInput(many=True, max_length=12, allow_null=True, default=None)  # type: ignore[call-arg]
    grade = serializers.ListField(child=Whole(min_value=-100_000, max_value=100_000), default=list, max_length=8)


class CorrectInput(PreviewInput):
    why = Text(max_length=300)
    seen = Text(max_length=16, help_text="The `seal` of the preview that was looked at.")


class ShiftSerializer(serializers.Serializer[Any]):
    entrant = serializers.IntegerField()
    name = serializers.CharField()
    old_place = serializers.IntegerField(allow_null=True)
    new_place = serializers.IntegerField(allow_null=True)
    old_score = serializers.IntegerField()
    new_score = serializers.IntegerField()


class RedrawSerializer(serializers.Serializer[Any]):
    number = serializers.IntegerField()
    tables = serializers.IntegerField()


class ReratedSerializer(serializers.Serializer[Any]):
    handle = serializers.CharField()
    name = serializers.CharField()
    before = serializers.IntegerField()
    after = serializers.IntegerField()


class TransferSerializer(serializers.Serializer[Any]):
    entrant = serializers.IntegerField()
    name = serializers.CharField()
    old = serializers.CharField()
    new = serializers.CharField()


class RematchSerializer(serializers.Serializer[Any]):
    code = serializers.ChoiceField(["called-off", "stays", "opens"])
    slot = serializers.CharField(help_text="The id of the match in the bracket.")
    entrants = serializers.ListField(child=serializers.IntegerField())
    words = serializers.CharField()


class PreviewSerializer(serializers.Serializer[Any]):
    """Everything that a correction would change."""

    standings = ShiftSerializer(many=True)
    redraws = RedrawSerializer(
        many=True, help_text="Later rounds that would have been drawn differently; they are not changed."
    )
    ratings = ReratedSerializer(many=True)
    transfers = TransferSerializer(many=True)
    matches = RematchSerializer(many=True, help_text="What becomes of the matches of the bracket that followed.")
    seal = serializers.CharField(help_text="Send this with the correction.")
