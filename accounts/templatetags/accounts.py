from typing import Any

from django import template
from django.utils.translation import gettext

from accounts.infra import text
from accounts.models import User
from accounts.notifications.service import unread_count

register = template.Library()

register.filter("markdown", text.markdown)


BROWSERS = {"Edg/": "Edge", "OPR/": "Opera", "Firefox/": "Firefox", "Chrome/": "Chrome", "Safari/": "Safari"}
SYSTEMS = {
    "Android": "Android",
    "iPhone": "iPhone",
    "iPad": "iPad",
    "Windows": "Windows",
    "Mac OS": "macOS",
    "Linux": "Linux",
}


@register.filter
def browser_name(user_agent: str) -> str:
    """What a browser calls itself, in words that its owner knows."""
    browser = next((name for mark, name in BROWSERS.items() if mark in user_agent), "")
    system = next((name for mark, name in SYSTEMS.items() if mark in user_agent), "")
    return " · ".join(filter(None, [browser, system])) or gettext("Unknown browser")


@register.inclusion_tag("accounts/_person.html")
def person(someone: User) -> dict[str, Any]:
    """A person's name as on every page: linked, with a badge for bots, plain for deleted users."""
    return {"person": someone}


@register.inclusion_tag("accounts/notifications/_bell.html", takes_context=True)
def bell(context: template.Context) -> dict[str, Any]:
    """The bell in the page header of logged-in users."""
    return {"unread": unread_count(context["request"].user)}
