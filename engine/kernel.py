"""What a game is, and the referee who runs one: the slow side, for people, logs and wires.

A `Game` is the static facts and the words of one game; a `Match` is one play of it. The match alone holds the truth:
whatever a person or a program is told comes from `view`, `events` or, once it is over, `transcript`.
"""

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any, ClassVar

from engine.errors import IllegalAction, OptionError, brief
from engine.options import Option, resolve
from engine.playout import answers
from engine.rng import stream
from engine.state import EVERYONE, GameState, Log, Row

UNDO = "undo"
MOST_NAMED = 12
NOTHING_TO_UNDO = "nothing to take back: the turn has passed on, or something was revealed, rolled or answered since"


@dataclass(frozen=True)
class Outcome:
    """How a match ended. Ranks start at 1 and ties share one; scores are the game's own points by seat.

    `grade` ranks teams that played the same cooperative deal: compared as a tuple, higher is better.
    """

    ranks: tuple[int, ...]
    winners: tuple[int, ...]
    scores: tuple[int, ...]
    reason: str
    grade: tuple[int, ...] = ()

    def told(self) -> dict[str, Any]:
        """The same as JSON-able values."""
        return {
            "ranks": list(self.ranks),
            "winners": list(self.winners),
            "scores": list(self.scores),
            "reason": self.reason,
            "grade": list(self.grade),
        }


@dataclass(frozen=True)
class Entry:
    """One line of a match's record: which seat did what, and the first digits of the state hash it led to."""

    seat: int
    move: str
    digest: str


@dataclass(frozen=True)
class Answer:
    """An answer that can still be taken back, and the state it was given in; an imagined match has no such state."""

    seat: int
    ply: int
    turn: tuple[int, int]
    turns: tuple[int, ...]
    before: GameState | None


class Game:
    """The static facts and the words of one game. One subclass a game, one instance in all."""

    name: ClassVar[str]
    title: ClassVar[str]
    players: ClassVar[range]
    rules_version: ClassVar[int]
    options: ClassVar[tuple[Option, ...]] = ()
    cooperative: ClassVar[bool] = False  # all seats win or lose together

    # -- what a game must say

    def deal(self, players: int, seed: str, options: Mapping[str, Any]) -> GameState:
        """The state at the first decision; options are complete and checked."""
        raise NotImplementedError

    def notation(self, state: GameState, seat: int, action: int) -> str:
        """The public, stable, human-readable form of a legal action: lower case, unique among the legal ones."""
        raise NotImplementedError

    def view(self, state: GameState, seat: int | None) -> dict[str, Any]:
        """All that this seat may know of the table, JSON-able and nothing else; None is a spectator."""
        raise NotImplementedError

    def outcome(self, state: GameState) -> Outcome:
        """How a finished match ended."""
        raise NotImplementedError

    def announce(self, state: GameState) -> None:
        """Note in the log of a fresh deal what everyone sees of it; games whose view says it all note nothing."""

    def event(self, row: Row, known: bool) -> dict[str, Any] | None:
        """A row of the log for someone who may know its operands or not; None when there is nothing to tell."""
        raise NotImplementedError

    def event_in(self, state: GameState, row: Row, known: bool) -> dict[str, Any] | None:
        """The same for a game whose words depend on the match: the names in its own set of cards."""
        return self.event(row, known)

    def sentence(self, event: Mapping[str, Any]) -> str:
        """What `event` tells, in plain English for the terminal; seats are called "seat 1", "seat 2", ..."""
        raise NotImplementedError

    def picture(self, view: Mapping[str, Any]) -> str:
        """A seat's view as text for the terminal."""
        raise NotImplementedError

    def gloss(self, move: str) -> str:
        """A move with a word on what it means, where its notation alone says little to a newcomer."""
        return move

    def turn(self, state: GameState) -> tuple[int, int]:
        """Whose turn it is (-1 in the set-up), and a number that tells this turn from that seat's next one.

        The default is for games in which a turn is one seat's alone and the next turn is always another seat's.
        """
        return int(state.seat), 0

    def roles(self, players: int) -> tuple[str, ...]:
        """The role of each seat; games without roles call every seat a player."""
        return ("player",) * players

    # -- what every game does alike

    def start(self, players: int, seed: str, options: Mapping[str, Any] | None = None) -> "Match":
        if type(players) is not int or players not in self.players:
            takes = f"{self.title} is for {self.players[0]} to {self.players[-1]}"
            raise OptionError("players", f"{takes}, not {brief(players)}")
        if type(seed) is not str or not seed:
            raise OptionError("seed", "must be a text that is not empty")
        if options is not None and not isinstance(options, Mapping):
            raise OptionError("options", "must be a mapping of names to values")
        return Match(self, players, seed, resolve(self.options, options or {}))


class Match:
    """One play of a game, and its record: seed, options and moves rebuild it for ever."""

    def __init__(self, game: Game, players: int, seed: str, options: dict[str, Any]) -> None:
        self.game = game
        self.players = players
        self.seed = seed
        self.options = options
        self.state = game.deal(players, seed, options)
        self.state.log = Log()
        game.announce(self.state)
        self.entries: list[Entry] = []
        self.imagined = False
        # Of what lay before it an imagined match has no entries and no rows, which would tell the truth: only how many
        # entries there were, and what the seat it was imagined for was told.
        self._earlier = 0
        self._told: tuple[int | None, list[dict[str, Any]]] = (None, [])
        self.turns = (0,) * players  # how many turns each seat has finished
        # What happened at each ply, the set-up first: apart, so that an undo can take its ply's rows away again.
        self._rows: list[list[Row]] = [self.state.log.rows]
        # What was answered by one seat, oldest first, since the last reveal, roll or other seat's act. `undo` goes back
        # to those of the present turn; older records went further.
        self._answers: list[Answer] = []

    # -- what is asked, and of whom

    @property
    def to_act(self) -> int | None:
        """The seat that the match waits for; None when it is over."""
        return None if self.state.over else int(self.state.seat)

    @property
    def ply(self) -> int:
        """How many entries the record has, take-backs included: it only ever grows."""
        return self._earlier + len(self.entries)

    @property
    def outcome(self) -> Outcome | None:
        return self.game.outcome(self.state) if self.state.over else None

    def legal(self, seat: int | None = None) -> list[int]:
        """The legal actions of a seat (by default the one to act), ascending."""
        if self.state.over or not (seat is None or 0 <= seat < self.players):
            return []
        return answers(self.state, self.state.seat if seat is None else seat)

    def notation(self, action: int, seat: int | None = None) -> str:
        return self.game.notation(self.state, self._seat(seat), action)

    def parse(self, text: str, seat: int | None = None) -> int:
        """The legal action that `text` names; case and spacing do not matter."""
        seat = self._seat(seat)
        wanted = " ".join(text.lower().split())
        moves = {self.game.notation(self.state, seat, action): action for action in self.legal(seat)}
        if wanted in moves:
            return moves[wanted]
        raise IllegalAction(text, self._refusal(list(moves)))

    # -- doing it

    def play(self, action: int | str, seat: int | None = None) -> None:
        """Play an action, or its notation, for a seat; `IllegalAction` and no change when it may not."""
        seat = self._seat(seat)
        if isinstance(action, str):
            action = self.parse(action, seat)
        elif type(action) is not int or action not in self.legal(seat):
            choices = [f"{each} ({self.game.notation(self.state, seat, each)})" for each in self.legal(seat)]
            raise IllegalAction(action, self._refusal(choices))
        move = self.game.notation(self.state, seat, action)
        turn = self.game.turn(self.state)
        before = self.state.clone()
        answer = Answer(seat, self.ply, turn, self.turns, before)
        log = self.state.log = Log()
        if seat == self.state.seat:
            self.state.apply(action)
        else:
            self.state.apply_aside(seat, action)
        if self.state.luck != before.luck or not all(earlier.seat == seat for earlier in self._answers):
            self._answers.clear()
        if self.state.luck == before.luck:
            self._answers.append(answer)
        if turn[0] >= 0 and (self.state.over or self.game.turn(self.state) != turn):
            self.turns = tuple(done + (owner == turn[0]) for owner, done in enumerate(self.turns))
        self._rows.append(log.rows)
        self.entries.append(Entry(seat, move, self.hash()[:8]))

    def can_undo(self, seat: int) -> bool:
        """Whether this seat's last answer can be taken back: its turn goes on, the match still waits for this seat, and
        nothing was revealed, rolled or answered since. So taking back costs nobody's time but one's own."""
        if not self._answers or seat != self.to_act:
            return False
        last = self._answers[-1]
        return last.seat == seat and last.turn == self.game.turn(self.state)

    def undo(self, seat: int) -> None:
        """Take back this seat's last answer; the record keeps both the answer and the take-back."""
        if not self.can_undo(seat):
            raise IllegalAction(UNDO, NOTHING_TO_UNDO)
        self._take_back(seat)

    def repeat(self, seat: int, move: str) -> None:
        """Play an entry of a record again.

        A record is a fact. Before take-backs ended with the turn, one could reach back to the last reveal, roll or
        other seat's act; such a record still replays.
        """
        if move != UNDO:
            self.play(move, seat)
        elif self._answers and self._answers[-1].seat == seat:
            self._take_back(seat)
        else:
            raise IllegalAction(UNDO, NOTHING_TO_UNDO)

    def _take_back(self, seat: int) -> None:
        answer = self._answers[-1]
        if answer.before is None:
            raise IllegalAction(UNDO, "an imagined match takes nothing back: what lay before it was never imagined")
        self._answers.pop()
        self.state = answer.before
        self.turns = answer.turns
        self._rows[answer.ply + 1] = []
        self._rows.append([])
        self.entries.append(Entry(seat, UNDO, self.hash()[:8]))

    # -- telling it

    def view(self, seat: int | None) -> dict[str, Any]:
        """All that this seat may know, JSON-able; None is a spectator."""
        self._check_seat(seat)
        outcome = self.outcome
        return {
            "game": self.game.name,
            "players": self.players,
            "roles": list(self.game.roles(self.players)),
            "seat": seat,
            "ply": self.ply,
            "to_act": self.to_act,
            "legal": [] if seat is None else [self.notation(action, seat) for action in self.legal(seat)],
            "can_undo": seat is not None and self.can_undo(seat),
            "outcome": None if outcome is None else outcome.told(),
            "table": self.game.view(self.state, seat),
        }

    def events(self, seat: int | None, since: int = 0) -> list[dict[str, Any]]:
        """What happened from ply `since` on, as far as this seat may know; ply 0 is the set-up."""
        self._check_seat(seat)
        told = [event for event in self._told[1] if event["ply"] >= since] if seat == self._told[0] else []
        for ply, rows in enumerate(self._rows[since:], since):
            for row in rows:
                knowers = row[2]
                known = knowers == EVERYONE or (seat is not None and bool(knowers >> seat & 1))
                event = self.game.event_in(self.state, row, known)
                if event is not None:
                    told.append({"ply": ply, **event})
        return told

    def hash(self) -> str:
        """The canonical hash of the whole state. Secret while the match runs: it would confirm a guess of the decks."""
        text = f"{self.game.name} {self.game.rules_version} {','.join(map(str, self.state.ints()))}"
        return hashlib.sha256(text.encode()).hexdigest()

    def clone(self) -> "Match":
        """The same match once more: what is played in one leaves the other as it was."""
        twin = self._copied()
        twin.entries = list(self.entries)
        twin._rows = list(self._rows)
        twin._answers = [replace(each, before=each.before and each.before.clone()) for each in self._answers]
        return twin

    def imagine(self, seat: int | None, seed: str) -> "Match":
        """A copy in which all that this seat cannot know is drawn anew: the same view for it, another truth.

        It carries nothing else of the true match: no entries, since their digests would confirm a guess of the decks
        and some name hidden cards; of the log only what this seat was told; no state from before. What others were
        told before, it does not know.
        """
        self._check_seat(seat)
        twin = self._copied()
        twin.state.determinise(-1 if seat is None else seat, stream(seed, "imagine"))
        twin.seed = seed
        twin.imagined = True
        twin.entries, twin._earlier = [], self.ply
        twin._told = (seat, self.events(seat))
        twin._rows = [[] for _ in self._rows]
        twin._answers = [replace(each, before=None) for each in self._answers]
        return twin

    def _copied(self) -> "Match":
        """The same match with a state of its own; whatever else changes in play is for the caller to copy."""
        twin = object.__new__(Match)
        twin.__dict__.update(self.__dict__)
        twin.state = self.state.clone()
        return twin

    # -- inside

    def _seat(self, seat: int | None) -> int:
        if seat is None:
            return int(self.state.seat)
        self._check_seat(seat)
        return seat

    def _refusal(self, choices: list[str]) -> str:
        """Why an answer is refused: what could have been answered, the first few where there are many."""
        if not choices:
            return "the match is over" if self.state.over else "it is not this seat's decision"
        rest = f", ... ({len(choices)} in all)" if len(choices) > MOST_NAMED else ""
        return f"not legal now; the choices are: {', '.join(choices[:MOST_NAMED])}{rest}"

    def _check_seat(self, seat: int | None) -> None:
        if seat is not None and (type(seat) is not int or not 0 <= seat < self.players):
            raise IllegalAction(seat, f"there is no such seat; seats are 0 to {self.players - 1}")
