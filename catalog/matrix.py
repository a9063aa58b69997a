"""The assignment matrix: one page of tools against one page of groups.

Five queries, whatever the size of the catalog: two counts, two pages, and the cells they span.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from django.core.paginator import Page, Paginator

from catalog.models import Catalog, Group, GroupTool, Tool

ROWS = 50
COLUMNS = 20


@dataclass(frozen=True, slots=True)
class MatrixQuery:
    """What of the matrix is looked at. Page numbers are text: past the end is the last page."""

    tools: str = ""
    groups: str = ""
    loose: bool = False
    row_page: str = "1"
    column_page: str = "1"

    @classmethod
    def read(cls, values: Mapping[str, str]) -> "MatrixQuery":
        """Read the parameters of the page's address."""
        return cls(
            tools=values.get("q", "")[:200],
            groups=values.get("group_q", "")[:200],
            loose=values.get("loose") == "1",
            row_page=values.get("page", "1"),
            column_page=values.get("columns", "1"),
        )

    @property
    def narrows(self) -> bool:
        """Tell whether a search or filter is on."""
        return bool(self.tools.strip() or self.groups.strip() or self.loose)


@dataclass(frozen=True, slots=True)
class Line:
    """A row of the matrix. ``cells`` pairs each column's group id with whether it is ticked."""

    tool: Tool
    cells: Sequence[tuple[int, bool]]


@dataclass(frozen=True, slots=True)
class Matrix:
    """One page of the matrix."""

    query: MatrixQuery
    rows: "Page[Tool]"
    columns: "Page[Group]"
    lines: Sequence[Line]


def read_matrix(*, catalog: Catalog, query: MatrixQuery) -> Matrix:
    """Read the page of the matrix that ``query`` asks for, tools and groups in catalog order."""
    tools = catalog.tools.search(query.tools)
    if query.loose:
        tools = tools.in_no_group()
    # Counting takes the models' own order away.
    in_order = catalog.groups.search(query.groups).with_figures().order_by("position", "id")
    columns = Paginator(in_order, COLUMNS).get_page(query.column_page)
    lines = tools.with_group_count().order_by("position", "id")
    rows = Paginator(lines, ROWS).get_page(query.row_page)
    groups = [group.pk for group in columns]
    ticked = set(
        GroupTool.objects.filter(group__in=groups, tool__in=[tool.pk for tool in rows]).values_list(
            "group_id", "tool_id"
        )
    )
    return Matrix(
        query=query,
        rows=rows,
        columns=columns,
        lines=[
            Line(tool, [(group, (group, tool.pk) in ticked) for group in groups]) for tool in rows
        ],
    )
