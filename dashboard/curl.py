"""Commands that ask the API from a shell."""

import json
import re
import shlex
from collections.abc import Mapping
from typing import Any

from django.utils.translation import gettext as _
from django.views.decorators.debug import sensitive_variables

# The first sentence of a description, if it is short enough to be a task.
_SENTENCE = re.compile(r"(.{8,120}?)(?:[.;:](?:\s|\Z)|\Z)")


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

    ``document`` is the version that is live. The task is one of its own examples, else what its
    first grouped tool says that it does. ``route`` is one that the key is held to; without it, the
    first of a catalog that asks for one.
    """
    body = {"catalog": document["catalog"], "task": _task(document)}
    if route or document["routes"]:
        body["route"] = route or document["routes"][0]["name"]
    return curl(url=url, key=key, body=body)


def _task(document: Mapping[str, Any]) -> str:
    examples = (example for group in document["groups"] for example in group["examples"])
    if example := next(examples, None):
        return str(example)
    tools = {tool["name"]: tool for tool in document["tools"]}
    names = (name for group in document["groups"] for name in group["tools"])
    if first := next((tools[name] for name in names if name in tools), None):
        said = _SENTENCE.match(" ".join((first["description"] or "").split()))
        return said[1] if said else first["name"].replace("_", " ")
    return _("Find out what happened to order 88231")
