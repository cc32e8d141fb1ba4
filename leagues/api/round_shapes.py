"""How rounds, tables, results and standings are written down."""

from typing import Any

from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from accounts.rest.fields import Flag, PersonShape, Terms, Text, Whole
from leagues.api.shapes import EntrantRef, Id, StageShape
from leagues.draw import explain
from leagues.formats.values import Kind
from leagues.models import Pairing, Result, Round
from leagues.scoresheet import HIGHEST_SCORE

SEAT_KINDS = ["PLAYED", "FW", "FL"]


class RoundShape(serializers.Serializer):
    id = serializers.IntegerField()
    stage = serializers.IntegerField(source="stage_id")
    number = serializers.IntegerField()
    status = serializers.ChoiceField(Round.Status.choices)
    opens_at = serializers.DateTimeField(allow_null=True)
    closes_at = serializers.DateTimeField(allow_null=True)
    drawn_at = serializers.DateTimeField()
    published_at = serializers.DateTimeField(allow_null=True)
    closed_at = serializers.DateTimeField(allow_null=True)


class RoundsShape(serializers.Serializer):
    rounds = RoundShape(many=True)


class FinishedShape(serializers.Serializer):
    next = StageShape(allow_null=True, help_text="The stage that begins, if there is one.")


class DrawTerms(Terms):
    number = Whole(min_value=1, max_value=100, required=False, help_text="Of the round.")


class PublishTerms(Terms):
    opens_at = serializers.DateTimeField(required=False, allow_null=True)
    closes_at = serializers.DateTimeField(required=False, allow_null=True)


class PairingSeatShape(serializers.Serializer):
    index = serializers.IntegerField()
    entrant = EntrantRef()
    role = serializers.CharField()
    absent = serializers.BooleanField()


class PlaceShape(serializers.Serializer):
    rank = serializers.IntegerField()
    score = serializers.IntegerField(allow_null=True)
    kind = serializers.ChoiceField(SEAT_KINDS)


class ResultShape(serializers.Serializer):
    """One version of a table’s result; `places` follow the seats."""

    version = serializers.IntegerField()
    kind = serializers.ChoiceField(Result.Kind.choices)
    source = serializers.ChoiceField(Result.Source.choices)  # type: ignore[assignment]
    places = PlaceShape(many=True)
    grade = serializers.ListField(child=serializers.IntegerField())
    note = serializers.CharField()
    late = serializers.BooleanField()
    in_force = serializers.BooleanField(help_text="Whether it is the one that counts.")
    by = PersonShape(allow_null=True)
    at = serializers.DateTimeField()

    class Meta:
        ref_name = "TableResult"


class PairingShape(serializers.Serializer):
    """A table of a round."""

    key = serializers.CharField()
    page = serializers.CharField(source="get_absolute_url")
    round = serializers.IntegerField(source="round_id")
    number = serializers.IntegerField()
    group = serializers.IntegerField(allow_null=True)
    slot = serializers.CharField(help_text="The match of a bracket that this is, such as W2-1.")
    where = serializers.ChoiceField(Pairing.Where.choices)
    state = serializers.ChoiceField(Pairing.State.choices)
    match = serializers.CharField(source="match.key", allow_null=True, default=None, help_text="The live table’s key.")
    starts_at = serializers.DateTimeField(allow_null=True)
    closes_at = serializers.DateTimeField(allow_null=True)
    seats = PairingSeatShape(many=True, source="seats.all")
    result = serializers.SerializerMethodField(help_text="The one that counts.")

    @extend_schema_field(ResultShape(allow_null=True))
    def get_result(self, pairing: Pairing) -> Any:
        counts = next((result for result in pairing.results.all() if result.in_force), None)
        return ResultShape(counts).data if counts else None


class WholePairingShape(PairingShape):
    """A table with the reason of its pairing and every version of its result."""

    why = serializers.SerializerMethodField()
    results = ResultShape(many=True, source="results.all")

    def get_why(self, pairing: Pairing) -> str:
        return explain(what=pairing)


class PairingQuery(serializers.Serializer):
    season = serializers.IntegerField(required=False, min_value=1, max_value=2**63 - 1)
    state = serializers.ChoiceField(Pairing.State.choices, required=False)
    mine = serializers.BooleanField(default=False, help_text="Only tables that I sit at.")


class ByeOfRoundShape(serializers.Serializer):
    entrant = EntrantRef()
    kind = serializers.ChoiceField([kind.name for kind in Kind if kind is not Kind.PLAYED])
    why = serializers.CharField()


class ByesShape(serializers.Serializer):
    byes = ByeOfRoundShape(many=True)


class PlaceTerms(Terms):
    """A seat’s place: equal ranks are shared; FW and FL are won and lost without a game."""

    rank = Whole(min_value=1, max_value=12, allow_null=True, default=None)
    score = Whole(min_value=-HIGHEST_SCORE, max_value=HIGHEST_SCORE, allow_null=True, default=None)
    kind = serializers.ChoiceField(SEAT_KINDS, default="PLAYED")

    class Meta:
        ref_name = "SeatPlace"


class ResultTerms(Terms):
    places = PlaceTerms(many=True, max_length=12, help_text="In the order of the seats.")  # type: ignore[call-arg]
    grade = serializers.ListField(
        child=Whole(min_value=-100_000, max_value=100_000),
        default=list,
        max_length=8,
        help_text="How far a team came, where all play together: more is better.",
    )
    note = Text(max_length=300, default="", allow_blank=True)


class RowTerms(ResultTerms):
    pairing = Text(max_length=16, help_text="The key of the table.")


class EveningTerms(Terms):
    results = RowTerms(many=True, max_length=500)  # type: ignore[call-arg]


class ResultsShape(serializers.Serializer):
    results = ResultShape(many=True)


class AnswerTerms(Terms):
    version = Whole(min_value=1, max_value=32_000, help_text="Of the result that I answer.")
    agrees = Flag()
    note = Text(max_length=300, default="", allow_blank=True)


class WhereTerms(Terms):
    where = serializers.ChoiceField(Pairing.Where.choices)


class ReasonedTerms(Terms):
    why = Text(max_length=300, help_text="It stands in the season’s log.")


class AbsentTerms(Terms):
    absent = serializers.ListField(child=Id(), min_length=1, max_length=12, help_text="Entrants who did not come.")


class PreviewTerms(Terms):
    """What would be right; without places the table is struck out."""

    places = PlaceTerms(many=True, max_length=12, allow_null=True, default=None)  # type: ignore[call-arg]
    grade = serializers.ListField(child=Whole(min_value=-100_000, max_value=100_000), default=list, max_length=8)


class CorrectTerms(PreviewTerms):
    why = Text(max_length=300)
    seen = Text(max_length=16, help_text="The `seal` of the preview that was looked at.")


class ShiftShape(serializers.Serializer):
    entrant = serializers.IntegerField()
    name = serializers.CharField()
    old_place = serializers.IntegerField(allow_null=True)
    new_place = serializers.IntegerField(allow_null=True)
    old_score = serializers.IntegerField()
    new_score = serializers.IntegerField()


class RedrawShape(serializers.Serializer):
    number = serializers.IntegerField()
    tables = serializers.IntegerField()


class ReratedShape(serializers.Serializer):
    handle = serializers.CharField()
    name = serializers.CharField()
    before = serializers.IntegerField()
    after = serializers.IntegerField()


class TransferShape(serializers.Serializer):
    entrant = serializers.IntegerField()
    name = serializers.CharField()
    old = serializers.CharField()
    new = serializers.CharField()


class PreviewShape(serializers.Serializer):
    """All that a correction would change."""

    standings = ShiftShape(many=True)
    redraws = RedrawShape(many=True, help_text="Later rounds that would have been drawn otherwise; they stay.")
    ratings = ReratedShape(many=True)
    transfers = TransferShape(many=True)
    seal = serializers.CharField(help_text="To be sent with the correction.")
