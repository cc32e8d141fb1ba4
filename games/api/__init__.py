"""The API for tables and matches: the same functions and seat views as the pages and sockets."""
