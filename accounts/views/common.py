"""What several pages need."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import TypeVar

from django.contrib import messages
from django.core.paginator import Page, Paginator
from django.db.models import Model, QuerySet
from django.http import HttpRequest, QueryDict

from accounts.errors import Refused
from accounts.models import User

M = TypeVar("M", bound=Model)


class PersonRequest(HttpRequest):
    """A request behind `login_required`."""

    user: User


def posted(request: HttpRequest) -> QueryDict | None:
    """A form's data: None, not empty, when nothing was sent."""
    return request.POST if request.method == "POST" else None


def written(request: HttpRequest, name: str) -> str:
    """One field of a form, to look something up by; PostgreSQL looks for no NUL."""
    return request.POST.get(name, "").replace("\0", "")


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
