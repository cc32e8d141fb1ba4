"""A whole league in one file that imports again: in another club, in another house, or here after a loss.

The file is a zip: `manifest.json`, and for every kind of row a file of one JSON object a line. Rows refer to each
other by numbers of the file's own, and to people by handle and name; no address, password, token or secret is in it.
"""
