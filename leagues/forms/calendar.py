"""Forms of the club's calendar: venues, series, nights, and weekly availability."""

from datetime import date
from typing import Any

from babel.dates import get_day_names
from django import forms
from django.utils.text import capfirst
from django.utils.translation import gettext, pgettext_lazy
from django.utils.translation import gettext_lazy as _

from accounts.infra.datetimes import locale
from accounts.infra.errors import Refused
from accounts.models import Club
from leagues.calendar.nights.series import FIELDS
from leagues.calendar.nights.slots import MAX_MINUTES, MAX_SLOTS, MAX_TABLES, MIN_MINUTES, shape_of
from leagues.models import Answer, ClubNight, Habit, Series, Venue

DEPENDS = pgettext_lazy("availability", "It depends")


def _day(label: Any, **more: Any) -> forms.DateField:
    return forms.DateField(label=label, widget=forms.DateInput(attrs={"type": "date"}, format="%Y-%m-%d"), **more)


def _hour(label: Any) -> forms.TimeField:
    return forms.TimeField(
        label=label,
        widget=forms.TimeInput(attrs={"type": "time"}, format="%H:%M"),
        help_text=_("On the club’s own clock."),
    )


def _slots() -> forms.IntegerField:
    return forms.IntegerField(
        label=_("Slots"),
        min_value=1,
        max_value=MAX_SLOTS,
        initial=3,
        help_text=_("How many games can be played one after another."),
    )


def _minutes() -> forms.IntegerField:
    return forms.IntegerField(label=_("Minutes a slot"), min_value=MIN_MINUTES, max_value=MAX_MINUTES, initial=60)


class SeenBy(forms.TypedChoiceField):
    """Who sees a night or a series. Left out of a request, it stays as it is."""

    def __init__(self) -> None:
        super().__init__(
            label=_("Who sees it"),
            choices=[
                ("no", _("Everybody who sees the club")),
                ("yes", _("Members of the club and players of its seasons only")),
            ],
            coerce=lambda choice: choice == "yes",
            empty_value=None,
            required=False,
            initial="no",
            widget=forms.RadioSelect,
            help_text=_("Only members see who comes, in any case."),
        )


class PlannedForm(forms.Form):
    """What a night and a series have in common: a venue, and who sees them."""

    is_private = SeenBy()

    def __init__(self, *args: Any, club: Club, planned: Series | ClubNight | None, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.was_private = planned is not None and planned.is_private
        self.initial["is_private"] = "yes" if self.was_private else "no"
        if club.is_private:
            # All of it is for members.
            del self.fields["is_private"]
        _offer_venues(self, club, planned)

    def clean_is_private(self) -> bool:
        chosen = self.cleaned_data["is_private"]
        return self.was_private if chosen is None else bool(chosen)


def blame(form: forms.Form | forms.ModelForm, refused: Refused) -> None:
    """Add a refusal as an error of its field, or of the form."""
    field = getattr(refused, "field", None)
    form.add_error(field if field in form.fields else None, refused.message)


class VenueForm(forms.ModelForm):
    tables = forms.IntegerField(label=_("Tables"), min_value=1, max_value=MAX_TABLES, initial=4)

    class Meta:
        model = Venue
        fields = ["name", "address", "about", "tables"]
        help_texts = {"about": _("The door, the bell, the stairs: what a newcomer has to know.")}


class SeriesForm(PlannedForm):
    name = forms.CharField(label=_("Name"), max_length=80)
    venue = forms.ModelChoiceField(label=_("Venue"), queryset=Venue.objects.none(), empty_label=None)
    every = forms.ChoiceField(label=_("How often"), choices=Series.Every.choices)
    first = _day(_("First night"))
    last = _day(_("Last night"))
    begins = _hour(_("Begins"))
    slots = _slots()
    minutes = _minutes()
    skip = forms.CharField(
        label=_("Days to leave out (optional)"),
        required=False,
        max_length=1000,
        help_text=_("As year-month-day, with spaces between: 2026-12-24 2026-12-31. More can be left out later."),
    )

    def __init__(self, *args: Any, club: Club, series: Series | None = None, **kwargs: Any) -> None:
        if series is not None:
            kwargs["initial"] = {field: getattr(series, field) for field in FIELDS}
        super().__init__(*args, club=club, planned=series, **kwargs)
        if series is not None:
            del self.fields["skip"]

    def clean_skip(self) -> list[date]:
        days = []
        for word in self.cleaned_data["skip"].replace(",", " ").replace(";", " ").split():
            try:
                days.append(date.fromisoformat(word))
            except ValueError:
                words = gettext("“%(word)s” is not a day written as year-month-day.")
                raise forms.ValidationError(words % {"word": word}) from None
        return days


class NightForm(PlannedForm):
    name = forms.CharField(
        label=_("Name (optional)"), max_length=80, required=False, help_text=_("Without one it is called by its venue.")
    )
    venue = forms.ModelChoiceField(label=_("Venue"), queryset=Venue.objects.none(), empty_label=None)
    day = _day(_("Day"))
    begins = _hour(_("Begins"))
    slots = _slots()
    minutes = _minutes()
    tables = forms.IntegerField(
        label=_("Tables"),
        min_value=1,
        max_value=MAX_TABLES,
        required=False,
        help_text=_("Leave empty for as many as the venue has."),
    )
    free = forms.BooleanField(label=_("Take tables off the night that have no room any more"), required=False)

    def __init__(self, *args: Any, club: Club, night: ClubNight | None = None, **kwargs: Any) -> None:
        if night is not None:
            shape = shape_of(night)
            known = {"name": night.name, "venue": night.venue_id, "day": shape.day, "begins": shape.begins}
            known |= {"slots": shape.slots, "minutes": shape.minutes, "tables": shape.tables}
            kwargs["initial"] = known | (kwargs.get("initial") or {})
        super().__init__(*args, club=club, planned=night, **kwargs)
        if night is None:
            del self.fields["free"]
        else:
            self.fields["tables"].required = True
            self.fields["tables"].help_text = ""


def _offer_venues(form: forms.Form, club: Club, at: Series | ClubNight | None) -> None:
    """Offer the open venues, and the present one even if it is closed."""
    field = form.fields["venue"]
    assert isinstance(field, forms.ModelChoiceField)
    open_ones = Venue.objects.filter(club=club, closed_at=None)
    field.queryset = open_ones | Venue.objects.filter(pk=at.venue_id) if at else open_ones


class HabitsForm(forms.Form):
    """One choice a day of the week, Monday first."""

    def __init__(self, *args: Any, habits: list[Habit], **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        known = {habit.weekday: habit.answer for habit in habits}
        for weekday, name in sorted(get_day_names("wide", "stand-alone", locale()).items()):
            self.fields[f"day-{weekday}"] = forms.ChoiceField(
                label=capfirst(name),
                choices=[("", DEPENDS), *Answer.choices],
                required=False,
                initial=known.get(weekday, ""),
            )

    def habits(self) -> dict[int, str]:
        return {int(name.partition("-")[2]): answer for name, answer in self.cleaned_data.items() if answer}
