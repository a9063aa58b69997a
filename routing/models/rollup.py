"""Counts by the hour, and up to which span they count."""

from django.db import models

from catalog.models import Catalog
from routing.models.run import API


class HourlyCount(models.Model):
    """What was counted of a catalog in one hour: the counts of one section, by key.

    ``routing.rollups.sections.Section`` says what each holds. Counts are whole numbers, and none is
    zero.
    """

    catalog = models.ForeignKey(Catalog, models.CASCADE, related_name="+", db_index=False)
    section = models.CharField(max_length=10)
    hour = models.IntegerField()
    source = models.CharField(max_length=9, default=API)
    counts = models.JSONField(default=dict)

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["catalog", "section", "hour", "source"], name="counted_once_an_hour"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.section} of {self.catalog_id} in {self.hour}"


class CountedUpTo(models.Model):
    """The newest span that counts, the one row of its table.

    ``seen`` is the newest span that was there when somebody looked and could not count it yet,
    because transactions of before ``horizon`` might still bring older ones (PostgreSQL alone).
    """

    span = models.BigIntegerField(default=0)
    seen = models.BigIntegerField(default=0)
    horizon = models.BigIntegerField(default=0)
    at = models.DateTimeField(null=True)

    def __str__(self) -> str:
        return f"counted up to {self.span}"
