"""When the last step of a run came, where that was long after it began."""

from django.apps.registry import Apps
from django.db import migrations, models
from django.db.backends.base.schema import BaseDatabaseSchemaEditor

# As of this migration: later ones may change what the code does.
_NOTE = """
WITH newest AS (
    SELECT run_id, max(id) >> 36 AS day FROM routing_span WHERE name <> 'outcome' GROUP BY run_id
)
UPDATE routing_run AS run SET last_day = newest.day FROM newest
WHERE newest.run_id = run.id
  AND newest.day > extract(epoch FROM run.started_at)::bigint / 86400 + 1
"""


def note_late_steps(apps: Apps, schema_editor: BaseDatabaseSchemaEditor) -> None:
    if schema_editor.connection.vendor == "postgresql":
        with schema_editor.connection.cursor() as cursor:
            cursor.execute(_NOTE)


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
        migrations.RunPython(note_late_steps, migrations.RunPython.noop, elidable=True),
        migrations.AddIndex(
            model_name="run",
            index=models.Index(
                fields=["catalog", "started_at"],
                condition=models.Q(last_day__isnull=False),
                name="run_that_went_on",
            ),
        ),
    ]
