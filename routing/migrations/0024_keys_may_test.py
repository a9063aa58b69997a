"""Naming a case asks for an action of its own; the keys that there are go on as they did."""

from django.apps.registry import Apps
from django.db import migrations
from django.db.backends.base.schema import BaseDatabaseSchemaEditor

SELECT, TEST = "select", "test"


def let_test(apps: Apps, editor: BaseDatabaseSchemaEditor) -> None:
    """Let each key name cases that begins runs."""
    for key in apps.get_model("routing", "ApiKey").objects.all():
        if SELECT in key.actions and TEST not in key.actions:
            key.actions = [*key.actions, TEST]
            key.save(update_fields=["actions"])


def let_no_more(apps: Apps, editor: BaseDatabaseSchemaEditor) -> None:
    """Take the action away, which nothing asks for then."""
    for key in apps.get_model("routing", "ApiKey").objects.all():
        if TEST in key.actions:
            key.actions = [action for action in key.actions if action != TEST]
            key.save(update_fields=["actions"])


class Migration(migrations.Migration):
    dependencies = [("routing", "0023_gate_check_of_a_release")]

    operations = [migrations.RunPython(let_test, let_no_more)]
