"""Checks of groups: what they hold, and whether a router can tell them apart."""

from collections.abc import Iterator

from catalog.health.finding import Finding, gettext_noop, hint, warning
from catalog.health.reading import Reading
from catalog.health.saying_when import says_when
from catalog.health.tools import FEW_TOOLS

MOST_TOOLS = 10
_CATCH_ALL_SHARE = 0.5
_CATCH_ALL_FROM = 20  # tools in groups: among fewer, one group may well be half of them


def there_are_groups(reading: Reading) -> Iterator[Finding]:
    """Find many tools without groups, or all of one group."""
    groups, count = reading.members, len(reading.enabled)
    if count <= FEW_TOOLS:
        return
    if not groups:
        yield warning(
            "no_groups",
            ("groups", ""),
            gettext_noop("The catalog has tools but no groups to choose among."),
            gettext_noop("Make a group for each kind of task."),
        )
    elif len(groups) == 1:
        yield hint(
            "one_group",
            ("groups", next(iter(groups))),
            gettext_noop("The only group: a router has nothing to choose."),
            gettext_noop("Split it by task, or serve all tools."),
        )


def groups_have_tools(reading: Reading) -> Iterator[Finding]:
    """Find groups without tools, with too many, or with disabled ones only."""
    for name, members in reading.members.items():
        place = ("groups", name)
        on = [tool for tool in members if tool in reading.enabled]
        if not members:
            yield warning(
                "group_without_tools",
                place,
                gettext_noop("The group has no tools."),
                gettext_noop("Put tools into it, or delete it."),
            )
        elif not on:
            yield warning(
                "group_of_disabled_tools",
                place,
                gettext_noop("Every tool of the group is disabled."),
                gettext_noop("Enable one, or delete the group."),
            )
        elif len(on) > MOST_TOOLS:
            yield warning(
                "group_too_large",
                place,
                gettext_noop("The group has %(count)s tools: models choose badly past %(most)s."),
                gettext_noop("Split it by task."),
                count=len(on),
                most=MOST_TOOLS,
            )


def groups_are_described(reading: Reading) -> Iterator[Finding]:
    """Find descriptions that are missing, another group's too, or do not say when."""
    first: dict[str, str] = {}
    for group in reading.document["groups"]:
        text, place = group["description"].strip(), ("groups", group["name"])
        if not text:
            yield warning(
                "group_without_description",
                place,
                gettext_noop("The group has no description: the router reads that line."),
                gettext_noop("Say when to use it: “Use to …”."),
            )
            continue
        if not says_when(text):
            yield hint(
                "group_says_contents",
                place,
                gettext_noop("The description says what the group holds, not when to use it."),
                gettext_noop("Begin with the task: “Use to …” or a verb."),
            )
        other = first.setdefault(" ".join(text.casefold().split()), group["name"])
        if other != group["name"]:
            yield warning(
                "same_group_description",
                place,
                gettext_noop("The description is that of the group “%(other)s”, word for word."),
                gettext_noop("Say in each what tells it from the other, or merge the two."),
                other=other,
            )


def groups_have_examples(reading: Reading) -> Iterator[Finding]:
    """Find groups without example tasks, which selections by meaning compare tasks with."""
    for group in reading.document["groups"]:
        if not group["examples"]:
            yield hint(
                "group_without_examples",
                ("groups", group["name"]),
                gettext_noop("The group has no example tasks to compare a task with."),
                gettext_noop("Write a few tasks as people say them."),
            )


def groups_differ(reading: Reading) -> Iterator[Finding]:
    """Find groups of the same tools, and one that holds most of the catalog."""
    first: dict[frozenset[str], str] = {}
    for name, members in reading.members.items():
        if members and (other := first.setdefault(frozenset(members), name)) != name:
            yield warning(
                "same_members",
                ("groups", name),
                gettext_noop("The group holds the same tools as “%(other)s”."),
                gettext_noop("Merge the two."),
                other=other,
            )
        total = len(reading.grouped)
        if total >= _CATCH_ALL_FROM and len(members) > _CATCH_ALL_SHARE * total:
            yield warning(
                "catch_all_group",
                ("groups", name),
                gettext_noop("The group holds %(count)s of the %(total)s tools in groups."),
                gettext_noop("Group by task, not by system: split it."),
                count=len(members),
                total=total,
            )
