"""What falls in a report, by the rules of a catalog: in sentences that a page translates."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from routing.evaluation.faults import gettext_noop
from routing.gate.rules import CASE, TASK, Rules

SURE = 0.05
"""McNemar's p from which on a coverage that fell may be accident."""
FEWEST = 3
"""Tasks that a tool loses at least, before a share of them says anything."""
NAMED = 5
"""Tools that are named, those that lose most."""

NOTHING = gettext_noop(
    "There was nothing to try: no case is accepted, and no task of last week has its text."
)
_LOST = gettext_noop("Tasks that would not get what they need any more: %(lost)s.")
_TOOL = {
    CASE: gettext_noop(
        "“%(name)s”: of the %(of)s cases that need it and get it, %(lost)s would not get it any "
        "more."
    ),
    TASK: gettext_noop(
        "“%(name)s”: of the %(of)s tasks of last week that called it and would get it, %(lost)s "
        "would not get it any more."
    ),
}
_MORE_TOOLS = gettext_noop("More tools that lose as much: %(count)s.")
_COVERAGE = {
    CASE: gettext_noop(
        "Coverage of the gate set falls from %(before)s %% to %(after)s %%, and that is no "
        "accident (p = %(p)s)."
    ),
    TASK: gettext_noop(
        "Coverage of last week's tasks falls from %(before)s %% to %(after)s %%, and that is no "
        "accident (p = %(p)s)."
    ),
}
_LARGER = {
    CASE: gettext_noop("A case is served %(after)s tools in place of %(before)s."),
    TASK: gettext_noop("A task of last week is served %(after)s tools in place of %(before)s."),
}
_DIVERTED = gettext_noop("%(share)s %% of last week's tasks would go elsewhere.")


@dataclass(frozen=True, slots=True)
class Fall:
    """One thing that falls; the page that shows it translates ``template``.

    ``code`` is one of ``nothing``, ``lost``, ``tool``, ``coverage``, ``larger``, ``diverted``;
    ``tool`` is the tool that it is about, if it is about one.
    """

    code: str
    template: str
    params: Mapping[str, object]
    tool: str = ""

    def __str__(self) -> str:
        return self.template % self.params


def falls(report: Mapping[str, Any], rules: Rules) -> list[Fall]:
    """Return everything that falls, the gravest first; nothing where the gate lets it pass."""
    sets = report["sets"]
    if not sets:
        return [Fall("nothing", NOTHING, {})]
    return [*_lost(report, rules), *_by_tool(report, rules), *_by_set(sets, rules)]


def _lost(report: Mapping[str, Any], rules: Rules) -> Iterator[Fall]:
    count = len(report["lost"])
    if rules.any_lost and count:
        yield Fall("lost", _LOST, {"lost": count})


def _by_tool(report: Mapping[str, Any], rules: Rules) -> Iterator[Fall]:
    if rules.most_of_a_tool is None:
        return
    most = rules.most_of_a_tool / 100
    losing = [one for one in report["tools"] if _loses_more(one, most)]
    for one in losing[:NAMED]:
        params = {"name": one["name"], "lost": one["lost"] - one["gained"], "of": one["of"]}
        yield Fall("tool", _TOOL[one["kind"]], params, tool=one["name"])
    if len(losing) > NAMED:
        yield Fall("tool", _MORE_TOOLS, {"count": len(losing) - NAMED})


def _loses_more(one: Mapping[str, Any], most: float) -> bool:
    net = one["lost"] - one["gained"]
    return bool(net >= FEWEST and net > most * one["of"])


def _by_set(sets: Mapping[str, Any], rules: Rules) -> Iterator[Fall]:
    for kind, said in sets.items():
        if said["coverage"] is not None:
            before, after = said["coverage"]
            if 100 * (before - after) > rules.most_lost and said["p"] < SURE:
                params = {
                    "before": f"{100 * before:.1f}",
                    "after": f"{100 * after:.1f}",
                    "p": f"{said['p']:.2g}",
                }
                yield Fall("coverage", _COVERAGE[kind], params)
    for kind, said in sets.items():
        if said["tools"] is not None and rules.most_larger is not None:
            before, after = said["tools"]
            if after > before * (1 + rules.most_larger / 100):
                params = {"before": f"{before:.1f}", "after": f"{after:.1f}"}
                yield Fall("larger", _LARGER[kind], params)
    share = 100 * sets[TASK]["diverted_share"] if TASK in sets else 0.0
    if rules.most_diverted is not None and share > rules.most_diverted:
        yield Fall("diverted", _DIVERTED, {"share": f"{share:.1f}"})
