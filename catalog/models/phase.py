"""A phase of the draft: a state of the agent's work."""

from django.db import models
from django.db.models import Q
from django.urls import reverse
from django.utils.translation import gettext_lazy as _

from catalog.models.group import Group
from catalog.models.part import Part
from catalog.models.tool import Tool
from catalog.models.written import WrittenManager
from catalog.names import part_name


class Phase(Part):
    """What a run may use in one state, and the states that may follow it."""

    name = models.CharField(_("name"), max_length=63, validators=[part_name])
    description = models.CharField(_("description"), max_length=500, blank=True)
    initial = models.BooleanField(_("a run begins here"), default=False)
    tools = models.ManyToManyField(Tool, related_name="phases", blank=True)
    groups = models.ManyToManyField(Group, related_name="phases", blank=True)
    next = models.ManyToManyField("self", symmetrical=False, related_name="previous", blank=True)

    objects = WrittenManager()

    class Meta(Part.Meta):
        constraints = [
            models.UniqueConstraint(fields=["catalog", "name"], name="phase_name_once_a_catalog"),
            models.UniqueConstraint(
                fields=["catalog"],
                condition=Q(initial=True),
                name="one_initial_phase_a_catalog",
                violation_error_message=_("Another phase is already the one a run begins in."),
            ),
        ]

    def __str__(self) -> str:
        return self.name

    def get_absolute_url(self) -> str:
        """Return the page where the phase is edited."""
        return reverse("catalog:phase", kwargs={"catalog": self.catalog.name, "phase": self.name})
