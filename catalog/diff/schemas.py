"""Changes of a tool's JSON Schema, argument by argument."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any

from catalog.diff.change import Change, Kind
from catalog.diff.fields import as_text
from catalog.diff.lists import compare_lists
from catalog.document.problems import gettext_noop

# Deeper than this a schema is compared as one value.
DEPTH = 12


@dataclass(frozen=True, slots=True)
class _Sentences:
    """What is said of the input schema, and otherwise of the output schema."""

    came: str
    came_required: str
    went: str
    required: str
    optional: str
    type: str
    description: str
    values: str
    closed: str
    opened: str
    keyword: str
    whole_keyword: str
    schema_came: str
    schema_went: str


_INPUT = _Sentences(
    came=gettext_noop("The optional argument “%(path)s” was added."),
    came_required=gettext_noop("The required argument “%(path)s” was added."),
    went=gettext_noop("The argument “%(path)s” was removed."),
    required=gettext_noop("The argument “%(path)s” is required now."),
    optional=gettext_noop("The argument “%(path)s” is optional now."),
    type=gettext_noop("The type of the argument “%(path)s” changed."),
    description=gettext_noop("The description of the argument “%(path)s” changed."),
    values=gettext_noop("The values that the argument “%(path)s” may have changed."),
    closed=gettext_noop("Arguments that the schema does not name are refused now."),
    opened=gettext_noop("Arguments that the schema does not name are accepted now."),
    keyword=gettext_noop("“%(keyword)s” of the argument “%(path)s” changed."),
    whole_keyword=gettext_noop("“%(keyword)s” of the input schema changed."),
    schema_came=gettext_noop("An input schema was added."),
    schema_went=gettext_noop("The input schema was removed."),
)
_OUTPUT = _Sentences(
    came=gettext_noop("“%(path)s”, which may be missing, was added to the result."),
    came_required=gettext_noop("“%(path)s”, which is always there, was added to the result."),
    went=gettext_noop("“%(path)s” was removed from the result."),
    required=gettext_noop("“%(path)s” is always in the result now."),
    optional=gettext_noop("“%(path)s” may be missing from the result now."),
    type=gettext_noop("The type of “%(path)s” in the result changed."),
    description=gettext_noop("The description of “%(path)s” in the result changed."),
    values=gettext_noop("The values that “%(path)s” may have in the result changed."),
    closed=gettext_noop("Results with fields that the schema does not name are refused now."),
    opened=gettext_noop("Results with fields that the schema does not name are accepted now."),
    keyword=gettext_noop("“%(keyword)s” of “%(path)s” in the result changed."),
    whole_keyword=gettext_noop("“%(keyword)s” of the output schema changed."),
    schema_came=gettext_noop("An output schema was added."),
    schema_went=gettext_noop("The output schema was removed."),
)


@dataclass(frozen=True, slots=True)
class _Comparison:
    """Whose schemas are compared, and the words for it."""

    tool: str
    say: _Sentences

    def change(
        self,
        kind: Kind,
        template: str,
        *,
        before: object = None,
        after: object = None,
        **params: str,
    ) -> Change:
        return Change(
            place=("tools", self.tool),
            subject=self.tool,
            kind=kind,
            template=template,
            params=params,
            removed=() if before is None else (as_text(before),),
            added=() if after is None else (as_text(after),),
        )


def schema_changes(before: object, after: object, *, tool: str, field: str) -> Iterator[Change]:
    """Yield what changed between two schemas of a tool: its ``input_schema`` or its other one."""
    comparison = _Comparison(tool=tool, say=_INPUT if field == "input_schema" else _OUTPUT)
    if as_text(before) == as_text(after):
        return
    if not isinstance(before, Mapping):
        yield comparison.change(Kind.ADDED, comparison.say.schema_came, after=after)
    elif not isinstance(after, Mapping):
        yield comparison.change(Kind.REMOVED, comparison.say.schema_went, before=before)
    else:
        yield from _inside(before, after, comparison=comparison, path="", depth=DEPTH)


def _inside(
    before: Mapping[str, Any],
    after: Mapping[str, Any],
    *,
    comparison: _Comparison,
    path: str,
    depth: int,
) -> Iterator[Change]:
    told = set()
    if depth and _both_hold(before, after, "properties", Mapping):
        told |= {"properties", "required"}
        yield from _properties(before, after, comparison=comparison, path=path, depth=depth)
    if depth and _both_hold(before, after, "items", Mapping):
        told.add("items")
        yield from _inside(
            before["items"],
            after["items"],
            comparison=comparison,
            path=f"{path}[]",
            depth=depth - 1,
        )
    for keyword in sorted((before.keys() | after.keys()) - told):
        old, new = before.get(keyword), after.get(keyword)
        # As text, since Python holds True, 1 and 1.0 for equal and JSON does not.
        if as_text(old) != as_text(new) or (keyword in before) != (keyword in after):
            yield _keyword_change(keyword, old, new, comparison=comparison, path=path)


def _both_hold(before: Mapping[str, Any], after: Mapping[str, Any], key: str, shape: type) -> bool:
    return isinstance(before.get(key), shape) and isinstance(after.get(key), shape)


def _properties(
    before: Mapping[str, Any],
    after: Mapping[str, Any],
    *,
    comparison: _Comparison,
    path: str,
    depth: int,
) -> Iterator[Change]:
    say = comparison.say
    old, new = before["properties"], after["properties"]
    was_required, is_required = _required(before), _required(after)
    for name in sorted(old.keys() | new.keys()):
        where = f"{path}.{name}" if path else name
        if name not in old:
            sentence = say.came_required if name in is_required else say.came
            yield comparison.change(Kind.ADDED, sentence, after=new[name], path=where)
            continue
        if name not in new:
            yield comparison.change(Kind.REMOVED, say.went, before=old[name], path=where)
            continue
        if (name in was_required) != (name in is_required):
            sentence = say.required if name in is_required else say.optional
            yield comparison.change(Kind.CHANGED, sentence, path=where)
        if isinstance(old[name], Mapping) and isinstance(new[name], Mapping):
            yield from _inside(
                old[name], new[name], comparison=comparison, path=where, depth=depth - 1
            )
        elif as_text(old[name]) != as_text(new[name]):
            yield comparison.change(
                Kind.CHANGED, say.type, before=old[name], after=new[name], path=where
            )
    told = (was_required ^ is_required) & (old.keys() | new.keys())
    listed = before.get("required"), after.get("required")
    if not told and as_text(listed[0]) != as_text(listed[1]):
        # Another order, a name that is no property, an empty list in place of none.
        yield _keyword_change("required", *listed, comparison=comparison, path=path)


def _required(schema: Mapping[str, Any]) -> set[str]:
    named = schema.get("required")
    return set(map(str, named)) if isinstance(named, list) else set()


def _keyword_change(
    keyword: str, old: object, new: object, *, comparison: _Comparison, path: str
) -> Change:
    say = comparison.say
    if keyword == "additionalProperties" and isinstance(old, bool | None) and not path:
        if new is False:
            return comparison.change(Kind.CHANGED, say.closed)
        if old is False and new in (None, True):
            return comparison.change(Kind.CHANGED, say.opened)
    if keyword == "enum" and path and isinstance(old, list) and isinstance(new, list):
        listed = compare_lists([as_text(value) for value in old], [as_text(value) for value in new])
        said = comparison.change(Kind.CHANGED, say.values, path=path)
        return replace(said, removed=listed.removed, added=listed.added)
    plain = {"type": say.type, "description": say.description} if path else {}
    other = say.keyword if path else say.whole_keyword
    return comparison.change(
        Kind.CHANGED,
        plain.get(keyword, other),
        before=old,
        after=new,
        keyword=keyword,
        path=path,
    )
