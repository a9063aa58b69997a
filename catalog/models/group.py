"""A group of the draft: the tools that one kind of task needs."""

from django.db import models
from django.utils.translation import gettext_lazy as _

from catalog.models.part import Part
from catalog.models.tool import Tool
from catalog.names import part_name


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

    class Meta(Part.Meta):
        constraints = [
            models.UniqueConstraint(fields=["catalog", "name"], name="group_name_once_a_catalog"),
        ]

    def __str__(self) -> str:
        return self.name


class GroupTool(models.Model):
    """A tool's place in a group."""

    group = models.ForeignKey(Group, models.CASCADE, related_name="memberships")
    tool = models.ForeignKey(Tool, models.CASCADE, related_name="memberships")
    position = models.PositiveIntegerField(default=0)

    class Meta:
        ordering = ["position", "id"]
        constraints = [
            models.UniqueConstraint(fields=["group", "tool"], name="tool_once_a_group"),
        ]

    def __str__(self) -> str:
        return f"{self.group}: {self.tool}"
