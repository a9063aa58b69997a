"""The draft of a catalog, and the versions that were frozen from it."""

from catalog.models.catalog import Catalog
from catalog.models.group import Group, GroupTool
from catalog.models.phase import Phase
from catalog.models.route import Route
from catalog.models.rules import ChannelRule, IntentRule, KeywordRule
from catalog.models.tool import Tool
from catalog.models.version import CatalogVersion, ToolRevision

__all__ = [
    "Catalog",
    "CatalogVersion",
    "ChannelRule",
    "Group",
    "GroupTool",
    "IntentRule",
    "KeywordRule",
    "Phase",
    "Route",
    "Tool",
    "ToolRevision",
]
