"""When and where a club plays: club nights, venues, who can come, and the club's own clock."""
