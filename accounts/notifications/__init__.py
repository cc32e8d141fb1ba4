"""Notifications: kinds, the bell, e-mail, the digest and users' preferences.

May import: models, access, audit, infra. Entry points: registry.declare_kind, service.notify, service.resolve.
"""
