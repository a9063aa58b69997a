"""A tool of the draft."""

from collections.abc import Iterable
from typing import Any

from django.core.exceptions import ValidationError
from django.core.validators import MaxValueValidator, MinValueValidator
from django.db import models
from django.db.models import Count, OuterRef, Q, Subquery
from django.db.models.base import ModelBase
from django.urls import reverse
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from catalog.document import REQUEST_GROUP, schema_problems
from catalog.folding import fold, folded_words
from catalog.models.part import Part
from catalog.models.version import ToolRevision
from catalog.models.written import WrittenQuerySet
from catalog.names import tool_name
from catalog.tokens import tool_tokens


def empty_object_schema() -> dict[str, Any]:
    """Return the schema of a tool that takes no arguments."""
    return {"type": "object", "properties": {}, "additionalProperties": False}


def validate_schema(value: object) -> None:
    """Refuse what is no JSON Schema, or one that would fetch another over the network."""
    if problems := schema_problems(value):
        raise ValidationError([gettext(fault.template) % fault.params for fault in problems])


class ToolQuerySet(WrittenQuerySet["Tool"]):
    """Reads of tools."""

    def search(self, query: str) -> "ToolQuerySet":
        """Keep the tools whose name, title, description or tags hold every word of a search."""
        found = self
        for word in folded_words(query):
            found = found.filter(search_text__contains=word)
        return found

    def in_no_group(self) -> "ToolQuerySet":
        """Keep the tools that no group holds: only rules, phases and the cap can offer them."""
        return self.filter(memberships=None)

    def with_group_count(self) -> "ToolQuerySet":
        """Add ``group_count``, in how many groups each tool is."""
        return self.annotate(group_count=Count("memberships"))

    def with_revision(self) -> "ToolQuerySet":
        """Add ``revision``, the newest one published, or ``None`` for a tool never published."""
        published = ToolRevision.objects.filter(
            catalog=OuterRef("catalog"), name=OuterRef("name")
        ).order_by("-revision")
        return self.annotate(revision=Subquery(published.values("revision")[:1]))

    def bulk_create(self, objs: Iterable["Tool"], *args: Any, **kwargs: Any) -> list["Tool"]:
        """Create tools in one statement, with what ``save`` would have worked out for each."""
        tools = list(objs)
        for tool in tools:
            tool.derive()
        return super().bulk_create(tools, *args, **kwargs)


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
    tokens = models.PositiveIntegerField(_("tokens"), default=0, editable=False)
    search_text = models.TextField(default="", editable=False)

    objects = ToolQuerySet.as_manager()

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
                name="tool_name_is_not_reserved", condition=~Q(name=REQUEST_GROUP)
            ),
            models.CheckConstraint(
                name="tool_limits_are_positive",
                condition=Q(timeout_ms__gte=1, max_attempts__gte=1),
            ),
        ]

    def __str__(self) -> str:
        return self.name

    def get_absolute_url(self) -> str:
        """Return the page where the tool is edited."""
        return reverse("catalog:tool", kwargs={"catalog": self.catalog.name, "tool": self.name})

    def save(
        self,
        *,
        force_insert: bool | tuple[ModelBase, ...] = False,
        force_update: bool = False,
        using: str | None = None,
        update_fields: Iterable[str] | None = None,
    ) -> None:
        """Save the tool with what is worked out from it."""
        self.derive()
        if update_fields is not None:
            update_fields = {*update_fields, "tokens", "search_text"}
        super().save(
            force_insert=force_insert,
            force_update=force_update,
            using=using,
            update_fields=update_fields,
        )

    def derive(self) -> None:
        """Work out what lists need of a tool and would be slow to compute for each of them."""
        self.tokens = tool_tokens(
            {
                "name": self.name,
                "description": self.description,
                "input_schema": self.input_schema,
            }
        )
        self.search_text = self.searched()

    def searched(self) -> str:
        """Return the text that searches read."""
        return fold("\n".join([self.name, self.title, self.description, *self.tags]))

    @property
    def changes_something(self) -> bool:
        """Tell whether a call of the tool may change anything: such a tool is no fallback."""
        return self.side_effect != self.SideEffect.READ
