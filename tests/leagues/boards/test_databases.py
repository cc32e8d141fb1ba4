"""Every question that the pages ask is understood by both databases, and answered alike."""

from django.test import Client

from tests.leagues.boards.conftest import GAUNTLET, RISING, SPLENDOR, person, settle, write

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
    alice, bob, charlie = (person(handle) for handle in ("alice", "bob", "charlie"))
    for week in range(3):
        write(SPLENDOR, [alice, bob, charlie], [1, 2, 3], ago=50 - 20 * week)
        write(GAUNTLET, [alice, bob], [1, 2], ago=40 - 15 * week)
        write(RISING, [alice, bob], [1, 1], ago=30 - 10 * week, scenario="hero")
    settle()
    client = Client()
    for path in PATHS:
        assert client.get(path).status_code == 200, path
    told = client.get(f"/leaderboards/{SPLENDOR}/board.json?all=yes").json()
    assert [(row["place"], row["handle"], row["games"]) for row in told["rows"]] == [
        (1, "alice", 3),
        (2, "bob", 3),
        (3, "charlie", 3),
    ]
    assert told["rows"][0]["curve"] == sorted(told["rows"][0]["curve"])
    assert len(told["rows"][0]["curve"]) == 3
    assert client.get(f"/leaderboards/{SPLENDOR}/?q=CHAR").status_code == 302
