"""The API of competitions, calendars and ratings. It calls the same verbs as the pages."""
