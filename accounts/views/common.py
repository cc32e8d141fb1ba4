"""What several pages need."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import wraps
from typing import Any, Concatenate, ParamSpec, TypeVar

from django.contrib import messages
from django.core.paginator import Page, Paginator
from django.db.models import Model, QuerySet
from django.http import HttpRequest, HttpResponse, QueryDict
from django.shortcuts import redirect
from django.views.decorators.http import require_http_methods

from accounts.errors import Refused
from accounts.models import User

M = TypeVar("M", bound=Model)
R = TypeVar("R", bound=HttpRequest)
P = ParamSpec("P")
View = Callable[Concatenate[R, P], HttpResponse]


class PersonRequest(HttpRequest):
    """A request behind `login_required`."""

    user: User


def posted(request: HttpRequest) -> QueryDict | None:
    """A form's data: None, not empty, when nothing was sent."""
    return request.POST if request.method == "POST" else None


def written(request: HttpRequest, name: str) -> str:
    """One field of a form, to look something up by; PostgreSQL looks for no NUL."""
    return request.POST.get(name, "").replace("\0", "")


def form_of(page: str, *keys: str) -> Callable[[View[R, P]], View[R, P]]:
    """A view that takes a form of another page, and shows that page again when the form is refused.

    Then its own address stands in the browser: opened once more without a form, it leads back to the page.
    `keys` are the arguments that the page shares with the view.
    """

    def decorate(view: View[R, P]) -> View[R, P]:
        @wraps(view)
        def takes_form(request: R, *args: P.args, **kwargs: P.kwargs) -> HttpResponse:
            if request.method == "POST":
                return view(request, *args, **kwargs)
            shared: dict[str, Any] = {key: kwargs[key] for key in keys}
            return redirect(page, **shared)

        return require_http_methods(["GET", "HEAD", "POST"])(takes_form)

    return decorate


@contextmanager
def telling(request: HttpRequest, done: str) -> Iterator[None]:
    """Say that the verb inside was done, or why it was refused."""
    try:
        yield
    except Refused as refused:
        messages.error(request, refused.message)
    else:
        messages.success(request, done)


def page_of(queryset: QuerySet[M], request: HttpRequest, size: int) -> Page[M]:
    return Paginator(queryset, size).get_page(request.GET.get("page"))
