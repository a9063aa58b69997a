"""What was learned from reviewed cases, and the releases that name it."""

import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models

from catalog.append_only import AppendOnly, Rewritable

_KEPT = ("catalog", "number", "version", "encoder", "created_at")


class Migration(migrations.Migration):
    dependencies = [
        ("catalog", "0008_text_policy"),
        ("routing", "0018_gate"),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        Rewritable("Release", _KEPT),
        migrations.CreateModel(
            name="FittedModel",
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
                        choices=[("calibration", "calibration"), ("classifier", "classifier")],
                        max_length=16,
                    ),
                ),
                ("format", models.PositiveSmallIntegerField()),
                ("sha256", models.CharField(max_length=64)),
                ("content", models.BinaryField()),
                ("created_at", models.DateTimeField()),
                (
                    "catalog",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="fitted_models",
                        to="catalog.catalog",
                    ),
                ),
            ],
            options={
                "ordering": ["-id"],
            },
        ),
        migrations.AddField(
            model_name="release",
            name="calibration",
            field=models.ForeignKey(
                null=True,
                on_delete=django.db.models.deletion.RESTRICT,
                related_name="+",
                to="routing.fittedmodel",
            ),
        ),
        migrations.AddField(
            model_name="release",
            name="classifier",
            field=models.ForeignKey(
                null=True,
                on_delete=django.db.models.deletion.RESTRICT,
                related_name="+",
                to="routing.fittedmodel",
            ),
        ),
        migrations.CreateModel(
            name="LearningSetting",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("datasets", models.JSONField(blank=True, default=list)),
                (
                    "on_publish",
                    models.BooleanField(
                        default=False, verbose_name="learn when a version goes live"
                    ),
                ),
                (
                    "catalog",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="learning_setting",
                        to="catalog.catalog",
                    ),
                ),
            ],
        ),
        migrations.CreateModel(
            name="Fit",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("encoder", models.CharField(max_length=100)),
                ("asked_at", models.DateTimeField()),
                ("task", models.CharField(blank=True, max_length=64)),
                ("attempts", models.PositiveIntegerField(default=0)),
                ("made", models.PositiveIntegerField(default=0)),
                ("total", models.PositiveIntegerField(default=0)),
                ("finished_at", models.DateTimeField(null=True)),
                ("detail", models.CharField(blank=True, max_length=500)),
                ("number", models.PositiveIntegerField()),
                ("datasets", models.JSONField(default=list)),
                ("base", models.BigIntegerField()),
                ("on_publish", models.BooleanField(default=False)),
                ("seed", models.PositiveIntegerField(default=0)),
                ("cancel_asked", models.BooleanField(default=False)),
                (
                    "problem",
                    models.CharField(
                        blank=True,
                        choices=[
                            ("encoder", "The vectors could not be made."),
                            ("stale_base", "Somebody published or rolled back meanwhile."),
                            ("cancelled", "It was cancelled."),
                            (
                                "crashed",
                                "The worker was stopped in the middle of it, several times.",
                            ),
                            ("failed", "It failed; the worker's log says how."),
                        ],
                        max_length=16,
                    ),
                ),
                ("report", models.JSONField(default=dict)),
                (
                    "asked_by",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                (
                    "catalog",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="fits",
                        to="catalog.catalog",
                    ),
                ),
                (
                    "release",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="fits",
                        to="routing.release",
                    ),
                ),
            ],
            options={
                "ordering": ["-id"],
                "constraints": [
                    models.UniqueConstraint(fields=("catalog", "number"), name="fit_number_once"),
                    models.UniqueConstraint(
                        condition=models.Q(("finished_at", None)),
                        fields=("catalog",),
                        name="one_open_fit",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(("made__lte", models.F("total"))),
                        name="no_more_fitted_than_there_is",
                    ),
                ],
            },
        ),
        migrations.AddConstraint(
            model_name="fittedmodel",
            constraint=models.UniqueConstraint(
                fields=("catalog", "kind", "sha256"), name="fitted_model_once_a_catalog"
            ),
        ),
        migrations.AddConstraint(
            model_name="fittedmodel",
            constraint=models.CheckConstraint(
                condition=models.Q(("kind__in", ["calibration", "classifier"])),
                name="fitted_model_kind_is_known",
            ),
        ),
        AppendOnly("Release", (*_KEPT, "calibration", "classifier")),
        AppendOnly("FittedModel"),
    ]
