"""Calendar feeds to subscribe to (iCalendar).

May import: models, core, calendar. Entry points: service.
"""
