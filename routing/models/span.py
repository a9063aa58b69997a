"""Spans: what was answered and what came of it; and their text, which can be erased."""

from django.db import models
from django.utils.translation import gettext_lazy as _

from catalog.models import Catalog
from routing.models.key import ApiKey
from routing.models.release import Release
from routing.models.run import API, Run


class Span(models.Model):
    """One step of a run, as document.md has it. The database refuses to change one.

    ``offered`` are positions in the tool list of the release's document, in the order served.
    ``hour`` is whole hours since 1970, so that charts never truncate a date. A span of an
    expansion, a phase or an outcome names the selection that it belongs to; ``group`` is the group
    that was asked for, and a phase's ``details`` say where the run ``came_from``. A selection that
    names another was asked for in its stead: a ``tool`` is then what the agent called and that one
    had not offered, which makes it incomplete.
    ``router`` is what a router model said, as ``ModelAnswer.record`` has it, where one was asked.
    ``tool_search`` says that everything else the route allows could be found by the provider's own
    search: ``routing.deferral.deferred_tools`` says what that was.

    A call's proposal and its results name the ``tool`` by its position. ``call`` is the uid of the
    ``ToolCall`` that they are of; a proposal that was not allowed has none. ``reason`` is one of
    the contract's words; what an agent says in its own words is text. ``details`` holds what is
    never looked for: of a selection the ``open_groups`` that were asked for with it, of a proposal
    ``hint``, ``errors`` and ``approval``, of a result ``evidence_ref``, ``trust``, ``flags``,
    ``retry_after_ms``, and ``sha256`` and ``bytes`` of its data.
    """

    class Name(models.TextChoices):
        ROUTE = "tool_route", _("selection")
        EXPAND = "tool_route_expand", _("expansion")
        CALL = "tool_call", _("call")
        RESULT = "tool_result", _("result")
        PHASE = "phase", _("phase")
        OUTCOME = "outcome", _("outcome")

    uid = models.UUIDField(unique=True)
    name = models.CharField(max_length=17, choices=Name)
    run = models.ForeignKey(Run, models.CASCADE, related_name="spans")
    selection = models.ForeignKey(
        "self", models.CASCADE, null=True, related_name="following", db_index=True
    )
    catalog = models.ForeignKey(Catalog, models.CASCADE, related_name="+", db_index=False)
    key = models.ForeignKey(ApiKey, models.CASCADE, related_name="+", db_index=False)
    release = models.ForeignKey(Release, models.CASCADE, related_name="+", db_index=False)
    time = models.DateTimeField()
    hour = models.IntegerField()
    source = models.CharField(max_length=9, default=API)

    groups = models.JSONField(default=list)
    groups_count = models.PositiveSmallIntegerField(default=0)
    proposed_groups = models.JSONField(default=list)
    group = models.CharField(max_length=63, blank=True)
    confidence = models.FloatField(null=True)
    confidence_source = models.CharField(max_length=7, blank=True)
    strategy = models.CharField(max_length=20, blank=True)
    decided_by = models.CharField(max_length=20, blank=True)
    fallback = models.CharField(max_length=17, blank=True)
    failure = models.CharField(max_length=500, blank=True)
    router = models.JSONField(null=True)
    offered = models.JSONField(default=list)
    request_group = models.BooleanField(default=False)
    omitted_counts = models.JSONField(default=dict)
    near_misses = models.JSONField(default=list)
    latency_us = models.PositiveIntegerField(default=0)
    tokens_selected = models.PositiveIntegerField(default=0)
    tokens_catalog = models.PositiveIntegerField(default=0)
    route = models.CharField(max_length=63, blank=True)
    phase = models.CharField(max_length=63, blank=True)
    channel = models.CharField(max_length=210, blank=True)
    max_tools = models.PositiveSmallIntegerField(default=0)
    inclusive = models.BooleanField(default=False)
    explored = models.BooleanField(default=False)
    switched_off = models.JSONField(default=list)
    format = models.CharField(max_length=20, blank=True)
    # Null where it means nothing. A default would have SQLite build the table anew.
    tool_search = models.BooleanField(null=True)
    task_hash = models.CharField(max_length=32, blank=True)
    traceparent = models.CharField(max_length=55, blank=True)
    status = models.CharField(max_length=15, blank=True)
    stop_reason = models.CharField(max_length=200, blank=True)
    tool = models.PositiveIntegerField(null=True)
    call = models.UUIDField(null=True)
    decision = models.CharField(max_length=14, blank=True)
    reason = models.CharField(max_length=40, blank=True)
    attempt = models.PositiveSmallIntegerField(null=True)
    cost = models.FloatField(null=True)
    tokens = models.PositiveIntegerField(null=True)
    details = models.JSONField(null=True)

    class Meta:
        ordering = ["id"]
        # Charts read counts. Advice looks at the newest requests for a group, one by one.
        indexes = [
            models.Index(
                fields=["catalog", "hour"],
                condition=models.Q(name="tool_route_expand"),
                name="expansion_by_hour",
            )
        ]
        constraints = [
            models.CheckConstraint(
                name="span_name_is_known",
                condition=models.Q(
                    name__in=[
                        "tool_route",
                        "tool_route_expand",
                        "tool_call",
                        "tool_result",
                        "phase",
                        "outcome",
                    ]
                ),
            ),
            models.CheckConstraint(
                name="span_decision_is_known",
                condition=models.Q(decision__in=["", "allowed", "refused", "needs_approval"]),
            ),
        ]

    def __str__(self) -> str:
        return f"{self.name} {self.uid}"


class Text(models.Model):
    """The words of a span, apart from it, so that they can be erased by run and by age.

    ``arguments`` are of a proposal, ``data`` of a result (a string where it was cut short), and
    ``trace_fields`` those arguments that the tool's owner chose to see in traces.
    """

    span = models.OneToOneField(Span, models.CASCADE, primary_key=True, related_name="text")
    run = models.ForeignKey(Run, models.CASCADE, related_name="texts")
    time = models.DateTimeField(db_index=True)
    task = models.TextField(blank=True)
    history = models.JSONField(default=list)
    reason = models.TextField(blank=True)
    arguments = models.JSONField(null=True)
    data = models.JSONField(null=True)
    trace_fields = models.JSONField(null=True)

    def __str__(self) -> str:
        return self.task[:80]
