"""Backup and restore: the whole site in one file, for any database.

The file is a zip: `manifest.json`, and for every table a file with one JSON array for each row. The manifest gives the
order of the columns and the migrations of the database. An older backup is restored at its own migrations and then
migrated; a newer one is refused. Sessions are left out: a stolen backup gives no access to an account, and after a
restore everyone logs in again.
"""
