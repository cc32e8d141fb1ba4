from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('games', '0005_play_on_and_hints'),
    ]

    operations = [
        migrations.AddField(
            model_name='match',
            name='is_tutorial',
            field=models.BooleanField(default=False, editable=False),
        ),
        migrations.AddConstraint(
            model_name='match',
            constraint=models.CheckConstraint(condition=models.Q(('is_tutorial', False), ('rated', False), _connector='OR'), name='match_tutorial_is_casual'),
        ),
    ]
