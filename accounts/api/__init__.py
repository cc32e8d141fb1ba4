"""The API for users, clubs and notices: it calls the same functions as the pages."""
