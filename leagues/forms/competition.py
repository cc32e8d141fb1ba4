"""Setting up a league, a season, a division and a stage: what can be chosen, in words."""

from datetime import datetime, time
from typing import Any

from django import forms
from django.utils import timezone
from django.utils.text import capfirst
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

import engine
from games.forms import CLOCKS
from games.tables import Clock
from games.templatetags.games import clock_words
from leagues import catalogue
from leagues.competitions import ALWAYS
from leagues.formats.points import SCHEMES
from leagues.formats.tiebreaks.parts import PARTS
from leagues.forms.window import LocalMoment
from leagues.models import Division, League, Season, Stage
from leagues.returning import USUAL

POINTS: dict[str, Any] = {
    "normal": _("First 1 point, last 0, evenly between; ties share"),
    "sides": _("Each winner 1 point, each loser 0 (for one against many)"),
    "meeple": _("10, 6, 3, 1 at four seats; ties share"),
    "group": _("6, 5, 3, 1 at four seats; ties share"),
    "commander": _("5 for a win, 1 for a draw, nothing else"),
}
OWN_CLOCK = "own"
WHEN = {"type": "datetime-local"}


def _local(initial: Any) -> forms.DateTimeField:
    return forms.DateTimeField(
        required=False, widget=forms.DateTimeInput(attrs=WHEN, format="%Y-%m-%dT%H:%M"), **initial
    )


class LeagueForm(forms.ModelForm):
    """A league is a name and a game; the game stays."""

    game = forms.ChoiceField(label=_("Game"), widget=forms.RadioSelect)

    class Meta:
        model = League
        fields = ["name", "game", "about"]
        widgets = {"about": forms.Textarea(attrs={"rows": 5})}

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        games = [engine.game(name) for name in engine.GAMES]
        self.fields["game"].choices = [(game.name, game.title) for game in games]  # type: ignore[attr-defined]
        self.fields["game"].initial = games[0].name
        if self.instance.pk:
            del self.fields["game"]
        else:
            del self.fields["about"]


class SeasonForm(forms.ModelForm):
    """Everything of a season but its tie-breaks. What is frozen once it runs is shown, not offered."""

    starts_at = _local({"label": _("Starts")})
    ends_at = _local({"label": _("Ends")})
    points = forms.ChoiceField(label=_("Points"), choices=[(name, POINTS.get(name, name)) for name in SCHEMES])
    time = forms.ChoiceField(
        label=_("Clock at live tables"), choices=[(name, words) for name, (words, _clock) in CLOCKS.items()]
    )

    class Meta:
        model = Season
        fields = [
            "name",
            "starts_at",
            "ends_at",
            "where",
            "points",
            "rated",
            "members_only",
            "rating_from",
            "rating_to",
            "waiting_list",
            "check_in",
            "confirmation",
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
            "check_in": _("Who has not checked in when the season starts is not drawn."),
            "window_days": _("Rounds played online close so many days after they are published. 0: no deadline."),
            "on_unplayed": _("At the club, and where everybody did something, an organiser is asked in any case."),
            "answer_hours": _("After that a suggested time lapses, in favour of who suggested it. 0: no limit."),
            "no_show_minutes": _("Counted from the agreed time of a table online. 0: nobody looks."),
            "waiting_list": _("Who comes when all places are taken waits, and moves up when somebody withdraws."),
        }

    # In the order of the page.
    PARTS = (
        (_("When and where"), ("name", "starts_at", "ends_at", "where")),
        (_("Who may enter"), ("members_only", "rating_from", "rating_to", "waiting_list", "check_in")),
        (_("What counts"), ("points", "rated", "confirmation", "odds")),
        (_("Live tables"), ("time", "on_timeout")),
        (_("Windows and deadlines"), ("window_days", "on_unplayed", "answer_hours", "no_show_minutes")),
    )

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self._offer_own_clock()
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
        return cleaned

    def _offer_own_clock(self) -> None:
        """The season's clock is chosen; one that is on no list of ours, a preset's say, becomes a choice of its own."""
        season, field = self.instance, self.fields["time"]
        mine = (season.clock, season.bank, season.increment, season.days)
        fit = [name for name, (_w, c) in CLOCKS.items() if (c.kind, c.bank, c.increment, c.days) == mine]
        field.initial = fit[0] if fit else OWN_CLOCK
        if not fit:
            own = gettext("As it is: %(clock)s") % {"clock": clock_words(season)}
            field.choices = [(OWN_CLOCK, own), *field.choices]  # type: ignore[attr-defined]

    def parts(self) -> list[dict[str, Any]]:
        return [{"title": title, "fields": [self[name] for name in names]} for title, names in self.PARTS]

    def terms(self) -> dict[str, Any]:
        """The fields of `Season` that changed; the clock by its four."""
        new = {name: self.cleaned_data[name] for name in self.changed_data if name in self.Meta.fields}
        if "time" in self.changed_data:
            clock: Clock = CLOCKS[self.cleaned_data["time"]][1]
            new |= {"clock": clock.kind, "bank": clock.bank, "increment": clock.increment, "days": clock.days}
        return new


class GoOnForm(forms.Form):
    """The next season from the last: whether those who played are asked, until when, and what silence means."""

    ask = forms.BooleanField(label=_("Ask everybody whether they play again"), required=False, initial=True)
    until = forms.DateField(
        label=_("Answers by"),
        required=False,
        widget=forms.DateInput(attrs={"type": "date"}, format="%Y-%m-%d"),
        help_text=_("To the end of that day."),
    )
    keep = forms.BooleanField(label=_("Who does not answer stays in"), required=False)

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["until"].initial = timezone.localdate() + USUAL

    def clean_until(self) -> Any:
        until = self.cleaned_data["until"]
        if self.cleaned_data.get("ask") and until is None:
            raise forms.ValidationError(gettext("Say until when they can answer."))
        if self.cleaned_data.get("ask") and until < timezone.localdate():
            raise forms.ValidationError(gettext("The deadline lies in the past."))
        return until

    def deadline(self) -> datetime | None:
        """The end of the day, on the clock of whoever asks; None to ask nobody."""
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
    from leagues.formats.wording import TITLES

    return capfirst(gettext(TITLES[code]))


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


class StageForm(forms.Form):
    """A format and its settings, as `leagues.catalogue` declares them."""

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
        self.format = catalogue.FORMATS[format]
        known = stage.settings if stage and stage.format == format else catalogue.check(format, {}, game)
        players = engine.game(game).players
        self.fields["planned"].initial = stage.planned if stage else None
        self.fields["take"].initial = stage.take if stage else None
        if not follows:
            del self.fields["take"]
        if not self.format.rounds or self.format.is_planned or self.format.knock_out:
            del self.fields["planned"]
        for setting in self.format.settings:
            label = capfirst(str(setting.title))
            if setting.is_choice:
                made: forms.Field = forms.BooleanField(label=label, required=False)
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
