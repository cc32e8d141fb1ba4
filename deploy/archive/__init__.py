"""A whole house in one file, whatever database it stands on: backup and restore.

The file is a zip: `manifest.json`, and for every table a file of one JSON array a row, the columns in the order that
the manifest gives. It names the migrations it was made under, so an older one is restored under those and brought up
to date, and a newer one is refused. Sessions stay behind: a stolen backup opens nobody's account, and everyone logs in
again.
"""
