"""Import and export: players and past results from spreadsheets, tables for other programs, whole leagues."""
