"""Let charts have no index of spans: they read counts."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("routing", "0013_stored_text"),
    ]

    operations = [
        migrations.RemoveIndex(model_name="span", name="span_for_charts"),
        migrations.AddIndex(
            model_name="span",
            index=models.Index(
                condition=models.Q(("name", "tool_route_expand")),
                fields=["catalog", "hour"],
                name="expansion_by_hour",
            ),
        ),
    ]
