"""Bearer keys: who asks, and whether the key grants the action."""

from typing import Any

from django.http import HttpRequest
from django.utils import timezone
from ninja.security import HttpBearer

from routing.api.problems import forbidden, unauthorized
from routing.keys import find_key
from routing.limits import limits
from routing.models import ApiKey


class KeyRequest(HttpRequest):
    """A request that a key was found for."""

    auth: ApiKey


class Bearer(HttpBearer):
    """Let a request through whose key grants an action."""

    def __init__(self, action: ApiKey.Action) -> None:
        super().__init__()
        self.action = action

    def __call__(self, request: HttpRequest) -> Any:
        """Find the key of the request; raises ``Problem``."""
        scheme, _, token = request.headers.get("Authorization", "").partition(" ")
        if scheme.lower() != "bearer" or not token.strip():
            raise unauthorized()
        return self.authenticate(request, token.strip())

    def authenticate(self, request: HttpRequest, token: str) -> ApiKey:
        """Return the key of a token; raises ``Problem`` and ``RateExceeded``."""
        key = find_key(token=token, now=timezone.now())
        if key is None:
            raise unauthorized()
        limits.spend(key=key, now=timezone.now())
        if self.action.value not in key.actions:
            raise forbidden(f"This key does not grant “{self.action.value}”.")
        return key


def traceparent_of(request: HttpRequest) -> str:
    """Return the W3C trace context that an agent sent, as far as it is kept."""
    return request.headers.get("traceparent", "")[:55]
