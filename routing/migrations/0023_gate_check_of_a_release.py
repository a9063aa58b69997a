"""What was learned is held against what is live too: a check names the release that has it."""

import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("routing", "0022_eval_run_follows")]

    operations = [
        migrations.AddField(
            model_name="gatecheck",
            name="release",
            field=models.ForeignKey(
                null=True,
                on_delete=django.db.models.deletion.CASCADE,
                related_name="+",
                to="routing.release",
            ),
        ),
    ]
