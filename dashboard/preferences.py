"""The language and the time zone in which a person reads the pages.

Both are kept with the account. Where a person chose none, the language is that of the cookie or of
the browser, and the zone is the site's.
"""

import zoneinfo
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import cache

from django.conf import settings
from django.contrib.auth.models import AnonymousUser, User
from django.http import HttpRequest, HttpResponseBase
from django.utils import timezone, translation

from dashboard.models import Preferences


def preferences_of(user: User | AnonymousUser) -> Preferences:
    """Return what a person chose, or nothing chosen."""
    own = getattr(user, "preferences", None) if user.is_authenticated else None
    return own or Preferences()


def keep_preferences(*, user: User, **chosen: str) -> None:
    """Keep a ``language`` or a ``time_zone``, or both; empty takes back what was chosen."""
    Preferences.objects.update_or_create(user=user, defaults=chosen)


@cache
def time_zones() -> tuple[str, ...]:
    """Return the zones that a person may choose, by name: places, and UTC."""
    places = {name for name in zoneinfo.available_timezones() if "/" in name}
    return ("UTC", *sorted(name for name in places if not name.startswith(("Etc/", "SystemV/"))))


def in_the_readers_words(
    get_response: Callable[[HttpRequest], HttpResponseBase],
) -> Callable[[HttpRequest], HttpResponseBase]:
    """Return a middleware that answers in the language and the time zone of who asks."""

    def handle(request: HttpRequest) -> HttpResponseBase:
        own = preferences_of(request.user)
        if own.language in dict(settings.LANGUAGES):
            translation.activate(own.language)
            request.LANGUAGE_CODE = translation.get_language()
        with _zone(own.time_zone):
            return get_response(request)

    return handle


@contextmanager
def _zone(name: str) -> Iterator[None]:
    # A zone may be gone from a newer database of zones: then the site's own.
    with timezone.override(name if name in time_zones() else None):
        yield
