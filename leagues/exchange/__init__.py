"""In and out: players and past results from spreadsheets, tables for other programs, a whole league as one file."""
