"""The command that asks a catalog for its first selection."""

import json
import shlex
from collections.abc import Mapping
from typing import Any

from django.utils.translation import gettext as _


def first_selection(*, document: Mapping[str, Any], url: str) -> str:
    """Return a curl command that works once KEY holds a key.

    ``document`` is the version that is live. The task is one of its own examples, and the route,
    which a catalog with routes asks for, its first.
    """
    examples = (example for group in document["groups"] for example in group["examples"])
    body = {
        "catalog": document["catalog"],
        "task": next(examples, _("Find out what happened to order 88231")),
    }
    if document["routes"]:
        body["route"] = document["routes"][0]["name"]
    return (
        f'curl {shlex.quote(url)} -H "Authorization: Bearer $KEY" '
        f"-H 'Content-Type: application/json' "
        f"-d {shlex.quote(json.dumps(body, ensure_ascii=False))}"
    )
