"""When the numbers of spans went on in another range, and since when spans are kept."""

from django.db import models


class SpanDay(models.Model):
    """From ``opened_at`` on no span was given a number below ``first``."""

    first = models.BigIntegerField(primary_key=True)
    opened_at = models.DateTimeField()

    def __str__(self) -> str:
        return f"spans from {self.first} since {self.opened_at}"


class KeptSince(models.Model):
    """Spans of before ``hour``, in whole hours since 1970 UTC, were dropped: the one row, if so."""

    hour = models.IntegerField(default=0)
    at = models.DateTimeField()

    def __str__(self) -> str:
        return f"kept since {self.hour}"
