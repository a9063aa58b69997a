"""The draft of a catalog, the versions that were frozen from it, and its members."""

from catalog.models.audit import AuditEntry
from catalog.models.catalog import Catalog
from catalog.models.comment import Comment
from catalog.models.group import Group, GroupTool
from catalog.models.membership import Membership
from catalog.models.origin import PendingImport, ToolOrigin
from catalog.models.phase import Phase
from catalog.models.route import Route
from catalog.models.rules import ChannelRule, IntentRule, KeywordRule
from catalog.models.tool import Tool
from catalog.models.version import CatalogVersion, ToolRevision

__all__ = [
    "AuditEntry",
    "Catalog",
    "CatalogVersion",
    "ChannelRule",
    "Comment",
    "Group",
    "GroupTool",
    "IntentRule",
    "KeywordRule",
    "Membership",
    "PendingImport",
    "Phase",
    "Route",
    "Tool",
    "ToolOrigin",
    "ToolRevision",
]
