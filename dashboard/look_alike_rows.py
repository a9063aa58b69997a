"""What a tool or a group could be taken for, with the page of each."""

from collections.abc import Sequence
from dataclasses import dataclass

from catalog.models import Catalog
from catalog.publishing import FrozenDraft
from dashboard.reviews import edit_url
from routing.look_alike_findings import TASKS
from routing.look_alikes import known_look_alikes
from routing.lookalikes import Flip, LookAlike


@dataclass(frozen=True, slots=True)
class Other:
    """The other one of a pair, and the first sample tasks that go wrong."""

    name: str
    url: str
    pair: LookAlike

    @property
    def flips(self) -> Sequence[Flip]:
        """Return the first of the tasks."""
        return self.pair.flips[:TASKS]


def look_alikes_of(
    catalog: Catalog, frozen: FrozenDraft, *, kind: str, name: str
) -> Sequence[Other]:
    """Return what is known of a tool's or a group's look-alikes, the worst first."""
    known = known_look_alikes(sha256=frozen.sha256, value=frozen.value).pairs
    mine = [pair for pair in known if pair.kind == kind and name in pair.names]
    others = [next(one for one in pair.names if one != name) for pair in mine]
    return [
        Other(name=other, url=edit_url(catalog, (kind, other)), pair=pair)
        for other, pair in zip(others, mine, strict=True)
    ]
