"""Suggested groups on their way: what a person renames, moves, merges and leaves out before any of
it is made. A plan lives in its form alone.
"""

import re
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from django.core.exceptions import BadRequest, ValidationError
from django.http import QueryDict
from django.utils.translation import gettext as _

from catalog.grouping import NewGroup
from catalog.models import Catalog, Group
from catalog.names import part_name
from routing.suggesting import Suggestion

NEW = "new"
# A plan of so many groups is shown at once; the tools of others wait for the next one.
SHOWN = 40
_MOST = 2_000
_IS_COUNT = re.compile("[0-9]{1,4}")
_LONGEST = Group._meta.get_field("description").max_length  # noqa: SLF001 - Django's public name


@dataclass(slots=True)
class Planned:
    """A group of a plan; ``faults`` say why it cannot be made so."""

    name: str
    description: str
    tools: list[str]
    faults: list[str] = field(default_factory=list)


@dataclass(slots=True)
class Plan:
    """Groups to be made, the tools that stay in none, and the tools to be served unasked.

    ``defaults`` and ``always_on`` are what was suggested, each with whether it is wanted.
    """

    groups: list[Planned]
    left: list[str]
    defaults: dict[str, bool]
    always_on: dict[str, bool]

    @classmethod
    def of(cls, suggestion: Suggestion, *, shown: int | None, has_defaults: bool) -> "Plan":
        """Return the first groups of a suggestion; defaults are wanted where there are none."""
        groups = suggestion.groups[:shown]
        held = {name for group in groups for name in group.tools}
        return cls(
            groups=[Planned(one.name, one.description, list(one.tools)) for one in groups],
            left=[],
            defaults={name: not has_defaults for name in suggestion.defaults if name in held},
            always_on=dict.fromkeys(suggestion.always_on, True),
        )

    @classmethod
    def read(cls, sent: QueryDict) -> "Plan":
        """Return the plan that a form holds. Raises ``BadRequest`` for one that it cannot be."""
        count = sent.get("count", "")
        if not _IS_COUNT.fullmatch(count) or int(count) > _MOST:
            raise BadRequest("no plan")
        return cls(
            groups=[
                Planned(
                    sent.get(f"name-{number}", "").strip(),
                    " ".join(sent.get(f"about-{number}", "").split()),
                    sent.get(f"tools-{number}", "").split(),
                )
                for number in range(int(count))
            ],
            left=sent.get("left", "").split(),
            defaults=_wanted(sent, "default", of="defaults"),
            always_on=_wanted(sent, "always", of="always_on"),
        )

    @property
    def tools(self) -> list[str]:
        """Return the names of the tools that would be in a group."""
        return [name for group in self.groups for name in group.tools]

    def move(self, tools: Collection[str], *, to: str) -> None:
        """Put tools into the group of a number, or into a new one."""
        moved = [name for name in self.tools if name in tools]
        goal = self.groups[int(to)] if to != NEW else Planned(self._free("group"), "", [])
        self._take(moved)
        goal.tools += moved
        self._keep([*self.groups, *([goal] if to == NEW else [])])

    def merge(self, numbers: Sequence[int]) -> None:
        """Put the tools of some groups into the first of them."""
        first, *others = (self.groups[number] for number in numbers)
        for one in others:
            first.tools += one.tools
            one.tools = []
        self._keep(self.groups)

    def leave_out(self, tools: Iterable[str], numbers: Iterable[int]) -> None:
        """Leave tools, and all of some groups, in no group."""
        whole = [name for number in numbers for name in self.groups[number].tools]
        gone = {*tools, *whole}
        self.left += [name for name in self.tools if name in gone]
        self._take(gone)
        self._keep(self.groups)

    def bring_back(self) -> None:
        """Put what was left out into a new group."""
        self.groups.append(Planned(self._free("group"), "", self.left))
        self.left = []

    def check(self, catalog: Catalog) -> bool:
        """Note on each group why it cannot be made, and tell whether all of them can."""
        taken = set(catalog.groups.values_list("name", flat=True))
        for group in self.groups:
            group.faults = _faults(group, taken)
            taken.add(group.name)
        return not any(group.faults for group in self.groups)

    def drop(self, tools: Collection[str]) -> None:
        """Forget tools that are gone or in a group by now."""
        self._take(tools)
        self.left = [name for name in self.left if name not in tools]
        self._keep(self.groups)

    def new_groups(self) -> list[NewGroup]:
        """Return the groups as they are to be made."""
        return [NewGroup(one.name, one.description, tuple(one.tools)) for one in self.groups]

    def wanted_defaults(self) -> list[str]:
        """Return the tools that become default tools."""
        return [name for name, wanted in self.defaults.items() if wanted]

    def wanted_always_on(self) -> list[str]:
        """Return the tools that ride along with every selection."""
        return [name for name, wanted in self.always_on.items() if wanted]

    def _take(self, tools: Collection[str]) -> None:
        for group in self.groups:
            group.tools = [name for name in group.tools if name not in tools]

    def _keep(self, groups: Iterable[Planned]) -> None:
        self.groups = [group for group in groups if group.tools]
        held = set(self.tools)
        self.defaults = {name: on for name, on in self.defaults.items() if name in held}

    def _free(self, name: str) -> str:
        used = {group.name for group in self.groups}
        numbers = range(1, len(used) + 2)
        return next(one for number in numbers if (one := f"{name}_{number}") not in used)


def _wanted(sent: QueryDict, ticked: str, *, of: str) -> dict[str, bool]:
    wanted = set(sent.getlist(ticked))
    return {name: name in wanted for name in sent.get(of, "").split()}


def _faults(group: Planned, taken: Collection[str]) -> list[str]:
    faults: list[str] = []
    try:
        part_name(group.name)
    except ValidationError as error:
        faults += error.messages
    if group.name in taken:
        faults.append(_("There is a group of this name already."))
    if _LONGEST is not None and len(group.description) > _LONGEST:
        faults.append(
            _("Use at most %(limit)d characters to say when to use it.") % {"limit": _LONGEST}
        )
    return faults


@dataclass(frozen=True, slots=True)
class Row:
    """A group of a plan as the page shows it, with what its tools are."""

    number: int
    group: Planned
    tools: tuple[Mapping[str, Any], ...]
    tokens: int
    crowded: bool


def rows_of(plan: Plan, catalog: Catalog, *, most: int) -> list[Row]:
    """Return the groups of a plan with their tools' descriptions; one query."""
    read = catalog.tools.filter(name__in=plan.tools) if len(plan.tools) < 900 else catalog.tools
    about = {
        tool["name"]: tool for tool in read.values("name", "description", "side_effect", "tokens")
    }
    rows = []
    for number, group in enumerate(plan.groups):
        tools = tuple(about[name] for name in group.tools if name in about)
        tokens = sum(tool["tokens"] for tool in tools)
        rows.append(Row(number, group, tools, tokens, crowded=len(tools) > most))
    return rows
