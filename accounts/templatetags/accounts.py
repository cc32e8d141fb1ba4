from typing import Any

from django import template
from django.utils.translation import gettext

from accounts.infra import browsers, text
from accounts.models import User
from accounts.notifications.service import unread_count

register = template.Library()

register.filter("markdown", text.markdown)


@register.filter
def browser_name(user_agent: str) -> str:
    """What a browser calls itself, in words that its owner knows."""
    return browsers.name_of(user_agent) or gettext("Unknown browser")


@register.inclusion_tag("accounts/_person.html")
def person(someone: User) -> dict[str, Any]:
    """A person's name as on every page: linked, with a badge for bots, plain for deleted users."""
    return {"person": someone}


@register.inclusion_tag("accounts/notifications/_bell.html", takes_context=True)
def bell(context: template.Context) -> dict[str, Any]:
    """The bell in the page header of logged-in users."""
    return {"unread": unread_count(context["request"].user)}
