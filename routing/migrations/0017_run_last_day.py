"""When the last step of a run came, where that was long after it began."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("catalog", "0008_text_policy"),
        ("routing", "0016_evals"),
    ]

    operations = [
        migrations.AddField(
            model_name="run",
            name="last_day",
            field=models.PositiveIntegerField(null=True),
        ),
        migrations.AddIndex(
            model_name="run",
            index=models.Index(
                fields=["catalog", "started_at"],
                condition=models.Q(last_day__isnull=False),
                name="run_that_went_on",
            ),
        ),
    ]
