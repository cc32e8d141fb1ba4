"""The tables of games in release 0.1.0."""

import django.db.models.deletion
import django.utils.timezone
import games.models.match
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):

    initial = True

    dependencies = [
        ('accounts', '0001_initial'),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.CreateModel(
            name='Match',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('key', models.CharField(default=games.models.match.new_key, editable=False, max_length=12, unique=True)),
                ('game', models.CharField(max_length=40)),
                ('players', models.PositiveSmallIntegerField()),
                ('options', models.JSONField(blank=True, default=dict)),
                ('rules_version', models.PositiveSmallIntegerField()),
                ('visibility', models.CharField(choices=[('anyone', 'Anyone may join and watch'), ('club', 'Members of the club'), ('link', 'Whoever has the link')], default='anyone', max_length=10)),
                ('rated', models.BooleanField(default=False)),
                ('draws_seats', models.BooleanField(default=True)),
                ('clock', models.CharField(choices=[('none', 'No clock'), ('live', 'Live: a bank of minutes, and seconds for every turn'), ('days', 'By correspondence: days for every turn')], default='none', max_length=10)),
                ('bank', models.PositiveIntegerField(default=0, help_text='seconds')),
                ('increment', models.PositiveIntegerField(default=0, help_text='seconds')),
                ('days', models.PositiveSmallIntegerField(default=0)),
                ('on_timeout', models.CharField(choices=[('bot', 'A bot keeps the seat until they come back'), ('forfeit', 'They forfeit the match')], default='bot', max_length=10)),
                ('secret', models.CharField(editable=False, max_length=64)),
                ('commitment', models.CharField(editable=False, max_length=64)),
                ('takes_words', models.BooleanField(default=True)),
                ('sealed', models.BooleanField(default=False)),
                ('status', models.CharField(choices=[('open', 'Open'), ('playing', 'Playing'), ('finished', 'Finished'), ('aborted', 'Called off')], default='open', max_length=10)),
                ('ply', models.PositiveIntegerField(default=0)),
                ('to_act', models.PositiveSmallIntegerField(blank=True, null=True)),
                ('snapshot', models.JSONField(blank=True, null=True)),
                ('turn_since', models.DateTimeField(blank=True, null=True)),
                ('deadline', models.DateTimeField(blank=True, null=True)),
                ('bot_due', models.DateTimeField(blank=True, null=True)),
                ('bot_held', models.DateTimeField(blank=True, null=True)),
                ('attempts', models.PositiveSmallIntegerField(default=0)),
                ('seat_changes', models.PositiveIntegerField(default=0)),
                ('tempo', models.CharField(choices=[('quick', 'Quick'), ('normal', 'Normal'), ('slow', 'Slow')], default='normal', max_length=10)),
                ('responses', models.JSONField(blank=True, default=dict, editable=False)),
                ('pace', models.PositiveSmallIntegerField(default=0)),
                ('watched_at', models.DateTimeField(blank=True, null=True)),
                ('cause', models.CharField(blank=True, choices=[('played', 'Played to the end'), ('resigned', 'Ended by resignation'), ('timeout', 'Ended on time')], max_length=10)),
                ('reason', models.CharField(blank=True, max_length=40)),
                ('grade', models.JSONField(blank=True, default=list)),
                ('created_at', models.DateTimeField(default=django.utils.timezone.now, editable=False)),
                ('started_at', models.DateTimeField(blank=True, null=True)),
                ('finished_at', models.DateTimeField(blank=True, null=True)),
                ('club', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='matches', to='accounts.club')),
                ('host', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('rematch_of', models.OneToOneField(blank=True, editable=False, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='rematch', to='games.match')),
            ],
            options={
                'ordering': ['-created_at', '-pk'],
                'indexes': [
                    models.Index(fields=['status', '-created_at'], name='match_by_status'),
                    models.Index(fields=['club', '-created_at'], name='match_of_club'),
                    models.Index(condition=models.Q(('status', 'finished')), fields=['finished_at'], name='match_finished'),
                    models.Index(condition=models.Q(('bot_due__isnull', False)), fields=['bot_due'], name='match_bot_due'),
                    models.Index(condition=models.Q(('deadline__isnull', False)), fields=['deadline'], name='match_deadline'),
                ],
                'constraints': [
                    models.CheckConstraint(condition=models.Q(models.Q(('finished_at', None), ('ply', 0), ('started_at', None), ('status', 'open')), models.Q(('finished_at', None), ('started_at__isnull', False), ('status', 'playing')), models.Q(('finished_at__isnull', False), ('started_at__isnull', False), ('status', 'finished')), models.Q(('finished_at__isnull', False), ('ply', 0), ('status', 'aborted')), _connector='OR'), name='match_status_fits_its_times'),
                    models.CheckConstraint(condition=models.Q(('status', 'playing'), models.Q(('bot_due', None), ('deadline', None), ('to_act', None)), _connector='OR'), name='match_owes_nothing_unless_playing'),
                    models.CheckConstraint(condition=models.Q(models.Q(('cause__in', ['played', 'resigned', 'timeout']), ('status', 'finished')), models.Q(models.Q(('status', 'finished'), _negated=True), ('cause', '')), _connector='OR'), name='match_cause_when_finished'),
                    models.CheckConstraint(condition=models.Q(('visibility__in', ['anyone', 'link']), models.Q(('club__isnull', False), ('visibility', 'club')), _connector='OR'), name='match_for_a_club_has_one'),
                    models.CheckConstraint(condition=models.Q(models.Q(('bank', 0), ('clock', 'none'), ('days', 0), ('increment', 0)), models.Q(('bank__gte', 30), ('clock', 'live'), ('days', 0)), models.Q(('bank', 0), ('clock', 'days'), ('days__gte', 1), ('increment', 0)), _connector='OR'), name='match_clock_is_whole'),
                    models.CheckConstraint(condition=models.Q(('on_timeout__in', ['bot', 'forfeit'])), name='match_on_timeout_known'),
                    models.CheckConstraint(condition=models.Q(('tempo__in', ['quick', 'normal', 'slow'])), name='match_tempo_known'),
                    models.CheckConstraint(condition=models.Q(('players__gte', 2), ('players__lte', 12)), name='match_players_sane'),
                    models.CheckConstraint(condition=models.Q(('to_act', None), ('to_act__lt', models.F('players')), _connector='OR'), name='match_to_act_is_a_seat'),
                ],
            },
        ),
        migrations.CreateModel(
            name='ChatLine',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('room', models.CharField(choices=[('table', 'Table'), ('gallery', 'Gallery')], max_length=10)),
                ('text', models.CharField(blank=True, max_length=300)),
                ('remark', models.CharField(blank=True, max_length=20)),
                ('removed', models.BooleanField(default=False)),
                ('at', models.DateTimeField(default=django.utils.timezone.now, editable=False)),
                ('user', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('match', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='lines', to='games.match')),
            ],
            options={
                'ordering': ['match', 'pk'],
                'constraints': [
                    models.CheckConstraint(condition=models.Q(('room__in', ['table', 'gallery'])), name='line_room_known'),
                    models.CheckConstraint(condition=models.Q(models.Q(('text', ''), models.Q(('remark', ''), _negated=True)), models.Q(models.Q(('text', ''), _negated=True), ('remark', '')), _connector='OR'), name='line_says_one_thing'),
                ],
            },
        ),
        migrations.CreateModel(
            name='BotChallenge',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('status', models.CharField(choices=[('open', 'Asked'), ('accepted', 'Accepted'), ('declined', 'Declined'), ('cancelled', 'Withdrawn'), ('expired', 'No answer')], default='open', max_length=10)),
                ('reason', models.CharField(blank=True, max_length=120)),
                ('at', models.DateTimeField(default=django.utils.timezone.now, editable=False)),
                ('expires_at', models.DateTimeField()),
                ('answered_at', models.DateTimeField(blank=True, null=True)),
                ('by', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('match', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='challenges', to='games.match')),
            ],
            options={
                'ordering': ['-at', '-pk'],
                'indexes': [
                    models.Index(condition=models.Q(('status', 'open')), fields=['expires_at'], name='bot_challenge_open'),
                ],
                'constraints': [
                    models.CheckConstraint(condition=models.Q(models.Q(('answered_at', None), ('status', 'open')), models.Q(('answered_at__isnull', False), ('status__in', ['accepted', 'declined', 'cancelled', 'expired'])), _connector='OR'), name='bot_challenge_open_or_answered'),
                ],
            },
        ),
        migrations.CreateModel(
            name='Move',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('ply', models.PositiveIntegerField()),
                ('seat', models.PositiveSmallIntegerField()),
                ('notation', models.CharField(max_length=80)),
                ('digest', models.CharField(max_length=8)),
                ('by', models.CharField(choices=[('person', 'Person'), ('bot', 'Bot'), ('fallback', 'Site')], max_length=10)),
                ('at', models.DateTimeField(default=django.utils.timezone.now, editable=False)),
                ('spent', models.PositiveIntegerField(default=0, help_text='milliseconds')),
                ('match', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='moves', to='games.match')),
            ],
            options={
                'ordering': ['match', 'ply'],
                'constraints': [
                    models.UniqueConstraint(fields=('match', 'ply'), name='move_once_a_ply'),
                ],
            },
        ),
        migrations.CreateModel(
            name='Mute',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('muted', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('user', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='mutes', to=settings.AUTH_USER_MODEL)),
            ],
            options={
                'constraints': [
                    models.UniqueConstraint(fields=('user', 'muted'), name='mute_once'),
                    models.CheckConstraint(condition=models.Q(('user', models.F('muted')), _negated=True), name='mute_not_oneself'),
                ],
            },
        ),
        migrations.CreateModel(
            name='OwnBot',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('about', models.CharField(blank=True, max_length=300)),
                ('games', models.JSONField(default=list)),
                ('accepts', models.CharField(choices=[('anyone', 'Anyone'), ('clubs', 'Members of my clubs'), ('owner', 'Only me')], default='anyone', max_length=10)),
                ('is_on', models.BooleanField(default=True)),
                ('made_at', models.DateTimeField(default=django.utils.timezone.now, editable=False)),
                ('seq', models.PositiveBigIntegerField(default=0, editable=False)),
                ('kept_from', models.PositiveBigIntegerField(default=1, editable=False)),
                ('stream', models.CharField(blank=True, editable=False, max_length=24)),
                ('heard_at', models.DateTimeField(blank=True, editable=False, null=True)),
                ('owner', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='own_bots', to=settings.AUTH_USER_MODEL)),
                ('user', models.OneToOneField(on_delete=django.db.models.deletion.PROTECT, related_name='own_bot', to=settings.AUTH_USER_MODEL)),
            ],
            options={
                'ordering': ['made_at', 'pk'],
                'constraints': [
                    models.CheckConstraint(condition=models.Q(('accepts__in', ['anyone', 'clubs', 'owner'])), name='own_bot_accepts_known'),
                    models.CheckConstraint(condition=models.Q(('user', models.F('owner')), _negated=True), name='own_bot_is_not_its_owner'),
                ],
            },
        ),
        migrations.CreateModel(
            name='BotFault',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('ply', models.PositiveIntegerField()),
                ('kind', models.CharField(choices=[('timeout', 'Out of time'), ('crash', 'Not connected when its time ran out'), ('illegal', 'Illegal moves')], max_length=10)),
                ('detail', models.CharField(blank=True, max_length=200)),
                ('count', models.PositiveIntegerField(default=1)),
                ('at', models.DateTimeField(default=django.utils.timezone.now, editable=False)),
                ('match', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='+', to='games.match')),
                ('bot', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='faults', to='games.ownbot')),
            ],
            options={
                'ordering': ['-at', '-pk'],
                'constraints': [
                    models.UniqueConstraint(fields=('bot', 'match', 'ply', 'kind'), name='bot_fault_once_a_ply'),
                    models.CheckConstraint(condition=models.Q(('kind__in', ['timeout', 'crash', 'illegal'])), name='bot_fault_known'),
                ],
            },
        ),
        migrations.CreateModel(
            name='BotEvent',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('seq', models.PositiveBigIntegerField()),
                ('kind', models.CharField(choices=[('challenge', 'Challenge'), ('challenge.cancelled', 'Cancelled'), ('turn', 'Turn'), ('seat.lost', 'Seat Lost'), ('match.over', 'Over')], max_length=20)),
                ('ply', models.PositiveIntegerField(default=0)),
                ('at', models.DateTimeField(default=django.utils.timezone.now, editable=False)),
                ('challenge', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.CASCADE, related_name='+', to='games.botchallenge')),
                ('match', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='+', to='games.match')),
                ('bot', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='events', to='games.ownbot')),
            ],
            options={
                'ordering': ['bot', 'seq'],
                'indexes': [
                    models.Index(fields=['at'], name='bot_event_by_age'),
                ],
                'constraints': [
                    models.UniqueConstraint(fields=('bot', 'seq'), name='bot_event_once_a_number'),
                ],
            },
        ),
        migrations.AddField(
            model_name='botchallenge',
            name='bot',
            field=models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='challenges', to='games.ownbot'),
        ),
        migrations.CreateModel(
            name='Report',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('reason', models.CharField(blank=True, max_length=300)),
                ('at', models.DateTimeField(default=django.utils.timezone.now, editable=False)),
                ('settled_at', models.DateTimeField(blank=True, null=True)),
                ('line', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='reports', to='games.chatline')),
                ('reporter', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('settled_by', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL)),
            ],
            options={
                'ordering': ['settled_at', 'at'],
                'constraints': [
                    models.UniqueConstraint(fields=('line', 'reporter'), name='report_once'),
                ],
            },
        ),
        migrations.CreateModel(
            name='Seat',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('index', models.PositiveSmallIntegerField()),
                ('bot_level', models.CharField(blank=True, max_length=10)),
                ('wish', models.CharField(blank=True, max_length=20)),
                ('word', models.CharField(blank=True, max_length=40)),
                ('bank_left', models.PositiveIntegerField(blank=True, help_text='milliseconds', null=True)),
                ('left', models.CharField(blank=True, choices=[('', ''), ('away', 'Away: a bot keeps the seat'), ('timeout', 'Out of time'), ('resigned', 'Resigned')], max_length=10)),
                ('rank', models.PositiveSmallIntegerField(blank=True, null=True)),
                ('score', models.IntegerField(blank=True, null=True)),
                ('won', models.BooleanField(null=True)),
                ('match', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='seats', to='games.match')),
                ('user', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='seats', to=settings.AUTH_USER_MODEL)),
            ],
            options={
                'ordering': ['match', 'index'],
                'constraints': [
                    models.UniqueConstraint(fields=('match', 'index'), name='seat_index_once'),
                    models.UniqueConstraint(fields=('match', 'user'), name='seat_user_once'),
                    models.CheckConstraint(condition=models.Q(('bot_level__in', ['', 'rookie', 'regular', 'expert', 'master'])), name='seat_level_known'),
                    models.CheckConstraint(condition=models.Q(('left__in', ['', 'away', 'timeout', 'resigned'])), name='seat_left_known'),
                    models.CheckConstraint(condition=models.Q(('rank', None), ('rank__gte', 1), _connector='OR'), name='seat_rank_from_one'),
                ],
            },
        ),
        migrations.AddConstraint(
            model_name='botchallenge',
            constraint=models.UniqueConstraint(condition=models.Q(('status', 'open')), fields=('bot', 'match'), name='bot_challenge_once_at_a_table'),
        ),
    ]
