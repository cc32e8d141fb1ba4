"""The JSON parser of the API, with a limit on the size."""

from collections.abc import Mapping
from typing import IO, Any

from rest_framework.exceptions import ParseError
from rest_framework.parsers import BaseParser

from accounts.infra.input import Unreadable, parse_json
from accounts.infra.rest.problems import Problem

MAX_BODY_BYTES = 256 * 1024


class Json(BaseParser):
    media_type = "application/json"

    def parse(self, stream: IO[bytes], media_type: str | None = None, context: Mapping[str, Any] | None = None) -> Any:
        raw = stream.read(MAX_BODY_BYTES + 1)
        if len(raw) > MAX_BODY_BYTES:
            raise Problem("too-large")
        try:
            return parse_json(raw)
        except Unreadable as error:
            raise ParseError(f"This cannot be read: {error}.") from error
