"""Helpers for views."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import wraps
from typing import Any, Concatenate, ParamSpec, TypeVar, cast

from allauth.account.decorators import reauthentication_required
from django.contrib import messages
from django.core.paginator import Page, Paginator
from django.db.models import Model, QuerySet
from django.http import HttpRequest, HttpResponse, QueryDict
from django.shortcuts import redirect
from django.utils.translation import get_language, gettext
from django.views.decorators.http import require_http_methods

from accounts import trials
from accounts.infra.errors import Refused
from accounts.models import User

M = TypeVar("M", bound=Model)
R = TypeVar("R", bound=HttpRequest)
P = ParamSpec("P")
View = Callable[Concatenate[R, P], HttpResponse]


class PersonRequest(HttpRequest):
    """A request behind `login_required`."""

    user: User


def form_data(request: HttpRequest) -> QueryDict | None:
    """The data of a form, or None if nothing was posted."""
    return request.POST if request.method == "POST" else None


def posted_text(request: HttpRequest, name: str) -> str:
    """One posted field, without NUL characters, which PostgreSQL refuses in queries."""
    return request.POST.get(name, "").replace("\0", "")


def form_of(page: str, *keys: str) -> Callable[[View[R, P]], View[R, P]]:
    """A view that takes a form of another page, and renders that page again if the form is invalid.

    The browser then shows the view's own URL; a GET of it redirects to the page. `keys` are the arguments that
    the page shares with the view.
    """

    def decorate(view: View[R, P]) -> View[R, P]:
        @wraps(view)
        def takes_form(request: R, *args: P.args, **kwargs: P.kwargs) -> HttpResponse:
            if request.method == "POST":
                return view(request, *args, **kwargs)
            shared: dict[str, Any] = {key: kwargs[key] for key in keys}
            back: HttpResponse = redirect(page, **shared)
            return back

        return cast(View[R, P], require_http_methods(["GET", "HEAD", "POST"])(takes_form))

    return decorate


def trial_of(request: HttpRequest) -> User | None:
    """Who plays without an account in this browser, where nobody is logged in."""
    if not hasattr(request, "trial"):
        # A request that was refused early has no session and no user yet.
        session, user = getattr(request, "session", None), getattr(request, "user", None)
        asked = session is not None and user is not None and not user.is_authenticated
        request.trial = trials.of_session(request.session) if asked else None  # type: ignore[attr-defined]
    return cast("User | None", request.trial)  # type: ignore[attr-defined]


def open_to_trials(view: View[R, P]) -> View[R, P]:
    """A view that people who play without an account may use too; to all other views they are visitors."""

    @wraps(view)
    def admits(request: R, *args: P.args, **kwargs: P.kwargs) -> HttpResponse:
        if (trial := trial_of(request)) is not None:
            if trials.note_seen(person=trial, language=get_language() or ""):
                # The cookie lasts as long as the name: until a while after the last visit.
                request.session.modified = True
            request.user = trial
        elif request.session.pop(trials.SESSION_KEY, None) and not request.user.is_authenticated:
            messages.info(request, gettext("The name you played under has expired after a week without a visit."))
        return view(request, *args, **kwargs)

    return cast(View[R, P], admits)


def confirm_identity(view: View[R, P]) -> View[R, P]:
    """A view whose form asks again who it is: password, code or passkey. A person who has none of these passes."""
    return cast(View[R, P], reauthentication_required(allow_get=True)(view))


def confirm_identity_without_password(view: View[R, P]) -> View[R, P]:
    """The same for a form that itself asks those who have a password for it."""

    def needed(request: HttpRequest) -> bool:
        return isinstance(request.user, User) and not request.user.has_usable_password()

    return cast(View[R, P], reauthentication_required(allow_get=True, enabled=needed)(view))


@contextmanager
def flash_outcome(request: HttpRequest, done: str) -> Iterator[None]:
    """Show `done` as a message, or why the code inside was refused."""
    try:
        yield
    except Refused as refused:
        messages.error(request, refused.message)
    else:
        messages.success(request, done)


def paginate(queryset: QuerySet[M], request: HttpRequest, size: int) -> Page[M]:
    return Paginator(queryset, size).get_page(request.GET.get("page"))
