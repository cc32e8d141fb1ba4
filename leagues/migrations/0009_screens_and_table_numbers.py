import django.db.models.deletion
import django.utils.timezone
from django.conf import settings
from django.db import migrations, models


def number_tables(apps, schema_editor):
    """A placed table gets the number of its place; in open rounds of several divisions every table gets its own."""
    Pairing, Placement = apps.get_model("leagues", "Pairing"), apps.get_model("leagues", "Placement")
    placed = dict(Placement.objects.values_list("pairing", "board"))
    for pk, board in placed.items():
        Pairing.objects.filter(pk=pk).update(table_number=board)
    rows = Pairing.objects.exclude(round__status="closed").exclude(pk__in=list(placed))
    taken = {}
    order = ["round__stage__division__level", "round__stage__division__number", "round__number", "number"]
    for pk, number, season, division, round_ in rows.order_by(*order).values_list(
        "pk", "number", "round__stage__division__season", "round__stage__division", "round"
    ):
        by_division = taken.setdefault(season, {})
        elsewhere = [rounds for known, rounds in by_division.items() if known != division]
        others = {each for rounds in elsewhere for own in rounds.values() for each in own}
        mine = by_division.setdefault(division, {}).setdefault(round_, set())
        while number in others or number in mine:
            number += 1
        mine.add(number)
        Pairing.objects.filter(pk=pk).update(table_number=number)


class Migration(migrations.Migration):
    dependencies = [
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
        ("leagues", "0008_entry_questions_and_approval"),
    ]

    operations = [
        migrations.AddField(
            model_name="pairing",
            name="table_number",
            field=models.PositiveSmallIntegerField(blank=True, editable=False, null=True),
        ),
        migrations.CreateModel(
            name="Screen",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("key", models.CharField(blank=True, editable=False, max_length=16)),
                (
                    "clock",
                    models.CharField(blank=True, choices=[("round", "Round"), ("break", "Break")], max_length=10),
                ),
                ("clock_from", models.DateTimeField(blank=True, null=True)),
                ("clock_until", models.DateTimeField(blank=True, null=True)),
                (
                    "season",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.CASCADE, related_name="screen", to="leagues.season"
                    ),
                ),
            ],
            options={
                "ordering": ["season"],
                "constraints": [
                    models.UniqueConstraint(
                        condition=models.Q(("key", ""), _negated=True), fields=("key",), name="screen_key_once"
                    ),
                    models.CheckConstraint(
                        condition=models.Q(
                            models.Q(("clock", ""), ("clock_from", None), ("clock_until", None)),
                            models.Q(
                                ("clock__in", ["round", "break"]), ("clock_until__gt", models.F("clock_from"))
                            ),
                            _connector="OR",
                        ),
                        name="screen_clock_is_whole",
                    ),
                ],
            },
        ),
        migrations.CreateModel(
            name="SentReport",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("key", models.CharField(max_length=40)),
                ("at", models.DateTimeField(default=django.utils.timezone.now, editable=False)),
                (
                    "by",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="+", to=settings.AUTH_USER_MODEL
                    ),
                ),
                (
                    "pairing",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="+", to="leagues.pairing"
                    ),
                ),
                (
                    "result",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="+", to="leagues.result"
                    ),
                ),
            ],
            options={
                "ordering": ["pk"],
                "constraints": [
                    models.UniqueConstraint(fields=("by", "pairing", "key"), name="sent_report_once"),
                ],
            },
        ),
        migrations.RunPython(number_tables, migrations.RunPython.noop),
    ]
