from typing import Any

from django import template

from accounts import notices, text
from accounts.models import User

register = template.Library()

register.filter("markdown", text.markdown)


@register.inclusion_tag("accounts/_person.html")
def person(someone: User) -> dict[str, Any]:
    """A person's name as it stands everywhere: linked, with a badge for bots, plain for those who left."""
    return {"person": someone}


@register.inclusion_tag("accounts/_notices.html", takes_context=True)
def bell(context: template.Context) -> dict[str, Any]:
    """The bell in the header of every page of somebody logged in."""
    return {"unread": notices.unread(context["request"].user)}
