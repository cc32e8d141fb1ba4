"""Tables of outcomes as text, so that a change of a permission is a change of one line.

A row has a route and the answer for each of ROLES. Nobody in the cast has a seat, an entry or an account that the rows
are about, unless the row says so: what people may do with their own is tested in each app.
"""

from collections.abc import Callable, Mapping
from pathlib import Path

HERE = Path(__file__).parent
ROLES = ["visitor", "stranger", "member", "organiser", "owner", "staff"]

Outcomes = dict[str, list[str]]


def read(name: str) -> Outcomes:
    rows: Outcomes = {}
    for line in (HERE / name).read_text(encoding="utf-8").splitlines():
        if not line.strip() or line.startswith("#"):
            continue
        words = line.split()
        what = " ".join(words[: -len(ROLES)])
        assert what, f"a row is short: {line}"
        assert what not in rows, f"{what} stands in {name} twice"
        rows[what] = words[-len(ROLES) :]
    return rows


def differences(table: Mapping[str, list[str]], role: str, outcome: Callable[[str], str]) -> dict[str, str]:
    """Rows where this role gets another answer than in the table: expected and actual."""
    at = ROLES.index(role)
    seen = {what: outcome(what) for what in table}
    return {what: f"{table[what][at]} in the table, {now}" for what, now in seen.items() if now != table[what][at]}
