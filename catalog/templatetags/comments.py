"""Comments beside what they are about."""

from typing import Any

from django import template

from catalog.commenting import remarks_on
from catalog.forms.comment import CommentForm
from catalog.models import Catalog
from catalog.models.part import Part
from catalog.recording.sections import SECTION_OF

register = template.Library()


@register.inclusion_tag("catalog/_comments_on.html", takes_context=True)
def comments_on(context: dict[str, Any], part: Part) -> dict[str, object]:
    """Draw the open comments on a part, and a box for one more: ``{% comments_on tool %}``."""
    request = context["request"]
    return {
        "catalog": part.catalog,
        "part": part,
        "kind": SECTION_OF[type(part)].kind,
        "remarks": remarks_on(part=part, person=request.user),
        "form": CommentForm(),
        "next": request.get_full_path() if request.method == "GET" else part.get_absolute_url(),
        "csrf_token": context["csrf_token"],
    }


@register.inclusion_tag("catalog/_open_comments.html")
def open_comments(catalog: Catalog) -> dict[str, object]:
    """Draw a link to the comments of a draft that says how many are open."""
    return {"catalog": catalog, "count": catalog.comments.open().count()}
