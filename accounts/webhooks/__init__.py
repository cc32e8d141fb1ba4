"""A club's events for its own programs: declared once, queued in the transaction, delivered later.

May import: models, access, audit, clubs, infra. Entry points: events.declare_event, events.emit.
"""
