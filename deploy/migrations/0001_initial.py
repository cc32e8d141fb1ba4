"""The tables of deploy in release 0.1.0."""

import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):

    initial = True

    dependencies = [
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.CreateModel(
            name='Pulse',
            fields=[
                ('name', models.CharField(max_length=40, primary_key=True, serialize=False)),
                ('at', models.DateTimeField()),
            ],
        ),
        migrations.CreateModel(
            name='Announcement',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('text', models.CharField(max_length=300)),
                ('made_at', models.DateTimeField(auto_now_add=True)),
                ('ends_at', models.DateTimeField()),
                ('sent_at', models.DateTimeField(editable=False, null=True)),
            ],
            options={
                'indexes': [models.Index(models.F('made_at'), condition=models.Q(('sent_at', None)), name='announcement_unsent')],
                'constraints': [models.CheckConstraint(condition=models.Q(('text', ''), _negated=True), name='announcement_says_something'), models.CheckConstraint(condition=models.Q(('ends_at__gt', models.F('made_at'))), name='announcement_ends_later')],
            },
        ),
        migrations.CreateModel(
            name='SitePage',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('name', models.CharField(choices=[('about', 'About'), ('privacy', 'Privacy'), ('terms', 'Terms'), ('contact', 'Contact')], max_length=10)),
                ('language', models.CharField(choices=[('en', 'English'), ('it', 'Italiano'), ('pl', 'Polski')], max_length=2)),
                ('text', models.TextField(help_text='You can use Markdown.', max_length=30000, verbose_name='text')),
                ('changed_at', models.DateTimeField(auto_now=True)),
                ('changed_by', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL)),
            ],
            options={
                'constraints': [models.UniqueConstraint(fields=('name', 'language'), name='site_page_once_a_language'), models.CheckConstraint(condition=models.Q(('name__in', ['about', 'privacy', 'terms', 'contact'])), name='site_page_known')],
            },
        ),
    ]
