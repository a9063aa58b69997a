"""How many of a catalog's groups its selections open, over the last of them."""

from dataclasses import dataclass

from django.db.models import Avg, Count, Q

from routing.models import Span
from routing.selection import Fallback

LAST = 5_000
"""So many selections are looked at, the newest rows of an index, however many there are."""


@dataclass(frozen=True, slots=True)
class Crossing:
    """Selections that opened groups by themselves, and how many of these opened most of them.

    ``tokens`` is what all the selections looked at cost on average, ``None`` where there are none.
    """

    selections: int
    opened: int
    crossed: int
    tokens: float | None


def crossing(*, catalog: int, since: int, most: int) -> Crossing:
    """Count the newest selections since an hour that opened at least ``most`` groups. One query.

    Those that fell back chose nothing and are left out of ``opened``, and so is ``all``, which
    opens everything whatever the task.
    """
    newest = (
        Span.objects.filter(catalog=catalog, name=Span.Name.ROUTE, hour__gte=since)
        .order_by("-hour")
        .values("groups_count", "fallback", "decided_by", "tokens_selected")[:LAST]
    )
    defaulted = (Fallback.LOW_CONFIDENCE, Fallback.NO_MATCH, Fallback.NOTHING_AVAILABLE)
    chose = Q(groups_count__gt=0) & ~Q(fallback__in=defaulted) & ~Q(decided_by="all")
    found = newest.aggregate(
        selections=Count("*"),
        opened=Count("groups_count", filter=chose),
        crossed=Count("groups_count", filter=chose & Q(groups_count__gte=most)),
        tokens=Avg("tokens_selected"),
    )
    return Crossing(**found)
