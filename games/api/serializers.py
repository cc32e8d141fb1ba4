"""Serializers for tables, matches and chat."""

from typing import Any, ClassVar

from django.utils.translation import gettext as _
from rest_framework import serializers

import engine
from accounts.api.fields import ClubField, PersonSerializer
from accounts.infra.input import LARGEST
from accounts.infra.rest.fields import Flag, InputSerializer, Text, Whole, refuse
from engine.bots import LEVELS
from games.analysis.presentation import why_not
from games.card_files import MAX_BYTES
from games.fairness import MAX_WORD_LENGTH
from games.models import Analysis, ChatLine, Hint, Match, Move, PersonChallenge, Seat
from games.models.card_file import MAX_TITLE_LENGTH
from games.models.chat import MAX_LINE_LENGTH
from games.models.meeting import ClockPreset
from games.play.moves import MAX_MOVE_LENGTH

RULES = [engine.game(name) for name in engine.GAMES]
MAX_PLAYERS = max(rules.players[-1] for rules in RULES)
ROLES = sorted({role for rules in RULES for size in rules.players for role in rules.roles(size)})


class GameField(serializers.ChoiceField):
    """A game by name: one of those there are when a request comes."""

    def __init__(self, **how: Any) -> None:
        super().__init__(sorted(engine.GAMES), **how)


class SeatSerializer(serializers.Serializer[Any]):
    """A place at the table."""

    index = serializers.IntegerField()
    name = serializers.CharField(help_text="What to call whoever sits here; empty while nobody does.")
    handle = serializers.CharField(help_text="Empty for nobody, for a bot without an account, and for who left us.")
    is_bot = serializers.BooleanField()
    level = serializers.ChoiceField(["", *LEVELS], help_text="The level of the bot that plays or keeps this seat.")
    left = serializers.ChoiceField(Seat.Left.values)
    here = serializers.BooleanField(help_text="Whether somebody is looking at the table now.")


class ClockSerializer(serializers.Serializer[Any]):
    kind = serializers.ChoiceField(Match.Clock.choices, source="clock")
    bank = serializers.IntegerField(help_text="Seconds that each has for the match.")
    increment = serializers.IntegerField(help_text="Seconds added for every turn.")
    days = serializers.IntegerField(help_text="Days for every turn.")
    on_timeout = serializers.ChoiceField(Match.OnTimeout.choices)


class ClubRef(serializers.Serializer[Any]):
    slug = serializers.CharField()
    name = serializers.CharField()


class CardFileRef(serializers.Serializer[Any]):
    """A version of a club's own cards."""

    id = serializers.IntegerField()
    number = serializers.IntegerField(help_text="Counted for each game of a club.")
    title = serializers.CharField()
    digest = serializers.CharField(help_text="SHA-256 of the file’s text.")


class CardFileSerializer(CardFileRef):
    game = GameField()
    uploaded_by = PersonSerializer()
    uploaded_at = serializers.DateTimeField()
    withdrawn_at = serializers.DateTimeField(allow_null=True, help_text="Since then no new table can have it.")


class CardFileTextSerializer(CardFileSerializer):
    text = serializers.CharField(source="source", help_text="The whole file.")


class CardFileInput(InputSerializer):
    game = GameField()
    title = Text(max_length=MAX_TITLE_LENGTH)
    text = Text(
        max_length=MAX_BYTES, trim_whitespace=False, help_text="The whole file: JSON, as docs/games describes it."
    )


class OfferInput(InputSerializer):
    on = Flag(help_text="Whether new tables and seasons can have it.")


class MatchCardsSerializer(serializers.Serializer[Any]):
    game = GameField()
    card_file = CardFileRef(allow_null=True, help_text="The club’s own cards; null for those of the site.")
    document = serializers.DictField(help_text="The whole card file; empty for a game that has none.")


class SeatOfTableSerializer(serializers.Serializer[Any]):
    index = serializers.IntegerField()
    person = PersonSerializer(source="user", allow_null=True)
    name = serializers.CharField(help_text="What to call whoever sits here; empty while nobody does.")
    is_bot = serializers.BooleanField()
    level = serializers.ChoiceField(["", *LEVELS], source="bot_level")
    wish = serializers.CharField(help_text="The role that they would like.")
    left = serializers.ChoiceField(Seat.Left.values)
    rank = serializers.IntegerField(allow_null=True)
    score = serializers.IntegerField(allow_null=True)
    won = serializers.BooleanField(allow_null=True)


class TableSerializer(serializers.Serializer[Any]):
    key = serializers.CharField()
    page = serializers.CharField(source="get_absolute_url", help_text="Its page on the site.")
    game = GameField()
    players = serializers.IntegerField()
    options = serializers.DictField(help_text="Those that differ from the usual.")
    rules_version = serializers.IntegerField()
    card_file = CardFileRef(allow_null=True, help_text="The club’s own cards; null for those of the site.")
    status = serializers.ChoiceField(Match.Status.choices)
    visibility = serializers.ChoiceField(Match.Visibility.choices)
    rated = serializers.BooleanField()
    is_tutorial = serializers.BooleanField(help_text="A first match with a coach and a fixed deal.")
    host = PersonSerializer(allow_null=True)
    club = ClubRef(allow_null=True)
    clock = ClockSerializer(source="*")
    tempo = serializers.ChoiceField(Match.Tempo.choices, help_text="The pace of the bots where people play.")
    commitment = serializers.CharField(help_text="The site’s promise of the shuffle, kept at the end.")
    ply = serializers.IntegerField()
    to_act = serializers.IntegerField(allow_null=True, help_text="The seat that the match waits for.")
    deadline = serializers.DateTimeField(allow_null=True, help_text="When its clock falls.")
    created_at = serializers.DateTimeField()
    started_at = serializers.DateTimeField(allow_null=True)
    finished_at = serializers.DateTimeField(allow_null=True)
    seats = SeatOfTableSerializer(source="seats.all", many=True)


class TableQuery(serializers.Serializer[Any]):
    status = serializers.ChoiceField(Match.Status.choices, required=False)
    game = GameField(required=False)
    club = serializers.SlugField(required=False, max_length=60, help_text="Tables of this club.")
    mine = serializers.BooleanField(default=False, help_text="Only tables that I sit at.")
    my_turn = serializers.BooleanField(default=False, help_text="Only matches that wait for me.")


class ClockInput(InputSerializer):
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
            refuse("days", _("Only a clock by correspondence has days, and it needs them."))
        return data


class TableInput(InputSerializer):
    game = GameField()
    players = Whole(min_value=2, max_value=MAX_PLAYERS)
    options = serializers.DictField(default=dict, help_text="By name, as the list of games has them.")
    visibility = serializers.ChoiceField(Match.Visibility.choices, default=Match.Visibility.ANYONE)
    club = ClubField(allow_null=True, default=None)
    clock = ClockInput(required=False)
    rated = Flag(default=False)
    tempo = serializers.ChoiceField(Match.Tempo.choices, default=Match.Tempo.NORMAL)
    card_file = Whole(
        allow_null=True, default=None, min_value=1, max_value=LARGEST, help_text="The id of a card file of the club."
    )
    sit = Flag(default=True, help_text="Whether I take a place at once.")

    def validate(self, data: dict[str, Any]) -> dict[str, Any]:
        if data["visibility"] == Match.Visibility.CLUB and data["club"] is None:
            refuse("club", _("Choose the club whose members may join."))
        return data


class PlayNowInput(InputSerializer):
    game = GameField()
    players = Whole(min_value=2, max_value=MAX_PLAYERS)
    level = serializers.ChoiceField(LEVELS, default="regular", help_text="Of all the bots.")
    rated = Flag(default=False)
    tempo = serializers.ChoiceField(Match.Tempo.choices, default=Match.Tempo.NORMAL)
    role = serializers.ChoiceField(["", *ROLES], default="", help_text="The role I would like; empty: as it comes.")
    difficulty = Text(
        max_length=40,
        default="",
        allow_blank=True,
        help_text="One of the game’s difficulties; empty: by its own rules.",
    )


class TutorialInput(InputSerializer):
    game = GameField()


class CoachSerializer(serializers.Serializer[Any]):
    state = serializers.ChoiceField(
        ["asking", "waiting", "done", "none"],
        help_text="`waiting` for the others; `done`: the match goes on freely; `none`: no tutorial, or not mine.",
    )
    step = serializers.IntegerField(allow_null=True, help_text="From 1.")
    steps = serializers.IntegerField()
    says = serializers.ListField(child=serializers.CharField(), help_text="What the coach explains.")
    ask = serializers.CharField(help_text="What to do now, in words.")
    moves = serializers.ListField(child=serializers.CharField(), help_text="The moves that are accepted now.")


class ClosedSerializer(serializers.Serializer[Any]):
    closed = serializers.IntegerField(help_text="How many tables were closed.")


class WishInput(InputSerializer):
    wish = serializers.ChoiceField(["", *ROLES], default="", help_text="The role I would like; empty: as it comes.")


class SitInput(WishInput):
    index = Whole(min_value=0, max_value=MAX_PLAYERS - 1, required=False, help_text="Which place; else the first.")


class BotInput(SitInput):
    level = serializers.ChoiceField(LEVELS)


class FillInput(InputSerializer):
    level = serializers.ChoiceField(LEVELS, default="regular", help_text="Of all the bots.")


class RematchInput(InputSerializer):
    STEPS: ClassVar = {"same": 0, "harder": 1, "easier": -1}

    bots = serializers.ChoiceField(
        sorted(STEPS), default="same", help_text="Alone with the site’s bots: a step up the ladder, or down."
    )


class PlaceInput(InputSerializer):
    index = Whole(min_value=0, max_value=MAX_PLAYERS - 1)


class WordInput(InputSerializer):
    word = Text(max_length=MAX_WORD_LENGTH, allow_blank=True, help_text="Mixed into the shuffle.")


class ViewSerializer(serializers.Serializer[Any]):
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


class ClockNowSerializer(serializers.Serializer[Any]):
    kind = serializers.CharField()
    left = serializers.ListField(
        child=serializers.IntegerField(allow_null=True), help_text="Milliseconds in the bank of each seat."
    )
    running = serializers.IntegerField(allow_null=True, help_text="The seat whose clock runs.")
    running_for = serializers.IntegerField(allow_null=True, help_text="Milliseconds until it falls.")
    starts_in = serializers.IntegerField(help_text="Milliseconds until it starts: a bot’s turn is being shown.")


class ResultSerializer(serializers.Serializer[Any]):
    cause = serializers.ChoiceField(Match.Cause.choices)
    reason = serializers.CharField()
    ranks = serializers.ListField(child=serializers.IntegerField(allow_null=True))
    scores = serializers.ListField(child=serializers.IntegerField(allow_null=True))
    winners = serializers.ListField(child=serializers.IntegerField())


class WindowSerializer(serializers.Serializer[Any]):
    """An act that waits for the answers of others."""

    act = serializers.CharField(help_text="What the player on turn wants to do.")
    waiting = serializers.ListField(child=serializers.IntegerField(), help_text="Seats that have not answered.")
    ends_in = serializers.IntegerField(help_text="Milliseconds; who does not answer passes this turn.")
    total = serializers.IntegerField(help_text="Milliseconds of the whole window.")
    held = serializers.BooleanField(help_text="Whether somebody asked for more time.")


class HelpSerializer(serializers.Serializer[Any]):
    """Who can act out of turn now: bonus tokens of Thanos Rising."""

    active = serializers.IntegerField(help_text="The seat on turn.")
    can = serializers.ListField(child=serializers.IntegerField(), help_text="Other seats that could play a token now.")
    passing = serializers.DictField(child=serializers.ChoiceField(["turn", "match"]), help_text="Seats that pass.")
    asked = serializers.BooleanField(help_text="Whether the player on turn asked for help.")
    window = WindowSerializer(allow_null=True)


class HelpInput(InputSerializer):
    act = serializers.ChoiceField(
        ["pass-turn", "pass-match", "pass-off", "hold", "ask", "go"],
        help_text="Pass this turn, until I say, or no longer; half a minute more; in my turn ask, or go on without.",
    )


class TempoInput(InputSerializer):
    tempo = serializers.ChoiceField(Match.Tempo.choices)


class StateSerializer(serializers.Serializer[Any]):
    """A match as the asker may see it: their seat’s view, or a spectator’s."""

    key = serializers.CharField()
    status = serializers.ChoiceField(Match.Status.choices)
    seat = serializers.IntegerField(allow_null=True, help_text="My seat.")
    v = serializers.IntegerField(help_text="The ply that it stands at.")
    since = serializers.IntegerField(help_text="The ply after which `events` begin.")
    view = ViewSerializer(allow_null=True, help_text="Null before the deal, and for a match of older rules.")
    events = serializers.ListField(child=serializers.DictField(), help_text="What happened since, as I may know it.")
    undone = serializers.ListField(child=serializers.IntegerField(), help_text="Plies that were taken back.")
    seats = SeatSerializer(many=True)
    clock = ClockNowSerializer(allow_null=True)
    result = ResultSerializer(allow_null=True)
    tempo = serializers.ChoiceField(Match.Tempo.choices, help_text="The pace of the bots.")
    next_in = serializers.IntegerField(allow_null=True, help_text="Milliseconds until a bot is due.")
    help = HelpSerializer(allow_null=True, help_text="Null in games without acts out of turn.")


class StateQuery(serializers.Serializer[Any]):
    after = serializers.IntegerField(
        required=False, min_value=0, max_value=1_000_000, help_text="The ply that I know of: events begin after it."
    )


class LegalSerializer(serializers.Serializer[Any]):
    ply = serializers.IntegerField()
    seat = serializers.IntegerField(allow_null=True)
    to_act = serializers.IntegerField(allow_null=True)
    legal = serializers.ListField(child=serializers.CharField())
    can_undo = serializers.BooleanField()


class MoveInput(InputSerializer):
    ply = Whole(min_value=0, max_value=1_000_000, help_text="The ply that the move is for: `v` of the state.")
    move = Text(max_length=MAX_MOVE_LENGTH, help_text="One of `legal`, word for word.")


class PlyInput(InputSerializer):
    ply = Whole(min_value=0, max_value=1_000_000)


class MoveSerializer(serializers.Serializer[Any]):
    ply = serializers.IntegerField()
    seat = serializers.IntegerField()
    move = serializers.CharField(source="notation")
    by = serializers.ChoiceField(Move.By.choices)
    at = serializers.DateTimeField()
    spent = serializers.IntegerField(help_text="Milliseconds.")


class PliesQuery(serializers.Serializer[Any]):
    seat = serializers.IntegerField(required=False, min_value=0, max_value=MAX_PLAYERS - 1)
    start = serializers.IntegerField(default=0, min_value=0, max_value=1_000_000)


class PlySerializer(serializers.Serializer[Any]):
    v = serializers.IntegerField()
    view = ViewSerializer()
    events = serializers.ListField(child=serializers.DictField())


class PliesSerializer(serializers.Serializer[Any]):
    last = serializers.IntegerField(help_text="The last ply of the match.")
    plies = PlySerializer(many=True)


class TranscriptSerializer(serializers.Serializer[Any]):
    """The whole record; `python -m engine verify` reads it."""

    format = serializers.IntegerField()
    game = serializers.CharField()
    rules_version = serializers.IntegerField()
    players = serializers.IntegerField()
    seed = serializers.CharField()
    options = serializers.DictField()
    moves = serializers.ListField(child=serializers.ListField(), help_text="Seat, move, digest of the state.")


class AnalysisSerializer(serializers.Serializer[Any]):
    state = serializers.ChoiceField(Analysis.State.choices)
    done = serializers.IntegerField(help_text="Moves judged so far.")
    total = serializers.IntegerField()
    why_not = serializers.CharField(help_text="A code where there is no report: `rules`, `cut`, `hopeless`, …")
    detail = serializers.SerializerMethodField(help_text="The same in words.")
    version = serializers.IntegerField(help_text="Of the judge. Numbers of two versions are not comparable.")
    seed = serializers.CharField()
    budget = serializers.CharField(help_text="`standard`, or `small` where the engine is not compiled.")
    computed_at = serializers.DateTimeField(allow_null=True)
    report = serializers.JSONField(allow_null=True, help_text="See docs/analysis.md.")

    def get_detail(self, analysis: Analysis) -> str:
        return why_not(analysis)


class AnalysedMatchSerializer(serializers.Serializer[Any]):
    """One match; luck and losses are parts of a win."""

    key = serializers.CharField()
    at = serializers.DateTimeField()
    luck = serializers.FloatField()
    luck_error = serializers.FloatField(help_text="The standard error of `luck`.")
    given_away = serializers.FloatField()
    accuracy = serializers.IntegerField(allow_null=True, help_text="Null with fewer than 20 contested choices.")
    contested = serializers.IntegerField(help_text="The choices that count for an accuracy.")


class ChoiceKindSerializer(serializers.Serializer[Any]):
    verb = serializers.CharField(help_text="The first word of the moves.")
    words = serializers.CharField()
    turns = serializers.IntegerField()
    loss = serializers.FloatField(help_text="The mean of what it gave away, in parts of a win.")


class SkillSerializer(serializers.Serializer[Any]):
    game = serializers.CharField()
    accuracy = serializers.IntegerField(allow_null=True, help_text="Of all matches; null with fewer than 20 choices.")
    contested = serializers.IntegerField(help_text="The choices that the accuracy is made of.")
    matches = AnalysedMatchSerializer(many=True, help_text="The oldest first.")
    kinds = ChoiceKindSerializer(many=True, help_text="Kinds of choices that were made often enough.")


class SkillsSerializer(serializers.Serializer[Any]):
    person = PersonSerializer()
    skills = SkillSerializer(many=True)


class SeatQuery(serializers.Serializer[Any]):
    seat = serializers.IntegerField(
        required=False, min_value=0, max_value=MAX_PLAYERS - 1, help_text="Without it, one’s own; else the first."
    )


class MistakeSerializer(serializers.Serializer[Any]):
    number = serializers.IntegerField(help_text="From 1, in the order of the match.")
    ply = serializers.IntegerField(help_text="How many moves had been made before the choice.")
    seat = serializers.IntegerField()
    kind = serializers.CharField(help_text="`inaccuracy`, `mistake` or `blunder`.")
    lost = serializers.IntegerField(help_text="What the choice gave away, in points of a hundred.")
    played = serializers.CharField(help_text="The move that was played.")
    played_words = serializers.CharField(help_text="The same in words.")


class MistakesSerializer(serializers.Serializer[Any]):
    seat = serializers.IntegerField()
    mistakes = MistakeSerializer(many=True)


class MistakePositionSerializer(serializers.Serializer[Any]):
    mistake = MistakeSerializer()
    v = serializers.IntegerField(help_text="The ply of the view.")
    view = ViewSerializer()
    events = serializers.ListField(child=serializers.DictField(), help_text="What the seat had seen until then.")
    undone = serializers.ListField(child=serializers.IntegerField())
    may_leave = serializers.BooleanField(help_text="Whether `leave`, to do nothing out of turn, is an answer too.")


class TryInput(InputSerializer):
    seat = Whole(min_value=0, max_value=MAX_PLAYERS - 1, required=False)
    move = Text(max_length=MAX_MOVE_LENGTH, help_text="One of `legal` of the position, or `leave`.")


class AnswerSerializer(serializers.Serializer[Any]):
    move = serializers.CharField()
    words = serializers.CharField()
    chance = serializers.IntegerField(help_text="Of 100 worlds that the seat could not tell from the real one.")
    loss = serializers.IntegerField()
    label = serializers.CharField()  # type: ignore[assignment]
    is_yours = serializers.BooleanField()
    was_played = serializers.BooleanField()
    is_best = serializers.BooleanField()


class TriedSerializer(serializers.Serializer[Any]):
    verdict = serializers.ChoiceField(["best", "better", "same", "worse"])
    words = serializers.CharField()
    best = serializers.CharField()
    best_words = serializers.CharField()
    worlds = serializers.IntegerField()
    answers = AnswerSerializer(many=True)


class PlayOnInput(InputSerializer):
    ply = Whole(min_value=0, max_value=1_000_000, help_text="How many moves of the record come first.")
    seat = Whole(min_value=0, max_value=MAX_PLAYERS - 1, required=False, help_text="One’s own, else who is to act.")
    level = serializers.ChoiceField(LEVELS, default="regular", help_text="Of all the bots.")


class HintInput(InputSerializer):
    unrated = Flag(default=False, help_text="The match shall not be rated any more: a rated one gives no hints.")


class HintSerializer(serializers.Serializer[Any]):
    state = serializers.ChoiceField(["", *Hint.State.values], help_text="Empty: none was asked for at this ply.")
    ply = serializers.IntegerField()
    move = serializers.CharField(help_text="Once `done`: one of the legal moves.")
    words = serializers.CharField(help_text="The same in words.")


class VerdictSerializer(serializers.Serializer[Any]):
    is_fair = serializers.BooleanField()
    promise_kept = serializers.BooleanField(help_text="The secret is the one that was promised.")
    replays = serializers.BooleanField(help_text="Every move is legal where it stands.")
    result_agrees = serializers.BooleanField()
    plies = serializers.IntegerField()
    digest = serializers.CharField()
    fault = serializers.CharField()


class ChatLineSerializer(serializers.Serializer[Any]):
    id = serializers.IntegerField()
    person = PersonSerializer(source="user")
    room = serializers.ChoiceField(ChatLine.Room.choices)
    text = serializers.SerializerMethodField()
    remark = serializers.CharField()
    removed = serializers.BooleanField()
    at = serializers.DateTimeField()

    def get_text(self, line: ChatLine) -> str:
        return "" if line.removed else line.text


class SayInput(InputSerializer):
    """A line of one’s own, or one of the fixed remarks."""

    text = Text(max_length=MAX_LINE_LENGTH, default="", allow_blank=True)
    remark = Text(max_length=20, default="", allow_blank=True)


class ReasonInput(InputSerializer):
    reason = Text(max_length=300, default="", allow_blank=True)


class MutesSerializer(serializers.Serializer[Any]):
    muted = serializers.ListField(child=serializers.CharField(), help_text="Handles.")


class ReportSerializer(serializers.Serializer[Any]):
    id = serializers.IntegerField()
    line = ChatLineSerializer()
    match = serializers.CharField(source="line.match.key")
    reporter = PersonSerializer()
    reason = serializers.CharField()
    at = serializers.DateTimeField()


class SettleInput(InputSerializer):
    remove = Flag(help_text="Whether the line goes.")


class ChallengeTermsInput(InputSerializer):
    game = GameField()
    players = Whole(min_value=2, max_value=MAX_PLAYERS)
    clock = serializers.ChoiceField(ClockPreset.choices, default=ClockPreset.NONE)
    rated = Flag(default=False)
    others = serializers.ChoiceField(
        PersonChallenge.Others.choices, default=PersonChallenge.Others.BOTS, help_text="Who takes the other places."
    )
    level = serializers.ChoiceField(LEVELS, default="regular", help_text="Of the bots in the other places.")
    difficulty = Text(max_length=40, allow_blank=True, default="", help_text="In games in which all play together.")


class PersonChallengeInput(ChallengeTermsInput):
    to = Text(max_length=30, help_text="The handle of the person.")


class PersonChallengeSerializer(serializers.Serializer[Any]):
    id = serializers.IntegerField()
    by = PersonSerializer()
    to = PersonSerializer()
    game = GameField()
    players = serializers.IntegerField()
    clock = serializers.ChoiceField(ClockPreset.choices)
    rated = serializers.BooleanField()
    others = serializers.ChoiceField(PersonChallenge.Others.choices)
    level = serializers.ChoiceField(LEVELS)
    difficulty = serializers.CharField()
    status = serializers.ChoiceField(PersonChallenge.Status.choices)
    earlier = serializers.IntegerField(
        source="earlier_id", allow_null=True, help_text="The challenge that this one answers."
    )
    table = serializers.SerializerMethodField(help_text="The key of the table, once it is accepted.")
    at = serializers.DateTimeField()
    expires_at = serializers.DateTimeField()

    def get_table(self, row: PersonChallenge) -> str | None:
        return row.match.key if row.match else None


class PersonChallengeQuery(serializers.Serializer[Any]):
    open = serializers.BooleanField(default=False, help_text="Only those that wait for an answer.")


class PairingInput(InputSerializer):
    games = serializers.ListField(child=GameField(), min_length=1, max_length=20)
    players = Whole(min_value=0, max_value=MAX_PLAYERS, default=0, help_text="0: any number.")
    clock = serializers.ChoiceField(ClockPreset.choices, default=ClockPreset.LIVE_10)
    rated = Flag(default=True)
    level = serializers.ChoiceField(
        ["", *LEVELS], default="", help_text="Of the bots that fill the table after a while; empty for people alone."
    )


class PairingWishSerializer(serializers.Serializer[Any]):
    games = serializers.ListField(child=GameField())
    players = serializers.IntegerField()
    clock = serializers.ChoiceField(ClockPreset.choices)
    rated = serializers.BooleanField()
    level = serializers.ChoiceField(["", *LEVELS])
    at = serializers.DateTimeField()
    expires_at = serializers.DateTimeField()


class PairingStateSerializer(serializers.Serializer[Any]):
    wish = PairingWishSerializer(allow_null=True)
    table = serializers.CharField(allow_null=True, help_text="The key of the table, once there is one.")
