"""Opening a table: the game's own options become fields."""

from typing import Any

from django import forms
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

import engine
from accounts.errors import Refused
from accounts.models import Club, User
from engine.bots import LEVELS
from games import options
from games.errors import OptionRefused
from games.exhibition import usual_players
from games.models import Match
from games.models.record import LEVEL_NAMES
from games.tables import Clock, Setting

CLOCKS: dict[str, tuple[Any, Clock]] = {
    "none": (_("No clock"), Clock()),
    "live-3": (_("Quick: 3 minutes and 10 seconds a turn"), Clock("live", bank=180, increment=10)),
    "live-10": (_("Usual: 10 minutes and 20 seconds a turn"), Clock("live", bank=600, increment=20)),
    "live-25": (_("Calm: 25 minutes and 30 seconds a turn"), Clock("live", bank=1500, increment=30)),
    "days-1": (_("By correspondence: a day for every turn"), Clock("days", days=1)),
    "days-3": (_("By correspondence: three days for every turn"), Clock("days", days=3)),
    "days-7": (_("By correspondence: a week for every turn"), Clock("days", days=7)),
}
OPTION = "option_"
LEVEL_CHOICES = [(level, LEVEL_NAMES[level]) for level in LEVELS]


def player_choices(game: engine.Game) -> list[tuple[int, str]]:
    return [(count, str(count)) for count in game.players]


class PlayNowForm(forms.Form):
    players = forms.TypedChoiceField(label=_("Players"), coerce=int)
    level = forms.ChoiceField(label=_("Bots"), choices=LEVEL_CHOICES, initial="regular")
    rated = forms.BooleanField(label=_("Rated"), required=False)

    def __init__(self, *args: Any, game: engine.Game, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        players = self.fields["players"]
        assert isinstance(players, forms.ChoiceField)
        players.choices = player_choices(game)
        players.initial = usual_players(game.name)


class TableForm(forms.Form):
    game = forms.CharField(widget=forms.HiddenInput)
    players = forms.TypedChoiceField(label=_("Players"), coerce=int)
    clock = forms.ChoiceField(label=_("Clock"), choices=[(name, words) for name, (words, _clock) in CLOCKS.items()])
    # Asked only where a clock is chosen: the page's style sheet hides it otherwise.
    on_timeout = forms.TypedChoiceField(
        label=_("When somebody runs out of time"),
        choices=Match.OnTimeout.choices,
        initial=Match.OnTimeout.BOT,
        required=False,
        empty_value=Match.OnTimeout.BOT,
    )
    rated = forms.BooleanField(
        label=_("Rated"),
        required=False,
        initial=True,
        help_text=_("The result counts for the ratings of all who play."),
    )
    visibility = forms.ChoiceField(label=_("Who may join"), choices=Match.Visibility.choices)
    club = forms.ModelChoiceField(
        label=_("Club"), queryset=Club.objects.none(), required=False, to_field_name="slug", empty_label=_("No club")
    )

    def __init__(self, data: Any, *, game: engine.Game, person: User, initial: dict[str, Any]) -> None:
        super().__init__(data, initial={"game": game.name, "players": usual_players(game.name), **initial})
        self.engine_game = game
        players, club = self.fields["players"], self.fields["club"]
        assert isinstance(players, forms.ChoiceField)
        assert isinstance(club, forms.ModelChoiceField)
        players.choices = player_choices(game)
        club.queryset = Club.objects.open().filter(memberships__user=person)
        if not club.queryset.exists():
            del self.fields["club"]
        self.shown = options.shown(game)
        for option in self.shown:
            self.fields[OPTION + option.name] = option_field(game.name, option)

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean() or {}
        if cleaned.get("visibility") == Match.Visibility.CLUB and not cleaned.get("club"):
            self.add_error("visibility", gettext("Choose the club whose members may join."))
        if (cleaned.get(f"{OPTION}first_player") or 0) > (cleaned.get("players") or self.engine_game.players[-1]):
            self.add_error(f"{OPTION}first_player", gettext("There is no such seat at this table."))
        return cleaned

    def refuse(self, refused: Refused) -> None:
        """Show why the table was not opened, at the field where there is one to blame."""
        field = OPTION + refused.option if isinstance(refused, OptionRefused) else None
        self.add_error(field if field in self.fields else None, refused.message)

    @property
    def table_fields(self) -> list[forms.BoundField]:
        return [field for field in self.visible_fields() if not field.name.startswith(OPTION)]

    @property
    def option_fields(self) -> list[forms.BoundField]:
        return [field for field in self.visible_fields() if field.name.startswith(OPTION)]

    def setting(self) -> Setting:
        """What the verbs take; an option left at its default is left out of the record's options."""
        data = self.cleaned_data
        return Setting(
            game=self.engine_game.name,
            players=data["players"],
            options=self._options(),
            visibility=data["visibility"],
            club=data.get("club"),
            clock=self._clock(),
            rated=data["rated"],
        )

    def _options(self) -> dict[str, Any]:
        given = {option.name: self.cleaned_data[OPTION + option.name] for option in self.shown}
        return {
            option.name: given[option.name]
            for option in self.shown
            if given[option.name] not in (None, "") and given[option.name] != option.default
        }

    def _clock(self) -> Clock:
        chosen = CLOCKS[self.cleaned_data["clock"]][1]
        return Clock(chosen.kind, chosen.bank, chosen.increment, chosen.days, self.cleaned_data["on_timeout"])


def option_field(game: str, option: engine.Option) -> forms.Field:
    """A form field for one of a game's typed options, its default shown."""
    words = options.words_of(game, option)
    if words.choices:
        known = {str(value): value for value in words.choices}
        return forms.TypedChoiceField(
            label=str(words.label),
            help_text=str(words.help),
            choices=[(str(value), name) for value, name in words.choices.items()],
            coerce=known.__getitem__,
            initial=str(option.default),
            required=False,
            empty_value=option.default,
        )
    if option.kind is bool:
        return forms.BooleanField(
            label=str(words.label), help_text=str(words.help), initial=option.default, required=False
        )
    if option.kind is int:
        return forms.IntegerField(
            label=str(words.label),
            help_text=str(words.help),
            min_value=option.least,
            max_value=option.most,
            initial=option.default,
            required=False,
        )
    return forms.CharField(
        label=str(words.label), help_text=str(words.help), initial=option.default, max_length=200, required=False
    )
