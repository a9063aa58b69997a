"""Spans say whether everything else could be found by the provider's own search."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("routing", "0004_span_router")]

    operations = [
        migrations.AddField("span", "tool_search", models.BooleanField(null=True)),
    ]
