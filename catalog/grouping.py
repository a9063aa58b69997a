"""Make many groups at once: what was suggested for tools that are in no group."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass

from django.db.models import Max

from catalog.editing import EditRefused, fallback_refusal
from catalog.folding import fold
from catalog.models import Catalog, Group, GroupTool, Tool
from catalog.recording import Operation, recorded

ROWS_AT_ONCE = 500


@dataclass(frozen=True, slots=True)
class NewGroup:
    """A group to be made: a name that no group has, and the names of its tools in their order."""

    name: str
    description: str
    tools: tuple[str, ...]


class DraftMoved(Exception):
    """Tools are gone or in a group by now, or a name is taken; nothing was made.

    ``tools`` and ``names`` say which.
    """

    def __init__(self, *, tools: Collection[str], names: Collection[str]) -> None:
        super().__init__("The draft has changed since the groups were suggested.")
        self.tools = frozenset(tools)
        self.names = frozenset(names)


def make_groups(
    *,
    catalog: Catalog,
    groups: Sequence[NewGroup],
    defaults: Collection[str] = (),
    always_on: Collection[str] = (),
) -> Operation:
    """Make groups as the last ones of a catalog, and serve tools unasked, as one act on record.

    ``defaults`` and ``always_on`` are names of tools that become so; none stops being so. Runs a
    fixed number of statements for each 500 rows. Raises ``DraftMoved``, and ``EditRefused`` for a
    tool to be served unasked that changes something.
    """
    with recorded(catalog=catalog, action="bulk_edit") as operation:
        tools = {tool.name: tool for tool in catalog.tools.defer("input_schema", "output_schema")}
        _check(catalog, groups, tools)
        _serve(tools, defaults, "is_default")
        _serve(tools, always_on, "always_on")
        last = catalog.groups.aggregate(last=Max("position"))["last"]
        first = 0 if last is None else last + 1
        rows = Group.objects.bulk_create(
            (_row(catalog, one, position) for position, one in enumerate(groups, first)),
            batch_size=ROWS_AT_ONCE,
        )
        GroupTool.objects.bulk_create(
            (
                GroupTool(group=row, tool=tools[name], position=position)
                for row, one in zip(rows, groups, strict=True)
                for position, name in enumerate(one.tools)
            ),
            batch_size=ROWS_AT_ONCE,
        )
    return operation


def _row(catalog: Catalog, group: NewGroup, position: int) -> Group:
    return Group(
        catalog=catalog,
        name=group.name,
        description=group.description,
        position=position,
        search_text=fold(f"{group.name}\n{group.description}"),
    )


def _check(catalog: Catalog, groups: Sequence[NewGroup], tools: Collection[str]) -> None:
    free = set(catalog.tools.in_no_group().values_list("name", flat=True))
    wanted = {name for group in groups for name in group.tools}
    taken = set(catalog.groups.values_list("name", flat=True))
    names = {group.name for group in groups} & taken
    if names or not wanted <= free:
        raise DraftMoved(tools=wanted - free, names=names)


def _serve(tools: dict[str, Tool], names: Collection[str], flag: str) -> None:
    chosen = [tools[name] for name in names if name in tools]
    for tool in chosen:
        if reason := fallback_refusal(tool):
            raise EditRefused(reason)
    Tool.objects.filter(pk__in=[tool.pk for tool in chosen]).update(**{flag: True})
