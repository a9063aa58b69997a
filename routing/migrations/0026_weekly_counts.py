"""Counts by the week, made from those by the day."""

from collections import Counter, defaultdict

import django.db.models.deletion
from django.apps.registry import Apps
from django.db import migrations, models
from django.db.backends.base.schema import BaseDatabaseSchemaEditor


def add_up(apps: Apps, schema_editor: BaseDatabaseSchemaEditor) -> None:
    days = apps.get_model("routing", "DailyCount").objects.exclude(section="facts")
    sums: dict[tuple[int, str, int, str], Counter[str]] = defaultdict(Counter)
    for row in days.order_by("id").iterator(chunk_size=500):
        sums[row.catalog_id, row.section, row.day // 7, row.source].update(row.counts)
    weeks = apps.get_model("routing", "WeeklyCount")
    weeks.objects.bulk_create(
        (
            weeks(
                catalog_id=catalog,
                section=section,
                week=week,
                source=source,
                counts={key: count for key, count in sorted(counts.items()) if count},
            )
            for (catalog, section, week, source), counts in sums.items()
        ),
        batch_size=500,
    )


class Migration(migrations.Migration):
    dependencies = [
        ("catalog", "0008_text_policy"),
        ("routing", "0025_no_cancel_asked"),
    ]

    operations = [
        migrations.CreateModel(
            name="WeeklyCount",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("section", models.CharField(max_length=10)),
                ("source", models.CharField(default="api", max_length=9)),
                ("counts", models.JSONField(default=dict)),
                ("week", models.IntegerField()),
                (
                    "catalog",
                    models.ForeignKey(
                        db_index=False,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="+",
                        to="catalog.catalog",
                    ),
                ),
            ],
            options={
                "constraints": [
                    models.UniqueConstraint(
                        fields=("catalog", "section", "week", "source"),
                        name="counted_once_a_week",
                    )
                ],
            },
        ),
        migrations.RunPython(add_up, migrations.RunPython.noop, elidable=True),
    ]
