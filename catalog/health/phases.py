"""Checks of phases and routes. That each can read is checked where a publish is refused."""

from collections.abc import Iterator

from catalog.health.finding import Finding, gettext_noop, warning
from catalog.health.reading import Reading


def phases_begin_somewhere(reading: Reading) -> Iterator[Finding]:
    """Find phases none of which a run begins in."""
    if reading.document["phases"] and reading.document["settings"]["initial_phase"] is None:
        yield warning(
            "no_initial_phase",
            ("settings", "initial_phase"),
            gettext_noop("A run begins in no phase: none is marked as the first."),
            gettext_noop("Choose the phase that a run begins in."),
        )


def phases_are_reached(reading: Reading) -> Iterator[Finding]:
    """Find phases that no sequence of transitions leads to."""
    following = {phase["name"]: phase["next"] for phase in reading.document["phases"]}
    initial = reading.document["settings"]["initial_phase"]
    if initial not in following:
        return
    waiting, reached = [initial], {initial}
    while waiting:
        new = [name for name in following.get(waiting.pop(), ()) if name not in reached]
        reached.update(new)
        waiting += new
    for name in following:
        if name not in reached:
            yield warning(
                "unreachable_phase",
                ("phases", name),
                gettext_noop("No transition leads here from the first phase, “%(initial)s”."),
                gettext_noop("Let a phase that is reached be followed by it, or delete it."),
                initial=initial,
            )


def phases_have_tools(reading: Reading) -> Iterator[Finding]:
    """Find phases that offer nothing."""
    for phase in reading.document["phases"]:
        if not any(name in reading.enabled for name in reading.reach(phase)):
            yield warning(
                "phase_without_tools",
                ("phases", phase["name"]),
                gettext_noop("The phase has no enabled tool."),
                gettext_noop("Give it the tools or groups of its work, one that reads among them."),
            )


def routes_allow_what_they_name(reading: Reading) -> Iterator[Finding]:
    """Find tools that a route names and whose side effect it forbids, and budgets of nothing."""
    for route in reading.document["routes"]:
        place = ("routes", route["name"])
        for name in route["tools"]:
            tool = reading.tools.get(name)
            if tool and tool["side_effect"] not in route["side_effects"]:
                yield warning(
                    "route_forbids_its_tool",
                    place,
                    gettext_noop("The route names “%(tool)s” but forbids its side effect."),
                    gettext_noop("Allow the side effect, or take the tool out."),
                    tool=name,
                )
        if 0 in route["budget"].values():
            yield warning(
                "route_without_budget",
                place,
                gettext_noop("A budget of the route is 0: every call there is refused."),
                gettext_noop("Raise the budget, or leave it empty for no bound."),
            )
