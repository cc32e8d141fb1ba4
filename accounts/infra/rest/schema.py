"""The OpenAPI schema, made by drf-spectacular from our operations."""

import re
from typing import Any

from drf_spectacular.extensions import OpenApiAuthenticationExtension
from drf_spectacular.openapi import AutoSchema
from rest_framework.serializers import ListSerializer

from accounts.infra.rest.fields import InputSerializer
from accounts.infra.rest.operations import Operation
from accounts.infra.scopes import Scope


class Schema(AutoSchema):
    def get_serializer_name(self, serializer: Any, direction: Any) -> str:
        """Component names are part of API v1: `RoundSerializer` is `Round` there, `PublishInput` is `PublishTerms`."""
        name: str = super().get_serializer_name(serializer, direction)
        return re.sub(r"Input$", "Terms", name.replace("Serializer", ""))

    def get_tags(self) -> list[str]:
        tag = getattr(self.view, "tag", "")
        return [tag] if tag else super().get_tags()

    def _map_basic_serializer(self, serializer: Any, direction: Any) -> Any:
        schema: Any = super()._map_basic_serializer(serializer, direction)  # type: ignore[no-untyped-call]
        for name, field in serializer.fields.items():
            limit = getattr(field, "max_length", None) if isinstance(field, ListSerializer) else None
            if limit and name in schema["properties"]:
                schema["properties"][name]["maxItems"] = limit
        return schema | {"additionalProperties": False} if isinstance(serializer, InputSerializer) else schema

    def get_auth(self) -> list[dict[str, Any]]:
        """A token with the operation's scope, or a session; nothing for public operations."""
        spec = operation_of(self.view, self.method)
        auths = super().get_auth()
        if spec is None:
            return auths
        auths = [{name: [spec.scope.value] if name == "token" else []} for auth in auths for name in auth]
        return [*auths, {}] if spec.public else auths


def tidy(result: dict[str, Any], **rest: Any) -> dict[str, Any]:
    """Move error responses to the components; operations only refer to them."""
    _drop_marks(result)
    shared: dict[str, Any] = {}
    for methods in result["paths"].values():
        for operation in methods.values():
            responses = operation["responses"]
            for code in [code for code in responses if code >= "400"]:
                shared[f"Problem{code}"] = responses[code]
                responses[code] = {"$ref": f"#/components/responses/Problem{code}"}
    result["components"]["responses"] = dict(sorted(shared.items()))
    return result


def _drop_marks(part: Any) -> None:
    """Remove marks that only another hook of drf-spectacular uses."""
    if isinstance(part, dict):
        part.pop("x-spec-enum-id", None)
    for inner in part.values() if isinstance(part, dict) else part if isinstance(part, list) else ():
        _drop_marks(inner)


def operation_of(view: Any, method: str) -> Operation | None:
    return getattr(getattr(view, method.lower(), None), "operation", None)


class BearerScheme(OpenApiAuthenticationExtension):
    target_class = "accounts.api.authentication.Bearer"
    name = "token"

    def get_security_definition(self, auto_schema: AutoSchema) -> dict[str, Any]:
        scopes = ", ".join(f"`{scope.value}`" for scope in Scope)
        return {
            "type": "http",
            "scheme": "bearer",
            "description": f"A token from your settings on this site, with the scopes it needs: {scopes}.",
        }


class SessionScheme(OpenApiAuthenticationExtension):
    target_class = "accounts.api.authentication.Session"
    name = "session"

    def get_security_definition(self, auto_schema: AutoSchema) -> dict[str, Any]:
        return {
            "type": "apiKey",
            "in": "cookie",
            "name": "sessionid",
            "description": "The site’s own pages; changes need the CSRF token in `X-CSRFToken`.",
        }
