"""`Game` describes a game, `Match` runs one play of it: the interface for the site, the terminal and bots.

Only the match holds the full state, hidden cards included. What a person or a program may see comes from `view`,
`events` or, once the match is over, `transcript`.
"""

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Any, ClassVar

from engine.errors import IllegalAction, OptionError, brief
from engine.options import Option, resolve
from engine.playout import answers
from engine.rng import stream
from engine.state import EVERYONE, GameState, Log, Row

UNDO = "undo"
BACK = "back to "
"""With the number of an entry after it: the position before that entry comes back, whoever has acted since."""
ANEW = "anew"
"""What this seat cannot know is drawn anew here: so begins a match that is played on from a position of another."""
ANEW_SEED = "\nanew "
"""Between the seed that deals and that of a later draw. Any other seed deals as a whole, also one of several lines."""
MAX_NAMED = 12
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

    def to_json(self) -> dict[str, Any]:
        """The outcome as a JSON-able dict."""
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


class Scoring(StrEnum):
    """What a result consists of: an order with scores, a side that won, or a team that made it."""

    ORDER = "order"
    SIDES = "sides"
    TEAM = "team"


class Game:
    """The facts and texts of one game. One subclass and one instance for each game."""

    name: ClassVar[str]
    title: ClassVar[str]
    short_title: ClassVar[str] = ""  # for narrow places, where the title is long
    players: ClassVar[range]
    rules_version: ClassVar[int]
    options: ClassVar[tuple[Option, ...]] = ()
    cooperative: ClassVar[bool] = False  # all seats win or lose together
    solo_role: ClassVar[str] = ""  # the role that plays alone against all the others
    scenario_option: ClassVar[str] = ""  # the option that names what a team plays against
    grade_names: ClassVar[tuple[str, ...]] = ()  # what each number of `Outcome.grade` is
    has_asides: ClassVar[bool] = False  # seats may act out of turn
    card_option: ClassVar[str] = ""  # the option that takes a whole card file, where a club may bring one of its own

    # -- what a game must define

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
        """Log what everyone sees of a fresh deal; nothing for games whose view shows all of it."""

    def event(self, row: Row, known: bool) -> dict[str, Any] | None:
        """A row of the log for someone who may know its operands or not; None when they may not see it."""
        raise NotImplementedError

    def event_in(self, state: GameState, row: Row, known: bool) -> dict[str, Any] | None:
        """The same for a game whose words depend on the match: the names in its own set of cards."""
        return self.event(row, known)

    def sentence(self, event: Mapping[str, Any]) -> str:
        """An event in plain English for the terminal; seats are called "seat 1", "seat 2", ..."""
        raise NotImplementedError

    def terminal_view(self, view: Mapping[str, Any]) -> str:
        """A seat's view as text for the terminal."""
        raise NotImplementedError

    def explain_move(self, move: str) -> str:
        """A move with a short explanation for beginners, where the notation alone is not clear."""
        return move

    def turn(self, state: GameState) -> tuple[int, int]:
        """Whose turn it is (-1 in the set-up), and a number that distinguishes this turn from that seat's next one.

        The default is for games in which a turn is one seat's alone and the next turn is always another seat's.
        """
        return int(state.seat), 0

    def closes(self, state: GameState, action: int) -> bool:
        """Whether this action of the seat to act ends what others could do out of turn before it: a roll, the end of a
        turn. Only games with asides have such actions."""
        return False

    def why_not(self, state: GameState, seat: int) -> dict[str, dict[str, Any]]:
        """Reasons for what this seat cannot choose now, by notation: a `code` of the game's table `REASONS`, and what
        its sentence needs. Made from what the seat may know; what is legal may be among them and is left out."""
        return {}

    def read_card_file(self, text: str) -> dict[str, Any]:
        """The document of a card file, for the option `card_option`; `OptionError` names the line at fault.

        Stricter than the option itself: what people read on the cards is checked too.
        """
        raise OptionError("card_set", f"{self.title} is played with its own cards only")

    def own_card_file(self) -> str:
        """The text of the card file that a match is played with unless the option gives another; empty without one."""
        return ""

    def roles(self, players: int) -> tuple[str, ...]:
        """The role of each seat; games without roles call every seat a player."""
        return ("player",) * players

    # -- what is the same for every game

    @property
    def scoring(self) -> Scoring:
        """What a result of this game consists of."""
        if self.cooperative:
            return Scoring.TEAM
        return Scoring.SIDES if len(set(self.roles(self.players[0]))) > 1 else Scoring.ORDER

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
    """One play of a game, and its record: seed, options and moves rebuild it for ever.

    What follows `ANEW_SEED` in a seed is for one `draw_anew`, and does not deal.
    """

    def __init__(self, game: Game, players: int, seed: str, options: dict[str, Any]) -> None:
        self.game = game
        self.players = players
        self.seed = seed
        self.options = options
        self.state = game.deal(players, seed.partition(ANEW_SEED)[0], options)
        self.state.log = Log()
        game.announce(self.state)
        self.entries: list[Entry] = []
        self.imagined = False
        # An imagined match has no entries and no rows from before, since they would reveal hidden cards: only how many
        # entries there were, and the events that the seat it was imagined for has seen.
        self._earlier = 0
        self._known_events: tuple[int | None, list[dict[str, Any]]] = (None, [])
        self.turns = (0,) * players  # how many turns each seat has finished
        # The entries that still hold, by number, the most there have been, and whether the last one added to them.
        self._line: list[int] = []
        self._furthest = 0
        self.leads_further = False
        # What happened at each ply, the set-up first; one list a ply, so that an undo can remove the rows of its ply.
        self._rows: list[list[Row]] = [self.state.log.rows]
        # Per reader, the events of the first so many plies: a match is asked for them after every move.
        self._events: dict[int | None, tuple[int, list[dict[str, Any]]]] = {}
        # What was answered by one seat, oldest first, since the last reveal, roll or other seat's act. `undo` goes back
        # to those of the present turn; older records went further.
        self._answers: list[Answer] = []

    # -- who decides, and what is legal

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

    def helpers(self) -> list[int]:
        """The seats that may act out of turn now, while the match waits for another."""
        if not self.game.has_asides or self.state.over:
            return []
        return [seat for seat in range(self.players) if seat != self.state.seat and self.legal(seat)]

    def closes(self, move: str) -> bool:
        """Whether this legal move of the seat to act ends what others could do before it; see `Game.closes`."""
        return self.game.has_asides and self.game.closes(self.state, self.parse(move))

    def parse(self, text: str, seat: int | None = None) -> int:
        """The legal action that `text` names; case and spacing do not matter."""
        seat = self._seat(seat)
        wanted = " ".join(text.lower().split())
        moves = {self.game.notation(self.state, seat, action): action for action in self.legal(seat)}
        if wanted in moves:
            return moves[wanted]
        raise IllegalAction(text, self._refusal(list(moves)))

    # -- playing and taking back

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
        self._line.append(self.ply)
        self.leads_further = len(self._line) > self._furthest
        self._furthest = max(self._furthest, len(self._line))
        self.entries.append(Entry(seat, move, self.hash()[:8]))

    def can_undo(self, seat: int) -> bool:
        """Whether this seat's last answer can be taken back: its turn goes on, the match still waits for this seat, and
        nothing was revealed, rolled or answered since. So taking back costs only this seat's own time."""
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
        if move == ANEW:
            self.draw_anew(seat)
        elif move.startswith(BACK):
            self.go_back(seat, int(move.removeprefix(BACK)) if move.removeprefix(BACK).isdecimal() else -1)
        elif move != UNDO:
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
        self._return_to(answer.before.clone(), answer.turns, len(self._line) - 1, Entry(seat, UNDO, ""))

    def last_decision(self, seat: int) -> int | None:
        """The number of this seat's last entry that still holds; `go_back` with it asks that question again."""
        own = self._line[self._fixed() :]
        return next((ply for ply in reversed(own) if self.entries[ply].seat == seat), None)

    def _fixed(self) -> int:
        """How many of the entries that hold lie before the last `draw_anew`, itself included: they are for good."""
        anew = [place for place, ply in enumerate(self._line, start=1) if self.entries[ply].move == ANEW]
        return anew[-1] if anew else 0

    def go_back(self, seat: int, ply: int) -> None:
        """Return to the position before one of this seat's own entries, whatever was rolled or answered since.

        Only where the others do not mind: all that they did after it is undone too. The luck of the match stays the
        same, so the same answers lead to the same rolls. The record keeps everything.
        """
        own = [] if self.imagined or self.state.over else self._line[self._fixed() :]
        if ply not in own or self.entries[ply].seat != seat:
            raise IllegalAction(f"{BACK}{ply}", "there is no such decision of this seat to go back to")
        kept = self._line.index(ply)
        again = Match(self.game, self.players, self.seed, self.options)
        for number in self._line[:kept]:
            again.repeat(self.entries[number].seat, self.entries[number].move)
        self._answers = []
        self._return_to(again.state, again.turns, kept, Entry(seat, f"{BACK}{ply}", ""))

    def draw_anew(self, seat: int) -> None:
        """Draw all that this seat cannot know anew, from the next part of the seed: it sees the same table as before.

        What only others knew of the past is forgotten, for it was about other cards. Nothing before it is taken back.
        """
        self._check_seat(seat)
        parts = self.seed.split(ANEW_SEED)
        number = 1 + sum(entry.move == ANEW for entry in self.entries)
        if self.imagined or self.state.over or number >= len(parts):
            raise IllegalAction(ANEW, "nothing is drawn anew here: the match is over, or its seed has no part for it")
        self.state.determinise(seat, stream(parts[number], ANEW))
        self.state.log = Log()
        self._rows = [[row if row[2] == EVERYONE else known_to(seat, row) for row in rows] for rows in self._rows]
        self._rows.append([])
        self._events = {}
        self._answers = []
        self._line.append(self.ply)
        self._furthest = max(self._furthest, len(self._line))
        self.leads_further = True
        self.entries.append(Entry(seat, ANEW, self.hash()[:8]))

    def undone(self) -> list[int]:
        """The plies whose events no longer hold, counted from 1 as events count them."""
        held = set(self._line)
        return [
            ply + 1
            for ply, entry in enumerate(self.entries)
            if ply not in held and entry.move != UNDO and not entry.move.startswith(BACK)
        ]

    def _return_to(self, state: GameState, turns: tuple[int, ...], kept: int, entry: Entry) -> None:
        """Take up an earlier position, of which so many entries hold, and write that down."""
        self.state, self.turns = state, turns
        for ply in self._line[kept:]:
            self._rows[ply + 1] = []
        del self._line[kept:]
        self._events = {}
        self._rows.append([])
        self.leads_further = False
        self.entries.append(replace(entry, digest=self.hash()[:8]))

    # -- what a seat may see

    def view(self, seat: int | None) -> dict[str, Any]:
        """All that this seat may know, JSON-able; None is a spectator."""
        self._check_seat(seat)
        outcome = self.outcome
        legal = [] if seat is None else [self.notation(action, seat) for action in self.legal(seat)]
        return {
            "game": self.game.name,
            "players": self.players,
            "roles": list(self.game.roles(self.players)),
            "seat": seat,
            "ply": self.ply,
            "to_act": self.to_act,
            "legal": legal,
            "why_not": {} if seat is None else self.why_not(seat, legal),
            "can_undo": seat is not None and self.can_undo(seat),
            "outcome": None if outcome is None else outcome.to_json(),
            "table": self.game.view(self.state, seat),
        }

    def why_not(self, seat: int, legal: list[str] | None = None) -> dict[str, dict[str, Any]]:
        """Why this seat cannot choose what is not legal for it now, by notation."""
        if self.state.over:
            return {}
        chosen = [self.notation(action, seat) for action in self.legal(seat)] if legal is None else legal
        return {move: reason for move, reason in self.game.why_not(self.state, seat).items() if move not in chosen}

    def events(self, seat: int | None, since: int = 0) -> list[dict[str, Any]]:
        """What happened from ply `since` on, as far as this seat may know; ply 0 is the set-up."""
        self._check_seat(seat)
        if since:
            events = [event for event in self._seen_before(seat) if event["ply"] >= since]
            return events + self._read(seat, since, len(self._rows))
        plies, known = self._events.get(seat, (0, []))
        known = known + self._read(seat, plies, len(self._rows))
        self._events[seat] = (len(self._rows), known)
        return self._seen_before(seat) + known

    def _seen_before(self, seat: int | None) -> list[dict[str, Any]]:
        """What the seat that this match was imagined for had seen; nothing in a real match."""
        return self._known_events[1] if seat == self._known_events[0] else []

    def _read(self, seat: int | None, start: int, stop: int) -> list[dict[str, Any]]:
        """The events of these plies, as far as this seat may know."""
        events: list[dict[str, Any]] = []
        for ply in range(start, stop):
            for row in self._rows[ply]:
                knowers = row[2]
                known = knowers == EVERYONE or (seat is not None and bool(knowers >> seat & 1))
                event = self.game.event_in(self.state, row, known)
                if event is not None:
                    events.append({"ply": ply, **event})
        return events

    def hash(self) -> str:
        """The canonical hash of the whole state. Secret while the match runs: it would confirm a guess of the decks."""
        text = f"{self.game.name} {self.game.rules_version} {','.join(map(str, self.state.ints()))}"
        return hashlib.sha256(text.encode()).hexdigest()

    def clone(self) -> "Match":
        """An independent copy of the match."""
        twin = self._copied()
        twin.entries = list(self.entries)
        twin._line = list(self._line)
        twin._rows = list(self._rows)
        twin._events = dict(self._events)
        twin._answers = list(self._answers)  # the states in them are never played on
        return twin

    def imagine(self, seat: int | None, seed: str) -> "Match":
        """A copy in which all that this seat cannot know is drawn again: the same view for it, other hidden cards.

        It contains nothing else of the real match: no entries, since their digests would confirm a guess of the decks
        and some name hidden cards; of the log only the events that this seat has seen; no earlier state. Earlier events
        of other seats are not in it.
        """
        self._check_seat(seat)
        twin = self._copied()
        twin.state.determinise(-1 if seat is None else seat, stream(seed, "imagine"))
        twin.seed = seed
        twin.imagined = True
        twin.entries, twin._earlier = [], self.ply
        twin._line = []
        twin._known_events = (seat, self.events(seat))
        twin._rows = [[] for _ in self._rows]
        twin._events = {}
        twin._answers = [replace(each, before=None) for each in self._answers]
        return twin

    def _copied(self) -> "Match":
        """A copy with its own state; the caller copies what else changes in play."""
        twin = object.__new__(Match)
        twin.__dict__.update(self.__dict__)
        twin.state = self.state.clone()
        return twin

    # -- internals

    def _seat(self, seat: int | None) -> int:
        if seat is None:
            return int(self.state.seat)
        self._check_seat(seat)
        return seat

    def _refusal(self, choices: list[str]) -> str:
        """Why an answer is refused: what could have been answered, the first few where there are many."""
        if not choices:
            return "the match is over" if self.state.over else "it is not this seat's decision"
        rest = f", ... ({len(choices)} in all)" if len(choices) > MAX_NAMED else ""
        return f"not legal now; the choices are: {', '.join(choices[:MAX_NAMED])}{rest}"

    def _check_seat(self, seat: int | None) -> None:
        if seat is not None and (type(seat) is not int or not 0 <= seat < self.players):
            raise IllegalAction(seat, f"there is no such seat; seats are 0 to {self.players - 1}")


def known_to(seat: int, row: Row) -> Row:
    """A row of the log that nobody but this seat may know any more."""
    kind, whose, knowers, a, b, c = row
    return kind, whose, knowers & (1 << seat), a, b, c
