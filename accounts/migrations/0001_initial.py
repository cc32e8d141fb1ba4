"""Accounts of release 0.1.0, with the guard by which the database itself refuses to change an audit entry.

A later migration that makes SQLite rebuild the table of audit entries drops the trigger silently: such a migration runs
`guard` again, and the test of the trail fails until it does.
"""

import accounts.models.notification
import accounts.models.user
import accounts.models.webhook
import django.core.validators
import django.db.models.deletion
import django.db.models.functions.text
import django.utils.timezone
from django.conf import settings
from django.db import migrations, models

# An entry may lose a name while the row of an erasure is there, and nothing else of it may change.
SAME = ("id", "actor_id", "action", "club_id", "person_id", "object_type", "object_id", "at")
GUARD = {
    "sqlite": [
        f"""
        CREATE TRIGGER accounts_auditentry_append_only BEFORE UPDATE ON accounts_auditentry
        WHEN NOT (EXISTS (SELECT 1 FROM accounts_auditerasure) AND {" AND ".join(f"NEW.{name} IS OLD.{name}" for name in SAME)})
        BEGIN SELECT RAISE(ABORT, 'the audit trail is append-only'); END
        """,
    ],
    "postgresql": [
        f"""
        CREATE FUNCTION accounts_auditentry_refuse() RETURNS trigger LANGUAGE plpgsql AS $$
        BEGIN
            IF TG_OP = 'UPDATE' AND EXISTS (SELECT 1 FROM accounts_auditerasure)
                AND {" AND ".join(f"NEW.{name} IS NOT DISTINCT FROM OLD.{name}" for name in SAME)} THEN
                RETURN NEW;
            END IF;
            RAISE EXCEPTION 'the audit trail is append-only' USING ERRCODE = 'integrity_constraint_violation';
        END $$
        """,
        """
        CREATE TRIGGER accounts_auditentry_append_only BEFORE UPDATE OR DELETE ON accounts_auditentry
        FOR EACH ROW EXECUTE FUNCTION accounts_auditentry_refuse()
        """,
    ],
}
UNGUARD = {
    "sqlite": ["DROP TRIGGER accounts_auditentry_append_only"],
    "postgresql": [
        "DROP TRIGGER accounts_auditentry_append_only ON accounts_auditentry",
        "DROP FUNCTION accounts_auditentry_refuse()",
    ],
}


def guard(apps, schema_editor):
    for statement in GUARD[schema_editor.connection.vendor]:
        schema_editor.execute(statement)


def unguard(apps, schema_editor):
    for statement in UNGUARD[schema_editor.connection.vendor]:
        schema_editor.execute(statement)


class Migration(migrations.Migration):

    initial = True

    dependencies = [
    ]

    operations = [
        migrations.CreateModel(
            name='User',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('password', models.CharField(max_length=128, verbose_name='password')),
                ('last_login', models.DateTimeField(blank=True, null=True, verbose_name='last login')),
                ('handle', models.CharField(error_messages={'unique': 'This handle is taken.'}, max_length=30, unique=True, validators=[django.core.validators.RegexValidator('^[A-Za-z0-9](?:[A-Za-z0-9_-]{0,28}[A-Za-z0-9])\\Z', 'Use 2 to 30 letters a–z, digits, hyphens and underscores; begin and end with a letter or digit.', code='handle')], verbose_name='handle')),
                ('display_name', models.CharField(blank=True, max_length=60, verbose_name='display name')),
                ('email', models.EmailField(blank=True, max_length=254, verbose_name='e-mail address')),
                ('language', models.CharField(choices=[('en', 'English'), ('it', 'Italiano'), ('pl', 'Polski')], default='en', max_length=2, verbose_name='language')),
                ('time_zone', models.CharField(default='UTC', max_length=64, validators=[accounts.models.user.validate_time_zone], verbose_name='time zone')),
                ('theme', models.CharField(choices=[('auto', 'Like my device'), ('light', 'Light'), ('dark', 'Dark')], default='auto', max_length=5, verbose_name='theme')),
                ('notices_by_mail', models.BooleanField(default=True, verbose_name='send me my notices by e-mail too')),
                ('is_bot', models.BooleanField(default=False)),
                ('is_guest', models.BooleanField(default=False)),
                ('is_active', models.BooleanField(default=True)),
                ('is_staff', models.BooleanField(default=False)),
                ('joined_at', models.DateTimeField(default=django.utils.timezone.now, editable=False)),
                ('deleted_at', models.DateTimeField(blank=True, editable=False, null=True)),
                ('search', models.TextField(default='', editable=False)),
            ],
            options={
                'verbose_name': 'person',
                'verbose_name_plural': 'people',
                'constraints': [
                    models.UniqueConstraint(django.db.models.functions.text.Lower('handle'), name='user_handle_unique', violation_error_message='This handle is taken.'),
                    models.UniqueConstraint(django.db.models.functions.text.Lower('email'), condition=models.Q(('email', ''), _negated=True), name='user_email_unique', violation_error_message='This e-mail address is already in use.'),
                    models.CheckConstraint(condition=models.Q(('language__in', ['en', 'it', 'pl'])), name='user_language_known'),
                    models.CheckConstraint(condition=models.Q(('theme__in', ['auto', 'light', 'dark'])), name='user_theme_known'),
                    models.CheckConstraint(condition=models.Q(('deleted_at', None), models.Q(('display_name', ''), ('email', ''), ('is_active', False)), _connector='OR'), name='user_deleted_is_nameless'),
                    models.CheckConstraint(condition=models.Q(('is_guest', False), models.Q(('email', ''), ('is_bot', False), ('is_staff', False)), _connector='OR'), name='user_guest_is_only_a_name'),
                ],
            },
        ),
        migrations.CreateModel(
            name='AuditErasure',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('person', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL)),
            ],
        ),
        migrations.CreateModel(
            name='Club',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('name', models.CharField(max_length=80, verbose_name='name')),
                ('slug', models.SlugField(max_length=60, unique=True)),
                ('description', models.TextField(blank=True, help_text='You can use Markdown.', max_length=5000, verbose_name='description')),
                ('city', models.CharField(blank=True, max_length=80, verbose_name='city')),
                ('time_zone', models.CharField(default='UTC', max_length=64, validators=[accounts.models.user.validate_time_zone], verbose_name='time zone')),
                ('is_private', models.BooleanField(default=False, verbose_name='who sees the club')),
                ('admission', models.CharField(choices=[('request', 'Anyone may ask to join'), ('invite', 'By invitation only')], default='request', max_length=10, verbose_name='admission')),
                ('search', models.TextField(default='', editable=False)),
                ('founded_at', models.DateTimeField(default=django.utils.timezone.now, editable=False)),
                ('closed_at', models.DateTimeField(blank=True, editable=False, null=True)),
            ],
            options={
                'verbose_name': 'club',
                'verbose_name_plural': 'clubs',
                'ordering': ['name', 'pk'],
                'constraints': [models.CheckConstraint(condition=models.Q(('name', ''), _negated=True), name='club_has_a_name'), models.CheckConstraint(condition=models.Q(('admission__in', ['request', 'invite'])), name='club_admission_known')],
            },
        ),
        migrations.AddField(
            model_name='user',
            name='looked_after_by',
            field=models.ForeignKey(blank=True, editable=False, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='looked_after', to='accounts.club'),
        ),
        migrations.CreateModel(
            name='Digest',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('every', models.CharField(choices=[('day', 'Every day'), ('week', 'Once a week'), ('off', 'Not for now')], default='day', max_length=4)),
                ('weekday', models.PositiveSmallIntegerField(default=0)),
                ('hour', models.PositiveSmallIntegerField(default=18)),
                ('due_at', models.DateTimeField(blank=True, null=True)),
                ('attempts', models.PositiveSmallIntegerField(default=0)),
                ('user', models.OneToOneField(on_delete=django.db.models.deletion.CASCADE, related_name='digest', to=settings.AUTH_USER_MODEL)),
            ],
            options={
                'indexes': [
                    models.Index(condition=models.Q(('due_at__isnull', False)), fields=['due_at'], name='digest_due'),
                ],
                'constraints': [
                    models.CheckConstraint(condition=models.Q(('every__in', ['day', 'week', 'off'])), name='digest_every_known'),
                    models.CheckConstraint(condition=models.Q(('hour__lte', 23), ('weekday__lte', 6)), name='digest_on_the_clock'),
                ],
            },
        ),
        migrations.CreateModel(
            name='Invite',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('token_hash', models.CharField(max_length=64, unique=True)),
                ('made_at', models.DateTimeField(default=django.utils.timezone.now, editable=False)),
                ('expires_at', models.DateTimeField()),
                ('max_uses', models.PositiveSmallIntegerField()),
                ('uses', models.PositiveSmallIntegerField(default=0)),
                ('revoked_at', models.DateTimeField(blank=True, null=True)),
                ('club', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='invites', to='accounts.club')),
                ('made_by', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL)),
            ],
            options={
                'ordering': ['-made_at', '-pk'],
                'constraints': [
                    models.CheckConstraint(condition=models.Q(('uses__lte', models.F('max_uses'))), name='invite_not_overused'),
                    models.CheckConstraint(condition=models.Q(('max_uses__gte', 1)), name='invite_has_a_use'),
                ],
            },
        ),
        migrations.CreateModel(
            name='JoinRequest',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('message', models.CharField(blank=True, max_length=300, verbose_name='message')),
                ('status', models.CharField(choices=[('pending', 'Pending'), ('approved', 'Approved'), ('declined', 'Declined'), ('withdrawn', 'Withdrawn')], default='pending', max_length=10)),
                ('asked_at', models.DateTimeField(default=django.utils.timezone.now, editable=False)),
                ('decided_at', models.DateTimeField(blank=True, editable=False, null=True)),
                ('club', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='join_requests', to='accounts.club')),
                ('decided_by', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('user', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='join_requests', to=settings.AUTH_USER_MODEL)),
            ],
            options={
                'ordering': ['asked_at', 'pk'],
                'constraints': [
                    models.UniqueConstraint(condition=models.Q(('status', 'pending')), fields=('club', 'user'), name='join_request_one_pending'),
                    models.CheckConstraint(condition=models.Q(models.Q(('decided_at', None), ('status', 'pending')), models.Q(('decided_at__isnull', False), ('status__in', ['approved', 'declined', 'withdrawn'])), _connector='OR'), name='join_request_decided_or_pending'),
                ],
            },
        ),
        migrations.CreateModel(
            name='LoginAddress',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('fingerprint', models.CharField(max_length=64)),
                ('last_at', models.DateTimeField(default=django.utils.timezone.now)),
                ('user', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='login_addresses', to=settings.AUTH_USER_MODEL)),
            ],
            options={
                'indexes': [
                    models.Index(fields=['fingerprint'], name='login_address_shared'),
                ],
                'constraints': [
                    models.UniqueConstraint(fields=('user', 'fingerprint'), name='login_address_once'),
                ],
            },
        ),
        migrations.CreateModel(
            name='Membership',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('role', models.CharField(choices=[('owner', 'Owner'), ('organiser', 'Organiser'), ('member', 'Member')], default='member', max_length=10, verbose_name='role')),
                ('joined_at', models.DateTimeField(default=django.utils.timezone.now, editable=False)),
                ('club', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='memberships', to='accounts.club')),
                ('user', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='memberships', to=settings.AUTH_USER_MODEL)),
            ],
            options={
                'constraints': [
                    models.UniqueConstraint(fields=('club', 'user'), name='membership_once'),
                    models.UniqueConstraint(condition=models.Q(('role', 'owner')), fields=('club',), name='membership_one_owner'),
                    models.CheckConstraint(condition=models.Q(('role__in', ['owner', 'organiser', 'member'])), name='membership_role_known'),
                ],
            },
        ),
        migrations.CreateModel(
            name='Notice',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('kind', models.CharField(max_length=60)),
                ('params', models.JSONField(blank=True, default=dict)),
                ('path', models.CharField(max_length=200)),
                ('created_at', models.DateTimeField(default=django.utils.timezone.now, editable=False)),
                ('due_at', models.DateTimeField(blank=True, default=accounts.models.notification.shortly, null=True)),
                ('attempts', models.PositiveSmallIntegerField(default=0)),
                ('read_at', models.DateTimeField(blank=True, null=True)),
                ('silent', models.BooleanField(default=False)),
                ('mail', models.CharField(choices=[('now', 'At once'), ('digest', 'In the digest'), ('never', 'Never')], default='now', max_length=6)),
                ('digested_at', models.DateTimeField(blank=True, null=True)),
                ('actor', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('club', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to='accounts.club')),
                ('user', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='notices', to=settings.AUTH_USER_MODEL)),
            ],
            options={
                'ordering': ['-created_at', '-pk'],
                'indexes': [
                    models.Index(fields=['user', '-created_at'], name='notice_of_user'),
                    models.Index(condition=models.Q(('read_at', None)), fields=['user'], name='notice_unread'),
                    models.Index(condition=models.Q(('read_at', None)), fields=['path'], name='notice_unread_about'),
                    models.Index(condition=models.Q(('digested_at', None), ('mail', 'digest')), fields=['user'], name='notice_to_digest'),
                    models.Index(condition=models.Q(('due_at__isnull', False)), fields=['due_at'], name='notice_due'),
                ],
                'constraints': [
                    models.CheckConstraint(condition=models.Q(('mail__in', ['now', 'digest', 'never'])), name='notice_mail_known'),
                ],
            },
        ),
        migrations.CreateModel(
            name='NoticeChoice',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('kind', models.CharField(max_length=60)),
                ('bell', models.BooleanField(default=True)),
                ('mail', models.CharField(choices=[('now', 'At once'), ('digest', 'In the digest'), ('never', 'Never')], default='now', max_length=6)),
                ('user', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='notice_choices', to=settings.AUTH_USER_MODEL)),
            ],
            options={
                'ordering': ['user', 'kind'],
                'constraints': [
                    models.UniqueConstraint(fields=('user', 'kind'), name='notice_choice_once'),
                    models.CheckConstraint(condition=models.Q(('mail__in', ['now', 'digest', 'never'])), name='notice_choice_mail_known'),
                ],
            },
        ),
        migrations.CreateModel(
            name='SignInLink',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('token_hash', models.CharField(max_length=64, unique=True)),
                ('made_at', models.DateTimeField(default=django.utils.timezone.now, editable=False)),
                ('expires_at', models.DateTimeField()),
                ('used_at', models.DateTimeField(blank=True, null=True)),
                ('revoked_at', models.DateTimeField(blank=True, null=True)),
                ('club', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='sign_in_links', to='accounts.club')),
                ('made_by', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('user', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='sign_in_links', to=settings.AUTH_USER_MODEL)),
            ],
            options={
                'ordering': ['-made_at', '-pk'],
                'constraints': [
                    models.CheckConstraint(condition=models.Q(('used_at', None), ('revoked_at', None), _connector='OR'), name='sign_in_link_used_or_revoked'),
                ],
            },
        ),
        migrations.CreateModel(
            name='Webhook',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('name', models.CharField(max_length=60, verbose_name='name')),
                ('url', models.CharField(max_length=500, verbose_name='address')),
                ('shape', models.CharField(choices=[('json', 'JSON, signed'), ('discord', 'Message in Discord')], default='json', max_length=10, verbose_name='shape')),
                ('events', models.JSONField(default=list)),
                ('salt', models.CharField(default=accounts.models.webhook.new_salt, editable=False, max_length=24)),
                ('former_salt', models.CharField(blank=True, editable=False, max_length=24)),
                ('rotated_at', models.DateTimeField(blank=True, editable=False, null=True)),
                ('is_on', models.BooleanField(default=True)),
                ('given_up', models.PositiveSmallIntegerField(default=0, editable=False)),
                ('made_at', models.DateTimeField(default=django.utils.timezone.now, editable=False)),
                ('club', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='webhooks', to='accounts.club')),
                ('made_by', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL)),
            ],
            options={
                'ordering': ['made_at', 'pk'],
                'constraints': [
                    models.CheckConstraint(condition=models.Q(('shape__in', ['json', 'discord'])), name='webhook_shape_known'),
                    models.CheckConstraint(condition=models.Q(('url', ''), _negated=True), name='webhook_has_an_address'),
                ],
            },
        ),
        migrations.CreateModel(
            name='Delivery',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('key', models.CharField(default=accounts.models.webhook.new_key, editable=False, max_length=28, unique=True)),
                ('event', models.CharField(max_length=40)),
                ('subject', models.PositiveBigIntegerField(default=0)),
                ('at', models.DateTimeField(default=django.utils.timezone.now)),
                ('body', models.TextField(blank=True)),
                ('status', models.CharField(choices=[('waiting', 'Waiting'), ('delivered', 'Delivered'), ('failed', 'Given up'), ('dropped', 'Nothing to tell any more')], default='waiting', max_length=10)),
                ('due_at', models.DateTimeField(blank=True, default=django.utils.timezone.now, null=True)),
                ('attempts', models.PositiveSmallIntegerField(default=0)),
                ('tried_at', models.DateTimeField(blank=True, null=True)),
                ('code', models.PositiveSmallIntegerField(blank=True, null=True)),
                ('took', models.PositiveIntegerField(blank=True, help_text='milliseconds', null=True)),
                ('answer', models.CharField(blank=True, max_length=500)),
                ('hook', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='deliveries', to='accounts.webhook')),
            ],
            options={
                'ordering': ['-at', '-pk'],
                'indexes': [
                    models.Index(fields=['hook', '-at'], name='delivery_of_hook'),
                    models.Index(condition=models.Q(('due_at__isnull', False)), fields=['due_at'], name='delivery_due'),
                ],
                'constraints': [
                    models.CheckConstraint(condition=models.Q(models.Q(('due_at__isnull', False), ('status', 'waiting')), models.Q(('due_at', None), ('status__in', ['delivered', 'failed', 'dropped'])), _connector='OR'), name='delivery_waiting_is_due'),
                ],
            },
        ),
        migrations.CreateModel(
            name='ApiToken',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('name', models.CharField(max_length=60, verbose_name='name')),
                ('prefix', models.CharField(max_length=16)),
                ('token_hash', models.CharField(max_length=64, unique=True)),
                ('scopes', models.JSONField(default=list)),
                ('made_at', models.DateTimeField(default=django.utils.timezone.now, editable=False)),
                ('expires_at', models.DateTimeField()),
                ('revoked_at', models.DateTimeField(blank=True, null=True)),
                ('last_used_at', models.DateTimeField(blank=True, null=True)),
                ('user', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='tokens', to=settings.AUTH_USER_MODEL)),
            ],
            options={
                'ordering': ['-made_at', '-pk'],
                'constraints': [models.CheckConstraint(condition=models.Q(('name', ''), _negated=True), name='token_has_a_name')],
            },
        ),
        migrations.CreateModel(
            name='AuditEntry',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('action', models.CharField(max_length=60)),
                ('object_type', models.CharField(blank=True, max_length=60)),
                ('object_id', models.CharField(blank=True, max_length=40)),
                ('params', models.JSONField(blank=True, default=dict)),
                ('at', models.DateTimeField(default=django.utils.timezone.now, editable=False)),
                ('actor', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('person', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('club', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='audit_entries', to='accounts.club')),
            ],
            options={
                'ordering': ['-at', '-pk'],
                'indexes': [models.Index(fields=['club', '-at'], name='audit_of_club'), models.Index(fields=['object_type', 'object_id'], name='audit_of_object')],
            },
        ),
        migrations.RunPython(guard, unguard),
    ]
