"""How leagues, seasons, divisions, stages and entrants are written down."""

from typing import Any

from django.utils.translation import gettext as _
from rest_framework import serializers

from accounts.people import LONGEST_NAME
from accounts.rest.fields import ClubField, Flag, ModelTerms, PersonShape, Terms, Text, Whole, refuse
from engine.bots import LEVELS
from games.api.shapes import GAMES, ClubRef
from games.models import Match
from leagues import catalogue
from leagues.formats.points import SCHEMES
from leagues.formats.tiebreaks.parts import PARTS
from leagues.forms.entry import MOST_GUESTS
from leagues.models import Division, Entrant, League, RequestedBye, Season, Stage

FORMATS = sorted(catalogue.FORMATS)
MOST_ID = 2**63 - 1


def Id(**how: Any) -> Whole:
    """The number of a row."""
    return Whole(min_value=1, max_value=MOST_ID, **how)


class LeagueShape(serializers.Serializer):
    slug = serializers.CharField()
    page = serializers.CharField(source="get_absolute_url")
    name = serializers.CharField()
    game = serializers.ChoiceField(GAMES)
    about = serializers.CharField(help_text="Markdown.")
    club = ClubRef()
    made_at = serializers.DateTimeField()
    closed_at = serializers.DateTimeField(allow_null=True)


class LeagueQuery(serializers.Serializer):
    club = serializers.SlugField(required=False, max_length=60)
    game = serializers.ChoiceField(GAMES, required=False)
    mine = serializers.BooleanField(default=False, help_text="Only leagues that I play in.")


class LeagueTerms(ModelTerms):
    club = ClubField()
    game = serializers.ChoiceField(GAMES)

    class Meta:
        model = League
        fields = ["club", "game", "name", "about"]


class LeagueDetails(ModelTerms):
    class Meta:
        model = League
        fields = ["name", "about"]


class SeasonShape(serializers.Serializer):
    id = serializers.IntegerField()
    page = serializers.CharField(source="get_absolute_url")
    league = serializers.CharField(source="league.slug")
    game = serializers.ChoiceField(GAMES, source="league.game")
    number = serializers.IntegerField()
    name = serializers.CharField()
    status = serializers.ChoiceField(Season.Status.choices)
    starts_at = serializers.DateTimeField(allow_null=True)
    ends_at = serializers.DateTimeField(allow_null=True)
    closed_at = serializers.DateTimeField(allow_null=True)
    where = serializers.ChoiceField(Season.Where.choices)
    rated = serializers.BooleanField()
    points = serializers.ChoiceField(list(SCHEMES))
    tie_breaks = serializers.ListField(child=serializers.ChoiceField(list(PARTS)))
    options = serializers.DictField(help_text="Of the game, where they differ from the usual.")
    clock = serializers.ChoiceField(Match.Clock.choices)
    bank = serializers.IntegerField(help_text="Seconds.")
    increment = serializers.IntegerField(help_text="Seconds.")
    days = serializers.IntegerField()
    on_timeout = serializers.ChoiceField(Match.OnTimeout.choices)
    members_only = serializers.BooleanField()
    rating_from = serializers.IntegerField(allow_null=True)
    rating_to = serializers.IntegerField(allow_null=True)
    waiting_list = serializers.BooleanField()
    check_in = serializers.BooleanField()
    confirmation = serializers.ChoiceField(Season.Confirmation.choices)
    odds = serializers.BooleanField(help_text="Whether everybody’s chances of the title are shown.")
    window_days = serializers.IntegerField(help_text="To play a round; 0: until an organiser says otherwise.")
    on_unplayed = serializers.ChoiceField(Season.OnUnplayed.choices)
    answer_hours = serializers.IntegerField(help_text="To answer a suggested time.")
    no_show_minutes = serializers.IntegerField()


class SeasonTerms(ModelTerms):
    points = serializers.ChoiceField(list(SCHEMES), required=False)
    options = serializers.DictField(required=False)
    bank = Whole(required=False, min_value=0, max_value=36_000)
    increment = Whole(required=False, min_value=0, max_value=3_600)
    days = Whole(required=False, min_value=0, max_value=30)
    rating_from = Whole(required=False, allow_null=True, min_value=-10_000, max_value=10_000)
    rating_to = Whole(required=False, allow_null=True, min_value=-10_000, max_value=10_000)

    class Meta:
        model = Season
        fields = [
            "name", "starts_at", "ends_at", "rated", "points", "options", "where", "clock", "bank", "increment", "days",
            "on_timeout", "members_only", "rating_from", "rating_to", "waiting_list", "check_in", "confirmation",
            "odds", "window_days", "on_unplayed", "answer_hours", "no_show_minutes",
        ]  # fmt: skip


class NewSeasonTerms(Terms):
    """A preset’s code sets a whole season up; `empty` leaves all to you, `go-on` repeats the last one."""

    preset = Text(max_length=40)
    name = Text(max_length=80, default="", allow_blank=True)
    ask_until = serializers.DateTimeField(
        default=None, allow_null=True, help_text="With `go-on`: who played is asked until then; else all are in."
    )
    keep_silent = Flag(default=False, help_text="Whether who says nothing is kept in.")


class StartTerms(Terms):
    do_not_wait = Flag(default=False, help_text="Start although people still have time to say whether they play again.")


class PresetShape(serializers.Serializer):
    code = serializers.CharField()
    title = serializers.CharField()
    words = serializers.CharField()


class PresetsShape(serializers.Serializer):
    presets = PresetShape(many=True)


class TieBreakTerms(Terms):
    tie_breaks = serializers.ListField(child=serializers.ChoiceField(list(PARTS)), max_length=12)


class DivisionShape(serializers.Serializer):
    id = serializers.IntegerField()
    season = serializers.IntegerField(source="season_id")
    level = serializers.IntegerField()
    number = serializers.IntegerField()
    name = serializers.CharField()
    cap = serializers.IntegerField(allow_null=True)
    up = serializers.IntegerField(help_text="How many go up at the close.")
    down = serializers.IntegerField(help_text="How many go down.")


class DivisionTerms(ModelTerms):
    cap = Whole(min_value=2, max_value=9999, required=False, allow_null=True)
    up = Whole(min_value=0, max_value=9999, required=False)
    down = Whole(min_value=0, max_value=9999, required=False)

    class Meta:
        model = Division
        fields = ["name", "cap", "up", "down"]


class StageShape(serializers.Serializer):
    id = serializers.IntegerField()
    division = serializers.IntegerField(source="division_id")
    position = serializers.IntegerField()
    format = serializers.ChoiceField(FORMATS)
    settings = serializers.DictField()
    planned = serializers.IntegerField(allow_null=True, help_text="Rounds; null: the format says when it is over.")
    take = serializers.IntegerField(allow_null=True, help_text="How many of the stage before go on to this one.")
    status = serializers.ChoiceField(Stage.Status.choices)


class StageTerms(Terms):
    format = serializers.ChoiceField(FORMATS)
    settings = serializers.DictField(default=dict, help_text="By name, as the list of formats has them.")
    planned = Whole(min_value=1, max_value=99, allow_null=True, default=None)
    take = Whole(min_value=2, max_value=512, allow_null=True, default=None)


class SettingShape(serializers.Serializer):
    name = serializers.CharField()
    title = serializers.CharField()
    default_value = serializers.JSONField()
    least = serializers.IntegerField()
    most = serializers.IntegerField()


class FormatShape(serializers.Serializer):
    code = serializers.CharField()
    title = serializers.CharField()
    words = serializers.CharField()
    games = serializers.ListField(child=serializers.CharField(), help_text="That it can be played with.")
    settings = SettingShape(many=True)


class FormatsShape(serializers.Serializer):
    formats = FormatShape(many=True)


class SeedTerms(Terms):
    by = serializers.ChoiceField(["rating", "lot", "hand"])
    order = serializers.ListField(child=Id(), default=list, max_length=10_000, help_text="Entrants, for `hand`.")


class MemberShape(serializers.Serializer):
    person = PersonShape(source="user")
    level = serializers.ChoiceField(["", *LEVELS], source="bot_level")


class EntrantShape(serializers.Serializer):
    """A person, a bot or a team in a division."""

    id = serializers.IntegerField()
    season = serializers.IntegerField(source="season_id")
    division = serializers.IntegerField(source="division_id")
    kind = serializers.ChoiceField(Entrant.Kind.choices)
    name = serializers.CharField()
    person = PersonShape(source="user", allow_null=True, help_text="Null for a team.")
    level = serializers.ChoiceField(["", *LEVELS], source="bot_level")
    members = MemberShape(many=True, source="members.all")
    status = serializers.ChoiceField(Entrant.Status.choices)
    seed = serializers.IntegerField(allow_null=True)
    rating = serializers.IntegerField(allow_null=True, help_text="As it was when the seeds were set.")
    entered_at = serializers.DateTimeField()


class EntrantRef(serializers.Serializer):
    id = serializers.IntegerField()
    name = serializers.CharField()


class EntrantQuery(serializers.Serializer):
    division = serializers.IntegerField(required=False, min_value=1, max_value=MOST_ID)
    status = serializers.ChoiceField(Entrant.Status.choices, required=False)


class EnterTerms(Terms):
    division = Id(required=False, help_text="Where there is more than one.")


class HandleTerms(Terms):
    handle = Text(max_length=30)


class GuestTerms(Terms):
    names = serializers.ListField(child=Text(max_length=LONGEST_NAME), min_length=1, max_length=MOST_GUESTS)


class BotEntrantTerms(Terms):
    """Either `level` or `bot`."""

    level = serializers.ChoiceField(LEVELS, required=False, help_text="Of a bot of the house.")
    bot = Text(max_length=30, required=False, help_text="The handle of a bot that somebody brought.")

    def validate(self, terms: dict[str, Any]) -> dict[str, Any]:
        if len(terms) != 1:
            refuse("bot", _("Either a level, or the handle of a bot that somebody brought."))
        return terms


class TeamTerms(Terms):
    name = Text(max_length=60)
    members = serializers.ListField(child=Text(max_length=30), max_length=12, help_text="Handles.")
    bots = serializers.ListField(child=serializers.ChoiceField(LEVELS), default=list, max_length=3)


class EntrantsShape(serializers.Serializer):
    entrants = EntrantShape(many=True)


class MoveTerms(Terms):
    division = Id()

    class Meta:
        ref_name = "DivisionMove"


class ByeShape(serializers.Serializer):
    id = serializers.IntegerField()
    entrant = serializers.IntegerField(source="entrant_id")
    stage = serializers.IntegerField(source="stage_id")
    round = serializers.IntegerField()
    kind = serializers.ChoiceField(RequestedBye.KINDS)

    class Meta:
        ref_name = "RequestedBye"


class ByeTerms(Terms):
    stage = Id()
    round = Whole(min_value=1, max_value=99)
    kind = serializers.ChoiceField(["ZPB", "HPB", "FPB"], default="ZPB")


class SeasonLineShape(serializers.Serializer):
    """An entry of the season’s log, in words."""

    id = serializers.IntegerField()
    action = serializers.CharField()
    at = serializers.DateTimeField()
    words = serializers.CharField()
    undo = serializers.IntegerField(allow_null=True, help_text="What to undo it by, while that can be done.")
