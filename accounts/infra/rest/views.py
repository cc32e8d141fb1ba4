"""The base of every view of the API."""

import hashlib
from datetime import UTC
from typing import Any

from django.http import HttpRequest, HttpResponse, HttpResponseBase
from django.utils import timezone
from django.utils.cache import get_conditional_response, patch_vary_headers
from django.utils.translation import gettext as _
from django.views.decorators.csrf import csrf_exempt
from rest_framework.exceptions import AuthenticationFailed
from rest_framework.permissions import SAFE_METHODS
from rest_framework.renderers import JSONRenderer
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from accounts.infra.rest import parsers, problems, throttling


class Api(APIView):
    """Times in UTC, an ETag on every read, rate limit headers on every response."""

    permission_classes = ()
    throttle_classes = (throttling.PerMinuteThrottle,)
    parser_classes = (parsers.Json,)
    renderer_classes = (JSONRenderer,)
    metadata_class = None
    http_method_names = ["get", "head", "post", "put", "patch", "delete"]
    # The heading in the documentation, for all operations of a view.
    tag = ""

    def initial(self, request: Request, *args: Any, **kwargs: Any) -> None:
        timezone.activate(UTC)
        try:
            request.user  # noqa: B018 - read here, so that wrong tokens count for the sender's address
        except AuthenticationFailed:
            self.check_throttles(request)
            raise
        super().initial(request, *args, **kwargs)

    def finalize_response(self, request: Request, response: Any, *args: Any, **kwargs: Any) -> Any:
        response = super().finalize_response(request, response, *args, **kwargs)
        patch_vary_headers(response, ["Authorization", "Cookie", "Accept-Language"])
        response.headers.setdefault("Cache-Control", "private, no-cache")
        if allowance := getattr(request._request, "allowance", None):
            for name, value in allowance.headers.items():
                response[name] = value
        if isinstance(response, Response) and request.method in SAFE_METHODS and response.status_code == 200:
            response.add_post_render_callback(lambda rendered: tagged(request._request, rendered))
        return response


def tagged(request: HttpRequest, response: HttpResponse) -> HttpResponseBase:
    """The response with an ETag of its content, or 304 if the request has the same tag."""
    response["ETag"] = f'"{hashlib.sha256(response.content).hexdigest()[:32]}"'
    return get_conditional_response(request, etag=response["ETag"], response=response) or response


@csrf_exempt
def not_found(request: HttpRequest, rest: str = "") -> HttpResponse:
    """The response for unknown paths below the API's root."""
    detail = _("There is no such address: each ends in a slash, and all of them are listed at %(docs)s.")
    return problems.plain("not-found", detail % {"docs": "/api/docs/"})
