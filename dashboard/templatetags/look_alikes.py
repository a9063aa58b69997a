"""What forms of tools and groups say of look-alikes; asked for once the form is there."""

from django import template
from django.utils.http import urlencode

from catalog.models import Catalog

register = template.Library()


@register.inclusion_tag("dashboard/_look_alikes_of.html")
def look_alikes_of(catalog: Catalog, kind: str, name: str) -> dict[str, object]:
    """Return where to ask what a part could be taken for: freezing a large draft takes a while."""
    return {"catalog": catalog, "query": urlencode({"kind": kind, "name": name})}
