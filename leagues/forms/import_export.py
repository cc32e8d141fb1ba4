"""Upload forms: a file or pasted rows, for a division or a club."""

from typing import Any

from django import forms
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from leagues.import_export.archive.reader import LARGEST as ARCHIVE
from leagues.import_export.spreadsheet import LARGEST
from leagues.models import Division, Season


class SheetForm(forms.Form):
    """A spreadsheet as a file or as pasted rows; with several divisions, also the division."""

    file = forms.FileField(
        label=_("File"),
        required=False,
        allow_empty_file=True,
        widget=forms.FileInput(attrs={"accept": ".csv,.tsv,.txt,text/csv,text/plain", "class": "input"}),
    )
    text = forms.CharField(
        label=_("Or paste the rows, with their header"),
        required=False,
        strip=False,
        widget=forms.Textarea(attrs={"rows": 5, "class": "input mono", "spellcheck": "false"}),
    )
    division = forms.ModelChoiceField(Division.objects.none(), label=_("Division"))

    def __init__(self, *args: Any, season: Season, optional: bool = False, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        divisions = season.divisions.order_by("level", "number")
        field = self.fields["division"]
        assert isinstance(field, forms.ModelChoiceField)
        field.queryset = divisions
        if len(divisions) == 1:
            field.initial, field.required, field.widget = divisions[0], False, forms.HiddenInput()
        elif optional:
            field.required, field.empty_label = False, gettext("as the file says")
        self.alone = divisions[0] if len(divisions) == 1 else None

    def clean_file(self) -> Any:
        file = self.cleaned_data["file"]
        if file and file.size > LARGEST:
            raise forms.ValidationError(gettext("The file is larger than 1 MB: split it."))
        return file

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean() or {}
        if not self.errors and not cleaned.get("file") and not cleaned.get("text", "").strip():
            raise forms.ValidationError(gettext("Choose a file, or paste its rows."))
        cleaned["division"] = cleaned.get("division") or self.alone
        return cleaned

    @property
    def content(self) -> tuple[bytes, str]:
        file = self.cleaned_data["file"]
        return (file.read(), file.name or "") if file else (self.cleaned_data["text"].encode(), "")


class ArchiveForm(forms.Form):
    file = forms.FileField(
        label=_("Archive of a league"),
        allow_empty_file=True,
        widget=forms.FileInput(attrs={"accept": ".zip,application/zip", "class": "input"}),
    )

    def clean_file(self) -> Any:
        file = self.cleaned_data["file"]
        if file.size > ARCHIVE:
            raise forms.ValidationError(gettext("An archive has at most 20 MB."))
        return file
