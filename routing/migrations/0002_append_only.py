"""Releases, label moves and spans are never rewritten."""

from django.db import migrations

from catalog.append_only import AppendOnly


class Migration(migrations.Migration):
    dependencies = [("routing", "0001_initial")]

    operations = [
        AppendOnly("Release", ("catalog", "number", "version", "encoder", "created_at")),
        AppendOnly("LabelMove", ("catalog", "label", "release", "previous", "reason", "at")),
        AppendOnly("Span"),
    ]
