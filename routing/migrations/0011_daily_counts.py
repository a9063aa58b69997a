"""Counts by the day, made from those by the hour."""

from collections import Counter, defaultdict

import django.db.models.deletion
from django.apps.registry import Apps
from django.db import migrations, models
from django.db.backends.base.schema import BaseDatabaseSchemaEditor


def add_up(apps: Apps, schema_editor: BaseDatabaseSchemaEditor) -> None:
    hours = apps.get_model("routing", "HourlyCount").objects.order_by("catalog", "section", "hour")
    sums: dict[tuple[int, str, int, str], Counter[str]] = defaultdict(Counter)
    for row in hours.iterator(chunk_size=500):
        sums[row.catalog_id, row.section, row.hour // 24, row.source].update(row.counts)
    days = apps.get_model("routing", "DailyCount")
    days.objects.bulk_create(
        (
            days(catalog_id=catalog, section=section, day=day, source=source, counts=dict(counts))
            for (catalog, section, day, source), counts in sums.items()
        ),
        batch_size=500,
    )


class Migration(migrations.Migration):
    dependencies = [
        ("catalog", "0007_comments"),
        ("routing", "0010_run_by_outcome"),
    ]

    operations = [
        migrations.CreateModel(
            name="DailyCount",
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
                ("day", models.IntegerField()),
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
                        fields=("catalog", "section", "day", "source"), name="counted_once_a_day"
                    )
                ],
            },
        ),
        migrations.RunPython(add_up, migrations.RunPython.noop, elidable=True),
    ]
