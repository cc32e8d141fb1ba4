"""Which table is played at which place of which club night.

May import: calendar, core, results.presentation. Entry points: service, planning.request_plan.
"""
