"""The tables of leagues in release 0.1.0."""

import django.core.validators
import django.db.models.deletion
import django.db.models.expressions
import django.utils.timezone
import games.models.match
import leagues.models.competition
import leagues.models.exchange
import leagues.models.feed
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):

    initial = True

    dependencies = [
        ('accounts', '0001_initial'),
        ('games', '0001_initial'),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.CreateModel(
            name='Division',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('level', models.PositiveSmallIntegerField(default=1)),
                ('number', models.PositiveSmallIntegerField(default=1)),
                ('name', models.CharField(max_length=80, verbose_name='name')),
                ('cap', models.PositiveSmallIntegerField(blank=True, null=True, verbose_name='places')),
                ('up', models.PositiveSmallIntegerField(default=0, verbose_name='move up')),
                ('down', models.PositiveSmallIntegerField(default=0, verbose_name='move down')),
            ],
            options={
                'ordering': ['season', 'level', 'number'],
                'constraints': [
                    models.CheckConstraint(condition=models.Q(('level__gte', 1), ('number__gte', 1), models.Q(('name', ''), _negated=True)), name='division_has_level_and_name'),
                    models.CheckConstraint(condition=models.Q(('cap', None), ('cap__gte', 2), _connector='OR'), name='division_cap_takes_two'),
                ],
            },
        ),
        migrations.CreateModel(
            name='ProposedTime',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('number', models.PositiveSmallIntegerField()),
                ('starts_at', models.DateTimeField()),
            ],
            options={
                'ordering': ['proposal', 'number'],
                'constraints': [
                    models.CheckConstraint(condition=models.Q(('number__gte', 1), ('number__lte', 3)), name='proposed_time_up_to_three'),
                ],
            },
        ),
        migrations.CreateModel(
            name='ReturnCall',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('deadline', models.DateTimeField()),
                ('keep_silent', models.BooleanField(default=False)),
                ('reminded_at', models.DateTimeField(blank=True, null=True)),
                ('lapsed_at', models.DateTimeField(blank=True, null=True)),
            ],
        ),
        migrations.CreateModel(
            name='Round',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('number', models.PositiveSmallIntegerField()),
                ('status', models.CharField(choices=[('drawn', 'Drawn, not yet published'), ('published', 'Published'), ('closed', 'Closed')], default='drawn', max_length=10)),
                ('opens_at', models.DateTimeField(blank=True, null=True)),
                ('closes_at', models.DateTimeField(blank=True, null=True)),
                ('drawn_at', models.DateTimeField(default=django.utils.timezone.now, editable=False)),
                ('published_at', models.DateTimeField(blank=True, editable=False, null=True)),
                ('closed_at', models.DateTimeField(blank=True, editable=False, null=True)),
            ],
            options={
                'ordering': ['stage', 'number'],
                'constraints': [
                    models.CheckConstraint(condition=models.Q(('number__gte', 1)), name='round_number_from_one'),
                    models.CheckConstraint(condition=models.Q(models.Q(('closed_at', None), ('published_at', None), ('status', 'drawn')), models.Q(('closed_at', None), ('published_at__isnull', False), ('status', 'published')), models.Q(('closed_at__isnull', False), ('published_at__isnull', False), ('status', 'closed')), _connector='OR'), name='round_status_fits_its_times'),
                    models.CheckConstraint(condition=models.Q(('opens_at', None), ('closes_at', None), ('closes_at__gt', models.F('opens_at')), _connector='OR'), name='round_closes_after_it_opens'),
                ],
            },
        ),
        migrations.CreateModel(
            name='Entrant',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('kind', models.CharField(choices=[('person', 'Person'), ('bot', 'Bot'), ('team', 'Team')], default='person', max_length=10)),
                ('bot_level', models.CharField(blank=True, max_length=10)),
                ('team', models.CharField(blank=True, max_length=60, verbose_name='name of the team')),
                ('status', models.CharField(choices=[('waiting', 'On the waiting list'), ('registered', 'Entered'), ('checked_in', 'Checked in'), ('active', 'Playing'), ('withdrawn', 'Withdrawn')], default='registered', max_length=10)),
                ('seed', models.PositiveSmallIntegerField(blank=True, null=True)),
                ('rating', models.IntegerField(blank=True, null=True)),
                ('entered_at', models.DateTimeField(default=django.utils.timezone.now, editable=False)),
                ('division', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='entrants', to='leagues.division')),
                ('user', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='entries', to=settings.AUTH_USER_MODEL)),
            ],
            options={
                'ordering': ['division', 'seed', 'entered_at', 'pk'],
                'constraints': [
                    models.UniqueConstraint(fields=('division', 'seed'), name='entrant_seed_once'),
                    models.CheckConstraint(condition=models.Q(models.Q(('bot_level', ''), ('kind', 'person'), ('team', ''), ('user__isnull', False)), models.Q(('bot_level__in', ['', 'rookie', 'regular', 'expert', 'master']), ('kind', 'bot'), ('team', ''), ('user__isnull', False)), models.Q(('bot_level', ''), ('kind', 'team'), ('user', None), models.Q(('team', ''), _negated=True)), _connector='OR'), name='entrant_is_person_bot_or_team'),
                    models.CheckConstraint(condition=models.Q(('status__in', ['waiting', 'registered', 'checked_in', 'active', 'withdrawn'])), name='entrant_status_known'),
                    models.CheckConstraint(condition=models.Q(('seed', None), ('seed__gte', 1), _connector='OR'), name='entrant_seed_from_one'),
                ],
            },
        ),
        migrations.CreateModel(
            name='Feed',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('key', models.CharField(default=leagues.models.feed.new_feed_key, max_length=16, unique=True)),
                ('renewed_at', models.DateTimeField(default=django.utils.timezone.now)),
                ('user', models.OneToOneField(on_delete=django.db.models.deletion.CASCADE, related_name='feed', to=settings.AUTH_USER_MODEL)),
            ],
        ),
        migrations.CreateModel(
            name='League',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('name', models.CharField(max_length=80, verbose_name='name')),
                ('slug', models.SlugField(max_length=60, unique=True)),
                ('game', models.CharField(max_length=40, verbose_name='game')),
                ('about', models.TextField(blank=True, help_text='You can use Markdown.', max_length=5000, verbose_name='about')),
                ('is_private', models.BooleanField(default=False, verbose_name='only for members of the club and players of the league')),
                ('made_at', models.DateTimeField(default=django.utils.timezone.now, editable=False)),
                ('closed_at', models.DateTimeField(blank=True, editable=False, null=True)),
                ('club', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='leagues', to='accounts.club')),
            ],
            options={
                'ordering': ['name', 'pk'],
                'constraints': [
                    models.CheckConstraint(condition=models.Q(models.Q(('name', ''), _negated=True), models.Q(('game', ''), _negated=True)), name='league_has_name_and_game'),
                ],
            },
        ),
        migrations.CreateModel(
            name='Odds',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('basis', models.CharField(blank=True, max_length=64)),
                ('entries', models.PositiveIntegerField(default=0)),
                ('knows', models.JSONField(blank=True, default=dict)),
                ('seed', models.CharField(blank=True, max_length=64)),
                ('runs', models.PositiveIntegerField(default=0)),
                ('exact', models.BooleanField(default=False)),
                ('rows', models.JSONField(blank=True, default=list)),
                ('counts', models.JSONField(blank=True, default=list)),
                ('growing', models.BooleanField(default=False)),
                ('seconds', models.FloatField(default=0.0)),
                ('why_not', models.CharField(blank=True, max_length=20)),
                ('made_at', models.DateTimeField(default=django.utils.timezone.now)),
                ('claim', models.CharField(blank=True, max_length=64)),
                ('claimed_at', models.DateTimeField(blank=True, null=True)),
                ('division', models.OneToOneField(on_delete=django.db.models.deletion.CASCADE, related_name='odds', to='leagues.division')),
            ],
            options={
                'constraints': [
                    models.CheckConstraint(condition=models.Q(models.Q(('runs__gte', 1), ('why_not', '')), models.Q(('why_not', ''), _negated=True), _connector='OR'), name='odds_or_why_not'),
                    models.CheckConstraint(condition=models.Q(('growing', False), models.Q(('exact', False), ('why_not', '')), _connector='OR'), name='odds_grow_where_there_are_some'),
                    models.CheckConstraint(condition=models.Q(models.Q(('claim', ''), ('claimed_at', None)), models.Q(models.Q(('claim', ''), _negated=True), ('claimed_at__isnull', False)), _connector='OR'), name='odds_claim_has_its_time'),
                ],
            },
        ),
        migrations.CreateModel(
            name='Pairing',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('key', models.CharField(default=games.models.match.new_key, editable=False, max_length=12, unique=True)),
                ('number', models.PositiveSmallIntegerField()),
                ('group', models.PositiveSmallIntegerField(blank=True, null=True)),
                ('slot', models.CharField(blank=True, max_length=10)),
                ('where', models.CharField(choices=[('online', 'Online'), ('club', 'At the club')], default='club', max_length=10)),
                ('state', models.CharField(choices=[('scheduled', 'To be played'), ('playing', 'Being played'), ('reported', 'Reported'), ('disputed', 'Disputed'), ('confirmed', 'Confirmed'), ('void', 'Void')], default='scheduled', max_length=10)),
                ('reason', models.JSONField()),
                ('starts_at', models.DateTimeField(blank=True, null=True)),
                ('closes_at', models.DateTimeField(blank=True, null=True)),
                ('revision', models.PositiveIntegerField(default=0)),
                ('deal', models.CharField(blank=True, editable=False, max_length=64)),
                ('match', models.OneToOneField(blank=True, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='pairing', to='games.match')),
                ('round', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='pairings', to='leagues.round')),
            ],
            options={
                'ordering': ['round', 'number'],
                'indexes': [
                    models.Index(fields=['round', 'state'], name='pairing_by_state'),
                ],
                'constraints': [
                    models.UniqueConstraint(fields=('round', 'number'), name='pairing_table_once'),
                    models.CheckConstraint(condition=models.Q(('number__gte', 1)), name='pairing_number_from_one'),
                    models.CheckConstraint(condition=models.Q(('state__in', ['scheduled', 'playing', 'reported', 'disputed', 'confirmed', 'void'])), name='pairing_state_known'),
                    models.CheckConstraint(condition=models.Q(('where', 'online'), models.Q(('match', None), ('where', 'club')), _connector='OR'), name='pairing_match_is_online'),
                ],
            },
        ),
        migrations.CreateModel(
            name='Objection',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('version', models.PositiveSmallIntegerField()),
                ('note', models.CharField(blank=True, max_length=300)),
                ('at', models.DateTimeField(default=django.utils.timezone.now, editable=False)),
                ('decided_at', models.DateTimeField(blank=True, null=True)),
                ('upheld', models.BooleanField(default=False)),
                ('decided_by', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('person', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('pairing', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='objections', to='leagues.pairing')),
            ],
            options={
                'ordering': ['pairing', 'at', 'pk'],
                'constraints': [
                    models.UniqueConstraint(fields=('pairing', 'version', 'person'), name='objection_once'),
                    models.CheckConstraint(condition=models.Q(models.Q(('decided_at', None), ('decided_by', None)), ('decided_at__isnull', False), _connector='OR'), name='objection_decided'),
                ],
            },
        ),
        migrations.CreateModel(
            name='Extension',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('cause', models.CharField(choices=[('player', 'A player asks for more time.'), ('unplayed', 'The deadline has passed and the table was not played.'), ('no-show', 'Somebody was not there at the agreed time.'), ('running', 'The deadline has passed and the match is still being played.'), ('reported', 'The deadline has passed and nobody has confirmed the reported result.'), ('stand-in', 'A bot keeps the seat of the missing player: the others have more time to play.'), ('organiser', 'An organiser gave more time.')], max_length=10)),
                ('reason', models.CharField(blank=True, max_length=300)),
                ('status', models.CharField(choices=[('open', 'Waiting for an organiser'), ('granted', 'Granted'), ('refused', 'Refused'), ('dropped', 'No longer needed')], default='open', max_length=10)),
                ('until', models.DateTimeField(blank=True, null=True)),
                ('made_at', models.DateTimeField(default=django.utils.timezone.now, editable=False)),
                ('decided_at', models.DateTimeField(blank=True, null=True)),
                ('asked_by', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('decided_by', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('pairing', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='extensions', to='leagues.pairing')),
            ],
            options={
                'ordering': ['pairing', 'pk'],
                'constraints': [
                    models.UniqueConstraint(condition=models.Q(('status', 'open')), fields=('pairing',), name='extension_one_open_for_a_table'),
                    models.CheckConstraint(condition=models.Q(models.Q(('decided_at', None), ('status', 'open'), ('until', None)), models.Q(('decided_at__isnull', False), ('status', 'granted'), ('until__isnull', False)), models.Q(('decided_at__isnull', False), ('status__in', ['refused', 'dropped']), ('until', None)), _connector='OR'), name='extension_status_fits_its_times'),
                    models.CheckConstraint(condition=models.Q(('cause__in', ['player', 'unplayed', 'no-show', 'running', 'reported', 'stand-in', 'organiser'])), name='extension_cause_known'),
                ],
            },
        ),
        migrations.CreateModel(
            name='PickUp',
            fields=[
                ('match', models.OneToOneField(on_delete=django.db.models.deletion.CASCADE, primary_key=True, related_name='pick_up', serialize=False, to='games.match')),
                ('attempts', models.PositiveSmallIntegerField(default=0)),
                ('done_at', models.DateTimeField(blank=True, null=True)),
                ('fault', models.CharField(blank=True, max_length=300)),
            ],
            options={
                'indexes': [models.Index(condition=models.Q(('done_at', None)), fields=['attempts'], name='pick_up_owed')],
            },
        ),
        migrations.CreateModel(
            name='Presence',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('at', models.DateTimeField(default=django.utils.timezone.now, editable=False)),
                ('pairing', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='present', to='leagues.pairing')),
                ('user', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL)),
            ],
            options={
                'ordering': ['pairing', 'at', 'pk'],
                'constraints': [
                    models.UniqueConstraint(fields=('pairing', 'user'), name='presence_once'),
                ],
            },
        ),
        migrations.CreateModel(
            name='RatingFlag',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('kind', models.CharField(choices=[('same-address', 'Two players from one address'), ('same-pair', 'Always the same two players'), ('same-winner', 'Always the same winner'), ('objections', 'Several objections to results that one person entered')], max_length=20)),
                ('facts', models.JSONField(default=dict)),
                ('first_at', models.DateTimeField(default=django.utils.timezone.now, editable=False)),
                ('last_at', models.DateTimeField(default=django.utils.timezone.now)),
                ('reviewed_at', models.DateTimeField(blank=True, null=True)),
                ('other', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('person', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('reviewed_by', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='+', to=settings.AUTH_USER_MODEL)),
            ],
            options={
                'ordering': ['-last_at', '-pk'],
                'constraints': [
                    models.UniqueConstraint(fields=('kind', 'person', 'other'), name='rating_flag_once'),
                    models.CheckConstraint(condition=models.Q(('kind__in', ['same-address', 'same-pair', 'same-winner', 'objections'])), name='rating_flag_kind_known'),
                ],
            },
        ),
        migrations.CreateModel(
            name='RatingPool',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('game', models.CharField(max_length=40)),
                ('mode', models.CharField(default='standard', max_length=20)),
                ('seeds', models.JSONField(blank=True, default=dict)),
                ('method', models.PositiveSmallIntegerField(default=2)),
                ('entry_twentieths', models.BigIntegerField(default=30000000)),
                ('moments', models.JSONField(blank=True, default=list)),
                ('centre', models.IntegerField(default=1500000)),
                ('spread', models.PositiveSmallIntegerField(default=175)),
            ],
            options={
                'constraints': [models.UniqueConstraint(fields=('game', 'mode'), name='pool_once')],
            },
        ),
        migrations.CreateModel(
            name='RatingOffset',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('players', models.PositiveSmallIntegerField()),
                ('name', models.CharField(blank=True, help_text="the seat's number, or the scenario", max_length=40)),
                ('value', models.IntegerField()),
                ('games', models.PositiveIntegerField(default=0)),
                ('variance', models.PositiveIntegerField(default=0)),
                ('pool', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='offsets', to='leagues.ratingpool')),
            ],
            options={
                'ordering': ['pool', 'name', 'players'],
                'constraints': [
                    models.UniqueConstraint(fields=('pool', 'players', 'name'), name='offset_once'),
                ],
            },
        ),
        migrations.CreateModel(
            name='Rating',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('is_bot', models.BooleanField()),
                ('is_guest', models.BooleanField(default=False)),
                ('rating', models.IntegerField()),
                ('games', models.PositiveIntegerField()),
                ('wins', models.PositiveIntegerField(default=0)),
                ('solo_delta', models.IntegerField(default=0)),
                ('solo_games', models.PositiveIntegerField(default=0)),
                ('solo_wins', models.PositiveIntegerField(default=0)),
                ('team_delta', models.IntegerField(default=0)),
                ('team_games', models.PositiveIntegerField(default=0)),
                ('team_wins', models.PositiveIntegerField(default=0)),
                ('as_solo', models.IntegerField(default=0)),
                ('as_team', models.IntegerField(default=0)),
                ('variance', models.PositiveIntegerField(default=30625000)),
                ('solo_variance', models.PositiveIntegerField(default=30625000)),
                ('team_variance', models.PositiveIntegerField(default=30625000)),
                ('covariance', models.IntegerField(default=19600000)),
                ('sure_until', models.DateField(blank=True, null=True)),
                ('solo_sure_until', models.DateField(blank=True, null=True)),
                ('team_sure_until', models.DateField(blank=True, null=True)),
                ('met_people', models.PositiveIntegerField(default=0)),
                ('took_people', models.PositiveIntegerField(default=0)),
                ('met_bots', models.PositiveIntegerField(default=0)),
                ('took_bots', models.PositiveIntegerField(default=0)),
                ('last_at', models.DateTimeField()),
                ('user', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='ratings', to=settings.AUTH_USER_MODEL)),
                ('pool', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='ratings', to='leagues.ratingpool')),
            ],
            options={
                'indexes': [
                    models.Index(fields=['pool', '-rating', 'user', 'is_bot', 'is_guest', 'last_at'], name='rating_board'),
                    models.Index(condition=models.Q(('solo_games__gt', 0)), fields=['pool', '-as_solo', 'user', 'is_bot', 'is_guest', 'last_at'], name='rating_board_solo'),
                    models.Index(condition=models.Q(('team_games__gt', 0)), fields=['pool', '-as_team', 'user', 'is_bot', 'is_guest', 'last_at'], name='rating_board_team'),
                ],
                'constraints': [
                    models.UniqueConstraint(fields=('pool', 'user'), name='rating_once'),
                    models.CheckConstraint(condition=models.Q(('games__gte', 1)), name='rating_has_a_game'),
                    models.CheckConstraint(condition=models.Q(('as_solo', django.db.models.expressions.CombinedExpression(models.F('rating'), '+', models.F('solo_delta'))), ('as_team', django.db.models.expressions.CombinedExpression(models.F('rating'), '+', models.F('team_delta')))), name='rating_roles_add_up'),
                ],
            },
        ),
        migrations.CreateModel(
            name='RatedResult',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('source', models.CharField(max_length=60)),
                ('version', models.PositiveSmallIntegerField(default=1)),
                ('finished_at', models.DateTimeField()),
                ('batch', models.CharField(blank=True, max_length=40)),
                ('counts_at', models.DateTimeField(blank=True, null=True)),
                ('scenario', models.CharField(blank=True, max_length=40)),
                ('seats', models.JSONField(default=list)),
                ('bots_only', models.BooleanField(default=False)),
                ('void', models.BooleanField(default=False)),
                ('counts', models.BooleanField(default=True)),
                ('folded', models.BooleanField(default=False)),
                ('recorded_at', models.DateTimeField(default=django.utils.timezone.now, editable=False)),
                ('reason', models.CharField(blank=True, max_length=300)),
                ('match', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='rated_results', to='games.match')),
                ('recorded_by', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('pool', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='results', to='leagues.ratingpool')),
            ],
            options={
                'ordering': ['finished_at', 'source', 'version'],
                'indexes': [
                    models.Index(condition=models.Q(('counts', True)), fields=['pool', 'counts_at'], name='rated_in_order'),
                    models.Index(condition=models.Q(('batch', ''), _negated=True), fields=['batch'], name='rated_of_batch'),
                    models.Index(condition=models.Q(models.Q(('counts', True), ('folded', False)), models.Q(('counts', False), ('folded', True)), _connector='OR'), fields=['pool'], name='rated_unsettled'),
                    models.Index(condition=models.Q(('bots_only', True), ('counts', True)), fields=['pool', 'counts_at'], name='rated_of_bots'),
                ],
                'constraints': [
                    models.UniqueConstraint(fields=('source', 'version'), name='rated_version_once'),
                    models.UniqueConstraint(condition=models.Q(('counts', True)), fields=('source',), name='rated_one_counts'),
                    models.CheckConstraint(condition=models.Q(('version__gte', 1)), name='rated_version_from_one'),
                    models.CheckConstraint(condition=models.Q(('source', ''), _negated=True), name='rated_has_a_source'),
                    models.CheckConstraint(condition=models.Q(('void', False), ('counts', False), _connector='OR'), name='rated_void_never_counts'),
                ],
            },
        ),
        migrations.CreateModel(
            name='Refold',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('at', models.DateTimeField(default=django.utils.timezone.now, editable=False)),
                ('since', models.DateTimeField(blank=True, null=True)),
                ('sources', models.JSONField(blank=True, default=list)),
                ('results', models.PositiveIntegerField(default=0)),
                ('changes', models.PositiveIntegerField(default=0)),
                ('people', models.PositiveIntegerField(default=0)),
                ('largest', models.PositiveIntegerField(default=0)),
                ('method', models.PositiveSmallIntegerField(blank=True, null=True)),
                ('pool', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='refolds', to='leagues.ratingpool')),
            ],
            options={
                'ordering': ['-at', '-pk'],
                'indexes': [
                    models.Index(fields=['pool', '-at'], name='refold_of_pool'),
                ],
            },
        ),
        migrations.CreateModel(
            name='RatingChange',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('at', models.DateTimeField()),
                ('seat', models.PositiveSmallIntegerField()),
                ('players', models.PositiveSmallIntegerField()),
                ('role', models.CharField(blank=True, max_length=20)),
                ('rank', models.PositiveSmallIntegerField()),
                ('left', models.BooleanField(default=False)),
                ('won', models.BooleanField()),
                ('met_people', models.PositiveSmallIntegerField(default=0)),
                ('took_people', models.PositiveSmallIntegerField(default=0)),
                ('met_bots', models.PositiveSmallIntegerField(default=0)),
                ('took_bots', models.PositiveSmallIntegerField(default=0)),
                ('before', models.IntegerField()),
                ('after', models.IntegerField()),
                ('games', models.PositiveIntegerField(help_text='rated games before this one')),
                ('variance', models.PositiveIntegerField(default=0)),
                ('variance_after', models.PositiveIntegerField(default=0)),
                ('idle_days', models.PositiveIntegerField(default=0, help_text='days since the game before')),
                ('entry', models.BigIntegerField(default=0)),
                ('role_before', models.IntegerField(default=0)),
                ('role_after', models.IntegerField(default=0)),
                ('role_games', models.PositiveIntegerField(default=0)),
                ('other_before', models.IntegerField(default=0)),
                ('other_after', models.IntegerField(default=0)),
                ('other_variance', models.PositiveIntegerField(default=0)),
                ('other_variance_after', models.PositiveIntegerField(default=0)),
                ('covariance', models.IntegerField(default=0)),
                ('covariance_after', models.IntegerField(default=0)),
                ('offset', models.IntegerField(default=0)),
                ('offset_games', models.PositiveIntegerField(default=0)),
                ('offset_variance', models.PositiveIntegerField(default=0)),
                ('result', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='changes', to='leagues.ratedresult')),
                ('user', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='rating_changes', to=settings.AUTH_USER_MODEL)),
                ('pool', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='changes', to='leagues.ratingpool')),
                ('superseded_by', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='superseded', to='leagues.refold')),
            ],
            options={
                'ordering': ['at', 'result', 'seat'],
                'indexes': [
                    models.Index(condition=models.Q(('superseded_by', None)), fields=['pool', 'user', 'at'], name='change_of_player'),
                    models.Index(condition=models.Q(('superseded_by', None)), fields=['pool', 'at'], name='change_in_order'),
                    models.Index(condition=models.Q(('superseded_by', None)), fields=['user', '-at'], name='change_of_person'),
                ],
                'constraints': [
                    models.UniqueConstraint(condition=models.Q(('superseded_by', None)), fields=('result', 'seat'), name='change_once_a_seat'),
                    models.CheckConstraint(condition=models.Q(('rank__gte', 1)), name='change_rank_from_one'),
                    models.CheckConstraint(condition=models.Q(('seat__lt', models.F('players'))), name='change_seat_at_the_table'),
                    models.CheckConstraint(condition=models.Q(('took_bots__lte', django.db.models.expressions.CombinedExpression(models.Value(2), '*', models.F('met_bots'))), ('took_people__lte', django.db.models.expressions.CombinedExpression(models.Value(2), '*', models.F('met_people')))), name='change_takes_what_is_there'),
                ],
            },
        ),
        migrations.CreateModel(
            name='Reminder',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('at', models.DateTimeField(default=django.utils.timezone.now, editable=False)),
                ('pairing', models.OneToOneField(on_delete=django.db.models.deletion.CASCADE, related_name='reminder', to='leagues.pairing')),
            ],
        ),
        migrations.CreateModel(
            name='Result',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('version', models.PositiveSmallIntegerField()),
                ('kind', models.CharField(choices=[('reported', 'Reported'), ('confirmed', 'Confirmed'), ('disputed', 'Disputed'), ('void', 'Void')], max_length=10)),
                ('source', models.CharField(choices=[('match', 'from the live table'), ('player', 'from a player'), ('organiser', 'from an organiser'), ('forfeit', 'without a game')], max_length=10)),
                ('places', models.JSONField(default=list)),
                ('grade', models.JSONField(blank=True, default=list)),
                ('note', models.CharField(blank=True, max_length=300)),
                ('late', models.BooleanField(default=False)),
                ('in_force', models.BooleanField(default=False)),
                ('at', models.DateTimeField(default=django.utils.timezone.now, editable=False)),
                ('by', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('pairing', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='results', to='leagues.pairing')),
            ],
            options={
                'ordering': ['pairing', 'version'],
                'constraints': [
                    models.UniqueConstraint(fields=('pairing', 'version'), name='result_version_once'),
                    models.UniqueConstraint(condition=models.Q(('in_force', True)), fields=('pairing',), name='result_one_in_force_for_a_table'),
                    models.CheckConstraint(condition=models.Q(('in_force', False), ('kind', 'confirmed'), _connector='OR'), name='result_in_force_is_confirmed'),
                    models.CheckConstraint(condition=models.Q(('kind__in', ['reported', 'confirmed', 'disputed', 'void'])), name='result_kind_known'),
                    models.CheckConstraint(condition=models.Q(('source__in', ['match', 'player', 'organiser', 'forfeit'])), name='result_source_known'),
                    models.CheckConstraint(condition=models.Q(('version__gte', 1)), name='result_version_from_one'),
                ],
            },
        ),
        migrations.CreateModel(
            name='ResultAnswer',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('agrees', models.BooleanField()),
                ('note', models.CharField(blank=True, max_length=300)),
                ('at', models.DateTimeField(default=django.utils.timezone.now, editable=False)),
                ('by', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('result', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='answers', to='leagues.result')),
            ],
            options={
                'ordering': ['result', 'at', 'pk'],
                'constraints': [
                    models.UniqueConstraint(fields=('result', 'by'), name='result_answer_once'),
                ],
            },
        ),
        migrations.CreateModel(
            name='ReturnQuestion',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('answer', models.CharField(choices=[('none', 'No answer yet'), ('yes', 'Plays again'), ('later', 'Will say later'), ('no', 'Not this time')], default='none', max_length=5)),
                ('answered_at', models.DateTimeField(blank=True, null=True)),
                ('by', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('call', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='questions', to='leagues.returncall')),
                ('division', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='returning', to='leagues.division')),
                ('entrant', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='+', to='leagues.entrant')),
                ('origin', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='+', to='leagues.division')),
            ],
            options={
                'ordering': ['call', 'division__level', 'division__number', 'entrant__movement__old', 'entrant__movement__place', 'pk'],
                'constraints': [
                    models.UniqueConstraint(fields=('call', 'entrant'), name='return_question_once'),
                    models.CheckConstraint(condition=models.Q(('answer__in', ['none', 'yes', 'later', 'no'])), name='return_answer_known'),
                    models.CheckConstraint(condition=models.Q(models.Q(('answer', 'none'), ('answered_at', None)), models.Q(models.Q(('answer', 'none'), _negated=True), ('answered_at__isnull', False)), _connector='OR'), name='return_answer_has_its_time'),
                ],
            },
        ),
        migrations.CreateModel(
            name='PlaceOffer',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('state', models.CharField(choices=[('open', 'Open'), ('taken', 'Taken'), ('declined', 'Declined'), ('lapsed', 'Lapsed')], default='open', max_length=8)),
                ('made_at', models.DateTimeField(default=django.utils.timezone.now)),
                ('answered_at', models.DateTimeField(blank=True, null=True)),
                ('division', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='offers', to='leagues.division')),
                ('question', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='offers', to='leagues.returnquestion')),
            ],
            options={
                'ordering': ['made_at', 'pk'],
                'constraints': [
                    models.UniqueConstraint(fields=('question', 'division'), name='place_offered_once'),
                    models.UniqueConstraint(condition=models.Q(('state', 'open')), fields=('question',), name='place_offer_one_open'),
                    models.CheckConstraint(condition=models.Q(('state__in', ['open', 'taken', 'declined', 'lapsed'])), name='place_offer_state_known'),
                ],
            },
        ),
        migrations.CreateModel(
            name='PairingSeat',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('index', models.PositiveSmallIntegerField()),
                ('role', models.CharField(blank=True, max_length=20)),
                ('absent', models.BooleanField(default=False)),
                ('entrant', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='seats', to='leagues.entrant')),
                ('pairing', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='seats', to='leagues.pairing')),
                ('round', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='seats', to='leagues.round')),
            ],
            options={
                'ordering': ['pairing', 'index'],
                'constraints': [
                    models.UniqueConstraint(fields=('round', 'entrant'), name='pairing_seat_entrant_once_a_round'),
                    models.UniqueConstraint(fields=('pairing', 'index'), name='pairing_seat_index_once'),
                ],
            },
        ),
        migrations.CreateModel(
            name='Bye',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('kind', models.CharField(max_length=3)),
                ('reason', models.JSONField(blank=True, null=True)),
                ('entrant', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='byes', to='leagues.entrant')),
                ('round', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='byes', to='leagues.round')),
            ],
            options={
                'ordering': ['round', 'entrant'],
                'constraints': [
                    models.UniqueConstraint(fields=('round', 'entrant'), name='bye_entrant_once_a_round'),
                    models.CheckConstraint(condition=models.Q(('kind__in', ['PAB', 'FPB', 'HPB', 'ZPB', 'FW', 'FL', 'NP', 'WD'])), name='bye_kind_known'),
                ],
            },
        ),
        migrations.CreateModel(
            name='Season',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('number', models.PositiveSmallIntegerField()),
                ('name', models.CharField(max_length=80, verbose_name='name')),
                ('status', models.CharField(choices=[('draft', 'Being set up'), ('registration', 'Open for entries'), ('running', 'Running'), ('closed', 'Closed')], default='draft', max_length=12)),
                ('starts_at', models.DateTimeField(blank=True, null=True, verbose_name='starts')),
                ('ends_at', models.DateTimeField(blank=True, null=True, verbose_name='ends')),
                ('closed_at', models.DateTimeField(blank=True, editable=False, null=True)),
                ('made_at', models.DateTimeField(default=django.utils.timezone.now, editable=False)),
                ('rated', models.BooleanField(default=True, verbose_name='results count for ratings')),
                ('points', models.CharField(default='normal', max_length=20, verbose_name='points')),
                ('tie_breaks', models.JSONField(blank=True, default=list, verbose_name='tie-breaks')),
                ('tie_break_edition', models.CharField(choices=[('before-2026-03', 'The rules of this site before March 2026'), ('2026-03', 'FIDE tie-break regulations in force since 1 March 2026')], default='2026-03', max_length=20, verbose_name='edition of the tie-break rules')),
                ('options', models.JSONField(blank=True, default=dict, verbose_name='options of the game')),
                ('where', models.CharField(choices=[('online', 'Online, at live tables of this site'), ('club', 'At the club, at real tables'), ('both', 'Both: each table says where')], default='club', max_length=10, verbose_name='where')),
                ('clock', models.CharField(choices=[('none', 'No clock'), ('live', 'Live: a bank of minutes, and seconds for every turn'), ('days', 'By correspondence: days for every turn')], default='none', max_length=10, verbose_name='clock')),
                ('bank', models.PositiveIntegerField(default=0, help_text='seconds')),
                ('increment', models.PositiveIntegerField(default=0, help_text='seconds')),
                ('days', models.PositiveSmallIntegerField(default=0)),
                ('on_timeout', models.CharField(choices=[('bot', 'A bot keeps the seat until they come back'), ('forfeit', 'They forfeit the match')], default='bot', max_length=10, verbose_name='when time runs out')),
                ('members_only', models.BooleanField(default=True, verbose_name='only members of the club may enter')),
                ('rating_from', models.IntegerField(blank=True, null=True, verbose_name='rating from')),
                ('rating_to', models.IntegerField(blank=True, null=True, verbose_name='rating to')),
                ('waiting_list', models.BooleanField(default=True, verbose_name='keep a waiting list when full')),
                ('check_in', models.BooleanField(default=False, verbose_name='players check in before the first round')),
                ('confirmation', models.CharField(choices=[('one', 'One other player confirms'), ('all', 'All other players confirm'), ('none', 'It counts as reported'), ('organiser', 'An organiser confirms')], default='one', max_length=10, verbose_name='confirmation of results')),
                ('odds', models.BooleanField(default=True, verbose_name='show everybody’s chances of the title')),
                ('window_days', models.PositiveSmallIntegerField(default=0, validators=[django.core.validators.MaxValueValidator(180)], verbose_name='days to play a round')),
                ('on_unplayed', models.CharField(choices=[('bot', 'A bot takes the seat of the missing player, and the others play'), ('forfeit', 'Players who did nothing lose without a game'), ('ask', 'An organiser is asked')], default='ask', max_length=10, verbose_name='when a table is not played in time')),
                ('answer_hours', models.PositiveSmallIntegerField(default=48, validators=[django.core.validators.MaxValueValidator(336)], verbose_name='hours to answer a suggested time')),
                ('no_show_minutes', models.PositiveSmallIntegerField(default=0, validators=[django.core.validators.MaxValueValidator(180)], verbose_name='minutes until somebody missing is a no-show')),
                ('league', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='seasons', to='leagues.league')),
            ],
            options={
                'ordering': ['-number', '-pk'],
                'constraints': [
                    models.UniqueConstraint(fields=('league', 'number'), name='season_number_once'),
                    models.CheckConstraint(condition=models.Q(('number__gte', 1), models.Q(('name', ''), _negated=True)), name='season_has_number_and_name'),
                    models.CheckConstraint(condition=models.Q(models.Q(('closed_at__isnull', False), ('status', 'closed')), models.Q(('closed_at', None), ('status__in', ['draft', 'registration', 'running'])), _connector='OR'), name='season_closed_when_closed'),
                    models.CheckConstraint(condition=models.Q(('starts_at', None), ('ends_at', None), ('ends_at__gt', models.F('starts_at')), _connector='OR'), name='season_ends_after_its_start'),
                    models.CheckConstraint(condition=models.Q(('rating_from', None), ('rating_to', None), ('rating_to__gte', models.F('rating_from')), _connector='OR'), name='season_ratings_in_order'),
                    models.CheckConstraint(condition=models.Q(('points__in', ['normal', 'sides', 'meeple', 'group', 'commander'])), name='season_points_known'),
                    models.CheckConstraint(condition=models.Q(('tie_break_edition__in', ['before-2026-03', '2026-03'])), name='season_tie_break_edition_known'),
                    models.CheckConstraint(condition=models.Q(('where__in', ['online', 'club', 'both'])), name='season_where_known'),
                    models.CheckConstraint(condition=models.Q(('confirmation__in', ['one', 'all', 'none', 'organiser'])), name='season_confirmation_known'),
                    models.CheckConstraint(condition=models.Q(models.Q(('bank', 0), ('clock', 'none'), ('days', 0), ('increment', 0)), models.Q(('bank__gte', 30), ('clock', 'live'), ('days', 0)), models.Q(('bank', 0), ('clock', 'days'), ('days__gte', 1), ('increment', 0)), _connector='OR'), name='season_clock_is_whole'),
                    models.CheckConstraint(condition=models.Q(('on_timeout__in', ['bot', 'forfeit'])), name='season_on_timeout_known'),
                    models.CheckConstraint(condition=models.Q(('on_unplayed__in', ['bot', 'forfeit', 'ask'])), name='season_on_unplayed_known'),
                    models.CheckConstraint(condition=models.Q(('answer_hours__lte', 336), ('no_show_minutes__lte', 180), ('window_days__lte', 180)), name='season_windows_are_sensible'),
                ],
            },
        ),
        migrations.AddField(
            model_name='returncall',
            name='before',
            field=models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='+', to='leagues.season'),
        ),
        migrations.AddField(
            model_name='returncall',
            name='season',
            field=models.OneToOneField(on_delete=django.db.models.deletion.CASCADE, related_name='return_call', to='leagues.season'),
        ),
        migrations.CreateModel(
            name='Plan',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('status', models.CharField(choices=[('waiting', 'Waiting to begin'), ('solving', 'Being worked out'), ('done', 'Done'), ('failed', 'Failed')], default='waiting', max_length=10)),
                ('seed', models.PositiveIntegerField(default=1)),
                ('seconds', models.PositiveSmallIntegerField(default=20)),
                ('made_at', models.DateTimeField(default=django.utils.timezone.now, editable=False)),
                ('finished_at', models.DateTimeField(blank=True, null=True)),
                ('scope', models.JSONField(blank=True, default=dict)),
                ('attempts', models.PositiveSmallIntegerField(default=0)),
                ('seen_at', models.DateTimeField(default=django.utils.timezone.now, editable=False)),
                ('progress', models.JSONField(blank=True, default=dict)),
                ('outcome', models.JSONField(blank=True, default=dict)),
                ('asked_by', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('season', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='plans', to='leagues.season')),
            ],
            options={
                'ordering': ['-pk'],
                'constraints': [
                    models.UniqueConstraint(condition=models.Q(('status__in', ['waiting', 'solving'])), fields=('season',), name='plan_one_at_a_time'),
                    models.CheckConstraint(condition=models.Q(('status__in', ['waiting', 'solving', 'done', 'failed'])), name='plan_status_known'),
                ],
            },
        ),
        migrations.CreateModel(
            name='Movement',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('place', models.PositiveSmallIntegerField()),
                ('old', models.PositiveSmallIntegerField()),
                ('new', models.PositiveSmallIntegerField(null=True)),
                ('reason', models.JSONField()),
                ('entrant', models.OneToOneField(on_delete=django.db.models.deletion.CASCADE, related_name='movement', to='leagues.entrant')),
                ('season', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='movements', to='leagues.season')),
            ],
            options={
                'ordering': ['season', 'old', 'place'],
                'constraints': [
                    models.CheckConstraint(condition=models.Q(('old__gte', 1), ('place__gte', 1), models.Q(('new', None), ('new__gte', 1), _connector='OR')), name='movement_levels_from_one'),
                ],
            },
        ),
        migrations.CreateModel(
            name='EntryConsent',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('state', models.CharField(choices=[('asked', 'asked'), ('agreed', 'agreed'), ('declined', 'declined')], default='asked', max_length=10)),
                ('asked_at', models.DateTimeField(default=django.utils.timezone.now, editable=False)),
                ('answered_at', models.DateTimeField(blank=True, null=True)),
                ('asked_by', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('user', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('season', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='consents', to='leagues.season')),
            ],
            options={
                'ordering': ['season', 'asked_at', 'pk'],
                'constraints': [
                    models.UniqueConstraint(fields=('season', 'user'), name='entry_consent_once'),
                    models.CheckConstraint(condition=models.Q(('state__in', ['asked', 'agreed', 'declined'])), name='entry_consent_state_known'),
                ],
            },
        ),
        migrations.AddField(
            model_name='entrant',
            name='season',
            field=models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='entrants', to='leagues.season'),
        ),
        migrations.AddField(
            model_name='division',
            name='season',
            field=models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='divisions', to='leagues.season'),
        ),
        migrations.CreateModel(
            name='Series',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('name', models.CharField(max_length=80, verbose_name='name')),
                ('every', models.CharField(choices=[('week', 'Every week'), ('fortnight', 'Every second week'), ('month', 'Every month, on the same weekday of the month')], default='week', max_length=10, verbose_name='how often')),
                ('first', models.DateField(verbose_name='first night')),
                ('last', models.DateField(verbose_name='last night')),
                ('begins', models.TimeField(verbose_name='begins')),
                ('slots', models.PositiveSmallIntegerField(default=2, verbose_name='slots')),
                ('minutes', models.PositiveSmallIntegerField(default=60, verbose_name='minutes a slot')),
                ('exceptions', models.JSONField(blank=True, default=list)),
                ('club', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='series', to='accounts.club')),
            ],
            options={
                'verbose_name_plural': 'series',
                'ordering': ['club', 'first', 'pk'],
                'constraints': [
                    models.CheckConstraint(condition=models.Q(('every__in', ['week', 'fortnight', 'month'])), name='series_every_known'),
                    models.CheckConstraint(condition=models.Q(('last__gte', models.F('first'))), name='series_ends_after_its_start'),
                    models.CheckConstraint(condition=models.Q(('minutes__gte', 10), ('minutes__lte', 720), ('slots__gte', 1), ('slots__lte', 12), models.Q(('name', ''), _negated=True)), name='series_slots_are_sensible'),
                ],
            },
        ),
        migrations.CreateModel(
            name='ClubNight',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('key', models.CharField(default=games.models.match.new_key, editable=False, max_length=12, unique=True)),
                ('name', models.CharField(blank=True, max_length=80, verbose_name='name')),
                ('day', models.DateField(verbose_name='day')),
                ('occurrence', models.DateField(blank=True, editable=False, null=True)),
                ('altered', models.BooleanField(default=False, editable=False)),
                ('starts_at', models.DateTimeField()),
                ('ends_at', models.DateTimeField()),
                ('cancelled_at', models.DateTimeField(blank=True, editable=False, null=True)),
                ('revision', models.PositiveIntegerField(default=0)),
                ('club', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='nights', to='accounts.club')),
                ('series', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='nights', to='leagues.series')),
            ],
            options={
                'ordering': ['starts_at', 'pk'],
                'indexes': [
                    models.Index(fields=['club', 'starts_at'], name='night_of_club'),
                ],
                'constraints': [
                    models.UniqueConstraint(fields=('series', 'occurrence'), name='night_once_in_a_series'),
                    models.CheckConstraint(condition=models.Q(('series', None), ('occurrence__isnull', False), _connector='OR'), name='night_of_a_series_stands_for_a_day'),
                    models.CheckConstraint(condition=models.Q(('ends_at__gt', models.F('starts_at'))), name='night_ends_after_its_start'),
                ],
            },
        ),
        migrations.CreateModel(
            name='SignOff',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('at', models.DateTimeField(default=django.utils.timezone.now)),
                ('seal', models.CharField(max_length=64)),
                ('by', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('season', models.OneToOneField(on_delete=django.db.models.deletion.CASCADE, related_name='sign_off', to='leagues.season')),
            ],
        ),
        migrations.CreateModel(
            name='Slot',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('number', models.PositiveSmallIntegerField()),
                ('starts_at', models.DateTimeField()),
                ('ends_at', models.DateTimeField()),
                ('tables', models.PositiveSmallIntegerField()),
                ('night', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='slots', to='leagues.clubnight')),
            ],
            options={
                'ordering': ['starts_at', 'night', 'number'],
                'constraints': [
                    models.UniqueConstraint(fields=('night', 'number'), name='slot_number_once'),
                    models.CheckConstraint(condition=models.Q(('ends_at__gt', models.F('starts_at')), ('number__gte', 1)), name='slot_ends_after_its_start'),
                ],
            },
        ),
        migrations.CreateModel(
            name='Placement',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('board', models.PositiveSmallIntegerField()),
                ('locked', models.BooleanField(default=False)),
                ('placed_at', models.DateTimeField(default=django.utils.timezone.now, editable=False)),
                ('pairing', models.OneToOneField(on_delete=django.db.models.deletion.CASCADE, related_name='placement', to='leagues.pairing')),
                ('slot', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='placements', to='leagues.slot')),
            ],
            options={
                'ordering': ['slot', 'board'],
                'constraints': [
                    models.UniqueConstraint(fields=('slot', 'board'), name='placement_board_once_a_slot'),
                    models.CheckConstraint(condition=models.Q(('board__gte', 1)), name='placement_board_from_one'),
                ],
            },
        ),
        migrations.CreateModel(
            name='Stage',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('position', models.PositiveSmallIntegerField(default=1)),
                ('format', models.CharField(max_length=30, verbose_name='format')),
                ('settings', models.JSONField(blank=True, default=dict)),
                ('planned', models.PositiveSmallIntegerField(blank=True, null=True, verbose_name='rounds')),
                ('take', models.PositiveSmallIntegerField(blank=True, null=True, verbose_name='go on from the stage before')),
                ('status', models.CharField(choices=[('planned', 'Not begun'), ('running', 'Running'), ('finished', 'Finished')], default='planned', max_length=10)),
                ('seed', models.CharField(default=leagues.models.competition.new_seed, editable=False, max_length=64)),
                ('secret', models.CharField(default=leagues.models.competition.new_seed, editable=False, max_length=64)),
                ('trouble', models.JSONField(blank=True, editable=False, null=True)),
                ('division', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='stages', to='leagues.division')),
            ],
            options={
                'ordering': ['division', 'position'],
                'constraints': [
                    models.UniqueConstraint(fields=('division', 'position'), name='stage_once_in_a_division'),
                    models.CheckConstraint(condition=models.Q(('position__gte', 1), models.Q(('format', ''), _negated=True)), name='stage_has_place_and_format'),
                    models.CheckConstraint(condition=models.Q(('planned', None), ('planned__gte', 1), _connector='OR'), name='stage_plans_a_round'),
                    models.CheckConstraint(condition=models.Q(('take', None), ('take__gte', 2), _connector='OR'), name='stage_takes_two'),
                    models.CheckConstraint(condition=models.Q(('status__in', ['planned', 'running', 'finished'])), name='stage_status_known'),
                    models.CheckConstraint(condition=models.Q(('seed', models.F('secret')), _negated=True), name='stage_secret_is_not_its_seed'),
                ],
            },
        ),
        migrations.AddField(
            model_name='round',
            name='stage',
            field=models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='rounds', to='leagues.stage'),
        ),
        migrations.CreateModel(
            name='RequestedBye',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('round', models.PositiveSmallIntegerField()),
                ('kind', models.CharField(choices=[('FPB', 'full point'), ('HPB', 'half a point'), ('ZPB', 'no point')], max_length=3)),
                ('entrant', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='requested_byes', to='leagues.entrant')),
                ('stage', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='requested_byes', to='leagues.stage')),
            ],
            options={
                'ordering': ['stage', 'round', 'entrant'],
                'constraints': [
                    models.UniqueConstraint(fields=('stage', 'entrant', 'round'), name='requested_bye_once'),
                    models.CheckConstraint(condition=models.Q(('round__gte', 1)), name='requested_bye_from_a_round'),
                    models.CheckConstraint(condition=models.Q(('kind__in', ['FPB', 'HPB', 'ZPB'])), name='requested_bye_kind_known'),
                ],
            },
        ),
        migrations.CreateModel(
            name='OddsAfter',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('number', models.PositiveSmallIntegerField()),
                ('titles', models.JSONField(default=dict)),
                ('made_at', models.DateTimeField(default=django.utils.timezone.now)),
                ('stage', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='odds_after', to='leagues.stage')),
            ],
            options={
                'ordering': ['stage', 'number'],
                'constraints': [
                    models.UniqueConstraint(fields=('stage', 'number'), name='odds_once_after_a_round'),
                ],
            },
        ),
        migrations.CreateModel(
            name='EntrantStep',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('round', models.PositiveSmallIntegerField()),
                ('step', models.CharField(choices=[('enter', 'enter'), ('leave', 'leave'), ('return', 'return')], max_length=10)),
                ('at', models.DateTimeField(default=django.utils.timezone.now, editable=False)),
                ('entrant', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='steps', to='leagues.entrant')),
                ('stage', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='steps', to='leagues.stage')),
            ],
            options={
                'ordering': ['stage', 'entrant', 'pk'],
                'constraints': [
                    models.CheckConstraint(condition=models.Q(('round__gte', 1)), name='step_from_a_round'),
                    models.CheckConstraint(condition=models.Q(('step__in', ['enter', 'leave', 'return'])), name='step_known'),
                ],
            },
        ),
        migrations.CreateModel(
            name='Challenge',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('made_at', models.DateTimeField(default=django.utils.timezone.now, editable=False)),
                ('answered_at', models.DateTimeField(blank=True, null=True)),
                ('ended_at', models.DateTimeField(blank=True, null=True)),
                ('challenger', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='challenges_made', to='leagues.entrant')),
                ('target', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='challenges_met', to='leagues.entrant')),
                ('pairing', models.OneToOneField(blank=True, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='challenge', to='leagues.pairing')),
                ('stage', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='challenges', to='leagues.stage')),
            ],
            options={
                'ordering': ['stage', 'made_at', 'pk'],
                'constraints': [
                    models.UniqueConstraint(condition=models.Q(('ended_at', None)), fields=('stage', 'challenger', 'target'), name='challenge_one_open'),
                    models.CheckConstraint(condition=models.Q(('challenger', models.F('target')), _negated=True), name='challenge_somebody_else'),
                    models.CheckConstraint(condition=models.Q(('pairing', None), ('answered_at__isnull', False), _connector='OR'), name='challenge_table_once_answered'),
                ],
            },
        ),
        migrations.CreateModel(
            name='StandingsSnapshot',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('number', models.PositiveSmallIntegerField()),
                ('group', models.PositiveSmallIntegerField(default=0)),
                ('version', models.PositiveSmallIntegerField(default=1)),
                ('tie_breaks', models.JSONField(default=list)),
                ('rows', models.JSONField(default=list)),
                ('at', models.DateTimeField(default=django.utils.timezone.now, editable=False)),
                ('stage', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='snapshots', to='leagues.stage')),
            ],
            options={
                'ordering': ['stage', 'number', 'group', 'version'],
                'constraints': [
                    models.UniqueConstraint(fields=('stage', 'number', 'group', 'version'), name='snapshot_version_once'),
                ],
            },
        ),
        migrations.CreateModel(
            name='Starter',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('seed', models.PositiveSmallIntegerField()),
                ('group', models.PositiveSmallIntegerField(blank=True, null=True)),
                ('reason', models.JSONField(blank=True, null=True)),
                ('entrant', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='starters', to='leagues.entrant')),
                ('stage', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='starters', to='leagues.stage')),
            ],
            options={
                'ordering': ['stage', 'seed'],
                'constraints': [
                    models.UniqueConstraint(fields=('stage', 'entrant'), name='starter_once_in_a_stage'),
                    models.UniqueConstraint(fields=('stage', 'seed'), name='starter_seed_once'),
                    models.CheckConstraint(condition=models.Q(('seed__gte', 1)), name='starter_seed_from_one'),
                ],
            },
        ),
        migrations.CreateModel(
            name='TeamMember',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('bot_level', models.CharField(blank=True, max_length=10)),
                ('position', models.PositiveSmallIntegerField()),
                ('entrant', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='members', to='leagues.entrant')),
                ('season', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='+', to='leagues.season')),
                ('user', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='teams', to=settings.AUTH_USER_MODEL)),
            ],
            options={
                'ordering': ['entrant', 'position'],
                'constraints': [
                    models.UniqueConstraint(fields=('season', 'user'), name='team_member_once_in_a_season'),
                    models.UniqueConstraint(fields=('entrant', 'position'), name='team_member_place_once'),
                    models.CheckConstraint(condition=models.Q(('bot_level__in', ['', 'rookie', 'regular', 'expert', 'master'])), name='team_member_level_known'),
                ],
            },
        ),
        migrations.CreateModel(
            name='TimeAnswer',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('at', models.DateTimeField(default=django.utils.timezone.now, editable=False)),
                ('time', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='answers', to='leagues.proposedtime')),
                ('user', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL)),
            ],
            options={
                'ordering': ['time', 'at', 'pk'],
                'constraints': [
                    models.UniqueConstraint(fields=('time', 'user'), name='time_answer_once'),
                ],
            },
        ),
        migrations.CreateModel(
            name='TimeProposal',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('status', models.CharField(choices=[('open', 'Waiting for answers'), ('accepted', 'Agreed'), ('declined', 'Declined'), ('withdrawn', 'Withdrawn'), ('lapsed', 'Not answered in time'), ('replaced', 'Agreed, and moved since'), ('missed', 'Agreed, and nobody came')], default='open', max_length=10)),
                ('made_at', models.DateTimeField(default=django.utils.timezone.now, editable=False)),
                ('answer_by', models.DateTimeField(blank=True, null=True)),
                ('agreed', models.DateTimeField(blank=True, null=True)),
                ('ended_at', models.DateTimeField(blank=True, null=True)),
                ('by', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('ended_by', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('pairing', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='proposals', to='leagues.pairing')),
            ],
            options={
                'ordering': ['pairing', 'pk'],
                'constraints': [
                    models.UniqueConstraint(condition=models.Q(('status', 'open')), fields=('pairing',), name='proposal_one_open_for_a_table'),
                    models.UniqueConstraint(condition=models.Q(('status', 'accepted')), fields=('pairing',), name='proposal_one_agreed_for_a_table'),
                    models.CheckConstraint(condition=models.Q(models.Q(('agreed', None), ('ended_at', None), ('status', 'open')), models.Q(('agreed__isnull', False), ('ended_at__isnull', False), ('status__in', ['accepted', 'replaced', 'missed'])), models.Q(('agreed', None), ('ended_at__isnull', False), ('status__in', ['declined', 'withdrawn', 'lapsed'])), _connector='OR'), name='proposal_status_fits_its_times'),
                ],
            },
        ),
        migrations.AddField(
            model_name='proposedtime',
            name='proposal',
            field=models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='times', to='leagues.timeproposal'),
        ),
        migrations.CreateModel(
            name='Undoable',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('kind', models.CharField(max_length=30)),
                ('data', models.JSONField(default=dict)),
                ('undone_at', models.DateTimeField(blank=True, null=True)),
                ('entry', models.OneToOneField(on_delete=django.db.models.deletion.PROTECT, related_name='+', to='accounts.auditentry')),
                ('season', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='undoables', to='leagues.season')),
                ('undone_by', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL)),
            ],
            options={
                'ordering': ['-pk'],
            },
        ),
        migrations.CreateModel(
            name='Upload',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('key', models.CharField(default=games.models.match.new_key, editable=False, max_length=12, unique=True)),
                ('kind', models.CharField(choices=[('players', 'Players'), ('results', 'Past results'), ('archive', 'A whole league')], max_length=10)),
                ('name', models.CharField(blank=True, max_length=120)),
                ('content', models.BinaryField(blank=True)),
                ('digest', models.CharField(max_length=64)),
                ('status', models.CharField(choices=[('waiting', 'Waiting for confirmation'), ('working', 'Being imported'), ('done', 'Imported'), ('failed', 'Not imported')], default='waiting', max_length=10)),
                ('choices', models.JSONField(blank=True, default=dict)),
                ('outcome', models.JSONField(blank=True, default=dict)),
                ('made_at', models.DateTimeField(default=django.utils.timezone.now, editable=False)),
                ('started_at', models.DateTimeField(blank=True, editable=False, null=True)),
                ('expires_at', models.DateTimeField(default=leagues.models.exchange.tomorrow, editable=False)),
                ('by', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('club', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='uploads', to='accounts.club')),
                ('division', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.CASCADE, related_name='+', to='leagues.division')),
                ('league', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='+', to='leagues.league')),
                ('season', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.CASCADE, related_name='uploads', to='leagues.season')),
            ],
            options={
                'ordering': ['-made_at', '-pk'],
                'indexes': [
                    models.Index(fields=['club', 'digest'], name='upload_by_digest'),
                    models.Index(condition=models.Q(('status', 'waiting')), fields=['expires_at'], name='upload_expiring'),
                ],
                'constraints': [
                    models.CheckConstraint(condition=models.Q(models.Q(('division', None), ('kind', 'archive'), ('season', None)), models.Q(('kind__in', ['players', 'results']), ('league', None), ('season__isnull', False)), _connector='OR'), name='upload_has_its_place'),
                    models.CheckConstraint(condition=models.Q(('status__in', ['waiting', 'working', 'done', 'failed'])), name='upload_status_known'),
                ],
            },
        ),
        migrations.CreateModel(
            name='Venue',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('name', models.CharField(max_length=80, verbose_name='name')),
                ('address', models.CharField(blank=True, max_length=200, verbose_name='address')),
                ('about', models.CharField(blank=True, max_length=300, verbose_name='how to get in')),
                ('tables', models.PositiveSmallIntegerField(verbose_name='tables')),
                ('closed_at', models.DateTimeField(blank=True, editable=False, null=True)),
                ('club', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='venues', to='accounts.club')),
            ],
            options={
                'ordering': ['club', 'name', 'pk'],
                'constraints': [
                    models.CheckConstraint(condition=models.Q(('tables__gte', 1), models.Q(('name', ''), _negated=True)), name='venue_has_name_and_tables'),
                ],
            },
        ),
        migrations.AddField(
            model_name='series',
            name='venue',
            field=models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='series', to='leagues.venue'),
        ),
        migrations.AddField(
            model_name='clubnight',
            name='venue',
            field=models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='nights', to='leagues.venue'),
        ),
        migrations.CreateModel(
            name='Waiting',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('since', models.DateTimeField(default=django.utils.timezone.now)),
                ('entrant', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='waiting', to='leagues.entrant')),
                ('stage', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='waiting', to='leagues.stage')),
            ],
            options={
                'ordering': ['stage', 'since', 'pk'],
                'constraints': [
                    models.UniqueConstraint(fields=('stage', 'entrant'), name='waiting_once'),
                ],
            },
        ),
        migrations.CreateModel(
            name='Availability',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('answer', models.CharField(choices=[('yes', 'I can come'), ('no', 'I cannot')], max_length=3)),
                ('slots', models.JSONField(blank=True, default=list)),
                ('user', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='availabilities', to=settings.AUTH_USER_MODEL)),
                ('night', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='availabilities', to='leagues.clubnight')),
            ],
            options={
                'ordering': ['night', 'user'],
                'constraints': [models.UniqueConstraint(fields=('night', 'user'), name='availability_once'), models.CheckConstraint(condition=models.Q(('answer__in', ['yes', 'no'])), name='availability_answer_known')],
            },
        ),
        migrations.CreateModel(
            name='Habit',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('weekday', models.PositiveSmallIntegerField()),
                ('answer', models.CharField(choices=[('yes', 'I can come'), ('no', 'I cannot')], max_length=3)),
                ('club', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='habits', to='accounts.club')),
                ('user', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='habits', to=settings.AUTH_USER_MODEL)),
            ],
            options={
                'ordering': ['club', 'user', 'weekday'],
                'constraints': [models.UniqueConstraint(fields=('club', 'user', 'weekday'), name='habit_once_a_weekday'), models.CheckConstraint(condition=models.Q(('answer__in', ['yes', 'no']), ('weekday__lte', 6)), name='habit_answer_and_day_known')],
            },
        ),
        migrations.CreateModel(
            name='HouseBot',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('level', models.CharField(max_length=10)),
                ('version', models.PositiveSmallIntegerField()),
                ('user', models.OneToOneField(on_delete=django.db.models.deletion.PROTECT, related_name='house_bot', to=settings.AUTH_USER_MODEL)),
            ],
            options={
                'constraints': [models.UniqueConstraint(fields=('level', 'version'), name='house_bot_once'), models.CheckConstraint(condition=models.Q(('level__in', ('rookie', 'regular', 'expert', 'master'))), name='house_bot_level_known')],
            },
        ),
        migrations.AddConstraint(
            model_name='returncall',
            constraint=models.CheckConstraint(condition=models.Q(('season', models.F('before')), _negated=True), name='return_call_from_another_season'),
        ),
        migrations.AddConstraint(
            model_name='entrant',
            constraint=models.UniqueConstraint(fields=('season', 'user'), name='entrant_once_in_a_season'),
        ),
        migrations.AddConstraint(
            model_name='entrant',
            constraint=models.UniqueConstraint(condition=models.Q(('team', ''), _negated=True), fields=('season', 'team'), name='entrant_team_name_once'),
        ),
        migrations.AddConstraint(
            model_name='division',
            constraint=models.UniqueConstraint(fields=('season', 'level', 'number'), name='division_once_in_a_season'),
        ),
        migrations.AddConstraint(
            model_name='round',
            constraint=models.UniqueConstraint(fields=('stage', 'number'), name='round_number_once'),
        ),
        migrations.AddConstraint(
            model_name='proposedtime',
            constraint=models.UniqueConstraint(fields=('proposal', 'number'), name='proposed_time_number_once'),
        ),
        migrations.AddConstraint(
            model_name='proposedtime',
            constraint=models.UniqueConstraint(fields=('proposal', 'starts_at'), name='proposed_time_once'),
        ),
    ]
