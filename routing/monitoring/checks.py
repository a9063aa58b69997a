"""System checks: a token of ``/metrics`` that could be guessed stops the start."""

from typing import Any

from django.conf import settings
from django.core import checks

SHORTEST = 16
_HINT = (
    "Make one with: python3 -c 'import secrets; print(secrets.token_urlsafe(32))'. "
    "See docs/monitoring.md."
)


@checks.register()
def check_token(**_: Any) -> list[checks.CheckMessage]:
    """Refuse a METRICS_TOKEN that is short, or that no header could carry."""
    token: str = settings.METRICS_TOKEN
    if not token:
        return []
    if token != token.strip() or not (token.isascii() and token.isprintable()):
        fault = (
            "METRICS_TOKEN has a space at an end, or what no header carries: nobody can send it."
        )
        return [checks.Error(fault, hint=_HINT, id="routing.E005")]
    if len(token) < SHORTEST:
        fault = f"METRICS_TOKEN is shorter than {SHORTEST} characters: it could be guessed."
        return [checks.Error(fault, hint=_HINT, id="routing.E006")]
    return []
