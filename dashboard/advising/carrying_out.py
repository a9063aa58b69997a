"""Make the change of a piece of advice in the draft: one edit on record, which can be undone."""

from catalog.editing import EditRefused, set_flag, set_memberships
from catalog.models import Catalog
from catalog.recording import Operation, recorded
from dashboard.advising.changes import Change, Join, SwitchOff

ACTION = "advice"


def carry_out(*, catalog: Catalog, change: Change, note: str) -> Operation:
    """Change the draft of a catalog; ``note`` says what the advice was given for.

    Nothing is published. What already is so stays so. Raises ``EditRefused`` where the draft has
    not, or no longer, what the change is about.
    """
    with recorded(catalog=catalog, action=ACTION, note=note[:500]) as operation:
        if isinstance(change, Join):
            _join(catalog, change)
        else:
            _switch_off(catalog, change)
    return operation


def _join(catalog: Catalog, change: Join) -> None:
    group = catalog.groups.filter(name=change.group).first()
    tools = list(catalog.tools.filter(name__in=change.tools).values_list("pk", "name"))
    if group is None or len(tools) < len(change.tools):
        raise EditRefused(change.group)
    place = {name: at for at, name in enumerate(change.tools)}
    for pk, _name in sorted(tools, key=lambda row: place[row[1]]):
        set_memberships(catalog=catalog, added={(group.pk, pk)})
    if catalog.max_tools < change.cap:
        catalog.max_tools = change.cap
        catalog.save(update_fields=["max_tools"])


def _switch_off(catalog: Catalog, change: SwitchOff) -> None:
    tool = catalog.tools.filter(name=change.tool).first()
    if tool is None:
        raise EditRefused(change.tool)
    set_flag(tool=tool, flag="enabled", on=False)
