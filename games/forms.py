"""Forms to open a table; the game's options become fields."""

from dataclasses import asdict
from typing import Any

from django import forms
from django.contrib.staticfiles import finders
from django.db.models import QuerySet
from django.http import QueryDict
from django.utils.text import capfirst
from django.utils.translation import gettext, pgettext_lazy
from django.utils.translation import gettext_lazy as _

import engine
from accounts import trials
from accounts.access import Actor
from accounts.infra.errors import Refused
from accounts.models import Club, User
from engine.bots import EARLIER, FIRST, LADDER
from games import bot_levels, card_files
from games.catalogue import option_labels, terms
from games.catalogue.spec import spec
from games.errors import OptionRefused
from games.meeting.challenges import Terms
from games.meeting.clock_presets import clock_of
from games.models import CardFile, Match, PersonChallenge
from games.models.card_file import MAX_TITLE_LENGTH
from games.models.meeting import ClockPreset
from games.models.record import LEVEL_CHOICES
from games.tables import tutorials
from games.tables.exhibition import usual_players
from games.tables.setup import Clock, Setting, difficulties
from games.titles import game_title

OPTION = "option_"


def player_choices(game: engine.Game) -> list[tuple[int, str]]:
    return [(count, str(count)) for count in game.players]


class LevelField(forms.ChoiceField):
    """A level of the site's bots. It offers the ladder, and accepts the earlier levels from programs that know them."""

    def __init__(self, **how: Any) -> None:
        super().__init__(**{"choices": LEVEL_CHOICES, "initial": FIRST, **how})

    def valid_value(self, value: str) -> bool:
        return value in EARLIER or super().valid_value(value)

    def suit(self, game: str, known: bot_levels.Known) -> None:
        """Show the rating of each level in this game, and begin with the one that suits the reader."""
        self.initial = bot_levels.suggested(game, known)
        self.choices = [(level, words) for level, words, _suits in bot_levels.options(game, known)]
        if game in known.person:
            self.help_text = gettext("Level %(level)s suits your rating of %(rating)s.") % {
                "level": LADDER.index(self.initial) + 1,
                "rating": known.person[game].rating,
            }


class PlayNowForm(forms.Form):
    players = forms.TypedChoiceField(label=_("Players"), coerce=int)
    level = LevelField(label=_("Bots"))
    role = forms.ChoiceField(label=_("Your role"), required=False)
    difficulty = forms.ChoiceField(label=_("Difficulty"), required=False)
    rated = forms.BooleanField(label=_("Rated"), required=False)

    def __init__(
        self,
        *args: Any,
        game: engine.Game,
        rating: bool = True,
        known: bot_levels.Known | None = None,
        **kwargs: Any,
    ) -> None:
        super().__init__(*args, **kwargs)
        level = self.fields["level"]
        assert isinstance(level, LevelField)
        level.suit(game.name, known or bot_levels.Known())
        players, role, difficulty = self.fields["players"], self.fields["role"], self.fields["difficulty"]
        assert isinstance(players, forms.ChoiceField)
        assert isinstance(role, forms.ChoiceField)
        assert isinstance(difficulty, forms.ChoiceField)
        players.choices = player_choices(game)
        players.initial = usual_players(game.name)
        roles, words = sorted({each for size in game.players for each in game.roles(size)}), terms.of_game(game.name)
        role.choices = [("", _("Any role")), *((each, words.get(each, each)) for each in roles)]
        difficulty.choices = _difficulty_choices(game)
        difficulty.initial = spec(game.name).first_difficulty
        # A game without the choice does not ask for it, and who plays without an account is not rated.
        unasked = {"role": len(roles) < 2, "difficulty": not difficulty.choices, "rated": not rating}
        for name in [name for name, without in unasked.items() if without]:
            del self.fields[name]
        if self.is_bound:  # a button on another page asks for nothing: then as usual
            usual = {name: field.initial for name, field in self.fields.items() if field.initial is not None}
            self.data = usual | {name: self.data.get(name) for name in self.data}


def may_be_rated(reader: Actor) -> bool:
    """Who plays without an account is not rated; a visitor is about to."""
    return isinstance(reader, User) and not reader.is_trial if trials.are_offered() else True


def _difficulty_choices(game: engine.Game) -> list[tuple[str, str]]:
    known = difficulties(game.name)
    option = next((each for each in game.options if each.name == game.scenario_option), None)
    words = option_labels.get_option_label(game.name, option).choices if option else {}
    return [(each, str(words.get(each, each))) for each in known]


def quick_forms(reader: Actor, chosen: QueryDict | None = None) -> list[dict[str, Any]]:
    """One form a game: play now against bots, or learn it first. What was chosen before logging in stays chosen."""
    games = map(engine.game, engine.GAMES)
    rating, lessons, known = may_be_rated(reader), tutorials.offers(reader, engine.GAMES), bot_levels.known(reader)
    return [
        dict(
            **_quick_form(game, chosen if chosen and chosen.get("game") == game.name else None, rating, known),
            tutorial=lessons.get(game.name, ""),
        )
        for game in games
    ]


def _quick_form(game: engine.Game, chosen: QueryDict | None, rating: bool, known: bot_levels.Known) -> dict[str, Any]:
    wanted = PlayNowForm(chosen, game=game, rating=rating, known=known)
    initial = wanted.cleaned_data if chosen and wanted.is_valid() else {}
    form = PlayNowForm(game=game, auto_id=f"{game.name}-%s", initial=initial, rating=rating, known=known)
    about = spec(game.name)
    return {
        "game": game,
        "spec": about,
        "picture": about.picture if finders.find(about.picture) else "",
        "size": f"{game.players[0]}–{game.players[-1]}",
        "form": form,
        # Only the first letter: a label may hold a name, such as Elo.
        "choices": capfirst(", ".join(label[:1].lower() + label[1:] for label in (str(field.label) for field in form))),
        "chosen": bool(initial),
    }


class CardFileChoice(forms.ModelChoiceField):  # type: ignore[type-arg]
    """A version of the cards of a club, by club and number."""

    def label_from_instance(self, obj: Any) -> str:
        return gettext("%(club)s, version %(number)s: %(title)s") % {
            "club": obj.club.name, "number": obj.number, "title": obj.title
        }  # fmt: skip


def offer_card_files(form: forms.BaseForm, files: QuerySet[CardFile]) -> None:
    """Let a form choose among these versions; without any there is no such field."""
    field = form.fields["card_file"]
    assert isinstance(field, forms.ModelChoiceField)
    field.queryset = files.defer("source").select_related("club").order_by("club__name", "-number")
    if not field.queryset.exists():
        del form.fields["card_file"]


class CardFileForm(forms.Form):
    """A new version of a club's cards, as a file or as text."""

    game = forms.ChoiceField(label=_("Game"))
    title = forms.CharField(
        label=_("Title"), max_length=MAX_TITLE_LENGTH, help_text=_("What is different, for those who choose it.")
    )
    file = forms.FileField(
        label=_("File"),
        required=False,
        allow_empty_file=True,
        widget=forms.FileInput(attrs={"accept": ".json,application/json", "class": "input"}),
    )
    text = forms.CharField(
        label=_("Or paste its text"),
        required=False,
        strip=False,
        widget=forms.Textarea(attrs={"rows": 5, "class": "input mono", "spellcheck": "false"}),
    )

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        games = card_files.games_with_card_files()
        self.fields["game"].choices = [(game.name, game_title(game.name)) for game in games]  # type: ignore[attr-defined]

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean() or {}
        if not self.errors and not cleaned.get("file") and not cleaned.get("text", "").strip():
            raise forms.ValidationError(gettext("Choose a file, or paste its text."))
        return cleaned

    @property
    def content(self) -> bytes:
        """The file; no more of it is read than is needed to see that it is too large."""
        file = self.cleaned_data["file"]
        return bytes(file.read(card_files.MAX_BYTES + 1)) if file else self.cleaned_data["text"].encode()


class TableForm(forms.Form):
    game = forms.CharField(widget=forms.HiddenInput)
    players = forms.TypedChoiceField(label=_("Players"), coerce=int)
    clock = forms.ChoiceField(label=_("Clock"), choices=ClockPreset.choices)
    # Only for tables with a clock: the style sheet hides it otherwise.
    on_timeout = forms.TypedChoiceField(
        label=_("When somebody runs out of time"),
        choices=Match.OnTimeout.choices,
        initial=Match.OnTimeout.BOT,
        required=False,
        empty_value=Match.OnTimeout.BOT,
    )
    rated = forms.BooleanField(
        label=pgettext_lazy("table", "Rated"),
        required=False,
        initial=True,
        help_text=_("The result counts for the ratings of all who play."),
    )
    tempo = forms.TypedChoiceField(
        label=_("Pace of the bots"),
        choices=Match.Tempo.choices,
        initial=Match.Tempo.NORMAL,
        required=False,
        empty_value=Match.Tempo.NORMAL,
        help_text=_("How long bots wait between their turns, so that everyone can follow."),
    )
    visibility = forms.ChoiceField(label=_("Who may join"), choices=Match.Visibility.choices)
    club = forms.ModelChoiceField(
        label=_("Club"), queryset=Club.objects.none(), required=False, to_field_name="slug", empty_label=_("No club")
    )

    card_file = CardFileChoice(
        label=_("Cards"),
        queryset=CardFile.objects.none(),
        required=False,
        empty_label=_("Those of the site"),
        help_text=_("A club’s own cards are for tables of the club, and such a table is not rated."),
    )

    def __init__(self, data: Any, *, game: engine.Game, person: User, initial: dict[str, Any]) -> None:
        known = {"game": game.name, "players": usual_players(game.name)}
        if first := spec(game.name).first_difficulty:
            known[OPTION + game.scenario_option] = first
        super().__init__(data, initial={**known, **initial})
        self.engine_game = game
        players, club = self.fields["players"], self.fields["club"]
        assert isinstance(players, forms.ChoiceField)
        assert isinstance(club, forms.ModelChoiceField)
        players.choices = player_choices(game)
        club.queryset = Club.objects.open().filter(memberships__user=person)
        if not club.queryset.exists():
            del self.fields["club"]
        offer_card_files(self, CardFile.objects.offered().filter(club__in=club.queryset, game=game.name))
        self.options = option_labels.form_options(game)
        for option in self.options:
            self.fields[OPTION + option.name] = option_field(game.name, option)

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean() or {}
        if cleaned.get("visibility") == Match.Visibility.CLUB and not cleaned.get("club"):
            self.add_error("visibility", gettext("Choose the club whose members may join."))
        cards = cleaned.get("card_file")
        if cards and cleaned.get("rated"):
            self.add_error("rated", gettext("A table with a club’s own cards is not rated."))
        if cards and cleaned.get("club") != cards.club:
            words = gettext("These cards are for tables of %(club)s: choose that club.")
            self.add_error("card_file", words % {"club": cards.club.name})
        if (cleaned.get(f"{OPTION}first_player") or 0) > (cleaned.get("players") or self.engine_game.players[-1]):
            self.add_error(f"{OPTION}first_player", gettext("There is no such seat at this table."))
        return cleaned

    def refuse(self, refused: Refused) -> None:
        """Show why the table was not opened, at the field that caused it if there is one."""
        field = OPTION + refused.option if isinstance(refused, OptionRefused) else None
        self.add_error(field if field in self.fields else None, refused.message)

    @property
    def table_fields(self) -> list[forms.BoundField]:
        return [field for field in self.visible_fields() if not field.name.startswith(OPTION)]

    @property
    def option_fields(self) -> list[forms.BoundField]:
        return [field for field in self.visible_fields() if field.name.startswith(OPTION)]

    def setting(self) -> Setting:
        """The form as a `Setting`; options with their default value are left out."""
        data = self.cleaned_data
        return Setting(
            game=self.engine_game.name,
            players=data["players"],
            options=self._options(),
            visibility=data["visibility"],
            club=data.get("club"),
            clock=self._clock(),
            rated=data["rated"],
            tempo=data["tempo"],
            card_file=data.get("card_file"),
        )

    def _options(self) -> dict[str, Any]:
        given = {option.name: self.cleaned_data[OPTION + option.name] for option in self.options}
        return {
            option.name: given[option.name]
            for option in self.options
            if given[option.name] not in (None, "") and given[option.name] != option.default
        }

    def _clock(self) -> Clock:
        chosen = clock_of(self.cleaned_data["clock"])
        return Clock(chosen.kind, chosen.bank, chosen.increment, chosen.days, self.cleaned_data["on_timeout"])


class ChallengeForm(forms.Form):
    """What one person suggests to another."""

    game = forms.CharField(widget=forms.HiddenInput)
    players = forms.TypedChoiceField(label=_("Players"), coerce=int)
    clock = forms.ChoiceField(label=_("Clock"), choices=ClockPreset.choices, initial=ClockPreset.LIVE_10)
    rated = forms.BooleanField(
        label=_("Rated"),
        required=False,
        initial=True,
        help_text=_("The result counts for the ratings of all who play."),
    )
    difficulty = forms.ChoiceField(label=_("Difficulty"), required=False)
    others = forms.ChoiceField(label=_("Who takes the other places"), choices=PersonChallenge.Others.choices)
    level = LevelField(label=_("Bots"))

    def __init__(self, data: Any, *, game: engine.Game, terms: Terms | None = None) -> None:
        known: dict[str, Any] = {"players": game.players[0], "difficulty": spec(game.name).first_difficulty}
        if terms is not None and terms.game == game.name:
            known = asdict(terms)
        elif terms is not None:
            known |= {"clock": terms.clock, "rated": terms.rated, "others": terms.others, "level": terms.level}
        super().__init__(data, initial={**known, "game": game.name})
        self.engine_game = game
        players, difficulty = self.fields["players"], self.fields["difficulty"]
        assert isinstance(players, forms.ChoiceField)
        assert isinstance(difficulty, forms.ChoiceField)
        players.choices = player_choices(game)
        difficulty.choices = _difficulty_choices(game)
        if not difficulty.choices:
            del self.fields["difficulty"]

    def terms(self) -> Terms:
        data = dict(self.cleaned_data)
        return Terms(**{**data, "game": self.engine_game.name})


class PairingForm(forms.Form):
    """What somebody would like to play with whoever is about as strong."""

    games = forms.MultipleChoiceField(
        label=pgettext_lazy("what is played", "Games"),
        widget=forms.CheckboxSelectMultiple,
        error_messages={"required": _("Choose at least one game.")},
    )
    players = forms.TypedChoiceField(label=_("Players"), coerce=int)
    clock = forms.ChoiceField(label=_("Clock"), choices=ClockPreset.choices, initial=ClockPreset.LIVE_10)
    rated = forms.BooleanField(
        label=_("Rated"),
        required=False,
        initial=True,
        help_text=_("The result counts for the ratings of all who play."),
    )
    level = LevelField(label=_("If not enough people come"), required=False)

    def __init__(self, data: Any) -> None:
        super().__init__(data, initial={"games": list(engine.GAMES)})
        known = [engine.game(name) for name in engine.GAMES]
        games, players, level = self.fields["games"], self.fields["players"], self.fields["level"]
        assert isinstance(games, forms.ChoiceField)
        assert isinstance(players, forms.ChoiceField)
        assert isinstance(level, forms.ChoiceField)
        games.choices = [(game.name, game_title(game.name)) for game in known]
        sizes = sorted({size for game in known for size in game.players})
        players.choices = [(0, _("Any number")), *((size, str(size)) for size in sizes)]
        bots = [(name, gettext("Bots fill the table: %(level)s") % {"level": words}) for name, words in LEVEL_CHOICES]
        level.choices = [*bots, ("", _("I wait for people"))]


def option_field(game: str, option: engine.Option) -> forms.Field:
    """A form field for one option of a game, with its default as the initial value."""
    labels = option_labels.get_option_label(game, option)
    if labels.choices:
        values = {str(value): value for value in labels.choices}
        return forms.TypedChoiceField(
            label=str(labels.label),
            help_text=str(labels.help),
            choices=[(str(value), name) for value, name in labels.choices.items()],
            coerce=values.__getitem__,
            initial=str(option.default),
            required=False,
            empty_value=option.default,
        )
    if option.kind is bool:
        return forms.BooleanField(
            label=str(labels.label), help_text=str(labels.help), initial=option.default, required=False
        )
    if option.kind is int:
        return forms.IntegerField(
            label=str(labels.label),
            help_text=str(labels.help),
            min_value=option.least,
            max_value=option.most,
            initial=option.default,
            required=False,
        )
    return forms.CharField(
        label=str(labels.label), help_text=str(labels.help), initial=option.default, max_length=200, required=False
    )
