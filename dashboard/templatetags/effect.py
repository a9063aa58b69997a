"""What forms of tools and groups say of the effect of what is typed; asked for by a button."""

from django import template
from django.utils.http import urlencode

from catalog.models import Catalog

register = template.Library()


@register.inclusion_tag("dashboard/_see_effect.html")
def see_effect(catalog: Catalog, kind: str, name: str = "") -> dict[str, object]:
    """Return where to ask what a form would change; a new part has no name."""
    return {"catalog": catalog, "query": urlencode({"kind": kind, "name": name})}
