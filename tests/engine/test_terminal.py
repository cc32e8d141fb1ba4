"""The engine's command line, as a person at a terminal would meet it: real processes, real input and output."""

import json
import subprocess
import sys

import pytest

import engine
from engine.transcript import dumps
from tests.engine.random_play import walk

NAME = engine.GAMES[0]


def run(*arguments, typed="", cwd=None):
    from pathlib import Path

    root = Path(engine.__file__).parent.parent
    return subprocess.run(
        [sys.executable, "-m", "engine", *map(str, arguments)],
        input=typed,
        capture_output=True,
        text=True,
        cwd=cwd or root,
        env={"PYTHONPATH": str(root), "PYTHONIOENCODING": "utf-8"},
        timeout=120,
    )


@pytest.fixture
def saved(tmp_path):
    match = engine.game(NAME).start(2, "saved")
    for _ in walk(match, "saved"):
        pass
    file = tmp_path / "match.json"
    file.write_text(dumps(match), encoding="utf-8")
    return file


class TestPlay:
    @pytest.mark.parametrize("name", engine.GAMES)
    def test_a_match_is_played_to_its_end_saved_and_verified(self, name, tmp_path):
        file = tmp_path / "mine.json"
        done = run("play", name, "--seed", "a person", "--save", file, typed="1\n" * 3000)
        assert done.returncode == 0, done.stderr
        assert "won:" in done.stdout
        assert str(file) in done.stdout
        assert run("verify", file).stdout.startswith("Genuine")

    def test_nonsense_is_explained_and_asked_again(self, tmp_path):
        done = run("play", NAME, "--seed", "x", "--save", tmp_path / "m.json", typed="dance\n999\nhelp\nlog\nquit\n")
        assert done.returncode == 0
        assert done.stdout.count("Not possible: choose a number from 1 to") == 2
        assert "Left the table" in done.stdout

    def test_the_end_of_input_leaves_the_table_and_keeps_the_match(self, tmp_path):
        file = tmp_path / "m.json"
        assert "Left the table" in run("play", NAME, "--save", file, typed="1\n").stdout
        assert run("verify", file).returncode == 0

    @pytest.mark.parametrize(
        ("arguments", "words"),
        [
            (["chess"], "there is no 'chess'; there are"),
            ([NAME, "--players", "9"], "players:"),
            ([NAME, "--seat", "7"], "seat: there are 2 seats"),
            ([NAME, "--option", "colour=red"], "colour: unknown option"),
            ([NAME, "--option", "colour"], "must be NAME=VALUE"),
        ],
    )
    def test_bad_arguments_are_refused_in_one_line(self, arguments, words):
        done = run("play", *arguments)
        assert done.returncode == 2
        assert words in done.stderr
        assert done.stderr.count("\n") == 1


class TestReplay:
    def test_every_move_is_told(self, saved):
        moves = json.loads(saved.read_text())["moves"]
        done = run("replay", saved)
        assert done.returncode == 0
        assert f"{len(moves) - 1}  seat" in done.stdout
        assert "won:" in done.stdout

    def test_an_undo_says_what_is_taken_back(self, tmp_path):
        match = engine.game("splendor-marvel").start(2, "undone")
        for move in ("take blue", "take red"):
            match.play(move)
        match.undo(0)
        match.undo(0)
        file = tmp_path / "undone.json"
        file.write_text(dumps(match), encoding="utf-8")
        lines = run("replay", file).stdout.splitlines()
        assert lines[lines.index("   2  seat 1: undo") + 1].strip() == "Seat 1 takes back “take red”."
        assert lines[lines.index("   3  seat 1: undo") + 1].strip() == "Seat 1 takes back “take blue”."

    def test_a_file_that_is_none(self, tmp_path):
        assert "No such file" in run("replay", tmp_path / "none.json").stderr


class TestVerify:
    def test_an_edited_move_is_named_by_its_ply(self, saved):
        document = json.loads(saved.read_text())
        document["moves"][3][2] = "00000000"
        saved.write_text(json.dumps(document))
        done = run("verify", saved)
        assert done.returncode == 2
        assert "ply 3" in done.stderr

    def test_another_seed_is_found_out(self, saved):
        saved.write_text(saved.read_text().replace('"saved"', '"other"'))
        assert run("verify", saved).returncode == 2

    def test_a_truncated_file(self, saved):
        saved.write_text(saved.read_text()[:-40])
        done = run("verify", saved)
        assert done.returncode == 2
        assert "not a transcript" in done.stderr


class TestSimulate:
    def test_json_has_what_it_promises(self):
        done = run("simulate", NAME, "--players", 2, "--games", 20, "--seed", "s", "--json")
        report = json.loads(done.stdout)
        assert report["game"] == NAME
        assert (report["players"], report["games"]) == (2, 20)
        assert report["games_per_second"] > 0
        assert report["moves_per_second"] > report["games_per_second"]
        assert sum(report["outcomes"].values()) == pytest.approx(1)
        assert report["build"] in ("compiled", "interpreted")

    def test_the_same_seed_gives_the_same_matches(self):
        once, twice = (json.loads(run("simulate", NAME, "--games", 20, "--seed", "s", "--json").stdout) for _ in "ab")
        assert once["checksum"] == twice["checksum"]

    def test_no_games_are_refused(self):
        assert "at least 1" in run("simulate", NAME, "--games", 0).stderr
