"""How every app asks who may do what: a policy made from the app's own `allowed`, and one refusal for all."""

from collections.abc import Callable
from enum import StrEnum
from typing import Concatenate, Generic, ParamSpec, TypeVar

from django.core.exceptions import PermissionDenied
from django.utils.translation import gettext_lazy as _

Who = TypeVar("Who")
Permission = TypeVar("Permission", bound=StrEnum)
What = ParamSpec("What")


class NotAllowed(PermissionDenied):
    """The person may not do this; every edge turns it into its own refusal (403 on the site)."""

    def __init__(self, permission: StrEnum) -> None:
        super().__init__(_("You are not allowed to do this."))
        self.permission = permission


class Policy(Generic[Who, Permission, What]):
    """`may` and `require` for an app whose `allowed(who, ...)` gives all that somebody may do to a thing."""

    def __init__(self, allowed: Callable[Concatenate[Who, What], frozenset[Permission]]) -> None:
        self._allowed = allowed

    def may(self, who: Who, permission: Permission, /, *what: What.args, **more: What.kwargs) -> bool:
        return permission in self._allowed(who, *what, **more)

    def require(self, who: Who, permission: Permission, /, *what: What.args, **more: What.kwargs) -> None:
        if not self.may(who, permission, *what, **more):
            raise NotAllowed(permission)
