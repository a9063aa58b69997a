"""The sections of a draft, as the audit log keeps their rows: which columns, which references.

A section is named as documents name it. Column values are as frozen documents have them; a
reference is kept by the row that it points to, with its name for people to read.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from django.db import models

from catalog.freezing import TOOL_FIELDS
from catalog.models import (
    Catalog,
    ChannelRule,
    Group,
    GroupTool,
    IntentRule,
    KeywordRule,
    Phase,
    Route,
    Tool,
)

Columns = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Link:
    """A reference of a part to others: the rows of ``through`` that have it in ``owner``.

    ``placed`` where those rows have an order of their own: that of the tools of a group.
    """

    field: str
    to: str  # the section that is referred to
    through: type[models.Model]
    owner: str
    target: str
    placed: bool = False


@dataclass(frozen=True, slots=True)
class Section:
    """A kind of part. ``unique`` are columns in which no two rows of a catalog are the same."""

    kind: str
    model: type[Any]
    columns: tuple[str, ...]
    links: tuple[Link, ...] = ()
    unique: tuple[str, ...] = ("name",)
    subject: Callable[[Columns], str] = lambda row: str(row["name"])
    ordered: bool = True


def _linked(model: type[models.Model], field: str, to: str) -> Link:
    relation: Any = model._meta.get_field(field)  # noqa: SLF001 - Django's public name
    return Link(
        field=field,
        to=to,
        through=relation.remote_field.through,
        owner=relation.m2m_field_name(),
        target=relation.m2m_reverse_field_name(),
        placed=relation.remote_field.through is GroupTool,
    )


def _links(model: type[models.Model], **fields: str) -> tuple[Link, ...]:
    return tuple(_linked(model, field, to) for field, to in fields.items())


_SETTINGS = (
    "title",
    "strategy",
    "threshold",
    "max_tools",
    "inclusive",
    "exploration",
    "keep_text",
    "redact_text",
    "redactions",
    "text_days",
    "archived",
)
_BUDGET = ("budget_calls", "budget_tokens", "budget_cost", "budget_seconds")

SECTIONS: Mapping[str, Section] = {
    section.kind: section
    for section in (
        Section("settings", Catalog, _SETTINGS, unique=(), subject=lambda _row: "", ordered=False),
        Section("tools", Tool, (*TOOL_FIELDS, "is_default", "always_on")),
        Section("groups", Group, ("name", "description", "examples"), _links(Group, tools="tools")),
        Section(
            "phases",
            Phase,
            ("name", "description", "initial"),
            _links(Phase, tools="tools", groups="groups", next="phases"),
            unique=("name", "initial"),
        ),
        Section(
            "keyword_rules",
            KeywordRule,
            ("pattern",),
            _links(
                KeywordRule,
                add_tools="tools",
                remove_tools="tools",
                add_groups="groups",
                remove_groups="groups",
            ),
            unique=(),
            subject=lambda row: str(row["pattern"]),
        ),
        Section(
            "intent_rules",
            IntentRule,
            ("phrases",),
            _links(IntentRule, tools="tools", groups="groups"),
            unique=(),
            subject=lambda row: ", ".join(map(str, row["phrases"])),
        ),
        Section(
            "channel_rules",
            ChannelRule,
            ("kind", "value"),
            _links(ChannelRule, groups="groups"),
            unique=("value",),
            subject=lambda row: f"{row['kind']} {row['value']}",
        ),
        Section(
            "routes",
            Route,
            ("name", "side_effects", *_BUDGET),
            _links(Route, tools="tools", groups="groups"),
        ),
    )
}
SECTION_OF: Mapping[type[models.Model], Section] = {
    section.model: section for section in SECTIONS.values()
}
# The rows that are references: whose they are, and by which link.
OWNER_OF: Mapping[type[models.Model], tuple[Section, Link]] = {
    link.through: (section, link) for section in SECTIONS.values() for link in section.links
}


def users_of(kind: str) -> list[tuple[Section, Link]]:
    """Return each link by which parts refer to those of a section."""
    return [
        (section, link)
        for section in SECTIONS.values()
        for link in section.links
        if link.to == kind
    ]
