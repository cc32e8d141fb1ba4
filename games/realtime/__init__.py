"""Live tables: frames for each audience, and their groups."""
