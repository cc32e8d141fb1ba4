"""Forms for leagues, seasons, divisions and stages."""

import re
from datetime import datetime, time
from typing import Any

from django import forms
from django.db.models import Q
from django.utils import timezone
from django.utils.text import capfirst
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

import engine
from games.forms import CardFileChoice, offer_card_files
from games.meeting.clock_presets import CLOCKS, clock_of
from games.models import CardFile
from games.models.meeting import ClockPreset
from games.presentation.result_text import clock_words
from games.tables.setup import Clock
from games.titles import game_title
from leagues.core import format_catalogue
from leagues.core.reason_text import render_format_error, tie_break_title
from leagues.formats.errors import FormatError
from leagues.formats.points import CODES, OWN, own_scheme
from leagues.formats.tiebreaks.registry import PARTS
from leagues.forms.time_proposals import LocalMoment
from leagues.models import Division, League, Season, Stage
from leagues.seasons.renewal import USUAL
from leagues.seasons.setup import ALWAYS

POINTS: dict[str, Any] = {
    "normal": _("First 1 point, last 0, evenly between; ties share"),
    "sides": _("Each winner 1 point, each loser 0 (for one against many)"),
    "meeple": _("10, 6, 3, 1 at four seats; ties share"),
    "group": _("6, 5, 3, 1 at four seats; ties share"),
    "commander": _("5 for a win, 1 for a draw, nothing else"),
    OWN: _("Own points by place"),
}
OWN_CLOCK = "own"
WHEN = {"type": "datetime-local"}


def _local(initial: Any) -> forms.DateTimeField:
    return forms.DateTimeField(
        required=False, widget=forms.DateTimeInput(attrs=WHEN, format="%Y-%m-%dT%H:%M"), **initial
    )


def points_words(season: Season) -> str:
    """The points list of a season, an own one with its numbers."""
    words = str(POINTS[season.points])
    return f"{words}: {point_list(season.own_points)}" if season.points == OWN else words


def point_list(by_place: list[int]) -> str:
    return "-".join(map(str, by_place))


class PointListField(forms.Field):
    """Points by place as people write them: 5-3-2-1, with any separator."""

    def prepare_value(self, value: Any) -> Any:
        return point_list(value) if isinstance(value, list) else value

    def to_python(self, value: Any) -> list[int]:
        if isinstance(value, list):
            return value
        parts = re.split(r"[-–/,;\s]+", str(value or "").strip(" -–/,;"))
        if not all(re.fullmatch(r"[0-9]{1,4}", part) for part in parts if part):
            raise forms.ValidationError(gettext("Write whole numbers, the first place first: 5-3-2-1."))
        return [int(part) for part in parts if part]

    def has_changed(self, initial: Any, data: Any) -> bool:
        try:
            return self.to_python(data) != list(initial or [])
        except forms.ValidationError:
            return True


class LeagueForm(forms.ModelForm):
    """A league has a name and a game; the game cannot be changed."""

    game = forms.ChoiceField(label=_("Game"), widget=forms.RadioSelect)

    class Meta:
        model = League
        fields = ["name", "game", "about", "is_private"]
        widgets = {"about": forms.Textarea(attrs={"rows": 5})}

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        games = [engine.game(name) for name in engine.GAMES]
        self.fields["game"].choices = [(game.name, game_title(game.name)) for game in games]  # type: ignore[attr-defined]
        self.fields["game"].initial = games[0].name
        if self.instance.pk:
            del self.fields["game"]
        else:
            del self.fields["about"]


class SeasonForm(forms.ModelForm):
    """The settings of a season without its tie-breaks. Fields that can no longer change are disabled."""

    starts_at = _local({"label": _("Starts")})
    ends_at = _local({"label": _("Ends")})
    points = forms.ChoiceField(label=_("Points"), choices=[(name, POINTS.get(name, name)) for name in CODES])
    own_points = PointListField(
        label=_("Own points"),
        required=False,
        help_text=_("With “Own points by place”: the first place first, for example 5-3-2-1. Ties share."),
    )
    best_rounds = forms.IntegerField(
        label=_("Rounds that count"),
        required=False,
        min_value=0,
        max_value=100,
        help_text=_("Everybody’s best ones, for example 6 of 8. Empty or 0: all. Not in groups and knock-outs."),
    )
    time = forms.ChoiceField(label=_("Clock at live tables"), choices=ClockPreset.choices)

    card_file = CardFileChoice(
        label=_("Cards"),
        queryset=CardFile.objects.none(),
        required=False,
        empty_label=_("Those of the site"),
        help_text=_("All tables on the site are played with them. Ratings take them for a scenario of its own."),
    )

    class Meta:
        model = Season
        fields = [
            "name",
            "starts_at",
            "ends_at",
            "where",
            "card_file",
            "points",
            "own_points",
            "best_rounds",
            "rated",
            "members_only",
            "rating_from",
            "rating_to",
            "waiting_list",
            "approval",
            "check_in",
            "confirmation",
            "missed_round",
            "on_timeout",
            "odds",
            "window_days",
            "on_unplayed",
            "answer_hours",
            "no_show_minutes",
        ]
        help_texts = {
            "odds": _("Computed from ratings after each result, and shown beside the standings."),
            "rating_from": _("Leave both empty to let everybody enter."),
            "missed_round": _("For players who are away when a round is drawn."),
            "check_in": _("Players who have not checked in when the season starts are not drawn."),
            "approval": _("Players ask to enter, and have a place once an organiser has approved."),
            "window_days": _("Rounds played online close so many days after they are published. 0: no deadline."),
            "on_unplayed": _("At the club, and where everybody did something, an organiser is asked in any case."),
            "answer_hours": _(
                "After that a suggested time lapses, in favour of the player who suggested it. 0: no limit."
            ),
            "no_show_minutes": _("Counted from the agreed time of an online table. 0: no check."),
            "waiting_list": _("When all places are taken, new entrants wait, and move up when somebody withdraws."),
        }

    # The sections of the page, in order.
    PARTS = (
        (_("When and where"), ("name", "starts_at", "ends_at", "where", "card_file")),
        (_("Who may enter"), ("members_only", "rating_from", "rating_to", "waiting_list", "approval", "check_in")),
        (_("What counts"), ("points", "own_points", "best_rounds", "rated", "confirmation", "missed_round", "odds")),
        (_("Live tables"), ("time", "on_timeout")),
        (_("Windows and deadlines"), ("window_days", "on_unplayed", "answer_hours", "no_show_minutes")),
    )

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self._offer_own_clock()
        league, chosen = self.instance.league, self.instance.card_file_id
        files = CardFile.objects.filter(club=league.club_id, game=league.game)
        offer_card_files(self, files.filter(Q(withdrawn_at=None) | Q(pk=chosen)))
        if self.instance.has_begun:
            for name in set(self.fields) - ALWAYS:
                self.fields[name].disabled = True

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean() or {}
        starts, ends = cleaned.get("starts_at"), cleaned.get("ends_at")
        if starts and ends and ends <= starts:
            self.add_error("ends_at", gettext("A season ends after it starts."))
        least, most = cleaned.get("rating_from"), cleaned.get("rating_to")
        if least is not None and most is not None and most < least:
            self.add_error("rating_to", gettext("The upper rating is below the lower one."))
        self._clean_points(cleaned)
        return cleaned

    def _clean_points(self, cleaned: dict[str, Any]) -> None:
        cleaned["best_rounds"] = cleaned.get("best_rounds") or 0
        if cleaned.get("points") == OWN and "own_points" in cleaned:
            try:
                own_scheme(cleaned["own_points"])
            except FormatError as error:
                self.add_error("own_points", render_format_error(error, {}))

    def _offer_own_clock(self) -> None:
        """Select the season's clock; one that is not on the list, such as a preset's, becomes an extra choice."""
        season, field = self.instance, self.fields["time"]
        mine = (season.clock, season.bank, season.increment, season.days)
        fit = [name for name, c in CLOCKS.items() if (c.kind, c.bank, c.increment, c.days) == mine]
        field.initial = fit[0] if fit else OWN_CLOCK
        if not fit:
            own = gettext("As it is: %(clock)s") % {"clock": clock_words(season)}
            field.choices = [(OWN_CLOCK, own), *field.choices]  # type: ignore[attr-defined]

    def parts(self) -> list[dict[str, Any]]:
        return [
            {"title": title, "fields": [self[name] for name in names if name in self.fields]}
            for title, names in self.PARTS
        ]

    def terms(self) -> dict[str, Any]:
        """The fields of `Season` that changed; the clock as its four fields."""
        new = {name: self.cleaned_data[name] for name in self.changed_data if name in self.Meta.fields}
        if self.cleaned_data["points"] != OWN:
            new.pop("own_points", None)
        if "time" in self.changed_data:
            clock: Clock = clock_of(self.cleaned_data["time"])
            new |= {"clock": clock.kind, "bank": clock.bank, "increment": clock.increment, "days": clock.days}
        return new


class GoOnForm(forms.Form):
    """The next season: whether players are asked, until when, and what no answer means."""

    ask = forms.BooleanField(label=_("Ask everybody whether they play again"), required=False, initial=True)
    until = forms.DateField(
        label=_("Answers by"),
        required=False,
        widget=forms.DateInput(attrs={"type": "date"}, format="%Y-%m-%d"),
        help_text=_("To the end of that day."),
    )
    keep = forms.BooleanField(label=_("Enter players who do not answer"), required=False)

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["until"].initial = timezone.localdate() + USUAL

    def clean_until(self) -> Any:
        until = self.cleaned_data["until"]
        if self.cleaned_data.get("ask") and until is None:
            raise forms.ValidationError(gettext("Say until when they can answer."))
        if self.cleaned_data.get("ask") and until < timezone.localdate():
            raise forms.ValidationError(gettext("The deadline is in the past."))
        return until

    def deadline(self) -> datetime | None:
        """The end of the day in the organiser's time zone; None to ask nobody."""
        if not self.cleaned_data["ask"]:
            return None
        return timezone.make_aware(datetime.combine(self.cleaned_data["until"], time(23, 59)))


class TieBreaksForm(forms.Form):
    """An ordered list of codes: the page sends one `code` for each, in order."""

    add = forms.ChoiceField(label=_("Add"), required=False)

    def __init__(self, *args: Any, chosen: list[str], **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        rest = [(code, tie_break_words(code)) for code in PARTS if code not in chosen]
        self.fields["add"].choices = [("", gettext("Choose another …")), *rest]  # type: ignore[attr-defined]


def tie_break_words(code: str) -> str:
    return capfirst(tie_break_title(code))


class PublishForm(forms.Form):
    closes_at = LocalMoment(label=_("To be played by (optional)"), required=False)


class DivisionForm(forms.ModelForm):
    cap = forms.IntegerField(
        label=_("Places"), min_value=2, max_value=9999, required=False, help_text=_("Leave empty for as many as come.")
    )

    class Meta:
        model = Division
        fields = ["name", "cap", "up", "down"]
        help_texts = {
            "up": _("How many go to the division above when the season is closed."),
            "down": _("How many go to the division below."),
        }


class LengthForm(forms.Form):
    """How many rounds a stage has; empty: organisers say when it is over."""

    planned = forms.IntegerField(label=_("Rounds"), min_value=1, max_value=99, required=False)


class StageForm(forms.Form):
    """A format and its settings, as in `leagues.core.format_catalogue`."""

    planned = forms.IntegerField(
        label=_("Rounds"),
        min_value=1,
        max_value=99,
        required=False,
        help_text=_("Leave empty if the format itself says when it is over."),
    )

    take = forms.IntegerField(
        label=_("How many go on to this stage"),
        min_value=2,
        max_value=512,
        required=False,
        help_text=_("Leave empty for all, or for as many as the stage before sends."),
    )

    def __init__(
        self, *args: Any, format: str, game: str, stage: Stage | None = None, follows: bool = False, **kwargs: Any
    ) -> None:
        super().__init__(*args, **kwargs)
        self.format = format_catalogue.FORMATS[format]
        known = stage.settings if stage and stage.format == format else format_catalogue.check(format, {}, game)
        players = engine.game(game).players
        self.fields["planned"].initial = stage.planned if stage else None
        self.fields["take"].initial = stage.take if stage else None
        if not follows:
            del self.fields["take"]
        if not self.format.has_chosen_length:
            del self.fields["planned"]
        for setting in self.format.settings:
            label = capfirst(str(setting.title))
            if setting.is_choice:
                made: forms.Field = forms.BooleanField(label=label, required=False)
            elif setting.values:
                made = forms.TypedChoiceField(
                    label=label,
                    choices=[(value, value) for value in setting.values],
                    coerce=int,
                    required=False,
                    empty_value=setting.default,  # type: ignore[arg-type] # the same type as what `coerce` makes
                )
            else:
                least, most = setting.least, setting.most
                if setting.name in ("seats", "least"):
                    least, most = max(least, players[0]), min(most, players[-1])
                made = forms.IntegerField(label=label, min_value=least, max_value=most)
                made.help_text = gettext("From %(least)s to %(most)s.") % {"least": least, "most": most}
            made.initial = known.get(setting.name, setting.default)
            self.fields[f"set-{setting.name}"] = made

    def settings(self) -> dict[str, Any]:
        return {setting.name: self.cleaned_data[f"set-{setting.name}"] for setting in self.format.settings}
