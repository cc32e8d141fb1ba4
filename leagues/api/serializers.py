"""Serializers of leagues, seasons, divisions, stages and entrants."""

from typing import Any

from django.utils.translation import gettext as _
from rest_framework import serializers

from accounts.api.fields import ClubField, PersonSerializer
from accounts.infra.rest.fields import Flag, InputSerializer, ModelInput, Text, Whole, refuse
from accounts.people import MAX_NAME_LENGTH
from engine.bots import LEVELS
from games.api.serializers import CardFileRef, ClubRef, GameField
from games.models import CardFile, Match
from leagues.core import format_catalogue
from leagues.entries import questions
from leagues.entries.registration import MOST_GUESTS
from leagues.formats.editions import Edition
from leagues.formats.points import CODES, MOST_POINTS, MOST_SEATS
from leagues.formats.tiebreaks.registry import PARTS
from leagues.models import Division, Entrant, League, RequestedBye, Season, Stage

MOST_ID = 2**63 - 1


def Id(**how: Any) -> Whole:
    """The number of a row."""
    return Whole(min_value=1, max_value=MOST_ID, **how)


class FormatField(serializers.ChoiceField):
    """A format by code, including formats of extensions."""

    def __init__(self, **how: Any) -> None:
        super().__init__(sorted(format_catalogue.FORMATS), **how)


class TieBreakField(serializers.ChoiceField):
    """A tie-break by code, including tie-breaks of extensions."""

    def __init__(self, **how: Any) -> None:
        super().__init__(list(PARTS), **how)


class LeagueSerializer(serializers.Serializer[Any]):
    slug = serializers.CharField()
    page = serializers.CharField(source="get_absolute_url")
    name = serializers.CharField()
    game = GameField()
    about = serializers.CharField(help_text="Markdown.")
    is_private = serializers.BooleanField(help_text="Only members of the club and its players see it.")
    club = ClubRef()
    made_at = serializers.DateTimeField()
    closed_at = serializers.DateTimeField(allow_null=True)


class LeagueQuery(serializers.Serializer[Any]):
    club = serializers.SlugField(required=False, max_length=60)
    game = GameField(required=False)
    mine = serializers.BooleanField(default=False, help_text="Only leagues that you play in.")


class LeagueInput(ModelInput):
    club = ClubField()
    game = GameField()

    class Meta:
        model = League
        fields = ["club", "game", "name", "about", "is_private"]


class LeagueDetails(ModelInput):
    class Meta:
        model = League
        fields = ["name", "about", "is_private"]


class QuestionSerializer(serializers.Serializer[Any]):
    id = serializers.IntegerField()
    text = serializers.CharField()
    kind = serializers.ChoiceField(list(questions.KINDS))
    choices = serializers.ListField(child=serializers.CharField())
    required = serializers.BooleanField()  # type: ignore[assignment]

    class Meta:
        ref_name = "EntryQuestion"


class QuestionInput(InputSerializer):
    id = Whole(required=False, allow_null=True, min_value=1, help_text="Of a question that was there before.")
    text = Text(max_length=questions.LONGEST_QUESTION)
    kind = serializers.ChoiceField(list(questions.KINDS), default=questions.TEXT)
    choices = serializers.ListField(
        child=Text(max_length=questions.LONGEST_CHOICE), default=list, max_length=questions.MOST_CHOICES
    )
    required = Flag(default=False)  # type: ignore[assignment]

    class Meta:
        ref_name = "EntryQuestionInput"


def AnswersField(**how: Any) -> serializers.DictField:
    """Answers to the season's questions."""
    words = "By the id of the question: a text, one of its choices, or true or false."
    return serializers.DictField(child=serializers.JSONField(), help_text=words, **how)


class SeasonSerializer(serializers.Serializer[Any]):
    id = serializers.IntegerField()
    page = serializers.CharField(source="get_absolute_url")
    league = serializers.CharField(source="league.slug")
    game = GameField(source="league.game")
    number = serializers.IntegerField()
    name = serializers.CharField()
    status = serializers.ChoiceField(Season.Status.choices)
    starts_at = serializers.DateTimeField(allow_null=True)
    ends_at = serializers.DateTimeField(allow_null=True)
    closed_at = serializers.DateTimeField(allow_null=True)
    where = serializers.ChoiceField(Season.Where.choices)
    rated = serializers.BooleanField()
    points = serializers.ChoiceField(list(CODES))
    own_points = serializers.ListField(
        child=serializers.IntegerField(), help_text="Points by place, best first, where `points` is `own`."
    )
    best_rounds = serializers.IntegerField(help_text="How many rounds of everybody count, the best ones; 0: all.")
    tie_breaks = serializers.ListField(child=TieBreakField())
    tie_break_edition = serializers.ChoiceField(
        [edition.value for edition in Edition],
        help_text="Of the rules for rounds without a game; a season keeps the one it was created with.",
    )
    options = serializers.DictField(help_text="Options of the game, where they differ from the default.")
    card_file = CardFileRef(allow_null=True, help_text="The club’s own cards; null for those of the site.")
    clock = serializers.ChoiceField(Match.Clock.choices)
    bank = serializers.IntegerField(help_text="Seconds.")
    increment = serializers.IntegerField(help_text="Seconds.")
    days = serializers.IntegerField()
    on_timeout = serializers.ChoiceField(Match.OnTimeout.choices)
    members_only = serializers.BooleanField()
    rating_from = serializers.IntegerField(allow_null=True)
    rating_to = serializers.IntegerField(allow_null=True)
    waiting_list = serializers.BooleanField()
    approval = serializers.BooleanField(help_text="Whether organisers approve entries.")
    entry_questions = QuestionSerializer(many=True, help_text="Questions to entrants.")
    check_in = serializers.BooleanField()
    confirmation = serializers.ChoiceField(Season.Confirmation.choices)
    missed_round = serializers.ChoiceField(
        Season.MissedRound.choices, help_text="The bye of players who are away when a round is drawn."
    )
    odds = serializers.BooleanField(help_text="Whether everybody’s chances of the title are shown.")
    window_days = serializers.IntegerField(help_text="To play a round; 0: no limit.")
    on_unplayed = serializers.ChoiceField(Season.OnUnplayed.choices)
    answer_hours = serializers.IntegerField(help_text="To answer a suggested time.")
    no_show_minutes = serializers.IntegerField()


class SeasonInput(ModelInput):
    points = serializers.ChoiceField(list(CODES), required=False)
    own_points = serializers.ListField(
        child=Whole(min_value=0, max_value=MOST_POINTS),
        required=False,
        max_length=MOST_SEATS,
        help_text="Points by place, best first, with `points` `own`; no place is worth more than the one before.",
    )
    best_rounds = Whole(
        required=False,
        min_value=0,
        max_value=100,
        help_text="How many rounds of everybody count, the best ones; 0: all. Not in groups and knock-outs.",
    )
    options = serializers.DictField(required=False)
    card_file = Id(
        required=False, allow_null=True, help_text="The id of a card file of the club; null for the site’s cards."
    )
    entry_questions = QuestionInput(many=True, required=False, help_text="Questions to entrants, all of them.")
    bank = Whole(required=False, min_value=0, max_value=36_000)
    increment = Whole(required=False, min_value=0, max_value=3_600)
    days = Whole(required=False, min_value=0, max_value=30)
    rating_from = Whole(required=False, allow_null=True, min_value=-10_000, max_value=10_000)
    rating_to = Whole(required=False, allow_null=True, min_value=-10_000, max_value=10_000)

    class Meta:
        model = Season
        fields = [
            "name", "starts_at", "ends_at", "rated", "points", "own_points", "best_rounds", "options", "where",
            "clock", "bank", "increment", "days", "on_timeout", "members_only", "rating_from", "rating_to",
            "waiting_list", "approval", "entry_questions", "check_in", "confirmation", "odds", "missed_round",
            "window_days", "on_unplayed", "answer_hours", "no_show_minutes", "card_file",
        ]  # fmt: skip

    def validate(self, data: dict[str, Any]) -> dict[str, Any]:
        if data.get("card_file") is not None:
            # Whether there is one, and of which club, is looked at where it is chosen: no id says more than another.
            data["card_file"] = CardFile(pk=data["card_file"])
        return data


class NewSeasonInput(InputSerializer):
    """The code of a preset; or `empty` for a season without settings, or `go-on` for one like the last."""

    preset = Text(max_length=40)
    name = Text(max_length=80, default="", allow_blank=True)
    ask_until = serializers.DateTimeField(
        default=None,
        allow_null=True,
        help_text="With `go-on`: players are asked until then whether they play again; without it all are entered.",
    )
    keep_silent = Flag(default=False, help_text="Whether who says nothing is kept in.")


class StartInput(InputSerializer):
    do_not_wait = Flag(
        default=False, help_text="Start although people still have time to answer whether they play again."
    )


class PresetSerializer(serializers.Serializer[Any]):
    code = serializers.CharField()
    title = serializers.CharField()
    words = serializers.CharField()


class PresetsSerializer(serializers.Serializer[Any]):
    presets = PresetSerializer(many=True)


class TieBreakInput(InputSerializer):
    tie_breaks = serializers.ListField(child=TieBreakField(), max_length=12)


class DivisionSerializer(serializers.Serializer[Any]):
    id = serializers.IntegerField()
    season = serializers.IntegerField(source="season_id")
    level = serializers.IntegerField()
    number = serializers.IntegerField()
    name = serializers.CharField()
    cap = serializers.IntegerField(allow_null=True)
    up = serializers.IntegerField(help_text="How many are promoted.")
    down = serializers.IntegerField(help_text="How many are relegated.")


class DivisionInput(ModelInput):
    cap = Whole(min_value=2, max_value=9999, required=False, allow_null=True)
    up = Whole(min_value=0, max_value=9999, required=False)
    down = Whole(min_value=0, max_value=9999, required=False)

    class Meta:
        model = Division
        fields = ["name", "cap", "up", "down"]


class StageSerializer(serializers.Serializer[Any]):
    id = serializers.IntegerField()
    division = serializers.IntegerField(source="division_id")
    position = serializers.IntegerField()
    format = FormatField()
    settings = serializers.DictField()
    planned = serializers.IntegerField(allow_null=True, help_text="Number of rounds; null: decided by the format.")
    take = serializers.IntegerField(allow_null=True, help_text="How many of the stage before go on to this one.")
    status = serializers.ChoiceField(Stage.Status.choices)


class StageInput(InputSerializer):
    format = FormatField()
    settings = serializers.DictField(default=dict, help_text="By name, as the list of formats has them.")
    planned = Whole(min_value=1, max_value=99, allow_null=True, default=None)
    take = Whole(min_value=2, max_value=512, allow_null=True, default=None)


class SettingSerializer(serializers.Serializer[Any]):
    name = serializers.CharField()
    title = serializers.CharField()
    default_value = serializers.JSONField()
    least = serializers.IntegerField()
    most = serializers.IntegerField()
    values = serializers.ListField(
        child=serializers.IntegerField(), help_text="The only possible numbers; empty: all from least to most."
    )


class FormatSerializer(serializers.Serializer[Any]):
    code = serializers.CharField()
    title = serializers.CharField()
    words = serializers.CharField()
    games = serializers.ListField(child=serializers.CharField(), help_text="Games that it can be played with.")
    settings = SettingSerializer(many=True)


class FormatsSerializer(serializers.Serializer[Any]):
    formats = FormatSerializer(many=True)


class SeedInput(InputSerializer):
    by = serializers.ChoiceField(["rating", "lot", "hand"])
    order = serializers.ListField(child=Id(), default=list, max_length=10_000, help_text="Entrants, for `hand`.")


class MemberSerializer(serializers.Serializer[Any]):
    person = PersonSerializer(source="user")
    level = serializers.ChoiceField(["", *LEVELS], source="bot_level")


class EntrantSerializer(serializers.Serializer[Any]):
    """A person, a bot or a team in a division."""

    id = serializers.IntegerField()
    season = serializers.IntegerField(source="season_id")
    division = serializers.IntegerField(source="division_id")
    kind = serializers.ChoiceField(Entrant.Kind.choices)
    name = serializers.CharField()
    person = PersonSerializer(source="user", allow_null=True, help_text="Null for a team.")
    level = serializers.ChoiceField(["", *LEVELS], source="bot_level")
    members = MemberSerializer(many=True, source="members.all")
    status = serializers.ChoiceField(Entrant.Status.choices)
    waiting_place = serializers.IntegerField(allow_null=True, help_text="On the waiting list, from 1.")
    seed = serializers.IntegerField(allow_null=True)
    rating = serializers.IntegerField(allow_null=True, help_text="As it was when the seeds were set.")
    entered_at = serializers.DateTimeField()


class LateEntrySerializer(serializers.Serializer[Any]):
    """Whether and how somebody can still enter a running season."""

    possible = serializers.BooleanField()
    divisions = serializers.ListField(child=serializers.IntegerField(), help_text="Those that still take somebody.")
    words = serializers.CharField()


class EntrantRef(serializers.Serializer[Any]):
    id = serializers.IntegerField()
    name = serializers.CharField()


class EntrantQuery(serializers.Serializer[Any]):
    division = serializers.IntegerField(required=False, min_value=1, max_value=MOST_ID)
    status = serializers.ChoiceField(Entrant.Status.choices, required=False)


class EnterInput(InputSerializer):
    division = Id(required=False, help_text="Where there is more than one.")
    answers = AnswersField(default=dict)


class HandleInput(InputSerializer):
    handle = Text(max_length=30)


class GuestInput(InputSerializer):
    names = serializers.ListField(child=Text(max_length=MAX_NAME_LENGTH), min_length=1, max_length=MOST_GUESTS)


class BotEntrantInput(InputSerializer):
    """Either `level` or `bot`."""

    level = serializers.ChoiceField(LEVELS, required=False, help_text="Of a bot of the site.")
    bot = Text(max_length=30, required=False, help_text="The handle of a user’s bot.")

    def validate(self, terms: dict[str, Any]) -> dict[str, Any]:
        if len(terms) != 1:
            refuse("bot", _("Either a level, or the handle of a bot that somebody brought."))
        return terms


class TeamInput(InputSerializer):
    name = Text(max_length=60)
    members = serializers.ListField(child=Text(max_length=30), max_length=12, help_text="Handles.")
    bots = serializers.ListField(child=serializers.ChoiceField(LEVELS), default=list, max_length=3)


class EntrantsSerializer(serializers.Serializer[Any]):
    entrants = EntrantSerializer(many=True)


class MoveInput(InputSerializer):
    division = Id()

    class Meta:
        ref_name = "DivisionMove"


class ByeSerializer(serializers.Serializer[Any]):
    id = serializers.IntegerField()
    entrant = serializers.IntegerField(source="entrant_id")
    stage = serializers.IntegerField(source="stage_id")
    round = serializers.IntegerField()
    kind = serializers.ChoiceField(RequestedBye.KINDS)

    class Meta:
        ref_name = "RequestedBye"


class ByeInput(InputSerializer):
    stage = Id()
    round = Whole(min_value=1, max_value=99)
    kind = serializers.ChoiceField(["ZPB", "HPB", "FPB"], default="ZPB")


class SeasonLineSerializer(serializers.Serializer[Any]):
    """An entry of the season’s log, in words."""

    id = serializers.IntegerField()
    action = serializers.CharField()
    at = serializers.DateTimeField()
    words = serializers.CharField()
    undo = serializers.IntegerField(allow_null=True, help_text="The id to undo it, while that is possible.")
