"""Partition spans and their words by day where the database is PostgreSQL; remember the days."""

from django.db import migrations, models

from routing.partitions.migrating import PartitionedByDay


class Migration(migrations.Migration):
    dependencies = [("routing", "0011_daily_counts")]

    operations = [
        migrations.CreateModel(
            name="SpanDay",
            fields=[
                ("first", models.BigIntegerField(primary_key=True, serialize=False)),
                ("opened_at", models.DateTimeField()),
            ],
        ),
        migrations.CreateModel(
            name="KeptSince",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("hour", models.IntegerField(default=0)),
                ("at", models.DateTimeField()),
            ],
        ),
        PartitionedByDay(),
    ]
