from django.db import migrations, models

from accounts.text import plain


def write_down_names(apps, schema_editor):
    User = apps.get_model("accounts", "User")
    changed = []
    for person in User.objects.filter(deleted_at=None).iterator():
        person.search = plain(f"{person.display_name} {person.handle}")
        changed.append(person)
    User.objects.bulk_update(changed, ["search"], batch_size=500)


class Migration(migrations.Migration):
    dependencies = [("accounts", "0003_guests")]

    operations = [
        migrations.AddField("user", "search", models.TextField(default="", editable=False)),
        migrations.RunPython(write_down_names, migrations.RunPython.noop, elidable=True),
    ]
