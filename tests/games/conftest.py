"""The cast: Alice hosts, Bob plays, Charlie is a stranger, Stella is staff; and a table to sit at."""

import pytest
from django.test import Client

import engine
from accounts.models import User
from games import referee, tables
from games.models import Match, Move, Seat
from games.play import play, play_as
from games.tables import Clock, Setting

GAME = "splendor-marvel"


@pytest.fixture(autouse=True)
def nothing_remembered():
    """Ids start over with every test's database; what was remembered of another match of that id must not."""
    referee.forget()


@pytest.fixture(autouse=True)
def sent_tasks(monkeypatch) -> list[int]:
    """Matches whose bots were sent for. There is no worker here: tests take the bots' turns themselves."""
    sent: list[int] = []
    monkeypatch.setattr("games.queue.send", sent.append)
    return sent


def person(handle: str, **fields) -> User:
    return User.objects.create_user(handle, f"{handle}@example.org", **fields)


@pytest.fixture
def alice(db) -> User:
    return person("alice", display_name="Alice A.")


@pytest.fixture
def bob(db) -> User:
    return person("bob")


@pytest.fixture
def charlie(db) -> User:
    return person("charlie")


@pytest.fixture
def stella(db) -> User:
    return person("stella", is_staff=True)


def laid(*people: User, game: str = GAME, bots: int = 0, clock: Clock | None = None, **setting) -> Match:
    """An open table with these people, and bots in as many places more."""
    players = len(people) + bots
    match = tables.open_table(host=people[0], setting=Setting(game, players, clock=clock or Clock(), **setting))
    for someone in people:
        tables.sit(person=someone, match=match)
    for _ in range(bots):
        tables.fill_with_bot(person=people[0], match=match, level="regular")
    return match


def begun(*people: User, **setting) -> Match:
    setting.setdefault("draws_seats", False)
    return tables.start(person=people[0], match=laid(*people, **setting))


def fresh(match: Match) -> Match:
    return Match.objects.get(pk=match.pk)


def first_move(match: Match) -> str:
    current = referee.at(match)
    return current.notation(current.legal()[0])


def play_on(match: Match) -> Match:
    """One legal move for whoever is to act, by whatever right they have."""
    match = fresh(match)
    assert match.to_act is not None
    seat = Seat.objects.get(match=match, index=match.to_act)
    if seat.is_played_by_person:
        assert seat.user is not None
        return play_as(person=seat.user, match=match, ply=match.ply, move=first_move(match)).match
    return play(match=match, ply=match.ply, seat=seat.index, move=first_move(match), by=Move.By.BOT).match


def play_turn(match: Match) -> Match:
    """On until somebody else is to act."""
    before = fresh(match).to_act
    while (match := play_on(match)).to_act == before:
        pass
    return match


def two_turns_each(match: Match) -> Match:
    """On until every seat has had two turns: from here on a match counts."""
    match = fresh(match)
    while min(referee.at(match).turns) < 2:
        match = play_on(match)
    return match


def played_out(match: Match) -> Match:
    """Random play to the end."""
    from engine.rng import stream

    rng = stream(match.key, "test")
    while (match := fresh(match)).is_playing:
        current = referee.at(match)
        legal = current.legal()
        move = current.notation(legal[rng.below(len(legal))])
        assert current.to_act is not None
        play(match=match, ply=match.ply, seat=current.to_act, move=move, by=Move.By.BOT)
    return match


def record(match: Match) -> engine.Match:
    from games import fairness

    return engine.replay(fairness.record_of(match))


def logged_in(user: User) -> Client:
    client = Client()
    client.force_login(user)
    return client


@pytest.fixture
def as_alice(alice) -> Client:
    return logged_in(alice)


@pytest.fixture
def as_bob(bob) -> Client:
    return logged_in(bob)


@pytest.fixture
def as_charlie(charlie) -> Client:
    return logged_in(charlie)
