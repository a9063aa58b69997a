"""Which release a draft that is evaluated would follow: what that had learned is carried on."""

import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("routing", "0021_note_late_steps")]

    operations = [
        migrations.AddField(
            model_name="evalrun",
            name="follows",
            field=models.ForeignKey(
                null=True,
                on_delete=django.db.models.deletion.CASCADE,
                related_name="+",
                to="routing.release",
            ),
        ),
    ]
