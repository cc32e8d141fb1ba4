"""What is read: JSON, of a size that a request of ours can have."""

import json
from collections.abc import Mapping
from typing import IO, Any

from rest_framework.exceptions import ParseError
from rest_framework.parsers import BaseParser

from accounts.rest.problems import Problem

MOST = 256 * 1024


class Json(BaseParser):
    media_type = "application/json"

    def parse(self, stream: IO[bytes], media_type: str | None = None, context: Mapping[str, Any] | None = None) -> Any:
        raw = stream.read(MOST + 1)
        if len(raw) > MOST:
            raise Problem("too-large")
        try:
            data = json.loads(raw.decode(), parse_constant=_refuse)
            # Half a surrogate pair is JSON, but no text that a database keeps.
            json.dumps(data, ensure_ascii=False).encode()
        except (ValueError, RecursionError) as error:
            raise ParseError("This is not JSON.") from error
        return data


def _refuse(constant: str) -> None:
    raise ValueError(f"{constant} is not JSON")
