"""Title odds: the rest of a season played many times over, from the ratings and by the season's own rules.

`values`, `luck`, `oracle`, `laid`, `campaign`, `simulation` and `exact` are pure and can run as a program of their own
(`apart`); `queue`, `reading`, `refresh` and `shown` are their edge to tasks, database and pages.
"""
