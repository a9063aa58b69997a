"""Commands that ask the API from a shell."""

import json
import shlex
from collections.abc import Mapping
from typing import Any

from django.utils.translation import gettext as _
from django.views.decorators.debug import sensitive_variables


@sensitive_variables("key", "command")
def curl(*, url: str, key: str, body: Mapping[str, object] | None = None) -> str:
    """Return the command that sends a body, or asks for what is at a URL where there is none.

    ``key`` is a key, or the variable of the shell that holds one.
    """
    command = f'curl -sS {shlex.quote(url)} -H "Authorization: Bearer {key}"'
    if body is None:
        return command
    sent = shlex.quote(json.dumps(body, ensure_ascii=False))
    return f"{command} -H 'Content-Type: application/json' -d {sent}"


@sensitive_variables("key")
def first_selection(
    *, document: Mapping[str, Any], url: str, key: str = "$KEY", route: str | None = None
) -> str:
    """Return the command that asks a catalog for its first selection.

    ``document`` is the version that is live. The task is one of its own examples. ``route`` is one
    that the key is held to; without it, the first of a catalog that asks for one.
    """
    examples = (example for group in document["groups"] for example in group["examples"])
    body = {
        "catalog": document["catalog"],
        "task": next(examples, _("Find out what happened to order 88231")),
    }
    if route or document["routes"]:
        body["route"] = route or document["routes"][0]["name"]
    return curl(url=url, key=key, body=body)
