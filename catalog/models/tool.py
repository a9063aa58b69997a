"""A tool of the draft."""

from typing import Any

from django.core.exceptions import ValidationError
from django.core.validators import MaxValueValidator, MinValueValidator
from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from catalog.document import schema_problems
from catalog.models.part import Part
from catalog.names import tool_name


def empty_object_schema() -> dict[str, Any]:
    """Return the schema of a tool that takes no arguments."""
    return {"type": "object", "properties": {}, "additionalProperties": False}


def validate_schema(value: object) -> None:
    """Refuse what is no JSON Schema, or one that would fetch another over the network."""
    if problems := schema_problems(value):
        raise ValidationError(problems)


class Tool(Part):
    """What an agent may call, described for a model and bounded for a runtime."""

    class SideEffect(models.TextChoices):
        READ = "read", _("read")
        WRITE = "write", _("write")
        DESTRUCTIVE = "destructive", _("destructive")

    class OutputTrust(models.TextChoices):
        TRUSTED = "trusted_system", _("trusted system")
        UNTRUSTED = "untrusted_content", _("untrusted content")

    name = models.CharField(_("name"), max_length=64, validators=[tool_name])
    title = models.CharField(_("title"), max_length=200, blank=True)
    description = models.TextField(_("description"), max_length=4000, blank=True)
    category = models.CharField(_("category"), max_length=100, blank=True)
    tags = models.JSONField(_("tags"), default=list, blank=True)
    input_schema = models.JSONField(
        _("input schema"), default=empty_object_schema, validators=[validate_schema]
    )
    output_schema = models.JSONField(
        _("output schema"), null=True, blank=True, validators=[validate_schema]
    )
    capability = models.CharField(_("capability"), max_length=100, blank=True)
    side_effect = models.CharField(
        _("side effect"), max_length=11, choices=SideEffect, default=SideEffect.READ
    )
    idempotent = models.BooleanField(_("idempotent"), default=False)
    open_world = models.BooleanField(_("open world"), default=False)
    scopes = models.JSONField(_("required scopes"), default=list, blank=True)
    needs_approval = models.BooleanField(_("needs approval"), default=False)
    timeout_ms = models.PositiveIntegerField(
        _("time-out (ms)"),
        default=10_000,
        validators=[MinValueValidator(1), MaxValueValidator(3_600_000)],
    )
    max_attempts = models.PositiveSmallIntegerField(
        _("attempt limit"), default=3, validators=[MinValueValidator(1), MaxValueValidator(20)]
    )
    output_trust = models.CharField(
        _("trust of its output"),
        max_length=17,
        choices=OutputTrust,
        default=OutputTrust.UNTRUSTED,
    )
    enabled = models.BooleanField(_("enabled"), default=True)
    owner = models.CharField(_("owner"), max_length=100, blank=True)
    aliases = models.JSONField(_("aliases"), default=list, blank=True)
    examples = models.JSONField(_("example tasks"), default=list, blank=True)
    trace_fields = models.JSONField(_("trace fields"), default=list, blank=True)
    is_default = models.BooleanField(
        _("default tool"),
        default=False,
        help_text=_("Served when no group fits well enough. Read-only tools only."),
    )
    always_on = models.BooleanField(
        _("always on"), default=False, help_text=_("Rides along with every selection.")
    )

    class Meta(Part.Meta):
        constraints = [
            models.UniqueConstraint(fields=["catalog", "name"], name="tool_name_once_a_catalog"),
            models.CheckConstraint(
                name="tool_side_effect_is_known",
                condition=Q(side_effect__in=["read", "write", "destructive"]),
            ),
            models.CheckConstraint(
                name="tool_output_trust_is_known",
                condition=Q(output_trust__in=["trusted_system", "untrusted_content"]),
            ),
            models.CheckConstraint(
                name="tool_name_is_not_reserved", condition=~Q(name="request_group")
            ),
            models.CheckConstraint(
                name="tool_limits_are_positive",
                condition=Q(timeout_ms__gte=1, max_attempts__gte=1),
            ),
        ]

    def __str__(self) -> str:
        return self.name
