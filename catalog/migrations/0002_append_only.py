"""Versions and revisions are never rewritten."""

from django.db import migrations

from catalog.append_only import AppendOnly


class Migration(migrations.Migration):
    dependencies = [("catalog", "0001_initial")]

    operations = [
        AppendOnly("CatalogVersion", ("catalog", "number", "document", "sha256", "created_at")),
        AppendOnly("ToolRevision", ("catalog", "name", "revision", "content", "sha256")),
    ]
