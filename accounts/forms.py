import zoneinfo
from datetime import timedelta
from functools import cache
from importlib import resources
from typing import Any

from allauth.account.adapter import get_adapter
from allauth.account.forms import LoginForm as AllauthLoginForm
from allauth.account.forms import SignupForm as AllauthSignupForm
from allauth.socialaccount.forms import SignupForm as AllauthSocialSignupForm
from django import forms
from django.contrib import messages
from django.contrib.auth.password_validation import validate_password
from django.db import IntegrityError, transaction
from django.db.models.functions import Lower
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils.translation import get_language, gettext
from django.utils.translation import gettext_lazy as _

from accounts import joining, people
from accounts.infra import outbound_http
from accounts.infra.pictures import MAX_BYTES
from accounts.middleware import THEME_COOKIE
from accounts.models import ApiToken, Club, JoinRequest, Membership, Role, Scope, User, Webhook
from accounts.webhooks.events import declared_events


class SignupForm(AllauthSignupForm):
    # Filled in by a script from the browser's settings.
    time_zone = forms.CharField(required=False, max_length=64, widget=forms.HiddenInput(attrs={"data-time-zone": ""}))

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        handle = self.fields["username"]
        handle.label = gettext("Handle")
        handle.help_text = gettext("How others find you: letters, digits, hyphens and underscores.")
        handle.widget.attrs.pop("placeholder", None)
        email = self.fields["email"]
        email.label = gettext("E-mail")
        email.widget.attrs.pop("placeholder", None)
        self.fields["password1"].widget.attrs.pop("placeholder", None)

    def try_save(self, request: HttpRequest) -> tuple[User | None, HttpResponse | None]:
        try:
            with transaction.atomic():
                saved: tuple[User | None, HttpResponse | None] = super().try_save(request)
                return saved
        except IntegrityError:
            # Two sign-ups passed the check at the same time; the database accepted one.
            messages.error(request, gettext("Somebody has just taken this handle. Choose another."))
            return None, redirect("account_signup")

    def custom_signup(self, request: HttpRequest, user: User) -> None:
        super().custom_signup(request, user)
        people.set_up_new_user(
            person=user,
            language=get_language() or "",
            time_zone=self.cleaned_data.get("time_zone", ""),
            theme=request.COOKIES.get(THEME_COOKIE, ""),
        )


class KeepTrialForm(forms.Form):
    """Who plays without an account chooses a handle and a password, and is the same person from then on."""

    handle = forms.CharField(
        label=_("Handle"),
        max_length=30,
        help_text=_("How others find you: letters, digits, hyphens and underscores."),
        widget=forms.TextInput(attrs={"autocomplete": "username"}),
    )
    name = forms.CharField(label=_("Name"), max_length=people.MAX_NAME_LENGTH)
    password = forms.CharField(
        label=_("Password"), strip=False, widget=forms.PasswordInput(attrs={"autocomplete": "new-password"})
    )
    time_zone = forms.CharField(required=False, max_length=64, widget=forms.HiddenInput(attrs={"data-time-zone": ""}))

    def __init__(self, data: Any, *, person: User) -> None:
        super().__init__(data, initial={"name": person.display_name})
        self.person = person

    def clean_handle(self) -> str:
        handle: str = get_adapter().clean_username(self.cleaned_data["handle"])
        return handle

    def clean_password(self) -> str:
        password: str = self.cleaned_data["password"]
        known = User(handle=self.cleaned_data.get("handle", ""), display_name=self.cleaned_data.get("name", ""))
        validate_password(password, known)
        return password


class OtherServiceSignupForm(AllauthSocialSignupForm):
    """The last step of signing up with an account at another service: a handle, and the address."""

    time_zone = forms.CharField(required=False, max_length=64, widget=forms.HiddenInput(attrs={"data-time-zone": ""}))

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["username"].label = gettext("Handle")
        self.fields["username"].help_text = gettext("How others find you: letters, digits, hyphens and underscores.")
        self.fields["email"].label = gettext("E-mail")
        for field in self.fields.values():
            field.widget.attrs.pop("placeholder", None)

    def custom_signup(self, request: HttpRequest, user: User) -> None:
        super().custom_signup(request, user)
        people.set_up_new_user(
            person=user,
            language=get_language() or "",
            time_zone=self.cleaned_data.get("time_zone", ""),
            theme=request.COOKIES.get(THEME_COOKIE, ""),
        )


class LoginForm(AllauthLoginForm):
    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["login"].label = gettext("Handle or e-mail")
        for field in self.fields.values():
            field.widget.attrs.pop("placeholder", None)


Zones = list[tuple[str, str] | tuple[str, list[tuple[str, str]]]]


@cache
def _zones() -> Zones:
    """Current time zones by region, from tzdata's table."""
    table = resources.files("tzdata").joinpath("zoneinfo/zone.tab").read_text(encoding="utf-8")
    names = {line.split("\t")[2] for line in table.splitlines() if not line.startswith("#")}
    regions: dict[str, list[tuple[str, str]]] = {}
    for name in sorted(names):
        region, _slash, place = name.partition("/")
        regions.setdefault(region, []).append((name, place.replace("_", " ").replace("/", " / ")))
    return [("UTC", "UTC"), *sorted(regions.items())]


class TimeZoneField(forms.ChoiceField):
    """Offers current names; also accepts older ones, for users who already have one."""

    def __init__(self, **kwargs: Any) -> None:
        kwargs.setdefault("label", _("Time zone"))
        super().__init__(choices=_zones, **kwargs)

    def valid_value(self, value: object) -> bool:
        return value in zoneinfo.available_timezones()

    def get_bound_field(self, form: forms.BaseForm, field_name: str) -> forms.BoundField:
        """List an old name that the user has first; otherwise saving the form would change it."""
        bound = super().get_bound_field(form, field_name)
        own = str(bound.value() or "")
        if self.valid_value(own) and not super().valid_value(own):
            self.choices = [(own, own), *_zones()]
        return bound


class ClubForm(forms.ModelForm):
    time_zone = TimeZoneField()
    is_private = forms.TypedChoiceField(
        label=_("Who sees the club"),
        choices=[
            ("no", _("Everybody: the club, its leagues, results and nights are public")),
            ("yes", _("Members only: nobody else finds the club, its leagues or its nights")),
        ],
        coerce=lambda choice: choice == "yes",
        widget=forms.RadioSelect,
        help_text=_("Only members see who comes to a night, in any case."),
    )

    class Meta:
        model = Club
        fields = ["name", "city", "time_zone", "is_private", "admission", "description", "colour"]
        widgets = {"description": forms.Textarea(attrs={"rows": 8}), "colour": forms.RadioSelect}
        labels = {"colour": _("Colour")}

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        # A new club has to choose.
        if self.instance.pk:
            self.initial["is_private"] = "yes" if self.instance.is_private else "no"
        else:
            self.initial.pop("is_private", None)


class PictureForm(forms.Form):
    """A file for `infra.pictures`, which says what is wrong with it."""

    picture = forms.FileField(
        label=_("Picture"),
        allow_empty_file=True,
        widget=forms.FileInput(attrs={"accept": "image/png,image/jpeg,image/webp", "data-shrink": ""}),
        help_text=_("PNG, JPEG or WebP. Only the square in the middle is kept, without the place and time in it."),
        error_messages={"required": _("Choose a file with a picture.")},
    )

    @property
    def content(self) -> bytes:
        """What was sent, no more of it than is taken."""
        content: bytes = self.cleaned_data["picture"].read(MAX_BYTES + 1)
        return content


class JoinRequestForm(forms.ModelForm):
    class Meta:
        model = JoinRequest
        fields = ["message"]
        labels = {"message": _("A word to the organisers (optional)")}


class InviteForm(forms.Form):
    max_uses = forms.IntegerField(
        label=_("How many people may use it"),
        help_text=_("Enough for the club’s group chat; write 1 for a link to one person."),
        min_value=1,
        max_value=joining.MAX_USES,
        initial=joining.USUAL_USES,
    )
    days = forms.IntegerField(
        label=_("For how many days"), min_value=1, max_value=joining.MAX_INVITE_LIFETIME.days, initial=7
    )

    @property
    def lasting(self) -> timedelta:
        return timedelta(days=self.cleaned_data["days"])


class MemberWithoutEmailForm(forms.Form):
    name = forms.CharField(label=_("Name"), max_length=people.MAX_NAME_LENGTH)


class HandOverForm(forms.Form):
    to = forms.ChoiceField(label=_("New owner"), error_messages={"invalid_choice": _("Choose a member of this club.")})

    def __init__(self, *args: Any, club: Club, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        people_in_it = Membership.objects.filter(club=club, user__is_bot=False).exclude(role=Role.OWNER)
        heirs = User.objects.filter(memberships__in=people_in_it, is_active=True)
        self._heirs = {heir.handle: heir for heir in heirs.order_by(Lower("handle"))}
        names = [(handle, f"{heir.name} (@{handle})") for handle, heir in self._heirs.items()]
        self.fields["to"].choices = [("", "–"), *names]  # type: ignore[attr-defined]

    def clean_to(self) -> User:
        return self._heirs[self.cleaned_data["to"]]


class WebhookForm(forms.ModelForm):
    events = forms.MultipleChoiceField(
        label=_("Events that it receives"),
        widget=forms.CheckboxSelectMultiple,
        error_messages={"required": _("Choose at least one event.")},
    )

    class Meta:
        model = Webhook
        fields = ["name", "url", "shape", "events"]
        widgets = {"url": forms.URLInput(attrs={"placeholder": "https://", "autocomplete": "off"})}

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        named = [(name, each.label) for name, each in declared_events().items()]
        self.fields["events"].choices = named  # type: ignore[attr-defined]
        if not self.instance.pk:
            self.fields["events"].initial = [name for name, _each in named]

    def clean_url(self) -> str:
        url: str = self.cleaned_data["url"].strip()
        try:
            outbound_http.validate_url(url)
        except outbound_http.Forbidden as error:
            raise forms.ValidationError(gettext(str(error))) from None
        return url


class SettingsForm(forms.ModelForm):
    time_zone = TimeZoneField()

    class Meta:
        model = User
        # E-mail is set on the page of notification preferences.
        fields = [name for name in people.SETTINGS if name != "notices_by_mail"]


class TokenForm(forms.ModelForm):
    scopes = forms.MultipleChoiceField(
        label=_("What it may do"),
        choices=Scope.choices,
        widget=forms.CheckboxSelectMultiple,
        initial=[Scope.READ],
        error_messages={"required": _("Choose what the token may do.")},
    )
    days = forms.TypedChoiceField(
        label=_("For how long"),
        coerce=int,
        choices=[(7, _("A week")), (30, _("A month")), (90, _("Three months")), (365, _("A year"))],
        initial=30,
    )

    class Meta:
        model = ApiToken
        fields = ["name"]
        help_texts = {"name": _("So that you know it again: where it is used, and for what.")}

    @property
    def terms(self) -> dict[str, Any]:
        data = self.cleaned_data
        return {"name": data["name"], "scopes": data["scopes"], "lasting": timedelta(days=data["days"])}


class DeleteAccountForm(forms.Form):
    password = forms.CharField(
        label=_("Your password"),
        strip=False,
        widget=forms.PasswordInput(attrs={"autocomplete": "current-password"}),
    )
    handle = forms.CharField(label=_("Your handle, to confirm"), widget=forms.TextInput(attrs={"autocomplete": "off"}))

    def __init__(self, *args: Any, person: User, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.person = person
        # Who logs in without a password writes their handle.
        del self.fields["handle" if person.has_usable_password() else "password"]

    def clean_handle(self) -> str:
        handle: str = self.cleaned_data["handle"].removeprefix("@")
        if handle.lower() != self.person.handle.lower():
            raise forms.ValidationError(_("This is not your handle."))
        return handle

    def clean_password(self) -> str:
        password: str = self.cleaned_data["password"]
        if not self.person.check_password(password):
            raise forms.ValidationError(_("This is not your password."))
        return password
