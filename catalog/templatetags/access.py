"""What a person's role lets a page show: `{% if catalog|may:"edit" %}`."""

from django import template

from catalog import access
from catalog.access import NEEDS, Action
from catalog.models import Catalog

register = template.Library()


@register.filter
def may(catalog: Catalog, action: str) -> bool:
    """Tell whether the person may do something; raises ``ValueError`` for what is no action."""
    return access.may(catalog, Action(action))


@register.inclusion_tag("catalog/_role_needed.html")
def role_needed(catalog: Catalog, action: str) -> dict[str, object]:
    """Draw why something cannot be done here, and nothing where it can."""
    needed = NEEDS[Action(action)]
    return {
        "may": catalog.role >= needed,
        "reads": action == Action.EDIT,  # what is edited is shown; other actions show nothing
        "needed": needed.label,
        "yours": catalog.role.label,
    }
