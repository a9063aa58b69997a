"""Calls, approvals and circuits; budgets and rate limits; the words of calls."""

import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models

from catalog.append_only import AppendOnly, Rewritable


class Migration(migrations.Migration):
    dependencies = [
        ("catalog", "0002_append_only"),
        ("routing", "0005_span_tool_search"),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        Rewritable("Span"),
        migrations.CreateModel(
            name="Approval",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("uid", models.UUIDField(unique=True)),
                ("tool", models.CharField(max_length=128)),
                ("arguments", models.JSONField(null=True)),
                ("arguments_sha256", models.CharField(max_length=64)),
                (
                    "state",
                    models.CharField(
                        choices=[
                            ("pending", "waiting"),
                            ("approved", "approved"),
                            ("refused", "refused"),
                        ],
                        default="pending",
                        max_length=8,
                    ),
                ),
                ("requested_at", models.DateTimeField()),
                ("expires_at", models.DateTimeField()),
                ("decided_at", models.DateTimeField(null=True)),
                ("reason", models.CharField(blank=True, max_length=500, verbose_name="reason")),
            ],
        ),
        migrations.CreateModel(
            name="Circuit",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                (
                    "kind",
                    models.CharField(
                        choices=[
                            ("tool", "tool"),
                            ("capability", "capability"),
                            ("route", "route"),
                            ("router", "router model"),
                        ],
                        max_length=10,
                        verbose_name="kind",
                    ),
                ),
                ("target", models.CharField(max_length=200, verbose_name="name")),
                ("by_hand", models.BooleanField(default=False)),
                ("reason", models.CharField(max_length=500, verbose_name="reason")),
                ("opened_at", models.DateTimeField()),
                ("until", models.DateTimeField(null=True, verbose_name="until")),
                ("openings", models.PositiveSmallIntegerField(default=1)),
                ("probe_until", models.DateTimeField(null=True)),
                ("closed_at", models.DateTimeField(null=True)),
            ],
            options={
                "ordering": ["-opened_at", "-id"],
            },
        ),
        migrations.CreateModel(
            name="RateWindow",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("minute", models.IntegerField()),
                ("taken", models.PositiveIntegerField(default=0)),
            ],
        ),
        migrations.CreateModel(
            name="ToolCall",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("uid", models.UUIDField(unique=True)),
                ("tool", models.CharField(max_length=128)),
                ("capability", models.CharField(blank=True, max_length=128)),
                ("route", models.CharField(blank=True, max_length=63)),
                ("idempotency_key", models.CharField(max_length=200, null=True)),
                ("arguments_sha256", models.CharField(max_length=64)),
                ("attempt", models.PositiveSmallIntegerField(default=1)),
                ("leased_until", models.DateTimeField()),
                (
                    "status",
                    models.CharField(
                        blank=True,
                        choices=[
                            ("ok", "ok"),
                            ("retryable_error", "error, may be retried"),
                            ("fatal_error", "error, final"),
                        ],
                        max_length=15,
                    ),
                ),
                ("reason", models.CharField(blank=True, max_length=40)),
                ("done", models.BooleanField(default=False)),
                ("is_probe", models.BooleanField(default=False)),
                ("settled_at", models.DateTimeField(null=True)),
            ],
        ),
        migrations.CreateModel(
            name="Webhook",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("url", models.URLField(max_length=500, verbose_name="address")),
                ("secret", models.CharField(max_length=64)),
                ("last_at", models.DateTimeField(null=True)),
                ("last_error", models.CharField(blank=True, max_length=500)),
            ],
        ),
        migrations.RemoveConstraint(
            model_name="span",
            name="span_name_is_known",
        ),
        migrations.AddField(
            model_name="apikey",
            name="budget",
            field=models.JSONField(
                blank=True,
                default=dict,
                help_text="calls, tokens, cost and seconds; none named: none.",
                verbose_name="ceilings of a run",
            ),
        ),
        migrations.AddField(
            model_name="apikey",
            name="rate_limit",
            field=models.PositiveIntegerField(
                blank=True,
                help_text="Empty: no limit.",
                null=True,
                verbose_name="requests a minute",
            ),
        ),
        migrations.AddField(
            model_name="run",
            name="calls_spent",
            field=models.PositiveIntegerField(default=0),
        ),
        migrations.AddField(
            model_name="run",
            name="cost_spent",
            field=models.FloatField(default=0),
        ),
        migrations.AddField(
            model_name="run",
            name="text_erased_at",
            field=models.DateTimeField(null=True),
        ),
        migrations.AddField(
            model_name="run",
            name="tokens_spent",
            field=models.PositiveBigIntegerField(default=0),
        ),
        migrations.AddField(
            model_name="span",
            name="attempt",
            field=models.PositiveSmallIntegerField(null=True),
        ),
        migrations.AddField(
            model_name="span",
            name="call",
            field=models.UUIDField(null=True),
        ),
        migrations.AddField(
            model_name="span",
            name="cost",
            field=models.FloatField(null=True),
        ),
        migrations.AddField(
            model_name="span",
            name="decision",
            field=models.CharField(blank=True, max_length=14),
        ),
        migrations.AddField(
            model_name="span",
            name="details",
            field=models.JSONField(null=True),
        ),
        migrations.AddField(
            model_name="span",
            name="reason",
            field=models.CharField(blank=True, max_length=40),
        ),
        migrations.AddField(
            model_name="span",
            name="tokens",
            field=models.PositiveIntegerField(null=True),
        ),
        migrations.AddField(
            model_name="span",
            name="tool",
            field=models.PositiveIntegerField(null=True),
        ),
        migrations.AddField(
            model_name="text",
            name="arguments",
            field=models.JSONField(null=True),
        ),
        migrations.AddField(
            model_name="text",
            name="data",
            field=models.JSONField(null=True),
        ),
        migrations.AddField(
            model_name="text",
            name="trace_fields",
            field=models.JSONField(null=True),
        ),
        migrations.AlterField(
            model_name="span",
            name="name",
            field=models.CharField(
                choices=[
                    ("tool_route", "selection"),
                    ("tool_route_expand", "expansion"),
                    ("tool_call", "call"),
                    ("tool_result", "result"),
                    ("phase", "phase"),
                    ("outcome", "outcome"),
                ],
                max_length=17,
            ),
        ),
        migrations.AlterField(
            model_name="span",
            name="status",
            field=models.CharField(blank=True, max_length=15),
        ),
        migrations.AddConstraint(
            model_name="span",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    (
                        "name__in",
                        [
                            "tool_route",
                            "tool_route_expand",
                            "tool_call",
                            "tool_result",
                            "phase",
                            "outcome",
                        ],
                    )
                ),
                name="span_name_is_known",
            ),
        ),
        migrations.AddConstraint(
            model_name="span",
            constraint=models.CheckConstraint(
                condition=models.Q(("decision__in", ["", "allowed", "refused", "needs_approval"])),
                name="span_decision_is_known",
            ),
        ),
        migrations.AddField(
            model_name="approval",
            name="catalog",
            field=models.ForeignKey(
                db_index=False,
                on_delete=django.db.models.deletion.CASCADE,
                related_name="approvals",
                to="catalog.catalog",
            ),
        ),
        migrations.AddField(
            model_name="approval",
            name="decided_by",
            field=models.ForeignKey(
                null=True,
                on_delete=django.db.models.deletion.SET_NULL,
                related_name="approvals",
                to=settings.AUTH_USER_MODEL,
            ),
        ),
        migrations.AddField(
            model_name="approval",
            name="proposal",
            field=models.ForeignKey(
                db_index=False,
                on_delete=django.db.models.deletion.CASCADE,
                related_name="+",
                to="routing.span",
            ),
        ),
        migrations.AddField(
            model_name="approval",
            name="run",
            field=models.ForeignKey(
                on_delete=django.db.models.deletion.CASCADE,
                related_name="approvals",
                to="routing.run",
            ),
        ),
        migrations.AddField(
            model_name="circuit",
            name="catalog",
            field=models.ForeignKey(
                on_delete=django.db.models.deletion.CASCADE,
                related_name="circuits",
                to="catalog.catalog",
            ),
        ),
        migrations.AddField(
            model_name="circuit",
            name="closed_by",
            field=models.ForeignKey(
                null=True,
                on_delete=django.db.models.deletion.SET_NULL,
                related_name="+",
                to=settings.AUTH_USER_MODEL,
            ),
        ),
        migrations.AddField(
            model_name="circuit",
            name="opened_by",
            field=models.ForeignKey(
                null=True,
                on_delete=django.db.models.deletion.SET_NULL,
                related_name="+",
                to=settings.AUTH_USER_MODEL,
            ),
        ),
        migrations.AddField(
            model_name="ratewindow",
            name="key",
            field=models.ForeignKey(
                db_index=False,
                on_delete=django.db.models.deletion.CASCADE,
                related_name="+",
                to="routing.apikey",
            ),
        ),
        migrations.AddField(
            model_name="toolcall",
            name="catalog",
            field=models.ForeignKey(
                db_index=False,
                on_delete=django.db.models.deletion.CASCADE,
                related_name="+",
                to="catalog.catalog",
            ),
        ),
        migrations.AddField(
            model_name="toolcall",
            name="key",
            field=models.ForeignKey(
                db_index=False,
                on_delete=django.db.models.deletion.CASCADE,
                related_name="+",
                to="routing.apikey",
            ),
        ),
        migrations.AddField(
            model_name="toolcall",
            name="result",
            field=models.ForeignKey(
                db_index=False,
                null=True,
                on_delete=django.db.models.deletion.CASCADE,
                related_name="+",
                to="routing.span",
            ),
        ),
        migrations.AddField(
            model_name="toolcall",
            name="run",
            field=models.ForeignKey(
                on_delete=django.db.models.deletion.CASCADE, related_name="calls", to="routing.run"
            ),
        ),
        migrations.AddField(
            model_name="toolcall",
            name="selection",
            field=models.ForeignKey(
                db_index=False,
                on_delete=django.db.models.deletion.CASCADE,
                related_name="calls",
                to="routing.span",
            ),
        ),
        migrations.AddField(
            model_name="approval",
            name="used_by",
            field=models.OneToOneField(
                null=True,
                on_delete=django.db.models.deletion.CASCADE,
                related_name="approval",
                to="routing.toolcall",
            ),
        ),
        migrations.AddField(
            model_name="webhook",
            name="catalog",
            field=models.OneToOneField(
                on_delete=django.db.models.deletion.CASCADE,
                related_name="webhook",
                to="catalog.catalog",
            ),
        ),
        migrations.AddConstraint(
            model_name="circuit",
            constraint=models.UniqueConstraint(
                condition=models.Q(("closed_at", None)),
                fields=("catalog", "kind", "target", "by_hand"),
                name="circuit_open_once",
            ),
        ),
        migrations.AddConstraint(
            model_name="circuit",
            constraint=models.CheckConstraint(
                condition=models.Q(("kind__in", ["tool", "capability", "route", "router"])),
                name="circuit_kind_is_known",
            ),
        ),
        migrations.AddConstraint(
            model_name="circuit",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    ("by_hand", True), models.Q(("until", None), _negated=True), _connector="OR"
                ),
                name="circuit_of_failures_has_an_end",
            ),
        ),
        migrations.AddConstraint(
            model_name="circuit",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    ("until", None), ("until__gte", models.F("opened_at")), _connector="OR"
                ),
                name="circuit_until_after_opening",
            ),
        ),
        migrations.AddConstraint(
            model_name="ratewindow",
            constraint=models.UniqueConstraint(
                fields=("key", "minute"), name="rate_window_once_a_minute"
            ),
        ),
        migrations.AddIndex(
            model_name="toolcall",
            index=models.Index(
                fields=["catalog", "tool", "settled_at"], name="call_by_tool_settled"
            ),
        ),
        migrations.AddConstraint(
            model_name="toolcall",
            constraint=models.UniqueConstraint(
                fields=("run", "idempotency_key"), name="idempotency_key_once_a_run"
            ),
        ),
        migrations.AddConstraint(
            model_name="toolcall",
            constraint=models.CheckConstraint(
                condition=models.Q(("status__in", ["", "ok", "retryable_error", "fatal_error"])),
                name="call_status_is_known",
            ),
        ),
        migrations.AddConstraint(
            model_name="toolcall",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    models.Q(("settled_at", None), ("status", "")),
                    models.Q(
                        models.Q(("status", ""), _negated=True), ("settled_at__isnull", False)
                    ),
                    _connector="OR",
                ),
                name="call_has_ended_with_a_status",
            ),
        ),
        migrations.AddConstraint(
            model_name="toolcall",
            constraint=models.CheckConstraint(
                condition=models.Q(("attempt__gte", 1)), name="call_attempts_count_from_one"
            ),
        ),
        migrations.AddIndex(
            model_name="approval",
            index=models.Index(fields=["catalog", "state", "-requested_at"], name="approval_queue"),
        ),
        migrations.AddIndex(
            model_name="approval",
            index=models.Index(fields=["run", "tool", "arguments_sha256"], name="approval_by_call"),
        ),
        migrations.AddConstraint(
            model_name="approval",
            constraint=models.CheckConstraint(
                condition=models.Q(("state__in", ["pending", "approved", "refused"])),
                name="approval_state_is_known",
            ),
        ),
        migrations.AddConstraint(
            model_name="approval",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    models.Q(("decided_at", None), ("state", "pending")),
                    models.Q(
                        models.Q(("state", "pending"), _negated=True), ("decided_at__isnull", False)
                    ),
                    _connector="OR",
                ),
                name="approval_decided_when_not_pending",
            ),
        ),
        migrations.AddConstraint(
            model_name="approval",
            constraint=models.CheckConstraint(
                condition=models.Q(("used_by", None), ("state", "approved"), _connector="OR"),
                name="approval_used_only_if_approved",
            ),
        ),
        migrations.AddConstraint(
            model_name="approval",
            constraint=models.CheckConstraint(
                condition=models.Q(("expires_at__gt", models.F("requested_at"))),
                name="approval_expires_after_request",
            ),
        ),
        AppendOnly("Span"),
    ]
