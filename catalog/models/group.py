"""A group of the draft: the tools that one kind of task needs."""

from collections.abc import Iterable
from typing import Any

from django.db import models
from django.db.models import Count, Q, Sum
from django.db.models.base import ModelBase
from django.db.models.functions import Coalesce
from django.urls import reverse
from django.utils.translation import gettext_lazy as _

from catalog.folding import fold, folded_words
from catalog.models.part import Part
from catalog.models.tool import Tool
from catalog.models.written import WrittenManager, WrittenModel, WrittenQuerySet
from catalog.names import part_name


class GroupQuerySet(WrittenQuerySet["Group"]):
    """Reads of groups."""

    def search(self, query: str) -> "GroupQuerySet":
        """Keep the groups whose name or description holds every word of a search."""
        found = self
        for word in folded_words(query):
            found = found.filter(search_text__contains=word)
        return found

    def with_figures(self) -> "GroupQuerySet":
        """Add ``tool_count``, ``off_count`` and ``tokens``, those of the tools that are enabled."""
        enabled = Q(memberships__tool__enabled=True)
        return self.annotate(
            tool_count=Count("memberships"),
            off_count=Count("memberships", filter=Q(memberships__tool__enabled=False)),
            tokens=Coalesce(Sum("memberships__tool__tokens", filter=enabled), 0),
        )

    def bulk_create(self, objs: Iterable["Group"], *args: Any, **kwargs: Any) -> list["Group"]:
        """Create groups in one statement, with what ``save`` would have worked out for each."""
        groups = list(objs)
        for group in groups:
            group.derive()
        return super().bulk_create(groups, *args, **kwargs)


class Group(Part):
    """Tools kept together by task; its description says when to use it."""

    name = models.CharField(_("name"), max_length=63, validators=[part_name])
    description = models.CharField(
        _("when to use it"),
        max_length=500,
        blank=True,
        help_text=_("One line that begins with the task: “Use to …”."),
    )
    examples = models.JSONField(_("example tasks"), default=list, blank=True)
    tools: "models.ManyToManyField[Tool, GroupTool]" = models.ManyToManyField(
        Tool, through="GroupTool", related_name="groups"
    )
    search_text = models.TextField(default="", editable=False)

    objects = GroupQuerySet.as_manager()

    class Meta(Part.Meta):
        constraints = [
            models.UniqueConstraint(fields=["catalog", "name"], name="group_name_once_a_catalog"),
        ]

    def __str__(self) -> str:
        return self.name

    def get_absolute_url(self) -> str:
        """Return the page where the group is edited."""
        return reverse("catalog:group", kwargs={"catalog": self.catalog.name, "group": self.name})

    def save(
        self,
        *,
        force_insert: bool | tuple[ModelBase, ...] = False,
        force_update: bool = False,
        using: str | None = None,
        update_fields: Iterable[str] | None = None,
    ) -> None:
        """Save the group with the text that searches read."""
        self.derive()
        if update_fields is not None:
            update_fields = {*update_fields, "search_text"}
        super().save(
            force_insert=force_insert,
            force_update=force_update,
            using=using,
            update_fields=update_fields,
        )

    def derive(self) -> None:
        """Work out what searches read."""
        self.search_text = fold(f"{self.name}\n{self.description}")


class GroupTool(WrittenModel):
    """A tool's place in a group."""

    group = models.ForeignKey(Group, models.CASCADE, related_name="memberships")
    tool = models.ForeignKey(Tool, models.CASCADE, related_name="memberships")
    position = models.PositiveIntegerField(default=0)

    objects = WrittenManager()

    class Meta:
        ordering = ["position", "id"]
        constraints = [
            models.UniqueConstraint(fields=["group", "tool"], name="tool_once_a_group"),
        ]

    def __str__(self) -> str:
        return f"{self.group}: {self.tool}"
