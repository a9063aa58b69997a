"""Write what a plan of a bulk edit says: all of it, or nothing."""

from catalog.bulk.chosen import Chosen
from catalog.bulk.planning import BulkChange, BulkPlan, plan_change
from catalog.bulk.removal import Removal, plan_removal
from catalog.editing import set_memberships
from catalog.models import Catalog, Tool
from catalog.recording import recorded

ACTION = "bulk_edit"


class PlanMoved(Exception):
    """The draft changed since the plan was shown, so that something else would be done now."""


class PlanRefused(Exception):
    """Some tools cannot be changed so, or nothing would change; the plan says which and why."""


def apply_plan(
    *, catalog: Catalog, chosen: Chosen, change: BulkChange, fingerprint: str
) -> BulkPlan:
    """Make a change to every chosen tool and return what was done.

    The plan is made again under a lock. Raises ``PlanMoved`` where it is no longer the one that was
    shown, whose ``fingerprint`` this is, and ``PlanRefused`` where it cannot be done.
    """
    with recorded(catalog=catalog, action=ACTION):
        plan = plan_change(tools=chosen.tools(catalog), change=change)
        if plan.fingerprint != fingerprint:
            raise PlanMoved(plan.fingerprint)
        if plan.refused or not plan.changed:
            raise PlanRefused("; ".join(one.reason for one in plan.refused))
        for name, (value, pks) in plan.values.items():
            catalog.tools.filter(pk__in=pks).update(**{name: value})
        _write_tags(plan)
        if plan.added or plan.removed:
            set_memberships(catalog=catalog, added=plan.added, removed=plan.removed)
    return plan


def delete_tools(*, catalog: Catalog, chosen: Chosen, fingerprint: str) -> Removal:
    """Delete every chosen tool, taking each out of what uses it, and return what was done.

    Raises ``PlanMoved`` where the tools or their uses are no longer those that were shown.
    """
    with recorded(catalog=catalog, action=ACTION):
        removal = plan_removal(catalog=catalog, tools=chosen.tools(catalog))
        if removal.fingerprint != fingerprint:
            raise PlanMoved(removal.fingerprint)
        catalog.tools.filter(pk__in=[tool.pk for tool in removal.tools]).delete()
    return removal


def _write_tags(plan: BulkPlan) -> None:
    """Write tags with the text that searches read of each tool."""
    changed = [tool for tool in plan.tools if tool.pk in plan.tags]
    for tool in changed:
        tool.tags = list(plan.tags[tool.pk])
        tool.search_text = tool.searched()
    if changed:
        Tool.objects.bulk_update(changed, ["tags", "search_text"], batch_size=200)
