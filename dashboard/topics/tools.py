"""What was offered against what was used, tool by tool."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from django.core.paginator import Paginator
from django.urls import reverse
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from dashboard.metrics.tool_use import Remark, ToolUse, remark_counts, tool_uses
from dashboard.topics.viewed import Shown, Viewed
from routing.rollups.sections import Section

ROWS = 50
REMARKS: Mapping[Remark, Promise] = {
    Remark.NEVER_USED: _("never used"),
    Remark.MOSTLY_ADDED: _("mostly by expansion"),
    Remark.MISSED: _("called, not offered"),
    Remark.NEVER_OFFERED: _("never offered"),
}


@dataclass(frozen=True, slots=True)
class Row:
    """A tool with its remarks in words, the runs that called it and those that missed it."""

    use: ToolUse
    remarks: Sequence[Promise]
    url: str
    missed_url: str
    tool_url: str


@dataclass(frozen=True, slots=True)
class Choice:
    """A remark to show the tools of; the empty one is all of them."""

    code: str
    label: Promise
    count: int


def tools_topic(viewed: Viewed) -> Shown:
    """Show the tools, or those with `?remark=`, a page of them. One section."""
    uses = tool_uses(viewed.both(Section.TOOLS), known=viewed.tools)
    remark = viewed.query.get("remark", "")
    shown = [use for use in uses if not remark or remark in use.remarks]
    page = Paginator(shown, ROWS).get_page(viewed.query.get("page"))
    counts = remark_counts(uses)
    return Shown(
        part="dashboard/metrics/_tools.html",
        context={
            "page": page,
            "rows": [_row(use, viewed) for use in page.object_list],
            "remark": remark,
            "choices": [
                Choice("", _("All"), len(uses)),
                *(Choice(one, label, counts[one]) for one, label in REMARKS.items()),
            ],
        },
    )


def _row(use: ToolUse, viewed: Viewed) -> Row:
    known = viewed.catalog is not None and use.name in viewed.tools
    kwargs = {"catalog": viewed.catalog.name if viewed.catalog else "", "tool": use.name}
    return Row(
        use=use,
        remarks=[REMARKS[one] for one in use.remarks],
        url=viewed.links.of(tool=use.name),
        missed_url=viewed.links.of(missed=use.name),
        tool_url=reverse("catalog:tool", kwargs=kwargs) if known else "",
    )
