"""How many of a catalog's groups its selections open."""

from dataclasses import dataclass

from dashboard.metrics.counts import named
from dashboard.metrics.hourly import Scope
from dashboard.metrics.sums import sum_of
from routing.rollups.sections import Section


@dataclass(frozen=True, slots=True)
class Crossing:
    """Selections that opened groups by themselves, and how many of these opened most of them.

    ``tokens`` is what all the selections looked at cost on average, ``None`` where there are none.
    """

    selections: int
    opened: int
    crossed: int
    tokens: float | None


def crossing(*, catalog: int, start: int, end: int, most: int) -> Crossing:
    """Count the selections between two hours that opened at least ``most`` groups.

    Those that fell back chose nothing and are left out of ``opened``, and so is ``all``, which
    opens everything whatever the task.
    """
    scope = Scope(catalogs=(catalog,))
    counts = sum_of(Section.SELECTIONS, scope=scope, stretch=(start, end))
    chose = {int(groups): count for groups, count in named(counts, "chose").items()}
    return Crossing(
        selections=counts["n"],
        opened=sum(chose.values()),
        crossed=sum(count for groups, count in chose.items() if groups >= most),
        tokens=counts["tokens_selected"] / counts["n"] if counts["n"] else None,
    )
