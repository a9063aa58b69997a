"""Paths that cases expect, what simulated tools answer, and the runs that name a case."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("routing", "0019_learned")]

    operations = [
        migrations.AddField(
            model_name="evalcase", name="path", field=models.JSONField(default=dict)
        ),
        migrations.AddField(
            model_name="evalcase", name="simulation", field=models.JSONField(default=dict)
        ),
        migrations.AddField(
            model_name="evaldataset", name="simulation", field=models.JSONField(default=dict)
        ),
        migrations.AddIndex(
            model_name="run",
            index=models.Index(
                condition=models.Q(("case_id", ""), _negated=True),
                fields=["catalog", "-started_at"],
                name="run_of_case_by_start",
            ),
        ),
    ]
