"""The list of tools: what is asked for, and the page of it.

Six queries, whatever the size of the catalog: the tags and group names to filter by, a count, a
page, and the groups of the tools on it.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from django.core.paginator import Page, Paginator

from catalog.models import Catalog, Tool
from catalog.models.tool import ToolQuerySet

ROWS = 50
NO_GROUP = "-"  # begins no group's name
SORTS: Mapping[str, Sequence[str]] = {
    "catalog": ("position", "id"),
    "name": ("name",),
    "tokens": ("-tokens", "name"),
}


@dataclass(frozen=True, slots=True)
class ToolsQuery:
    """What of the list is looked at; what is not known filters nothing."""

    text: str = ""
    group: str = ""
    side_effect: str = ""
    enabled: str = ""
    tag: str = ""
    sort: str = "catalog"
    page: str = "1"

    @classmethod
    def read(cls, values: Mapping[str, str]) -> "ToolsQuery":
        """Read the parameters of the page's address."""
        sort = values.get("sort", "")
        return cls(
            text=values.get("q", "")[:200],
            group=values.get("group", "").replace("\0", "")[:100],
            side_effect=values.get("effect", "").replace("\0", "")[:100],
            enabled=values.get("enabled", "")[:1],
            tag=values.get("tag", "")[:500],
            sort=sort if sort in SORTS else "catalog",
            page=values.get("page", "1"),
        )

    @property
    def narrows(self) -> bool:
        """Tell whether a search or filter is on."""
        return any((self.text.strip(), self.group, self.side_effect, self.enabled, self.tag))


@dataclass(frozen=True, slots=True)
class ToolList:
    """One page of the list, and what it can be filtered by."""

    query: ToolsQuery
    page: "Page[Tool]"
    groups: Sequence[str]
    tags: Sequence[str]


def list_tools(*, catalog: Catalog, query: ToolsQuery) -> ToolList:
    """Read the page of the list that ``query`` asks for, with each tool's groups and revision."""
    tagged = dict(catalog.tools.values_list("pk", "tags"))
    tools = _matching(catalog, query, tagged)
    rows = tools.with_revision().order_by(*SORTS[query.sort]).prefetch_related("groups")
    return ToolList(
        query=query,
        page=Paginator(rows, ROWS).get_page(query.page),
        groups=list(catalog.groups.order_by("name").values_list("name", flat=True)),
        tags=sorted({tag for tags in tagged.values() for tag in tags}, key=str.casefold),
    )


def matching_tools(*, catalog: Catalog, query: ToolsQuery) -> ToolQuerySet:
    """Return every tool that the search and the filters of ``query`` leave, on whichever page."""
    return _matching(catalog, query, dict(catalog.tools.values_list("pk", "tags")))


def _matching(
    catalog: Catalog, query: ToolsQuery, tagged: Mapping[int, Sequence[str]]
) -> ToolQuerySet:
    tools = catalog.tools.search(query.text)
    if query.tag:
        # SQLite cannot look into a JSON list, so the tags, which the page needs anyway, are read.
        tools = tools.filter(pk__in=[pk for pk, tags in tagged.items() if query.tag in tags])
    if query.group == NO_GROUP:
        tools = tools.in_no_group()
    elif query.group:
        tools = tools.filter(memberships__group__name=query.group)
    if query.side_effect:
        tools = tools.filter(side_effect=query.side_effect)
    if query.enabled in ("0", "1"):
        tools = tools.filter(enabled=query.enabled == "1")
    return tools
