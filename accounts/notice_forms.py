"""The form of what a person wants to be told."""

from collections.abc import Iterator
from typing import Any, NamedTuple

from django import forms
from django.forms import BoundField
from django.http import QueryDict
from django.utils.dates import WEEKDAYS
from django.utils.translation import gettext_lazy as _

from accounts import choices, kinds
from accounts.choices import Wish
from accounts.models import Digest, Mail, User


class Line(NamedTuple):
    title: str
    bell: BoundField | None
    mail: BoundField


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
        for name, wish in choices.of(person).items():
            title = kinds.title(name)
            if not kinds.known(name).asks:
                self.fields[f"bell-{name}"] = forms.BooleanField(
                    label=_("Bell: %(title)s") % {"title": title}, initial=wish.bell, required=False
                )
            self.fields[f"mail-{name}"] = forms.ChoiceField(
                label=_("E-mail: %(title)s") % {"title": title}, initial=wish.mail, choices=Mail
            )

    def groups(self) -> Iterator[tuple[kinds.Group, list[Line]]]:
        for group, members in kinds.by_group().items():
            lines = [
                Line(
                    kinds.title(kind.name), None if kind.asks else self[f"bell-{kind.name}"], self[f"mail-{kind.name}"]
                )
                for kind in members
            ]
            if lines:
                yield group, lines

    @property
    def digest(self) -> dict[str, Any]:
        return {name: self.cleaned_data[name] for name in ("every", "weekday", "hour")}

    @property
    def wishes(self) -> dict[str, Wish]:
        data = self.cleaned_data
        return {name: Wish(data.get(f"bell-{name}", True), data[f"mail-{name}"]) for name in kinds.kinds()}
