"""Edit many tools of a draft at once: which ones, what would change, and the change itself.

A plan says exactly what a change makes of each tool, and which tools refuse it; it is made again
when it is applied, and applied whole or not at all.
"""

from catalog.bulk.applying import PlanMoved, PlanRefused, apply_plan, delete_tools
from catalog.bulk.chosen import Chosen, ids_of
from catalog.bulk.planning import BulkChange, BulkPlan, Step, plan_change
from catalog.bulk.removal import Removal, plan_removal

__all__ = [
    "BulkChange",
    "BulkPlan",
    "Chosen",
    "PlanMoved",
    "PlanRefused",
    "Removal",
    "Step",
    "apply_plan",
    "delete_tools",
    "ids_of",
    "plan_change",
    "plan_removal",
]
