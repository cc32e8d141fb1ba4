"""Golden transcripts: one readable file a game, player count and rules version, reviewed as a diff.

`python -m tests.engine.golden` writes them again; the test compares.
"""

import json
from pathlib import Path

import engine
from engine.rng import stream
from engine.transcript import dumps
from tests.engine.random_play import TABLES, walk

FOLDER = Path(__file__).parent / "golden"


def path(name, players):
    return FOLDER / f"{name}-{players}p-rules{engine.game(name).rules_version}.txt"


def playthrough(name, players):
    """A random match as text: what each seat saw and could do at every decision, then the transcript itself."""
    match = engine.game(name).start(players, f"golden {name} {players}")
    pick = stream(match.seed, "seats shown")
    lines = [f"{match.game.title}, {players} players, rules {match.game.rules_version}, seed {match.seed!r}", ""]
    for _ in walk(match, match.seed):
        if match.to_act is None:
            break
        shown = pick.below(players + 1)
        seat = None if shown == players else shown
        lines.append(f"ply {match.ply}: seat {match.to_act} to act, {match.hash()[:16]}")
        lines.append(f"  may: {'; '.join(match.notation(action) for action in match.legal())}")
        table = json.dumps(match.view(seat)["table"], sort_keys=True, ensure_ascii=False)
        lines.append(f"  seen by {'a spectator' if seat is None else f'seat {seat}'}: {table}")
    for event in match.events(None):
        lines.append(f"  {event['ply']}. {match.game.sentence(event)}")
    lines += ["", str(match.outcome), "", dumps(match)]
    return "\n".join(lines)


if __name__ == "__main__":
    FOLDER.mkdir(exist_ok=True)
    for name, players in TABLES:
        path(name, players).write_text(playthrough(name, players), encoding="utf-8")
