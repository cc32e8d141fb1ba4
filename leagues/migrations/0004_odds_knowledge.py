from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [("leagues", "0003_rating_deviation")]

    operations = [
        migrations.AddField(
            model_name="odds",
            name="knows",
            field=models.JSONField(blank=True, default=dict),
        ),
    ]
