"""Cases at every operating point of a bench, for the curve of coverage against size."""

from collections.abc import Sequence
from dataclasses import dataclass

from routing.datasets.benching import Bench
from routing.evaluation.cases import Case
from routing.evaluation.operating import Grid, Operating, Tally
from routing.selection import Index
from routing.selection.sweeping import Sweep


@dataclass(frozen=True, slots=True, kw_only=True)
class Sweeper:
    """A bench at the settings of a grid: the usual ones, and its own."""

    bench: Bench
    grid: Grid
    sweep: Sweep

    @classmethod
    def of(cls, bench: Bench) -> "Sweeper":
        """Return the sweeper of a bench."""
        grid = Grid.around(own_setting(bench.index))
        return cls(bench=bench, grid=grid, sweep=Sweep.over(bench.index, grid.thresholds))

    def tally(self, cases: Sequence[Case]) -> Tally:
        """Return how cases turn out at each setting; they are those that the bench can try."""
        found = Tally.empty(self.grid)
        position = self.bench.index.position
        for case in cases:
            needs = [frozenset(position[name] for name in need) for need in case.needs]
            offers = self.sweep.offers(self.bench.query(case), caps=self.grid.caps)
            found = found.plus(needs, offers)
        return found


def own_setting(index: Index) -> Operating:
    """Return the setting that an index was compiled with."""
    own = index.settings
    return Operating(threshold=own.threshold, cap=own.max_tools, inclusive=own.inclusive)
