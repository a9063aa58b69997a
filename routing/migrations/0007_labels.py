"""Labels beside live: who may move them, taking one away, and publishing to one."""

import django.db.models.deletion
from django.db import migrations, models

import routing.models.release
from catalog.append_only import AppendOnly, Rewritable

_KEPT = ("catalog", "label", "release", "previous", "reason", "at")


class Migration(migrations.Migration):
    dependencies = [
        ("catalog", "0002_append_only"),
        ("routing", "0006_calls"),
    ]

    operations = [
        Rewritable("LabelMove", _KEPT),
        migrations.CreateModel(
            name="Label",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                (
                    "name",
                    models.CharField(
                        max_length=63,
                        validators=[routing.models.release.label_name],
                        verbose_name="name",
                    ),
                ),
                ("protected", models.BooleanField(default=False, verbose_name="protected")),
                (
                    "catalog",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="labels",
                        to="catalog.catalog",
                    ),
                ),
            ],
            options={
                "ordering": ["name"],
                "constraints": [
                    models.UniqueConstraint(
                        fields=("catalog", "name"), name="label_once_a_catalog"
                    ),
                    models.CheckConstraint(
                        condition=models.Q(("name__in", ["live", "draft"]), _negated=True),
                        name="label_is_not_reserved",
                    ),
                ],
            },
        ),
        migrations.AddField(
            model_name="labelmove",
            name="removed",
            field=models.BooleanField(default=False),
        ),
        migrations.AddConstraint(
            model_name="labelmove",
            constraint=models.CheckConstraint(
                condition=models.Q(("label", "live"), ("removed", True), _negated=True),
                name="live_is_never_taken_away",
            ),
        ),
        migrations.AddField(
            model_name="preparation",
            name="label",
            field=models.CharField(default="live", max_length=63),
        ),
        AppendOnly("LabelMove", (*_KEPT, "removed")),
    ]
