"""When and where a club plays. `values`, `hall`, `greedy`, `solver`, `advice` and `wording` are pure."""
