"""What the commands that name a catalog share."""

from django.core.management.base import CommandError

from catalog.models import Catalog


def named_catalog(name: str) -> Catalog:
    """Return a catalog by its name; raises ``CommandError`` that says which there are."""
    catalog = Catalog.objects.filter(name=name).first()
    if catalog is None:
        known = ", ".join(Catalog.objects.order_by("name").values_list("name", flat=True))
        raise CommandError(f"There is no catalog “{name}”. There are: {known or 'none yet'}.")
    return catalog
