"""Counts by the hour and in sums of hours, and up to which span they count."""

from django.db import models

from catalog.models import Catalog
from routing.models.run import API


class Counted(models.Model):
    """What was counted of a catalog in some time: the counts of one section, by key.

    ``routing.rollups.sections.Section`` says what each holds. Counts are whole numbers, and none is
    zero.
    """

    catalog = models.ForeignKey(Catalog, models.CASCADE, related_name="+", db_index=False)
    section = models.CharField(max_length=10)
    source = models.CharField(max_length=9, default=API)
    counts = models.JSONField(default=dict)

    class Meta:
        abstract = True


class HourlyCount(Counted):
    """Counts of an hour, in whole hours since 1970 UTC."""

    hour = models.IntegerField()

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["catalog", "section", "hour", "source"], name="counted_once_an_hour"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.section} of {self.catalog_id} in {self.hour}"


class DailyCount(Counted):
    """Counts of a day, in whole days since 1970 UTC: the sums of its hours."""

    day = models.IntegerField()

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["catalog", "section", "day", "source"], name="counted_once_a_day"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.section} of {self.catalog_id} on day {self.day}"


class WeeklyCount(Counted):
    """Counts of seven days, in whole weeks since 1970 UTC: the sums of its days.

    What is shown of months in one number is read from them, and from the days at their ends.
    """

    week = models.IntegerField()

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["catalog", "section", "week", "source"], name="counted_once_a_week"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.section} of {self.catalog_id} in week {self.week}"


class TotalCount(Counted):
    """Counts of all time, ``era`` 0: the sums of all hours that were ever counted.

    Monitoring reads them: one row of a section, however long ago the first span came.
    """

    era = models.IntegerField(default=0)

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["catalog", "section", "era", "source"], name="counted_once_for_ever"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.section} of {self.catalog_id}"


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
