"""Both kinds of site stop cleanly, whatever they are doing."""

import signal
from pathlib import Path

import pytest

from deploy.harness import services
from deploy.harness.servers import ProductionServers, SiteServer, children_of

# Eight rounds of a large Swiss: twenty seconds of CPU for the odds, and more on a busy machine.
LONG_ODDS = """
from django.test import Client
from accounts import clubs
from accounts.models import User
from leagues.entries import registration
from leagues.seasons import setup
alice = User.objects.create_user("alice", "alice@club.test")
club = clubs.create_club(founder=alice, name="Kettle and Dice")
league = setup.create_league(actor=alice, club=club, name="League", game="splendor-marvel")
season = setup.add_season(actor=alice, league=league)
division = setup.add_division(actor=alice, season=season, name="All")
setup.add_stage(actor=alice, division=division, format="swiss", planned=8)
setup.open_registration(actor=alice, season=season)
for number in range(60):
    registration.add_guest(actor=alice, division=division, name=f"Guest {number}")
client = Client(); client.force_login(alice); print(client.cookies["sessionid"].value)
"""


@pytest.mark.timeout(400)
def test_every_program_ends_cleanly_and_open_pages_are_told(production: ProductionServers) -> None:
    with production.socket(0) as leaving, production.socket(1) as staying:
        for page in (leaving, staying):
            page.subscribe("site")
        production.programs["web-1"].process.send_signal(signal.SIGTERM)
        assert leaving.farewell() == 1012
        production.manage("announce", "One of two is enough.")
        assert staying.wait_for("announcement")["text"] == "One of two is enough."
    assert production.close() == {"beat": 0, "worker": 0, "web-2": 0, "web-1": 0}


@pytest.mark.timeout(400)
def test_long_work_is_put_down_and_its_row_says_that_it_is_owed(disposable_site: SiteServer) -> None:
    """Odds that take minutes: the site does not wait for them, and their process ends with it."""
    session = disposable_site.python(LONG_ODDS).splitlines()[-1]
    assert disposable_site.post("/leagues/league/1/start/", session)[0] == 200
    services.wait_until(
        lambda: disposable_site.rows("SELECT 1 FROM leagues_odds WHERE claim <> ''"), 120, "nobody computes the odds"
    )
    program = services.wait_until(lambda: odds_of(disposable_site), 60, "the odds are computed by nobody")
    worker = disposable_site.programs["serve" if disposable_site.kind == "embedded" else "worker"]
    assert worker.stop() == 0
    assert "did not end in time" not in worker.output
    assert disposable_site.rows("SELECT claim, basis, why_not FROM leagues_odds") == [("", "", "soon")]
    assert not is_running(program)


def odds_of(site: SiteServer) -> int | None:
    """The process that computes odds for the site."""
    for program in site.programs.values():
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
