"""Forms for organisers to enter members, guests, bots and teams."""

import re
from collections.abc import Mapping, Sequence
from typing import Any

from django import forms
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from accounts.infra.errors import Refused
from accounts.models import User
from accounts.people import MAX_NAME_LENGTH
from engine.errors import brief
from games.forms import LevelField
from games.models import OwnBot
from leagues.entries import questions
from leagues.entries.registration import MOST_GUESTS
from leagues.models import Division, Season


def members(season: Season) -> list[User]:
    """Members of the club who are not in the season yet."""
    inside = User.objects.filter(memberships__club=season.league.club, is_active=True, is_bot=False)
    free = inside.exclude(entries__season=season).exclude(teams__season=season)
    return list(free.order_by("display_name", "handle"))


def find_member(known: Sequence[User], typed: str) -> User:
    """The member who is meant by a handle or a part of a name; of several the choice is the organiser's."""
    handle = re.search(r"@([\w~-]+)\)?$", typed.strip())
    wanted = (handle.group(1) if handle else typed.strip()).casefold()
    fit = [one for one in known if wanted == one.handle.casefold()]
    fit = fit or [one for one in known if wanted in (one.name.casefold())]
    if len(fit) != 1:
        few, many = gettext("No such member, or already entered."), gettext("Several members match: choose one.")
        raise Refused(many if fit else few)
    return fit[0]


class PersonForm(forms.Form):
    """A member of the club, found by typing a part of the name; the browser completes it."""

    person = forms.CharField(label=_("Member of the club"), max_length=120)

    def __init__(self, *args: Any, division: Division, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.known = members(division.season)
        widget = self.fields["person"].widget
        widget.attrs |= {"list": f"members-{division.pk}", "autocomplete": "off"}

    def clean_person(self) -> User:
        try:
            return find_member(self.known, self.cleaned_data["person"])
        except Refused as refused:
            raise forms.ValidationError(refused.message) from None


class GuestsForm(forms.Form):
    names = forms.CharField(
        label=_("Guests, one name a line"),
        widget=forms.Textarea(attrs={"rows": 5}),
        max_length=MOST_GUESTS * (MAX_NAME_LENGTH + 2),
        help_text=_("For people without an account: they play at the club, and you enter their results."),
    )

    def clean_names(self) -> list[str]:
        names = [" ".join(line.split()) for line in self.cleaned_data["names"].splitlines()]
        names = [name for name in names if name]
        if len(names) > MOST_GUESTS:
            raise forms.ValidationError(gettext("At most %(most)s names at once.") % {"most": MOST_GUESTS})
        for name in names:
            if len(name) > MAX_NAME_LENGTH:
                words = gettext("“%(name)s” is too long: at most %(most)s letters.")
                raise forms.ValidationError(words % {"name": brief(name), "most": MAX_NAME_LENGTH})
            if names.count(name) > 1:
                raise forms.ValidationError(gettext("“%(name)s” is listed twice.") % {"name": name})
        return names


class AnswersForm(forms.Form):
    """The season's questions to whoever enters."""

    def __init__(self, *args: Any, season: Season, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        for question in season.entry_questions:
            self.fields[f"answer-{question['id']}"] = _answer_field(question)

    def answers(self) -> dict[str, Any]:
        """By the id of the question; empty ones are left out."""
        given = {name.removeprefix("answer-"): value for name, value in self.cleaned_data.items()}
        return {key: value for key, value in given.items() if value not in ("", None)}


def initial_answers(answers: Mapping[str, Any]) -> dict[str, Any]:
    words = {True: "yes", False: "no"}
    return {f"answer-{key}": words[value] if isinstance(value, bool) else value for key, value in answers.items()}


def _answer_field(question: questions.Question) -> forms.Field:
    how: dict[str, Any] = {"label": question["text"], "required": question["required"]}
    match question["kind"]:
        case questions.CHOICE:
            listed = [("", gettext("Choose …")), *((one, one) for one in question["choices"])]
            return forms.ChoiceField(choices=listed, **how)
        case questions.YES_NO:
            listed = [("", gettext("Choose …")), ("yes", gettext("Yes")), ("no", gettext("No"))]
            return forms.TypedChoiceField(choices=listed, coerce=lambda value: value == "yes", empty_value=None, **how)
        case _:
            widget = forms.Textarea(attrs={"rows": 2})
            return forms.CharField(max_length=questions.LONGEST_ANSWER, widget=widget, **how)


class QuestionForm(forms.Form):
    """One question to entrants; without a text there is none."""

    id = forms.IntegerField(required=False, widget=forms.HiddenInput)
    text = forms.CharField(label=_("Question"), max_length=questions.LONGEST_QUESTION, required=False)
    kind = forms.ChoiceField(label=_("Answer"), choices=list(questions.KINDS.items()), required=False)
    choices = forms.CharField(
        label=_("Choices, one a line"),
        required=False,
        max_length=questions.MOST_CHOICES * (questions.LONGEST_CHOICE + 2),
        widget=forms.Textarea(attrs={"rows": 3}),
        help_text=_("Only for a question with several choices."),
    )
    required = forms.BooleanField(label=_("Everybody has to answer"), required=False)

    def question(self) -> dict[str, Any] | None:
        data = self.cleaned_data
        if not data["text"].strip():
            return None
        lines = [" ".join(line.split()) for line in data["choices"].splitlines()]
        is_choice = data["kind"] == questions.CHOICE
        return {
            "id": data["id"],
            "text": data["text"],
            "kind": data["kind"] or questions.TEXT,
            "choices": [line for line in lines if line] if is_choice else [],
            "required": data["required"],
        }


def question_forms(season: Season, data: Any = None) -> list[QuestionForm]:
    """A form for every question that a season may ask."""
    known = [
        {**each, "choices": "\n".join(each["choices"])} for each in season.entry_questions[: questions.MOST_QUESTIONS]
    ]
    known += [{}] * (questions.MOST_QUESTIONS - len(known))
    return [QuestionForm(data, prefix=f"q{at}", initial=each) for at, each in enumerate(known)]


class BotForm(forms.Form):
    """A bot of the site by its level, or a user's bot by its handle."""

    level = LevelField(label=_("Level"))
    bot = forms.CharField(
        label=_("Or a bot that somebody brought"),
        max_length=31,
        required=False,
        widget=forms.TextInput(attrs={"placeholder": "@handle", "autocomplete": "off"}),
    )

    def clean_bot(self) -> OwnBot | None:
        handle = self.cleaned_data["bot"].strip().removeprefix("@")
        if not handle:
            return None
        bot = OwnBot.objects.select_related("user", "owner").filter(user__handle__iexact=handle).first()
        if bot is None:
            raise forms.ValidationError(gettext("There is no such bot."))
        return bot


class TeamForm(forms.Form):
    name = forms.CharField(label=_("Name of the team"), max_length=60)
    members = forms.MultipleChoiceField(label=_("Members"), widget=forms.CheckboxSelectMultiple, required=False)
    bots = forms.IntegerField(label=_("Bots in the team"), min_value=0, max_value=3, initial=0)
    level = LevelField(label=_("Level of the bots"))

    def __init__(self, *args: Any, division: Division, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.known = {one.handle: one for one in members(division.season)}
        choices = [(handle, one.name) for handle, one in self.known.items()]
        self.fields["members"].choices = choices  # type: ignore[attr-defined]

    def clean_members(self) -> list[User]:
        return [self.known[handle] for handle in self.cleaned_data["members"]]


class ByeForm(forms.Form):
    """A request to miss a round."""

    number = forms.IntegerField(label=_("Round"), min_value=1, max_value=99)


class MeetingRuleForm(forms.Form):
    """Two people of the season, and from which round on they may meet."""

    one = forms.TypedChoiceField(label=_("One"), coerce=int)
    other = forms.TypedChoiceField(label=_("The other"), coerce=int)
    from_round = forms.IntegerField(
        label=_("May meet from round"),
        min_value=2,
        max_value=99,
        required=False,
        help_text=_("Leave it empty to keep them apart in all rounds."),
    )

    def __init__(self, *args: Any, names: Mapping[int, str], **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        listed = sorted(names.items(), key=lambda each: each[1].casefold())
        for name in ("one", "other"):
            self.fields[name].choices = [("", gettext("Choose …")), *listed]  # type: ignore[attr-defined]

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean() or {}
        if cleaned.get("one") and cleaned.get("one") == cleaned.get("other"):
            self.add_error("other", gettext("Choose two different people."))
        return cleaned
