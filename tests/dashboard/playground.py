"""The form of the playground as a browser sends it, and what its page says."""

import json
import re
import shlex
from html import unescape
from typing import Any

from django.test import Client

TASK = (
    "Reconcile the payment for order 88231 with yesterday's statement and, if it matches, "
    "settle the bill"
)


def choose(client: Client, catalog: str = "back-office", *, htmx: bool = False, **said: Any) -> Any:
    """Send the form of a catalog as a browser would."""
    headers = {"HX-Request": "true", "HX-Target": "playground"} if htmx else {}
    form = {"task": TASK, "ref": "live", "format": "native", **said}
    return client.post(f"/playground?catalog={catalog}", form, headers=headers)


def kept(response: Any) -> list[str]:
    """Return the tools that a page says are kept, in order."""
    table = re.search(r'id="kept-table".*?</table>', response.text, re.DOTALL)
    assert table, response.text
    rows = re.findall(r'<th scope="row">(.*?)</th>', table[0])
    return [re.sub(r"<[^>]+>", " ", row).split()[0] for row in rows]


def payload(response: Any) -> Any:
    """Return what an agent would be sent as its tools."""
    found = re.search(r'<pre[^>]*id="payload"[^>]*>(.*?)</pre>', response.text, re.DOTALL)
    assert found
    return json.loads(unescape(found[1]))


def command(response: Any) -> list[str]:
    """Return the words of the curl command."""
    found = re.search(r"<code>(curl .*?)</code>", response.text, re.DOTALL)
    assert found
    return shlex.split(unescape(found[1]))
