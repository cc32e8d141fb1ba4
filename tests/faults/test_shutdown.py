"""Either house closes cleanly, whatever it is doing."""

import signal
from pathlib import Path

import pytest

from tests import services
from tests.houses import House, Production, children_of

# Eight rounds of a large Swiss: twenty seconds of a whole core for the odds, and more on a busy machine.
LONG_ODDS = """
from django.test import Client
from accounts import clubs
from accounts.models import User
from leagues import competitions, enrol
alice = User.objects.create_user("alice", "alice@club.test")
club = clubs.found(founder=alice, name="Kettle and Dice")
league = competitions.found_league(actor=alice, club=club, name="League", game="splendor-marvel")
season = competitions.add_season(actor=alice, league=league)
division = competitions.add_division(actor=alice, season=season, name="All")
competitions.add_stage(actor=alice, division=division, format="swiss", planned=8)
competitions.open_registration(actor=alice, season=season)
for number in range(60):
    enrol.add_guest(actor=alice, division=division, name=f"Guest {number}")
client = Client(); client.force_login(alice); print(client.cookies["sessionid"].value)
"""


@pytest.mark.timeout(400)
def test_every_program_ends_cleanly_and_open_pages_are_told(production: Production) -> None:
    with production.socket(0) as leaving, production.socket(1) as staying:
        for page in (leaving, staying):
            page.subscribe("site")
        production.programs["web-1"].process.send_signal(signal.SIGTERM)
        assert leaving.farewell() == 1012
        production.manage("announce", "One of two is enough.")
        assert staying.wait_for("announcement")["text"] == "One of two is enough."
    assert production.close() == {"beat": 0, "worker": 0, "web-2": 0, "web-1": 0}


@pytest.mark.timeout(400)
def test_long_work_is_put_down_and_its_row_says_that_it_is_owed(own_house: House) -> None:
    """Odds that take minutes: the house does not wait for them, their program ends with it, and nobody claims them."""
    session = own_house.python(LONG_ODDS).splitlines()[-1]
    assert own_house.post("/leagues/league/1/start/", session)[0] == 200
    services.wait_until(
        lambda: own_house.rows("SELECT 1 FROM leagues_odds WHERE claim <> ''"), 120, "nobody computes the odds"
    )
    program = services.wait_until(lambda: odds_of(own_house), 60, "the odds are computed by nobody")
    worker = own_house.programs["serve" if own_house.kind == "embedded" else "worker"]
    assert worker.stop() == 0
    assert "did not end in time" not in worker.said
    assert own_house.rows("SELECT claim, basis, why_not FROM leagues_odds") == [("", "", "soon")]
    assert not is_running(program)


def odds_of(house: House) -> int | None:
    """The program that computes odds for a process of the house."""
    for program in house.programs.values():
        for pid in [program.process.pid, *children_of(program.process.pid)]:
            for child in children_of(pid):
                if b"leagues.odds" in command_of(child):
                    return child
    return None


def command_of(pid: int) -> bytes:
    try:
        return Path(f"/proc/{pid}/cmdline").read_bytes()
    except OSError:
        return b""


def is_running(pid: int) -> bool:
    return b"leagues.odds" in command_of(pid)
