"""Counts of all time, made from those by the day."""

from collections import Counter, defaultdict

import django.db.models.deletion
from django.apps.registry import Apps
from django.db import migrations, models
from django.db.backends.base.schema import BaseDatabaseSchemaEditor

SECTIONS = ("selections", "latency", "asked", "calls", "runs")


def add_up(apps: Apps, schema_editor: BaseDatabaseSchemaEditor) -> None:
    days = apps.get_model("routing", "DailyCount").objects.filter(section__in=SECTIONS)
    sums: dict[tuple[int, str, str], Counter[str]] = defaultdict(Counter)
    for row in days.order_by("id").iterator(chunk_size=500):
        sums[row.catalog_id, row.section, row.source].update(row.counts)
    totals = apps.get_model("routing", "TotalCount")
    totals.objects.bulk_create(
        (
            totals(catalog_id=catalog, section=section, source=source, counts=dict(counts))
            for (catalog, section, source), counts in sums.items()
        ),
        batch_size=500,
    )


class Migration(migrations.Migration):
    dependencies = [
        ("catalog", "0008_text_policy"),
        ("routing", "0014_expansion_by_hour"),
    ]

    operations = [
        migrations.CreateModel(
            name="TotalCount",
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
                ("era", models.IntegerField(default=0)),
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
                        fields=("catalog", "section", "era", "source"),
                        name="counted_once_for_ever",
                    )
                ],
            },
        ),
        migrations.RunPython(add_up, migrations.RunPython.noop, elidable=True),
    ]
