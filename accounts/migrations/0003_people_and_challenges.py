import django.db.models.deletion
import django.utils.timezone
from django.conf import settings
from django.db import migrations, models
from django.db.models import F, Q

USER = settings.AUTH_USER_MODEL
CASCADE = django.db.models.deletion.CASCADE
PROTECT = django.db.models.deletion.PROTECT


def key() -> tuple[str, models.Field]:
    return ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID"))


def at() -> tuple[str, models.Field]:
    return ("at", models.DateTimeField(default=django.utils.timezone.now, editable=False))


class Migration(migrations.Migration):
    dependencies = [("accounts", "0002_trial_accounts")]

    operations = [
        migrations.AddField(
            model_name="user",
            name="challenges_from",
            field=models.CharField(
                choices=[("anyone", "Anyone"), ("followed", "People I follow"), ("nobody", "Nobody")],
                default="anyone",
                max_length=8,
                verbose_name="who may challenge me",
            ),
        ),
        migrations.AddField(
            model_name="user",
            name="messages_from",
            field=models.CharField(
                choices=[("friends", "Friends: we follow each other"), ("nobody", "Nobody")],
                default="friends",
                max_length=8,
                verbose_name="who may write to me",
            ),
        ),
        migrations.AddConstraint(
            model_name="user",
            constraint=models.CheckConstraint(
                condition=Q(challenges_from__in=["anyone", "followed", "nobody"]), name="user_challenges_from_known"
            ),
        ),
        migrations.AddConstraint(
            model_name="user",
            constraint=models.CheckConstraint(
                condition=Q(messages_from__in=["friends", "nobody"]), name="user_messages_from_known"
            ),
        ),
        migrations.CreateModel(
            name="Block",
            fields=[
                key(),
                at(),
                ("blocked", models.ForeignKey(on_delete=CASCADE, related_name="+", to=USER)),
                ("user", models.ForeignKey(on_delete=CASCADE, related_name="blocks", to=USER)),
            ],
            options={
                "ordering": ["-at", "-pk"],
                "constraints": [
                    models.UniqueConstraint(fields=("user", "blocked"), name="block_once"),
                    models.CheckConstraint(condition=~Q(user=F("blocked")), name="block_not_oneself"),
                ],
            },
        ),
        migrations.CreateModel(
            name="Follow",
            fields=[
                key(),
                at(),
                ("followed", models.ForeignKey(on_delete=CASCADE, related_name="followers", to=USER)),
                ("user", models.ForeignKey(on_delete=CASCADE, related_name="follows", to=USER)),
            ],
            options={
                "ordering": ["-at", "-pk"],
                "constraints": [
                    models.UniqueConstraint(fields=("user", "followed"), name="follow_once"),
                    models.CheckConstraint(condition=~Q(user=F("followed")), name="follow_not_oneself"),
                ],
            },
        ),
        migrations.CreateModel(
            name="DirectMessage",
            fields=[
                key(),
                ("text", models.CharField(max_length=1000)),
                at(),
                ("read_at", models.DateTimeField(blank=True, null=True)),
                ("removed", models.BooleanField(default=False)),
                ("to", models.ForeignKey(on_delete=CASCADE, related_name="messages_received", to=USER)),
                ("user", models.ForeignKey(on_delete=CASCADE, related_name="messages_written", to=USER)),
            ],
            options={
                "ordering": ["pk"],
                "indexes": [
                    models.Index(fields=["user", "to", "id"], name="message_between"),
                    models.Index(fields=["user", "at"], name="message_of_writer"),
                    models.Index(condition=Q(read_at=None), fields=["to"], name="message_unread"),
                ],
                "constraints": [models.CheckConstraint(condition=~Q(user=F("to")), name="message_not_to_oneself")],
            },
        ),
        migrations.CreateModel(
            name="MessageReport",
            fields=[
                key(),
                ("reason", models.CharField(blank=True, max_length=300)),
                at(),
                ("decided_at", models.DateTimeField(blank=True, null=True)),
                (
                    "decided_by",
                    models.ForeignKey(blank=True, null=True, on_delete=PROTECT, related_name="+", to=USER),
                ),
                (
                    "message",
                    models.OneToOneField(on_delete=CASCADE, related_name="report", to="accounts.directmessage"),
                ),
                ("reporter", models.ForeignKey(on_delete=CASCADE, related_name="+", to=USER)),
            ],
            options={"ordering": ["pk"]},
        ),
    ]
