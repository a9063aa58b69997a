"""What every part of a draft has in common: its catalog and its place in it."""

from django.db import models

from catalog.models.catalog import Catalog
from catalog.models.written import WrittenModel


class Part(WrittenModel):
    """A row of a draft. Parts are read in catalog order: by ``position``, then by age.

    The manager of each kind makes a ``WrittenQuerySet``, so that the audit log sees every write.
    """

    catalog = models.ForeignKey(Catalog, models.CASCADE, related_name="%(class)ss")
    position = models.PositiveIntegerField(default=0)

    class Meta:
        abstract = True
        ordering = ["position", "id"]

    def get_absolute_url(self) -> str:
        """Return the page where the part is edited; each kind says which."""
        raise NotImplementedError
