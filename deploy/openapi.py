"""The API's description: made from the code, kept in `docs/openapi.json`, served, and read by the documentation."""

import hashlib
import json
from functools import cache
from pathlib import Path
from typing import Any

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.utils import translation
from django.utils.cache import get_conditional_response
from django.utils.http import quote_etag
from django.views.decorators.http import require_safe
from drf_spectacular.drainage import GENERATOR_STATS
from drf_spectacular.generators import SchemaGenerator

FILE = Path(settings.ROOT, "docs", "openapi.json")
FOR_AN_HOUR = "public, max-age=3600"


@cache
def document() -> dict[str, Any]:
    """OpenAPI 3.1. In English: programs and their authors share it."""
    with translation.override("en"):
        # Through JSON, which turns lazily translated sentences into text.
        return dict(json.loads(json.dumps(SchemaGenerator().get_schema(request=None, public=True), default=str)))


@cache
def text() -> str:
    return json.dumps(document(), indent=1, ensure_ascii=False) + "\n"


def warnings() -> list[str]:
    """What the generator was not sure about."""
    document()
    messages = {**GENERATOR_STATS._warn_cache, **GENERATOR_STATS._error_cache}
    return sorted(map(str, messages))


@require_safe
def serve(request: HttpRequest) -> HttpResponse:
    tag = quote_etag(hashlib.sha256(text().encode()).hexdigest()[:32])
    unchanged = get_conditional_response(request, etag=tag)
    answer = unchanged or HttpResponse(text(), content_type="application/json", headers={"ETag": tag})
    answer["Cache-Control"] = FOR_AN_HOUR
    answer["Access-Control-Allow-Origin"] = "*"
    return answer
