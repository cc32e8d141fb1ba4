"""How operations are told to drf-spectacular."""

from typing import Any

from drf_spectacular.extensions import OpenApiAuthenticationExtension
from drf_spectacular.openapi import AutoSchema
from rest_framework.serializers import ListSerializer

from accounts.models import Scope
from accounts.rest.fields import Terms
from accounts.rest.operations import Operation


class Schema(AutoSchema):
    def get_serializer_name(self, serializer: Any, direction: Any) -> str:
        return super().get_serializer_name(serializer, direction).replace("Shape", "")

    def get_tags(self) -> list[str]:
        tag = getattr(self.view, "tag", "")
        return [tag] if tag else super().get_tags()

    def _map_basic_serializer(self, serializer: Any, direction: Any) -> Any:
        schema = super()._map_basic_serializer(serializer, direction)
        for name, field in serializer.fields.items():
            most = getattr(field, "max_length", None) if isinstance(field, ListSerializer) else None
            if most and name in schema["properties"]:
                schema["properties"][name]["maxItems"] = most
        return schema | {"additionalProperties": False} if isinstance(serializer, Terms) else schema

    def get_auth(self) -> list[dict[str, Any]]:
        """A token with the operation's scope, or a session; for what visitors may see, nothing at all."""
        known = operation_of(self.view, self.method)
        auths = super().get_auth()
        if known is None:
            return auths
        auths = [{name: [known.scope.value] if name == "token" else []} for auth in auths for name in auth]
        return [*auths, {}] if known.public else auths


def tidy(result: dict[str, Any], **rest: Any) -> dict[str, Any]:
    """Every refusal once, among the components: an operation lists which of them it can answer with."""
    _drop_marks(result)
    shared: dict[str, Any] = {}
    for methods in result["paths"].values():
        for found in methods.values():
            for code in [code for code in found["responses"] if code >= "400"]:
                shared[f"Problem{code}"] = found["responses"][code]
                found["responses"][code] = {"$ref": f"#/components/responses/Problem{code}"}
    result["components"]["responses"] = dict(sorted(shared.items()))
    return result


def _drop_marks(part: Any) -> None:
    """Marks that another hook of drf-spectacular's would use."""
    if isinstance(part, dict):
        part.pop("x-spec-enum-id", None)
    for inner in part.values() if isinstance(part, dict) else part if isinstance(part, list) else ():
        _drop_marks(inner)


def operation_of(view: Any, method: str) -> Operation | None:
    return getattr(getattr(view, method.lower(), None), "operation", None)


class BearerScheme(OpenApiAuthenticationExtension):
    target_class = "accounts.rest.authentication.Bearer"
    name = "token"

    def get_security_definition(self, auto_schema: AutoSchema) -> dict[str, Any]:
        scopes = ", ".join(f"`{scope.value}`" for scope in Scope)
        return {
            "type": "http",
            "scheme": "bearer",
            "description": f"A token from your settings on this site, with the scopes it needs: {scopes}.",
        }


class SessionScheme(OpenApiAuthenticationExtension):
    target_class = "accounts.rest.authentication.Session"
    name = "session"

    def get_security_definition(self, auto_schema: AutoSchema) -> dict[str, Any]:
        return {
            "type": "apiKey",
            "in": "cookie",
            "name": "sessionid",
            "description": "The site’s own pages; changes need the CSRF token in `X-CSRFToken`.",
        }
