from django.db import migrations, models


class Migration(migrations.Migration):
    """Seasons that exist keep the rules they were made under; new ones get the edition of March 2026."""

    dependencies = [
        ('leagues', '0004_odds_knowledge'),
    ]

    operations = [
        migrations.AddField(
            model_name='season',
            name='tie_break_edition',
            field=models.CharField(choices=[('before-2026-03', 'The rules of this site before March 2026'), ('2026-03', 'FIDE tie-break regulations in force since 1 March 2026')], default='before-2026-03', max_length=20, verbose_name='edition of the tie-break rules'),
        ),
        migrations.AlterField(
            model_name='season',
            name='tie_break_edition',
            field=models.CharField(choices=[('before-2026-03', 'The rules of this site before March 2026'), ('2026-03', 'FIDE tie-break regulations in force since 1 March 2026')], default='2026-03', max_length=20, verbose_name='edition of the tie-break rules'),
        ),
        migrations.AddConstraint(
            model_name='season',
            constraint=models.CheckConstraint(condition=models.Q(('tie_break_edition__in', ['before-2026-03', '2026-03'])), name='season_tie_break_edition_known'),
        ),
    ]
