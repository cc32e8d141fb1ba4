"""Every query of the pages works on both databases, with the same answer."""

from django.test import Client

from tests.factories import create_user
from tests.leagues.leaderboards.conftest import GAUNTLET, RISING, SPLENDOR, settle, write

PATHS = [
    f"/leaderboards/{SPLENDOR}/?page=1",
    f"/leaderboards/{SPLENDOR}/?bots=yes&window=30",
    f"/leaderboards/{SPLENDOR}/?from=2020-01-01&to=2026-01-01",
    f"/leaderboards/{SPLENDOR}/?to=2199-12-31",
    f"/leaderboards/{SPLENDOR}/?around=bob",
    f"/leaderboards/{GAUNTLET}/?role=thanos&window=90",
    f"/leaderboards/{GAUNTLET}/?role=hero&from=2020-01-01&to=2199-12-31",
    f"/leaderboards/{RISING}/board.csv",
    "/leaderboards/",
    "/leaderboards/between/alice/bob/",
    "/people/alice/",
]


def test_both_databases_answer_every_page(any_database: str) -> None:
    alice, bob, charlie = (create_user(handle) for handle in ("alice", "bob", "charlie"))
    for week in range(3):
        write(SPLENDOR, [alice, bob, charlie], [1, 2, 3], ago=50 - 20 * week)
        write(GAUNTLET, [alice, bob], [1, 2], ago=40 - 15 * week)
        write(RISING, [alice, bob], [1, 1], ago=30 - 10 * week, scenario="hero")
    settle()
    client = Client()
    for path in PATHS:
        assert client.get(path).status_code == 200, path
    board = client.get(f"/leaderboards/{SPLENDOR}/board.json?all=yes").json()
    assert [(row["place"], row["handle"], row["games"]) for row in board["rows"]] == [
        (1, "alice", 3),
        (2, "bob", 3),
        (3, "charlie", 3),
    ]
    assert board["rows"][0]["curve"] == sorted(board["rows"][0]["curve"])
    assert len(board["rows"][0]["curve"]) == 3
    assert client.get(f"/leaderboards/{SPLENDOR}/?q=CHAR").status_code == 302
