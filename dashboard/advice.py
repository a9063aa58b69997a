"""When not to route: what a catalog's own numbers say, and what to do about it.

A router has to earn its place. It does not where all tools cost hardly more than a selection, where
an agent chooses well among so few of them, where they are all of one domain, and where tasks keep
opening most of the groups: then the cut between the groups is not the cut between the tasks.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from math import ceil

from django.urls import reverse
from django.utils.formats import number_format
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from catalog.models import Catalog
from dashboard.metrics.crossing import Crossing, crossing
from routing.compiled import CompiledRelease, compiled_release
from routing.moves import current_move
from routing.selection import Strategy
from routing.spans import hour_of

FEW_TOOLS = 6
"""So many distinct tools a model still chooses well among."""
LITTLE_SAVED = 0.15
ONE_DOMAIN = 0.9
"""The share of the grouped tools in one group from which on there is nothing to choose between."""
MOST_GROUPS = 2 / 3
OFTEN = 0.5
FEWEST_SELECTIONS = 50
DAYS = 30


@dataclass(frozen=True, slots=True)
class Sizes:
    """What a release costs, on the route that allows most.

    ``all_tokens`` is what ``all`` would cost, ``typical_tokens`` a selection of as many tools as
    the cap lets through, of average size, with what rides along. ``largest`` is the name of the
    group with most tools and ``largest_share`` its share of the tools that are in groups.
    ``serves_all`` tells that the catalog's own strategy is ``all`` already.
    """

    ref: str
    tools: int
    cap: int
    groups: int
    all_tokens: int
    typical_tokens: int
    largest: str
    largest_share: float
    serves_all: bool = False

    @property
    def saved(self) -> float:
        """Return which share of the tokens a typical selection saves, 0..1."""
        return max(1 - self.typical_tokens / self.all_tokens, 0.0) if self.all_tokens else 0.0


@dataclass(frozen=True, slots=True)
class Finding:
    """One reason not to route as it is, and where the next step is made (nowhere: it is done)."""

    code: str
    title: str
    text: str
    step: str
    url: str


@dataclass(frozen=True, slots=True)
class Advice:
    """What is found about a release; without findings routing pays, and ``summary`` says how."""

    sizes: Sizes
    crossing: Crossing
    findings: Sequence[Finding]
    summary: str


def advice_for(catalog: Catalog, *, now: datetime) -> Advice | None:
    """Return the advice about what is live; ``None`` where nothing is. Two queries."""
    move = current_move(catalog)
    return advice_about(compiled_release(move.release_id), now=now) if move else None


def advice_about(release: CompiledRelease, *, now: datetime) -> Advice:
    """Return the advice about a release and its catalog's last traffic. One query."""
    sizes = sizes_of(release)
    found = crossing(
        catalog=release.catalog_id,
        start=hour_of(now - timedelta(days=DAYS)),
        end=hour_of(now) + 1,
        most=most_groups(sizes.groups),
    )
    return advise(sizes, found, catalog=release.catalog)


def most_groups(groups: int) -> int:
    """Return how many groups are most of them: two thirds, but two at least."""
    return max(2, ceil(groups * MOST_GROUPS))


def sizes_of(release: CompiledRelease) -> Sizes:
    """Return what a release costs; nothing of it is read from the database."""
    index = release.index
    routes = list(index.routes.values()) or [index.unrouted]
    route = max(routes, key=lambda route: release.catalog_tokens(route.name))
    candidates = index.enabled & index.selectable & route.tools
    chosen = candidates.nonzero()[0].tolist()
    all_tokens = release.catalog_tokens(route.name)
    riding = all_tokens - release.count(chosen)
    cap = min(index.settings.max_tools, len(chosen))
    mean = release.count(chosen) / len(chosen) if chosen else 0
    members = {name: int(candidates[group.members].sum()) for name, group in index.groups.items()}
    largest = max(members, key=lambda name: members[name], default="")
    grouped = len({tool for tool in index.members(list(index.groups)) if candidates[tool]})
    return Sizes(
        ref=release.ref,
        tools=len(chosen),
        cap=cap,
        groups=sum(1 for count in members.values() if count),
        all_tokens=all_tokens,
        typical_tokens=round(riding + cap * mean),
        largest=largest,
        largest_share=members[largest] / grouped if grouped else 0.0,
        serves_all=index.settings.strategy is Strategy.ALL,
    )


def advise(sizes: Sizes, found: Crossing, *, catalog: str) -> Advice:
    """Return what sizes and traffic say about a catalog of this name."""
    few = _few_tools(sizes, catalog) or _little_saved(sizes, catalog)
    findings = (
        _as_it_is(few) if few and sizes.serves_all else few,
        _one_domain(sizes, catalog),
        _crossing(sizes, found, catalog),
    )
    return Advice(
        sizes=sizes,
        crossing=found,
        findings=[finding for finding in findings if finding],
        summary=_summary(sizes),
    )


def _summary(sizes: Sizes) -> str:
    return ngettext(
        "Its %(tools)s tool to choose from costs %(all)s tokens a request, a selection of %(cap)s "
        "about %(typical)s, both with what is always on. Routing saves %(saved)s %%.",
        "All %(tools)s tools to choose from cost %(all)s tokens a request, a selection of %(cap)s "
        "about %(typical)s, both with what is always on. Routing saves %(saved)s %%.",
        sizes.tools,
    ) % _numbers(sizes)


def _as_it_is(finding: Finding) -> Finding:
    """Return a finding that the catalog's own strategy has answered already."""
    done = _("This catalog serves all of them: leave it so.")
    return replace(finding, text=f"{finding.text} {done}", step="", url="")


def _few_tools(sizes: Sizes, catalog: str) -> Finding | None:
    if sizes.tools > FEW_TOOLS:
        return None
    text = ngettext(
        "An agent chooses well among so few. The %(tools)s tool costs %(all)s tokens, a selection "
        "about %(typical)s: with the strategy “all” the agent loses nothing.",
        "An agent chooses well among so few. All %(tools)s tools cost %(all)s tokens, a selection "
        "about %(typical)s: with the strategy “all” the agent loses nothing.",
        sizes.tools,
    )
    title, step = _("Too few tools to need a router"), _("Set the strategy “all”")
    return _of_sizes("few_tools", title, text, step, sizes=sizes, catalog=catalog)


def _little_saved(sizes: Sizes, catalog: str) -> Finding | None:
    if sizes.saved >= LITTLE_SAVED:
        return None
    text = _(
        "All %(tools)s tools cost %(all)s tokens, a selection of %(cap)s with what rides along "
        "about %(typical)s. With the strategy “all” the agent loses almost nothing; a smaller cap "
        "would save more."
    )
    title, step = _("Routing saves hardly anything"), _("Change the strategy or the cap")
    return _of_sizes("little_saved", title, text, step, sizes=sizes, catalog=catalog)


def _of_sizes(
    code: str, title: str, text: str, step: str, *, sizes: Sizes, catalog: str
) -> Finding:
    """Return a finding whose text has the sizes in it and whose step is made in the settings."""
    url = reverse("catalog:settings", kwargs={"catalog": catalog})
    return Finding(code=code, title=title, text=text % _numbers(sizes), step=step, url=url)


def _one_domain(sizes: Sizes, catalog: str) -> Finding | None:
    if sizes.largest_share < ONE_DOMAIN or sizes.tools <= FEW_TOOLS:
        return None
    text = _(
        "The group “%(group)s” holds %(share)s %% of the tools that are in groups. Choosing a "
        "group chooses nothing: split it by task, or let tools be chosen one by one."
    )
    return Finding(
        code="one_domain",
        title=_("All tools are of one domain"),
        text=text % {"group": sizes.largest, "share": _whole(100 * sizes.largest_share)},
        step=_("Split the group"),
        url=reverse("catalog:group", kwargs={"catalog": catalog, "group": sizes.largest}),
    )


def _crossing(sizes: Sizes, found: Crossing, catalog: str) -> Finding | None:
    if sizes.groups < 2 or found.opened < FEWEST_SELECTIONS:
        return None
    share = found.crossed / found.opened
    if share < OFTEN:
        return None
    text = _(
        "%(share)s %% of the last %(count)s selections that opened groups opened %(most)s or more "
        "of the %(groups)s. The groups are cut by system rather than by task: put together what "
        "one task needs, or serve everything."
    )
    return Finding(
        code="crossing",
        title=_("Tasks keep crossing the groups"),
        text=text
        % {
            "share": _whole(100 * share),
            "count": _whole(found.opened),
            "most": most_groups(sizes.groups),
            "groups": sizes.groups,
        },
        step=_("Regroup the tools"),
        url=reverse("catalog:groups", kwargs={"catalog": catalog}),
    )


def _numbers(sizes: Sizes) -> dict[str, str]:
    return {
        "tools": _whole(sizes.tools),
        "cap": _whole(sizes.cap),
        "all": _whole(sizes.all_tokens),
        "typical": _whole(sizes.typical_tokens),
        "saved": _whole(100 * sizes.saved),
    }


def _whole(value: float) -> str:
    return number_format(round(value), use_l10n=True, force_grouping=True)
