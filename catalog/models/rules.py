"""The rules of the draft, which decide without a model."""

from django.core.exceptions import ValidationError
from django.db import models
from django.db.models import Q
from django.urls import reverse
from django.utils.translation import gettext_lazy as _

from catalog.document import pattern_problem
from catalog.models.group import Group
from catalog.models.part import Part
from catalog.models.tool import Tool
from catalog.models.written import WrittenManager


def validate_pattern(value: str) -> None:
    """Refuse what RE2 cannot compile; RE2 runs in linear time, so that no pattern can hang us."""
    if problem := pattern_problem(value):
        raise ValidationError(problem)


class KeywordRule(Part):
    """A pattern over task and history that adds or removes tools and groups."""

    pattern = models.CharField(_("pattern"), max_length=1000, validators=[validate_pattern])
    add_tools = models.ManyToManyField(Tool, related_name="added_by", blank=True)
    remove_tools = models.ManyToManyField(Tool, related_name="removed_by", blank=True)
    add_groups = models.ManyToManyField(Group, related_name="added_by", blank=True)
    remove_groups = models.ManyToManyField(Group, related_name="removed_by", blank=True)

    objects = WrittenManager()

    class Meta(Part.Meta):
        constraints = [
            models.CheckConstraint(name="keyword_rule_has_a_pattern", condition=~Q(pattern="")),
        ]

    def __str__(self) -> str:
        return self.pattern

    def get_absolute_url(self) -> str:
        """Return the page where the rule is edited."""
        return reverse(
            "catalog:rule",
            kwargs={"catalog": self.catalog.name, "kind": "keyword", "rule": self.pk},
        )


class IntentRule(Part):
    """Plain words that name an intent, tried before anything semantic."""

    phrases = models.JSONField(_("phrases"), default=list)
    tools = models.ManyToManyField(Tool, related_name="intent_rules", blank=True)
    groups = models.ManyToManyField(Group, related_name="intent_rules", blank=True)

    objects = WrittenManager()

    def __str__(self) -> str:
        return ", ".join(self.phrases)

    def get_absolute_url(self) -> str:
        """Return the page where the rule is edited."""
        return reverse(
            "catalog:rule",
            kwargs={"catalog": self.catalog.name, "kind": "intent", "rule": self.pk},
        )


class ChannelRule(Part):
    """Where a task came in decides which groups it opens."""

    class Kind(models.TextChoices):
        QUEUE = "queue", _("queue")
        CHANNEL = "channel", _("channel")
        EVENT = "event", _("event type")

    kind = models.CharField(_("kind"), max_length=7, choices=Kind)
    value = models.CharField(_("value"), max_length=200)
    groups = models.ManyToManyField(Group, related_name="channel_rules", blank=True)

    objects = WrittenManager()

    class Meta(Part.Meta):
        constraints = [
            models.UniqueConstraint(
                fields=["catalog", "kind", "value"], name="channel_rule_once_a_catalog"
            ),
            models.CheckConstraint(
                name="channel_rule_kind_is_known",
                condition=Q(kind__in=["queue", "channel", "event"]),
            ),
        ]

    def __str__(self) -> str:
        return f"{self.kind} {self.value}"

    def get_absolute_url(self) -> str:
        """Return the page where the rule is edited."""
        return reverse(
            "catalog:rule",
            kwargs={"catalog": self.catalog.name, "kind": "channel", "rule": self.pk},
        )
