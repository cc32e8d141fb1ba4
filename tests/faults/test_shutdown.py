"""The large house closes as cleanly as the small one."""

import signal

import pytest

from tests.houses import Production


@pytest.mark.timeout(180)
def test_every_program_ends_cleanly_and_open_pages_are_told(production: Production) -> None:
    with production.socket(0) as leaving, production.socket(1) as staying:
        for page in (leaving, staying):
            page.subscribe("site")
        production.programs["web-1"].process.send_signal(signal.SIGTERM)
        assert leaving.farewell() == 1012
        production.manage("announce", "One of two is enough.")
        assert staying.wait_for("announcement")["text"] == "One of two is enough."
    assert production.close() == {"beat": 0, "worker": 0, "web-2": 0, "web-1": 0}
