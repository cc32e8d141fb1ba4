"""The form of notification preferences."""

from collections.abc import Iterator
from typing import Any, NamedTuple

from django import forms
from django.forms import BoundField
from django.http import QueryDict
from django.utils.dates import WEEKDAYS
from django.utils.translation import gettext_lazy as _

from accounts.models import Digest, Mail, User
from accounts.notifications import preferences, registry
from accounts.notifications.preferences import Preference


class PreferenceRow(NamedTuple):
    title: str
    bell: BoundField | None
    mail: BoundField
    push: BoundField


class ChoicesForm(forms.Form):
    by_mail = forms.BooleanField(label=_("Send me notices by e-mail"), required=False)
    every = forms.ChoiceField(label=_("The digest comes"), choices=Digest.Every)
    weekday = forms.TypedChoiceField(label=_("On"), coerce=int, choices=list(WEEKDAYS.items()))
    hour = forms.TypedChoiceField(label=_("At"), coerce=int, choices=[(hour, f"{hour:02}:00") for hour in range(24)])

    def __init__(self, data: QueryDict | None = None, *, person: User) -> None:
        digest = Digest.objects.filter(user=person).first() or Digest(user=person)
        initial: dict[str, Any] = {"by_mail": person.notices_by_mail}
        initial |= {name: getattr(digest, name) for name in ("every", "weekday", "hour")}
        super().__init__(data, initial=initial)
        for name, preference in preferences.preferences_of(person).items():
            title = registry.kind_title(name)
            if not registry.get_kind(name).asks:
                self.fields[f"bell-{name}"] = forms.BooleanField(
                    label=_("Bell: %(title)s") % {"title": title}, initial=preference.bell, required=False
                )
            self.fields[f"mail-{name}"] = forms.ChoiceField(
                label=_("E-mail: %(title)s") % {"title": title}, initial=preference.mail, choices=Mail
            )
            self.fields[f"push-{name}"] = forms.BooleanField(
                label=_("Alert: %(title)s") % {"title": title}, initial=preference.push, required=False
            )

    def groups(self) -> Iterator[tuple[registry.NotificationGroup, list[PreferenceRow]]]:
        for group, members in registry.by_group().items():
            lines = [
                PreferenceRow(
                    registry.kind_title(kind.name),
                    None if kind.asks else self[f"bell-{kind.name}"],
                    self[f"mail-{kind.name}"],
                    self[f"push-{kind.name}"],
                )
                for kind in members
            ]
            if lines:
                yield group, lines

    @property
    def digest(self) -> dict[str, Any]:
        return {name: self.cleaned_data[name] for name in ("every", "weekday", "hour")}

    @property
    def preferences(self) -> dict[str, Preference]:
        data = self.cleaned_data
        return {
            name: Preference(data.get(f"bell-{name}", True), data[f"mail-{name}"], data[f"push-{name}"])
            for name in registry.kind_names()
        }
