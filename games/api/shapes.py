"""How games, tables and matches are written down."""

from typing import Any

from django.utils.translation import gettext as _
from rest_framework import serializers

import engine
from accounts.rest.fields import ClubField, Flag, PersonShape, Terms, Text, Whole, refuse
from engine.bots import LEVELS
from games.fairness import LONGEST_WORD
from games.models import ChatLine, Match, Move, Seat
from games.models.talk import LONGEST_LINE
from games.play import LONGEST_MOVE

GAMES = sorted(engine.GAMES)
MOST_PLAYERS = max(engine.game(name).players[-1] for name in GAMES)
ROLES = sorted({role for name in GAMES for size in engine.game(name).players for role in engine.game(name).roles(size)})


class SeatShape(serializers.Serializer):
    """A place at the table."""

    index = serializers.IntegerField()
    name = serializers.CharField(help_text="What to call whoever sits here; empty while nobody does.")
    handle = serializers.CharField(help_text="Empty for nobody, for a bot without an account, and for who left us.")
    is_bot = serializers.BooleanField()
    level = serializers.ChoiceField(["", *LEVELS], help_text="The level of the bot that plays or keeps this seat.")
    left = serializers.ChoiceField(Seat.Left.values)
    here = serializers.BooleanField(help_text="Whether somebody is looking at the table now.")


class ClockShape(serializers.Serializer):
    kind = serializers.ChoiceField(Match.Clock.choices, source="clock")
    bank = serializers.IntegerField(help_text="Seconds that each has for the match.")
    increment = serializers.IntegerField(help_text="Seconds added for every turn.")
    days = serializers.IntegerField(help_text="Days for every turn.")
    on_timeout = serializers.ChoiceField(Match.OnTimeout.choices)


class ClubRef(serializers.Serializer):
    slug = serializers.CharField()
    name = serializers.CharField()


class SeatOfTableShape(serializers.Serializer):
    index = serializers.IntegerField()
    person = PersonShape(source="user", allow_null=True)
    name = serializers.CharField(help_text="What to call whoever sits here; empty while nobody does.")
    is_bot = serializers.BooleanField()
    level = serializers.ChoiceField(["", *LEVELS], source="bot_level")
    wish = serializers.CharField(help_text="The role that they would like.")
    left = serializers.ChoiceField(Seat.Left.values)
    rank = serializers.IntegerField(allow_null=True)
    score = serializers.IntegerField(allow_null=True)
    won = serializers.BooleanField(allow_null=True)


class TableShape(serializers.Serializer):
    key = serializers.CharField()
    page = serializers.CharField(source="get_absolute_url", help_text="Its page on the site.")
    game = serializers.ChoiceField(GAMES)
    players = serializers.IntegerField()
    options = serializers.DictField(help_text="Those that differ from the usual.")
    rules_version = serializers.IntegerField()
    status = serializers.ChoiceField(Match.Status.choices)
    visibility = serializers.ChoiceField(Match.Visibility.choices)
    rated = serializers.BooleanField()
    host = PersonShape(allow_null=True)
    club = ClubRef(allow_null=True)
    clock = ClockShape(source="*")
    commitment = serializers.CharField(help_text="The house’s promise of the shuffle, kept at the end.")
    ply = serializers.IntegerField()
    to_act = serializers.IntegerField(allow_null=True, help_text="The seat that the match waits for.")
    deadline = serializers.DateTimeField(allow_null=True, help_text="When its clock falls.")
    created_at = serializers.DateTimeField()
    started_at = serializers.DateTimeField(allow_null=True)
    finished_at = serializers.DateTimeField(allow_null=True)
    seats = SeatOfTableShape(source="seats.all", many=True)


class TableQuery(serializers.Serializer):
    status = serializers.ChoiceField(Match.Status.choices, required=False)
    game = serializers.ChoiceField(GAMES, required=False)
    club = serializers.SlugField(required=False, max_length=60, help_text="Tables of this club.")
    mine = serializers.BooleanField(default=False, help_text="Only tables that I sit at.")
    my_turn = serializers.BooleanField(default=False, help_text="Only matches that wait for me.")


class ClockTerms(Terms):
    """`none`; `live` with a bank of seconds and seconds for every turn; `days` for every turn."""

    kind = serializers.ChoiceField(Match.Clock.choices)
    bank = Whole(min_value=0, max_value=36_000, default=0)
    increment = Whole(min_value=0, max_value=3_600, default=0)
    days = Whole(min_value=0, max_value=30, default=0)
    on_timeout = serializers.ChoiceField(Match.OnTimeout.choices, default=Match.OnTimeout.BOT)

    def validate(self, data: dict[str, Any]) -> dict[str, Any]:
        live, days = data["kind"] == Match.Clock.LIVE, data["kind"] == Match.Clock.DAYS
        if live and data["bank"] < 30:
            refuse("bank", _("A live clock has a bank of 30 seconds or more."))
        if not live and (data["bank"] or data["increment"]):
            refuse("kind", _("Only a live clock has a bank and an increment."))
        if days != bool(data["days"]):
            refuse("days", _("A clock by correspondence, and no other, has days."))
        return data


class TableTerms(Terms):
    game = serializers.ChoiceField(GAMES)
    players = Whole(min_value=2, max_value=MOST_PLAYERS)
    options = serializers.DictField(default=dict, help_text="By name, as the list of games has them.")
    visibility = serializers.ChoiceField(Match.Visibility.choices, default=Match.Visibility.ANYONE)
    club = ClubField(allow_null=True, default=None)
    clock = ClockTerms(required=False)
    rated = Flag(default=False)
    sit = Flag(default=True, help_text="Whether I take a place at once.")

    def validate(self, data: dict[str, Any]) -> dict[str, Any]:
        if data["visibility"] == Match.Visibility.CLUB and data["club"] is None:
            refuse("club", _("Choose the club whose members may join."))
        return data


class PlayNowTerms(Terms):
    game = serializers.ChoiceField(GAMES)
    players = Whole(min_value=2, max_value=MOST_PLAYERS)
    level = serializers.ChoiceField(LEVELS, default="regular", help_text="Of all the bots.")
    rated = Flag(default=False)


class WishTerms(Terms):
    wish = serializers.ChoiceField(["", *ROLES], default="", help_text="The role I would like; empty: as it comes.")


class SitTerms(WishTerms):
    index = Whole(min_value=0, max_value=MOST_PLAYERS - 1, required=False, help_text="Which place; else the first.")


class BotTerms(SitTerms):
    level = serializers.ChoiceField(LEVELS)


class PlaceTerms(Terms):
    index = Whole(min_value=0, max_value=MOST_PLAYERS - 1)


class WordTerms(Terms):
    word = Text(max_length=LONGEST_WORD, allow_blank=True, help_text="Mixed into the shuffle.")


class ViewShape(serializers.Serializer):
    """All that one seat may know: `docs/tables.md` says more."""

    game = serializers.CharField()
    players = serializers.IntegerField()
    roles = serializers.ListField(child=serializers.CharField())
    seat = serializers.IntegerField(allow_null=True, help_text="Whose view this is; null is a spectator’s.")
    ply = serializers.IntegerField()
    to_act = serializers.IntegerField(allow_null=True)
    legal = serializers.ListField(child=serializers.CharField(), help_text="What this seat can play now.")
    can_undo = serializers.BooleanField()
    outcome = serializers.DictField(allow_null=True)
    table = serializers.DictField(help_text="The game’s own: cards by id, tokens, decks by size.")


class ClockNowShape(serializers.Serializer):
    kind = serializers.CharField()
    left = serializers.ListField(
        child=serializers.IntegerField(allow_null=True), help_text="Milliseconds in the bank of each seat."
    )
    running = serializers.IntegerField(allow_null=True, help_text="The seat whose clock runs.")
    running_for = serializers.IntegerField(allow_null=True, help_text="Milliseconds until it falls.")


class ResultShape(serializers.Serializer):
    cause = serializers.ChoiceField(Match.Cause.choices)
    reason = serializers.CharField()
    ranks = serializers.ListField(child=serializers.IntegerField(allow_null=True))
    scores = serializers.ListField(child=serializers.IntegerField(allow_null=True))
    winners = serializers.ListField(child=serializers.IntegerField())


class StateShape(serializers.Serializer):
    """A match as the asker may see it: their seat’s view, or a spectator’s."""

    key = serializers.CharField()
    status = serializers.ChoiceField(Match.Status.choices)
    seat = serializers.IntegerField(allow_null=True, help_text="My seat.")
    v = serializers.IntegerField(help_text="The ply that it stands at.")
    since = serializers.IntegerField(help_text="The ply after which `events` begin.")
    view = ViewShape(allow_null=True, help_text="Null before the deal, and for a match of older rules.")
    events = serializers.ListField(child=serializers.DictField(), help_text="What happened since, as I may know it.")
    undone = serializers.ListField(child=serializers.IntegerField(), help_text="Plies that were taken back.")
    seats = SeatShape(many=True)
    clock = ClockNowShape(allow_null=True)
    result = ResultShape(allow_null=True)


class StateQuery(serializers.Serializer):
    after = serializers.IntegerField(
        required=False, min_value=0, max_value=1_000_000, help_text="The ply that I know of: events begin after it."
    )


class LegalShape(serializers.Serializer):
    ply = serializers.IntegerField()
    seat = serializers.IntegerField(allow_null=True)
    to_act = serializers.IntegerField(allow_null=True)
    legal = serializers.ListField(child=serializers.CharField())
    can_undo = serializers.BooleanField()


class MoveTerms(Terms):
    ply = Whole(min_value=0, max_value=1_000_000, help_text="The ply that the move is for: `v` of the state.")
    move = Text(max_length=LONGEST_MOVE, help_text="One of `legal`, word for word.")


class PlyTerms(Terms):
    ply = Whole(min_value=0, max_value=1_000_000)


class MoveShape(serializers.Serializer):
    ply = serializers.IntegerField()
    seat = serializers.IntegerField()
    move = serializers.CharField(source="notation")
    by = serializers.ChoiceField(Move.By.choices)
    at = serializers.DateTimeField()
    spent = serializers.IntegerField(help_text="Milliseconds.")


class PliesQuery(serializers.Serializer):
    seat = serializers.IntegerField(required=False, min_value=0, max_value=MOST_PLAYERS - 1)
    start = serializers.IntegerField(default=0, min_value=0, max_value=1_000_000)


class PlyShape(serializers.Serializer):
    v = serializers.IntegerField()
    view = ViewShape()
    events = serializers.ListField(child=serializers.DictField())


class PliesShape(serializers.Serializer):
    last = serializers.IntegerField(help_text="The last ply of the match.")
    plies = PlyShape(many=True)


class TranscriptShape(serializers.Serializer):
    """The whole record; `python -m engine verify` reads it."""

    format = serializers.IntegerField()
    game = serializers.CharField()
    rules_version = serializers.IntegerField()
    players = serializers.IntegerField()
    seed = serializers.CharField()
    options = serializers.DictField()
    moves = serializers.ListField(child=serializers.ListField(), help_text="Seat, move, digest of the state.")


class VerdictShape(serializers.Serializer):
    is_fair = serializers.BooleanField()
    promise_kept = serializers.BooleanField(help_text="The secret is the one that was promised.")
    replays = serializers.BooleanField(help_text="Every move is legal where it stands.")
    result_agrees = serializers.BooleanField()
    plies = serializers.IntegerField()
    digest = serializers.CharField()
    fault = serializers.CharField()


class ChatLineShape(serializers.Serializer):
    id = serializers.IntegerField()
    person = PersonShape(source="user")
    room = serializers.ChoiceField(ChatLine.Room.choices)
    text = serializers.SerializerMethodField()
    remark = serializers.CharField()
    removed = serializers.BooleanField()
    at = serializers.DateTimeField()

    def get_text(self, line: ChatLine) -> str:
        return "" if line.removed else line.text


class SayTerms(Terms):
    """A line of one’s own, or one of the fixed remarks."""

    text = Text(max_length=LONGEST_LINE, default="", allow_blank=True)
    remark = Text(max_length=20, default="", allow_blank=True)


class ReasonTerms(Terms):
    reason = Text(max_length=300, default="", allow_blank=True)


class MutesShape(serializers.Serializer):
    muted = serializers.ListField(child=serializers.CharField(), help_text="Handles.")


class ReportShape(serializers.Serializer):
    id = serializers.IntegerField()
    line = ChatLineShape()
    match = serializers.CharField(source="line.match.key")
    reporter = PersonShape()
    reason = serializers.CharField()
    at = serializers.DateTimeField()


class SettleTerms(Terms):
    remove = Flag(help_text="Whether the line goes.")
