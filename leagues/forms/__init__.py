"""Forms of the league pages, one module a subject."""
