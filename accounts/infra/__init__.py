"""Plumbing of the whole site that knows no model of ours.

Owns transport (realtime), the API's foundation (rest), errors, permissions, shutdown, metrics and small helpers.
May import: nothing else of this project. Entry points: on_commit.after_commit, errors.Refused, permissions.Policy,
realtime.publish, rest.operation.
"""
