"""What a router model said about a selection, for replay."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("routing", "0003_preparations")]

    operations = [
        migrations.AddField(
            model_name="span",
            name="router",
            field=models.JSONField(null=True),
        ),
    ]
