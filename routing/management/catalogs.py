"""What the commands that name a catalog share."""

from django.core.exceptions import ValidationError
from django.core.management.base import CommandError

from catalog.models import Catalog
from routing.models.release import LIVE, label_name


def bounded(text: str, *, what: str, most: int, least: int = 0) -> str:
    """Return a text that fits its column; raises ``CommandError`` that says how long it may be.

    Bytes of the command line that are not UTF-8 come in as halves of characters, which no database
    takes.
    """
    if not text.isascii() and any("\ud800" <= mark <= "\udfff" for mark in text):
        raise CommandError(f"{what} is not UTF-8.")
    if not least <= len(text.strip()) <= len(text) <= most:
        raise CommandError(f"{what} has {least} to {most} characters.")
    return text


def named_label(name: str) -> str:
    """Return a name that a label may have; raises ``CommandError`` that says why it may not."""
    if name != LIVE:
        try:
            label_name(name)
        except ValidationError as error:
            raise CommandError(" ".join(error.messages)) from error
    return name


def named_catalog(name: str) -> Catalog:
    """Return a catalog by its name; raises ``CommandError`` that says which there are."""
    catalog = Catalog.objects.filter(name=name).first()
    if catalog is None:
        known = ", ".join(Catalog.objects.order_by("name").values_list("name", flat=True))
        raise CommandError(f"There is no catalog “{name}”. There are: {known or 'none yet'}.")
    return catalog
