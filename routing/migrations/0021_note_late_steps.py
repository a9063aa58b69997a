"""Note of the runs that are there when their last step came, where that was long after they began.

By itself: spans are read for a while, and who adds a column keeps agents from the table meanwhile.
"""

from django.apps.registry import Apps
from django.db import migrations
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
    dependencies = [("routing", "0020_paths")]

    operations = [
        migrations.RunPython(note_late_steps, migrations.RunPython.noop, elidable=True),
    ]
