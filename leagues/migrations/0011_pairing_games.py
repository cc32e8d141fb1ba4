import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("games", "0005_play_on_and_hints"),
        ("leagues", "0010_board_digest"),
    ]

    operations = [
        migrations.CreateModel(
            name="PairingGame",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("number", models.PositiveSmallIntegerField()),
                ("ended_at", models.DateTimeField(blank=True, null=True)),
                ("winner", models.PositiveSmallIntegerField(blank=True, null=True)),
                (
                    "match",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.PROTECT, related_name="pairing_game", to="games.match"
                    ),
                ),
                (
                    "pairing",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="games", to="leagues.pairing"
                    ),
                ),
            ],
            options={
                "ordering": ["pairing", "number"],
                "constraints": [
                    models.UniqueConstraint(fields=("pairing", "number"), name="pairing_game_number_once"),
                    models.CheckConstraint(
                        condition=models.Q(("number__gte", 1)), name="pairing_game_number_from_one"
                    ),
                    models.CheckConstraint(
                        condition=models.Q(
                            ("winner", None),
                            models.Q(("ended_at__isnull", False), ("winner__lte", 1)),
                            _connector="OR",
                        ),
                        name="pairing_game_winner_at_the_end",
                    ),
                ],
            },
        ),
    ]
