"""Everybody could do everything before there were roles, and keeps what they could."""

from django.conf import settings
from django.db import migrations

ADMINISTRATOR = 40


def keep_rights(apps, schema_editor):
    """Make each active person an administrator of each catalog that there is."""
    app, model = settings.AUTH_USER_MODEL.split(".")
    people = apps.get_model(app, model).objects.filter(is_active=True)
    catalogs = list(apps.get_model("catalog", "Catalog").objects.values_list("pk", flat=True))
    membership = apps.get_model("catalog", "Membership")
    membership.objects.bulk_create(
        (
            membership(user_id=person, catalog_id=catalog, role=ADMINISTRATOR)
            for person in people.values_list("pk", flat=True)
            for catalog in catalogs
        ),
        ignore_conflicts=True,
    )


class Migration(migrations.Migration):
    dependencies = [("catalog", "0003_membership")]

    operations = [migrations.RunPython(keep_rights, migrations.RunPython.noop, elidable=True)]
