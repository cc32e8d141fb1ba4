from django import forms
from django.utils.translation import gettext_lazy as _

from leagues.models.announcement import MOST_LETTERS


class AnnouncementForm(forms.Form):
    text = forms.CharField(
        label=_("Announcement"),
        max_length=MOST_LETTERS,
        widget=forms.Textarea(attrs={"class": "input", "rows": 6}),
        help_text=_("You can use Markdown."),
        error_messages={"required": _("Write something first.")},
    )
