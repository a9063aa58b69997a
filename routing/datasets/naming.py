"""The names in a case, held against a catalog: tools that were renamed are followed.

A published tool that is renamed keeps its old name among its aliases, so that a case's old name is
found in a later version by them, and a case's new name in an earlier one by those of the draft.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from catalog.models import Catalog
from routing.evaluation.cases import Case
from routing.evaluation.faults import LineFault, gettext_noop

NO_TOOL = gettext_noop("there is no tool “%(name)s” in the catalog")
NO_GROUP = gettext_noop("there is no group “%(name)s” in the catalog")
NO_PHASE = gettext_noop("there is no phase “%(name)s” in the catalog")
NO_ROUTE = gettext_noop("there is no route “%(name)s” in the catalog")
NEEDS_ROUTE = gettext_noop("the catalog has routes, so that a case must name one")
LONG_CHANNEL = gettext_noop("channel: queue, channel or event, and a name of 200 characters")
KINDS = ("queue", "channel", "event")


@dataclass(frozen=True, slots=True)
class Names:
    """What a case may name: ``tools`` by each name that they go by, the name that counts."""

    tools: Mapping[str, str]
    groups: frozenset[str]
    phases: frozenset[str]
    routes: frozenset[str]


def names_of_draft(catalog: Catalog) -> Names:
    """Return what the draft of a catalog has."""
    tools = list(catalog.tools.order_by("position").values_list("name", "aliases"))
    return Names(
        tools=_with_aliases(tools),
        groups=frozenset(catalog.groups.values_list("name", flat=True)),
        phases=frozenset(catalog.phases.values_list("name", flat=True)),
        routes=frozenset(catalog.routes.values_list("name", flat=True)),
    )


def names_of_document(document: Mapping[str, Any], *, later: Names | None = None) -> Names:
    """Return what a document has; a tool is found by the name that it has ``later``, too."""
    tools = [(tool["name"], tool.get("aliases") or ()) for tool in document["tools"]]
    found = dict(_with_aliases(tools))
    for old, new in later.tools.items() if later else ():
        if old in found:
            found.setdefault(new, found[old])
    return Names(
        tools=found,
        groups=frozenset(group["name"] for group in document["groups"]),
        phases=frozenset(phase["name"] for phase in document["phases"]),
        routes=frozenset(route["name"] for route in document["routes"]),
    )


def followed(case: Case, names: Names) -> Case:
    """Return a case with the names that its tools have; one that is not known stays.

    A phase has no meaning where there are none.
    """
    needs = tuple(
        tuple(dict.fromkeys(names.tools.get(name, name) for name in need)) for need in case.needs
    )
    unwanted = tuple(names.tools.get(name, name) for name in case.not_expected)
    phase = case.phase if names.phases else None
    path = case.path.renamed(names.tools)
    return replace(
        case,
        needs=needs,
        not_expected=unwanted,
        phase=phase,
        path=path,
        simulation=case.simulation.renamed(names.tools),
    )


def faults_of(case: Case, names: Names, *, line: int) -> list[LineFault]:
    """Return what a case names that there is not."""
    tools = [
        *(name for need in case.needs for name in need),
        *case.not_expected,
        *case.path.names,
        *case.simulation.names,
    ]
    found = [
        *_missing(tools, names.tools, NO_TOOL, line),
        *_missing(case.expected_groups, names.groups, NO_GROUP, line),
    ]
    if case.phase and names.phases:
        found += _missing([case.phase], names.phases, NO_PHASE, line)
    if case.route:
        found += _missing([case.route], names.routes, NO_ROUTE, line)
    elif names.routes:
        found.append(LineFault(line, NEEDS_ROUTE))
    if case.channel and (case.channel.kind not in KINDS or len(case.channel.value) > 200):
        found.append(LineFault(line, LONG_CHANNEL))
    return found


def on_version(case: Case, names: Names) -> Case | None:
    """Return a case as it can be tried on a version; ``None`` where a tool of it is not there.

    A group that the version does not have, or has by another name, is looked for by its tools.
    """
    case = followed(case, names)
    needs = tuple(tuple(name for name in need if name in names.tools) for need in case.needs)
    if not all(needs) or (case.route and case.route not in names.routes):
        return None
    if not case.route and names.routes:
        return None
    if case.phase and names.phases and case.phase not in names.phases:
        return None
    groups_are_there = all(group in names.groups for group in case.expected_groups)
    return replace(
        case,
        needs=needs,
        expected_groups=case.expected_groups if groups_are_there else (),
        not_expected=tuple(name for name in case.not_expected if name in names.tools),
    )


def _with_aliases(tools: Sequence[tuple[str, Iterable[str]]]) -> dict[str, str]:
    found = {name: name for name, _ in tools}
    for name, aliases in tools:
        for alias in aliases:
            found.setdefault(alias, name)
    return found


def _missing(
    named: Iterable[str], known: Iterable[str], template: str, line: int
) -> Iterable[LineFault]:
    there = frozenset(known)
    for name in dict.fromkeys(named):
        if name not in there:
            yield LineFault(line, template, {"name": name})
