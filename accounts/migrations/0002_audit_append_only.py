"""The database itself refuses to change an audit entry.

A later migration that makes SQLite rebuild the table drops the trigger silently: such a migration
runs `guard` again, and the test of the trail fails until it does.
"""

from django.db import migrations

GUARD = {
    "sqlite": [
        """
        CREATE TRIGGER accounts_auditentry_append_only BEFORE UPDATE ON accounts_auditentry
        BEGIN SELECT RAISE(ABORT, 'the audit trail is append-only'); END
        """,
    ],
    "postgresql": [
        """
        CREATE FUNCTION accounts_auditentry_refuse() RETURNS trigger LANGUAGE plpgsql AS $$
        BEGIN
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
    dependencies = [("accounts", "0001_initial")]
    operations = [migrations.RunPython(guard, unguard)]
