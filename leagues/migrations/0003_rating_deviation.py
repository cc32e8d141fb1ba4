from django.conf import settings
from django.db import migrations, models


def place_results(apps, schema_editor):
    """What was rated before counts when it ended, and together with the other tables of its round."""
    rated = apps.get_model("leagues", "RatedResult").objects
    rated.update(counts_at=models.F("finished_at"))
    tables = apps.get_model("leagues", "Pairing").objects.order_by("pk").values_list("round_id", "key", "match__key")
    sources = {}
    for round_id, key, match in tables.iterator():
        sources.setdefault(f"round:{round_id}", []).append(f"match:{match}" if match else f"pairing:{key}")
    for batch, listed in sources.items():
        rated.filter(source__in=listed).update(batch=batch)


class Migration(migrations.Migration):

    dependencies = [
        ('games', '0003_own_bots'),
        ('leagues', '0002_calendar'),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.RemoveIndex(
            model_name='ratedresult',
            name='rated_in_order',
        ),
        migrations.RemoveIndex(
            model_name='ratedresult',
            name='rated_of_bots',
        ),
        migrations.AddField(
            model_name='ratedresult',
            name='batch',
            field=models.CharField(blank=True, max_length=40),
        ),
        migrations.AddField(
            model_name='ratedresult',
            name='counts_at',
            field=models.DateTimeField(blank=True, null=True),
        ),
        migrations.AddField(
            model_name='rating',
            name='covariance',
            field=models.IntegerField(default=19600000),
        ),
        migrations.AddField(
            model_name='rating',
            name='solo_sure_until',
            field=models.DateField(blank=True, null=True),
        ),
        migrations.AddField(
            model_name='rating',
            name='solo_variance',
            field=models.PositiveIntegerField(default=30625000),
        ),
        migrations.AddField(
            model_name='rating',
            name='sure_until',
            field=models.DateField(blank=True, null=True),
        ),
        migrations.AddField(
            model_name='rating',
            name='team_sure_until',
            field=models.DateField(blank=True, null=True),
        ),
        migrations.AddField(
            model_name='rating',
            name='team_variance',
            field=models.PositiveIntegerField(default=30625000),
        ),
        migrations.AddField(
            model_name='rating',
            name='variance',
            field=models.PositiveIntegerField(default=30625000),
        ),
        migrations.AddField(
            model_name='ratingchange',
            name='covariance',
            field=models.IntegerField(default=0),
        ),
        migrations.AddField(
            model_name='ratingchange',
            name='covariance_after',
            field=models.IntegerField(default=0),
        ),
        migrations.AddField(
            model_name='ratingchange',
            name='entry',
            field=models.BigIntegerField(default=0),
        ),
        migrations.AddField(
            model_name='ratingchange',
            name='idle_days',
            field=models.PositiveIntegerField(default=0, help_text='days since the game before'),
        ),
        migrations.AddField(
            model_name='ratingchange',
            name='offset_variance',
            field=models.PositiveIntegerField(default=0),
        ),
        migrations.AddField(
            model_name='ratingchange',
            name='other_after',
            field=models.IntegerField(default=0),
        ),
        migrations.AddField(
            model_name='ratingchange',
            name='other_before',
            field=models.IntegerField(default=0),
        ),
        migrations.AddField(
            model_name='ratingchange',
            name='other_variance',
            field=models.PositiveIntegerField(default=0),
        ),
        migrations.AddField(
            model_name='ratingchange',
            name='other_variance_after',
            field=models.PositiveIntegerField(default=0),
        ),
        migrations.AddField(
            model_name='ratingchange',
            name='variance',
            field=models.PositiveIntegerField(default=0),
        ),
        migrations.AddField(
            model_name='ratingchange',
            name='variance_after',
            field=models.PositiveIntegerField(default=0),
        ),
        migrations.AddField(
            model_name='ratingoffset',
            name='variance',
            field=models.PositiveIntegerField(default=0),
        ),
        migrations.AddField(
            model_name='ratingpool',
            name='centre',
            field=models.IntegerField(default=1500000),
        ),
        migrations.AddField(
            model_name='ratingpool',
            name='entry_twentieths',
            field=models.BigIntegerField(default=30000000),
        ),
        migrations.AddField(
            model_name='ratingpool',
            name='method',
            field=models.PositiveSmallIntegerField(default=1),
        ),
        migrations.AddField(
            model_name='ratingpool',
            name='moments',
            field=models.JSONField(blank=True, default=list),
        ),
        migrations.AddField(
            model_name='ratingpool',
            name='spread',
            field=models.PositiveSmallIntegerField(default=175),
        ),
        migrations.AddField(
            model_name='refold',
            name='method',
            field=models.PositiveSmallIntegerField(blank=True, null=True),
        ),
        migrations.AddIndex(
            model_name='ratedresult',
            index=models.Index(condition=models.Q(('counts', True)), fields=['pool', 'counts_at'], name='rated_in_order'),
        ),
        migrations.AddIndex(
            model_name='ratedresult',
            index=models.Index(condition=models.Q(('batch', ''), _negated=True), fields=['batch'], name='rated_of_batch'),
        ),
        migrations.AddIndex(
            model_name='ratedresult',
            index=models.Index(condition=models.Q(('bots_only', True), ('counts', True)), fields=['pool', 'counts_at'], name='rated_of_bots'),
        ),
        # Pools that exist were folded by the first method, and are folded again from their results; new ones are not.
        migrations.AlterField(
            model_name='ratingpool',
            name='method',
            field=models.PositiveSmallIntegerField(default=2),
        ),
        migrations.RunPython(place_results, migrations.RunPython.noop),
    ]
