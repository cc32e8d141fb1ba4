"""Dates and times in the reader's time zone: times to play, and deadlines."""

from datetime import UTC, datetime
from typing import Any

from dateutil import tz
from django import forms
from django.core.exceptions import ValidationError
from django.utils import timezone
from django.utils.dateparse import parse_datetime
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from leagues.models.time_proposal import MOST_TIMES

LOCAL = "%Y-%m-%dT%H:%M"


class LocalMoment(forms.DateTimeField):
    """A local time. One that does not exist or exists twice because of summer time is an error."""

    def __init__(self, **kwargs: Any) -> None:
        widget = forms.DateTimeInput(attrs={"type": "datetime-local", "class": "input"}, format=LOCAL)
        super().__init__(widget=widget, **kwargs)

    def to_python(self, value: Any) -> datetime | None:
        if value in self.empty_values:
            return None
        try:
            wanted = parse_datetime(str(value).strip())
        except ValueError:
            wanted = None
        if wanted is None or timezone.is_aware(wanted):
            raise ValidationError(gettext("Give a day and an hour, such as 2026-11-06 19:30."))
        zone, hour = timezone.get_current_timezone(), {"hour": wanted.strftime("%H:%M")}
        if not tz.datetime_exists(wanted, zone):
            words = gettext(
                "The clocks go forward that night: there is no %(hour)s. Choose an earlier or a later hour."
            )
            raise ValidationError(words % hour)
        if tz.datetime_ambiguous(wanted, zone):
            words = gettext("The clocks go back that night: %(hour)s comes twice. Choose an earlier or a later hour.")
            raise ValidationError(words % hour)
        return wanted.replace(tzinfo=zone).astimezone(UTC)

    def between(self, least: datetime, most: datetime | None) -> None:
        """Limits for the browser; the verb checks them."""
        self.widget.attrs["min"] = timezone.localtime(least).strftime(LOCAL)
        if most is not None:
            self.widget.attrs["max"] = timezone.localtime(most).strftime(LOCAL)


class TimesForm(forms.Form):
    """Up to three times for a table, the best first."""

    time_1 = LocalMoment(label=_("First choice"))
    time_2 = LocalMoment(label=_("Second choice (optional)"), required=False)
    time_3 = LocalMoment(label=_("Third choice (optional)"), required=False)
    # The suggestion that these times answer: the one that was on the page.
    answers = forms.IntegerField(required=False, widget=forms.HiddenInput)

    def __init__(self, *args: Any, closes_at: datetime | None = None, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        for number in range(1, MOST_TIMES + 1):
            field = self.fields[f"time_{number}"]
            assert isinstance(field, LocalMoment)
            field.between(timezone.now(), closes_at)

    def times(self) -> list[datetime]:
        chosen = [self.cleaned_data[f"time_{number}"] for number in range(1, MOST_TIMES + 1)]
        return [each for each in chosen if each is not None]


class UntilForm(forms.Form):
    until = LocalMoment(label=_("Until"))


class ReasonForm(forms.Form):
    reason = forms.CharField(
        label=_("Why do you need more time?"),
        max_length=300,
        widget=forms.TextInput(attrs={"class": "input"}),
        error_messages={"required": _("Give a reason: the organisers need it to decide.")},
    )
