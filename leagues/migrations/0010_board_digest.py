import django.db.models.deletion
import django.utils.timezone
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("leagues", "0009_screens_and_table_numbers"),
    ]

    operations = [
        migrations.CreateModel(
            name="BoardDigest",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                (
                    "is_stale",
                    models.BooleanField(default=True, help_text="ratings have changed since it was begun"),
                ),
                ("next_at", models.DateTimeField(default=django.utils.timezone.now)),
                ("made_at", models.DateTimeField(blank=True, null=True)),
                ("data", models.JSONField(blank=True, default=dict)),
                (
                    "pool",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.CASCADE, related_name="digest", to="leagues.ratingpool"
                    ),
                ),
            ],
        ),
    ]
