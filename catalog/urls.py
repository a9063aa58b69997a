"""The pages of the draft, below ``/catalogs/``.

Names stand in paths as they are. What is no name stands behind ``-/``, which begins no name, so
that a tool called "new" has a page like any other.
"""

from django.urls import path, register_converter

from catalog.views import (
    bulk,
    catalogs,
    comments,
    flags,
    group,
    groups,
    phases,
    pick,
    routes,
    rules,
    tool,
    tools,
)


class NameConverter:
    """Any text but one that a database would choke on."""

    regex = "[^/\0]+"

    def to_python(self, value: str) -> str:
        """Return the name."""
        return value

    def to_url(self, value: str) -> str:
        """Return the name."""
        return value


register_converter(NameConverter, "catalog_name")

app_name = "catalog"

_CATALOG = "<catalog_name:catalog>"
_GROUP = f"{_CATALOG}/groups/<catalog_name:group>"
_TOOL = f"{_CATALOG}/tools/<catalog_name:tool>"
_PHASE = f"{_CATALOG}/phases/<catalog_name:phase>"
_RULES = f"{_CATALOG}/rules/<slug:kind>"
_ROUTE = f"{_CATALOG}/routes/<catalog_name:route>"

urlpatterns = [
    path("", catalogs.catalogs, name="catalogs"),
    path(f"{_CATALOG}/settings", catalogs.catalog_settings, name="settings"),
    path(f"{_CATALOG}/comments", comments.comments, name="comments"),
    path(
        f"{_CATALOG}/comments/<int:comment>/settle",
        comments.settle_comment,
        name="settle_comment",
    ),
    path(f"{_CATALOG}/groups", groups.groups, name="groups"),
    path(f"{_CATALOG}/groups/-/cells", groups.cells, name="cells"),
    path(f"{_CATALOG}/groups/-/new", group.new_group, name="new_group"),
    path(f"{_CATALOG}/groups/-/hint", group.hint, name="group_hint"),
    path(_GROUP, group.group, name="group"),
    path(f"{_GROUP}/delete", group.delete_group, name="delete_group"),
    path(f"{_GROUP}/move", group.move, name="move_group"),
    path(f"{_GROUP}/tools/<catalog_name:tool>/move", group.move_tool, name="move_tool"),
    path(f"{_GROUP}/tools/<catalog_name:tool>/remove", group.remove_tool, name="remove_tool"),
    path(f"{_CATALOG}/-/pick/<slug:of>", pick.pick, name="pick"),
    path(f"{_CATALOG}/phases", phases.phases, name="phases"),
    path(f"{_CATALOG}/phases/-/new", phases.new_phase, name="new_phase"),
    path(_PHASE, phases.phase, name="phase"),
    path(f"{_PHASE}/delete", phases.delete_phase, name="delete_phase"),
    path(f"{_PHASE}/move", phases.move_phase, name="move_phase"),
    path(f"{_CATALOG}/rules", rules.rules, name="rules"),
    path(f"{_RULES}/-/new", rules.new_rule, name="new_rule"),
    path(f"{_RULES}/<int:rule>", rules.rule, name="rule"),
    path(f"{_RULES}/<int:rule>/delete", rules.delete_rule, name="delete_rule"),
    path(f"{_RULES}/<int:rule>/move", rules.move_rule, name="move_rule"),
    path(f"{_CATALOG}/routes", routes.routes, name="routes"),
    path(f"{_CATALOG}/routes/-/new", routes.new_route, name="new_route"),
    path(_ROUTE, routes.route, name="route"),
    path(f"{_ROUTE}/delete", routes.delete_route, name="delete_route"),
    path(f"{_CATALOG}/tools", tools.tools, name="tools"),
    path(f"{_CATALOG}/tools/-/new", tool.new_tool, name="new_tool"),
    path(f"{_CATALOG}/tools/-/bulk", bulk.bulk_edit, name="bulk_edit"),
    path(f"{_CATALOG}/tools/-/check", tool.check_tool, name="check_tool"),
    path(_TOOL, tool.tool, name="tool"),
    path(f"{_TOOL}/delete", tool.delete_tool, name="delete_tool"),
    path(f"{_TOOL}/flags/<slug:flag>", flags.set_tool_flag, name="tool_flag"),
]
