"""Title odds: the rest of a season played many times over, from the ratings and by the season's own rules.

`values`, `luck`, `oracle`, `laid`, `campaign`, `simulation` and `exact` are pure; `reading`, `refresh` and `shown` are
their edge to the database and the pages.
"""
