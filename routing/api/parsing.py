"""Read a body: bounded, well-formed, and not nested so deep that reading it hurts."""

import json
import re
from typing import Any

from django.conf import settings
from django.http import HttpRequest
from ninja.parser import Parser

from routing.api.problems import malformed, too_large

MAX_DEPTH = 100
# A string that nobody closed ends with the body: were it no match, the search would begin again at
# each quote inside it and take quadratic time.
_STRINGS = re.compile(rb'"(?:[^"\\]|\\.)*(?:"|\\?\Z)', re.DOTALL)
_NO_BRACKETS = bytes(set(range(256)) - set(b"[]{}"))


class StrictParser(Parser):
    """Parse JSON bodies; ninja wraps what is raised here, and the error handler unwraps it."""

    def parse_body(self, request: HttpRequest) -> Any:
        """Return the JSON value of a request's body; raises ``Problem``."""
        body = request.body
        if len(body) > settings.API_MAX_BODY_BYTES:
            raise too_large(settings.API_MAX_BODY_BYTES)
        if is_nested_deeper(body, than=MAX_DEPTH):
            raise malformed(f"The JSON is nested deeper than {MAX_DEPTH} levels.")
        try:
            return json.loads(body.decode("utf-8"), parse_constant=_refuse_constant)
        except UnicodeDecodeError as error:
            raise malformed(f"The body is not UTF-8: byte {error.start} cannot be read.") from error
        except json.JSONDecodeError as error:
            raise malformed(
                f"The body is no JSON: {error.msg} at line {error.lineno}, column {error.colno}."
            ) from error
        except ValueError as error:
            # Python refuses to convert integers of thousands of digits: quadratic time.
            raise malformed(f"The body holds a number that cannot be read: {error}.") from error


def is_nested_deeper(body: bytes, *, than: int) -> bool:
    """Tell whether the brackets outside strings are nested deeper than a number of levels."""
    if body.count(b"[") + body.count(b"{") <= than:
        return False
    depth = 0
    for bracket in _STRINGS.sub(b"", body).translate(None, _NO_BRACKETS):
        depth += 1 if bracket in b"[{" else -1
        if depth > than:
            return True
    return False


def _refuse_constant(name: str) -> Any:
    raise malformed(f"{name} is no JSON.")
