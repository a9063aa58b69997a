"""A route of the draft: what one kind of request may use. Deny by default."""

from typing import Any

from django.core.exceptions import ValidationError
from django.db import models
from django.urls import reverse
from django.utils.translation import gettext_lazy as _

from catalog.models.group import Group
from catalog.models.part import Part
from catalog.models.tool import Tool
from catalog.models.written import WrittenManager
from catalog.names import part_name


def read_only() -> list[str]:
    """Return the side effects of a new route."""
    return [Tool.SideEffect.READ.value]


def validate_side_effects(value: object) -> None:
    """Refuse anything but a list of the three side effects."""
    if not isinstance(value, list) or not set(value) <= set(Tool.SideEffect.values):
        raise ValidationError(_("Choose among read, write and destructive."))


class Route(Part):
    """The tools and groups that a kind of request may reach, and what it may spend in a run."""

    name = models.CharField(_("name"), max_length=63, validators=[part_name])
    tools = models.ManyToManyField(Tool, related_name="routes", blank=True)
    groups = models.ManyToManyField(Group, related_name="routes", blank=True)
    side_effects = models.JSONField(
        _("side effects allowed"), default=read_only, validators=[validate_side_effects]
    )
    budget_calls = models.PositiveIntegerField(_("calls a run"), null=True, blank=True)
    budget_tokens = models.PositiveIntegerField(_("tokens a run"), null=True, blank=True)
    budget_cost = models.FloatField(_("cost a run (USD)"), null=True, blank=True)
    budget_seconds = models.PositiveIntegerField(_("seconds a run"), null=True, blank=True)

    objects = WrittenManager()

    class Meta(Part.Meta):
        constraints = [
            models.UniqueConstraint(fields=["catalog", "name"], name="route_name_once_a_catalog"),
        ]

    def __str__(self) -> str:
        return self.name

    def get_absolute_url(self) -> str:
        """Return the page where the route is edited."""
        return reverse("catalog:route", kwargs={"catalog": self.catalog.name, "route": self.name})

    @property
    def budget(self) -> dict[str, Any]:
        """Return the ceilings of one run; ``None`` is no ceiling."""
        return {
            "calls": self.budget_calls,
            "tokens": self.budget_tokens,
            "cost": self.budget_cost,
            "seconds": self.budget_seconds,
        }
