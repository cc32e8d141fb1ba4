from django import forms
from django.utils.translation import gettext_lazy as _

from leagues.models.announcement import MAX_TITLE_LENGTH, MOST_LETTERS


class AnnouncementForm(forms.Form):
    text = forms.CharField(
        label=_("Announcement"),
        max_length=MOST_LETTERS,
        widget=forms.Textarea(attrs={"class": "input", "rows": 6}),
        help_text=_("You can use Markdown."),
        error_messages={"required": _("Write something first.")},
    )


class EditForm(AnnouncementForm):
    title = forms.CharField(label=_("Title"), max_length=MAX_TITLE_LENGTH, required=False)

    field_order = ["title", "text"]


class NewsForm(EditForm):
    tells = forms.BooleanField(label=_("Tell all members, by notice and e-mail"), required=False, initial=True)
