"""What goes by a name beside the draft, and keeps the old one where a part of it is renamed."""

from collections.abc import Iterator

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from catalog.models import Route, Tool
from catalog.models.part import Part
from routing.models import ApiKey, Circuit


def kept_by(part: Part, was: str) -> Iterator[str]:
    """Yield what keeps the old name of a tool or route, each in a sentence."""
    if isinstance(part, Tool | Route):
        kind = Circuit.Kind.TOOL if isinstance(part, Tool) else Circuit.Kind.ROUTE
        named = Circuit.objects.unclosed().filter(catalog=part.catalog_id, kind=kind, target=was)
        if named.exists():
            yield _(
                "A circuit has switched off “%(was)s”: switch the new name off too before the next "
                "version goes live."
            ) % {"was": was}
    if isinstance(part, Route) and (count := _keys_limited_to(part, was)):
        yield ngettext(
            "%(count)d API key is limited to the route “%(was)s”: give it the new name too.",
            "%(count)d API keys are limited to the route “%(was)s”: give them the new name too.",
            count,
        ) % {"count": count, "was": was}


def _keys_limited_to(route: Route, was: str) -> int:
    # SQLite cannot look into a JSON list, and keys are few.
    limited = ApiKey.objects.filter(revoked_at=None).exclude(routes=[])
    own = limited.filter(catalogs=route.catalog_id) | limited.filter(all_catalogs=True)
    return sum(was in routes for routes in dict(own.values_list("pk", "routes")).values())
