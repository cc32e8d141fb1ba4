import pytest

import engine
from engine.transcript import loads
from tests.engine.golden import FOLDER, path, playthrough
from tests.engine.random_play import TABLES


@pytest.mark.parametrize(("name", "players"), TABLES)
def test_the_golden_match_is_played_as_ever(name, players):
    assert playthrough(name, players) == path(name, players).read_text(encoding="utf-8")


@pytest.mark.parametrize("file", sorted(FOLDER.glob("*.txt")), ids=lambda file: file.stem)
def test_the_recorded_transcript_replays(file):
    text = file.read_text(encoding="utf-8")
    match = engine.replay(loads(text[text.index('\n{\n "format"') :]))
    assert str(match.outcome) in text
