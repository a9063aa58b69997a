"""Which tools were chosen: those that were ticked, or every one that a search leaves."""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from django.http import QueryDict

from catalog.listing import ToolsQuery, matching_tools
from catalog.models import Catalog, Tool

_IS_ID = re.compile("[0-9]{1,18}")  # what fits a column of 64 bits


def ids_of(values: Iterable[str]) -> list[int]:
    """Return the ids in texts that hold one or, between commas, several; skip what is none."""
    found = (one.strip() for value in values for one in value.split(","))
    return list(dict.fromkeys(int(one) for one in found if _IS_ID.fullmatch(one)))


@dataclass(frozen=True, slots=True)
class Chosen:
    """Tools by their ids, or by the query of a list; ``without`` were taken out again.

    A form carries it in the fields ``tool`` (one a box), ``chosen`` (ids between commas),
    ``every`` (the query, as the address of the list has it, perhaps empty) and ``without`` (ids).
    """

    ids: tuple[int, ...] = ()
    every: str | None = None
    without: tuple[int, ...] = ()

    @classmethod
    def read(cls, values: QueryDict) -> "Chosen":
        """Read what a form or an address says."""
        ticked = ids_of([*values.getlist("tool"), *values.getlist("chosen")])
        every = values.get("every")
        return cls(
            ids=() if every is not None else tuple(ticked),
            every=every[:4000] if every is not None else None,
            without=tuple(ids_of(values.getlist("without"))),
        )

    @property
    def query(self) -> ToolsQuery | None:
        """Return the query whose tools are chosen; ``None`` where ids name them."""
        return None if self.every is None else ToolsQuery.read(QueryDict(self.every))

    def tools(self, catalog: Catalog) -> list[Tool]:
        """Return the tools in catalog order, without what is large: schemas and examples."""
        query = self.query
        rows = matching_tools(catalog=catalog, query=query) if query else catalog.tools.all()
        if query is None:
            rows = rows.filter(pk__in=self.ids)
        rows = rows.defer("input_schema", "output_schema", "examples", "aliases", "trace_fields")
        left_out = set(self.without)
        return [tool for tool in rows.order_by("position", "id") if tool.pk not in left_out]

    def fields(self, *, without: Sequence[int] = ()) -> list[tuple[str, str]]:
        """Return the hidden fields that carry the choice on, with more tools taken out of it."""
        left_out = dict.fromkeys((*self.without, *without))
        carried = [("without", ",".join(map(str, left_out)))] if left_out else []
        if self.every is not None:
            return [("every", self.every), *carried]
        return [("chosen", ",".join(map(str, self.ids))), *carried]
