"""What deleting many tools takes out of the draft beside them, before anything is deleted."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from django.db.models import Count, QuerySet
from django.utils.functional import Promise

from catalog.document import canonical_bytes, sha256_hex
from catalog.models import Catalog, Tool
from catalog.models.part import Part
from catalog.uses import NAMES_TOOLS, SERVED, UNASKED


@dataclass(frozen=True, slots=True)
class Removal:
    """The deletion of some tools: where each of them is used, as (kind, (name, how many))."""

    tools: Sequence[Tool]
    uses: Sequence[tuple[Promise, Sequence[tuple[str, int]]]]

    @property
    def fingerprint(self) -> str:
        """Return the hash of all that a person was shown."""
        tools = [tool.pk for tool in self.tools]
        uses = [[str(kind), [list(named) for named in names]] for kind, names in self.uses]
        return sha256_hex(canonical_bytes([tools, uses]))


def plan_removal(*, catalog: Catalog, tools: Sequence[Tool]) -> Removal:
    """Tell where tools are used that are to be deleted. Six queries, whatever their number."""
    chosen = [tool.pk for tool in tools]
    served = [
        (str(label), count)
        for label, flag in SERVED
        if (count := sum(getattr(tool, flag) for tool in tools))
    ]
    named = [(kind, _named(model, catalog, link, chosen)) for kind, model, link in NAMES_TOOLS]
    return Removal(
        tools=tools, uses=[(kind, names) for kind, names in [(UNASKED, served), *named] if names]
    )


def _named(
    model: type[Part], catalog: Catalog, link: str, tools: Sequence[int]
) -> list[tuple[str, int]]:
    """Return the parts of a kind that name some of the tools, and how many of them each names."""
    rows: QuerySet[Any] = model._default_manager.filter(  # noqa: SLF001 - Django's public name
        **{"catalog": catalog, f"{link}__in": tools}
    )
    counted = rows.annotate(used=Count(link)).order_by("position", "id")
    return [(str(row), row.used) for row in counted]
