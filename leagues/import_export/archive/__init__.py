"""A whole league in one file: to move it to another club or site, or to restore it after a loss.

The file is a zip: `manifest.json`, and for every kind of row a file with one JSON object per line. Rows refer to each
other by numbers of their own, and to people by handle and name. It has no address, password, token or secret.
"""
