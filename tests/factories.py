"""Factories for tests: people, clubs, tables and seasons, each built by the site's own code.

No fixtures here: those are in `tests/cast.py`.
"""

import re
from collections.abc import Sequence
from datetime import timedelta
from typing import Any

from django.db import transaction
from django.test import Client
from django.utils import timezone

import engine
from accounts import clubs
from accounts.models import Club, Membership, Role, User
from engine import transcript
from engine.analysis import turn_puzzles
from engine.rng import stream
from games import engine_match, fairness
from games.catalogue.tutorials.contents import Tutorial, tutorial
from games.models import Match, Move, Puzzle, Seat
from games.play.moves import play_as, play_move
from games.puzzles import making
from games.tables import seating, start
from games.tables.setup import Clock, Setting, open_table
from leagues.core import consent
from leagues.entries import registration
from leagues.models import Division, Entrant, League, Pairing, Result, Round, Season, Stage
from leagues.results import recording
from leagues.rounds import draw
from leagues.seasons import presets, setup

PASSWORD = "roll-the-dice-42"
GAME = "splendor-marvel"
# A grey square of 32 pixels as a PNG, in base64.
PICTURE = "iVBORw0KGgoAAAANSUhEUgAAACAAAAAgCAAAAABWESUoAAAAGElEQVR42mOMYsAPmBhGFYwqGFUwQhUAAPsVAJpIbYgPAAAAAElFTkSuQmCC"


# People and clubs


def create_user(handle: str, **fields: Any) -> User:
    """Somebody who joined a while ago: new accounts have limits."""
    fields.setdefault("joined_at", timezone.now() - timedelta(days=60))
    return User.objects.create_user(handle, f"{handle.lower()}@example.org", **fields)


def create_club(owner: User, organiser: User, *members: User, city: str = "Łódź") -> Club:
    club = clubs.create_club(founder=owner, name="The Round Table", city=city)
    add_member(club, organiser, Role.ORGANISER)
    for each in members:
        add_member(club, each)
    return club


def add_member(club: Club, user: User, role: str = Role.MEMBER) -> Membership:
    return Membership.objects.create(club=club, user=user, role=role)


def role_of(club: Club, user: User) -> str | None:
    return Membership.objects.filter(club=club, user=user).values_list("role", flat=True).first()


def actions_of(club: Club) -> list[str]:
    return list(club.audit_entries.order_by("pk").values_list("action", flat=True))


def logged_in(user: User) -> Client:
    client = Client()
    client.force_login(user)
    return client


# Tables and matches


def open_table_with(
    *people: User, game: str = GAME, bots: int = 0, clock: Clock | None = None, **setting: Any
) -> Match:
    """An open table with these people, and bots in as many places more."""
    players = len(people) + bots
    match = open_table(host=people[0], setting=Setting(game, players, clock=clock or Clock(), **setting))
    for someone in people:
        seating.sit(person=someone, match=match)
    for _ in range(bots):
        seating.fill_with_bot(person=people[0], match=match, level="regular")
    return match


def started_match(*people: User, **setting: Any) -> Match:
    setting.setdefault("draws_seats", False)
    return start.start(person=people[0], match=open_table_with(*people, **setting))


def fresh(match: Match) -> Match:
    return Match.objects.get(pk=match.pk)


def first_move(match: Match) -> str:
    current = engine_match.load(match)
    return current.notation(current.legal()[0])


def play_one_move(match: Match) -> Match:
    """Play one legal move for the seat that is to act."""
    match = fresh(match)
    assert match.to_act is not None
    seat = Seat.objects.get(match=match, index=match.to_act)
    if seat.is_played_by_person:
        assert seat.user is not None
        return play_as(person=seat.user, match=match, ply=match.ply, move=first_move(match)).match
    return play_move(match=match, ply=match.ply, seat=seat.index, move=first_move(match), by=Move.By.BOT).match


def play_turn(match: Match) -> Match:
    """Play until another seat is to act."""
    before = fresh(match).to_act
    while (match := play_one_move(match)).to_act == before:
        pass
    return match


def two_turns_each(match: Match) -> Match:
    """Play until every seat has had two turns, from when on a match counts, or until the end if that comes first."""
    match = fresh(match)
    while match.is_playing and min(engine_match.load(match).turns) < 2:
        match = play_one_move(match)
    return match


def finished_match(match: Match) -> Match:
    """Random play to the end."""
    rng = stream(match.key, "test")
    while (match := fresh(match)).is_playing:
        current = engine_match.load(match)
        legal = current.legal()
        move = current.notation(legal[rng.below(len(legal))])
        assert current.to_act is not None
        play_move(match=match, ply=match.ply, seat=current.to_act, move=move, by=Move.By.BOT)
    return match


def create_puzzle(seed: str = "a secret deal", match: Match | None = None) -> Puzzle:
    """A choice in a random match; the first of its answers is called right, and the last one what the bot misses by."""
    played = engine.game("infinity-gauntlet").start(3, seed)
    rng = stream(seed, "walk")
    while played.ply < 6 or len(played.legal()) < 2:
        legal = played.legal()
        played.play(legal[rng.below(len(legal))])
    assert played.to_act is not None
    moves = [played.notation(action) for action in played.legal()]
    found = {
        "game": played.game.name,
        "players": played.players,
        "seat": played.to_act,
        "document": transcript.transcript(played),
        "answers": [
            {"move": move, "chance": 0.2 if place else 0.6, "right": not place} for place, move in enumerate(moves)
        ],
        "missed": moves[-1:],
        "worlds": 400,
        "version": 1,
        "budget": "small",
    }
    making.keep([found], match=match)
    return Puzzle.objects.get(fingerprint=making.fingerprint(found))


def create_turn_puzzle(seed: str = "a whole turn") -> Puzzle:
    """Two questions of a turn of Thanos Rising. The first answer to each is right; the others to the second one give
    away 3 of 100, and the second answer to the first one does too. Everything else loses."""
    match = engine.game("thanos-rising").start(2, seed, {"preset": "recruit"})
    assert match.to_act is not None
    seat = match.to_act
    deploys = [match.notation(action) for action in match.legal()]
    match_after = turn_puzzles.answered(match, seat, deploys[0])
    assert match_after.to_act == seat
    seconds = [match_after.notation(action) for action in match_after.legal()]
    losses, leads = [0.0, 0.03, 0.4], [1, turn_puzzles.END, None]
    first: list[dict[str, Any]] = [
        {"move": move, "chance": 0.6 - loss, "loss": loss, "to": to}
        for move, loss, to in zip(deploys, losses, leads, strict=True)
    ]
    second = [
        {"move": move, "chance": 0.57 if place else 0.6, "loss": 0.03 if place else 0.0, "to": turn_puzzles.END}
        for place, move in enumerate(seconds)
    ]
    found = {
        "game": match.game.name,
        "players": match.players,
        "seat": seat,
        "document": transcript.transcript(match),
        "answers": [{"move": each["move"], "chance": each["chance"], "right": each["loss"] < 0.05} for each in first],
        "missed": deploys[-1:],
        "turn": {
            "positions": [{"answers": first, "missed": deploys[-1:]}, {"answers": second, "missed": seconds[:1]}],
            "missed": {"moves": deploys[-1:], "loss": 0.4},
        },
        "worlds": 160,
        "version": 1,
        "budget": "standard",
    }
    making.keep([found], match=None)
    return Puzzle.objects.get(fingerprint=making.fingerprint(found))


def script_of(game: str) -> Tutorial:
    """The tutorial of a game that has one."""
    script = tutorial(game)
    assert script
    return script


def record(match: Match) -> engine.Match:
    return engine.replay(fairness.transcript_of(match))


# Leagues and seasons


def draft_season(
    league: League,
    actor: User,
    format: str,
    settings: dict | None = None,
    planned: int | None = None,
    divisions: int = 1,
    **terms,
) -> Season:
    """A season of one stage a division, open for entries."""
    season = setup.add_season(actor=actor, league=league, **terms)
    for level in range(1, divisions + 1):
        division = setup.add_division(actor=actor, season=season, name=f"Division {level}")
        setup.add_stage(actor=actor, division=division, format=format, settings=settings, planned=planned)
    return setup.open_registration(actor=actor, season=season)


def add_guests(season: Season, actor: User, count: int, level: int = 1) -> list[Entrant]:
    division = Division.objects.get(season=season, level=level)
    return [registration.add_guest(actor=actor, division=division, name=f"Guest {n}") for n in range(1, count + 1)]


def enter(division: Division, actor: User, *people: User) -> list[Entrant]:
    """Enter people who joined the club and agree to play."""
    entrants = []
    for person in people:
        Membership.objects.get_or_create(club=division.season.league.club, user=person)
        entrants.append(registration.add_person(actor=actor, division=division, person=person))
        consent.agree(division.season, person)
    return entrants


def enter_team(division: Division, actor: User, name: str, *people: User, bots: Sequence[str] = ()) -> Entrant:
    """Enter a team of people who joined the club and agree to play."""
    for person in people:
        Membership.objects.get_or_create(club=division.season.league.club, user=person)
    entrant = registration.add_team(actor=actor, division=division, name=name, members=people, bots=bots)
    for person in people:
        consent.agree(division.season, person)
    return entrant


def give_accounts(season: Season) -> None:
    """Make the guests of a season people with accounts: guests move no rating."""
    User.objects.filter(entries__season=season, is_guest=True).update(is_guest=False)


def stage_of(season: Season, position: int = 1, level: int = 1) -> Stage:
    return Stage.objects.select_related("division__season__league__club").get(
        division__season=season, division__level=level, position=position
    )


def running_stage(league: League, actor: User, format: str, count: int, **how) -> Stage:
    """A running stage with so many guests."""
    season = draft_season(league, actor, format, **how)
    add_guests(season, actor, count)
    draw.start(actor=actor, season=season)
    return stage_of(season)


def next_round(actor: User, stage: Stage) -> Round:
    return draw.publish(actor=actor, round=draw.draw_next_round(actor=actor, stage=stage))


@transaction.atomic
def confirm_result(pairing: Pairing, ranks: Sequence[int] | None = None, scores: Sequence[int] | None = None) -> Result:
    """A confirmed result, as an organiser would enter it; by default in the order of the seats."""
    pairing = recording.lock_pairing(pairing)
    count = pairing.seats.count()
    ranks = ranks or range(1, count + 1)
    places = [{"rank": rank, "score": scores[at] if scores else None} for at, rank in enumerate(ranks)]
    return recording.record_result(
        pairing=pairing,
        kind=Result.Kind.CONFIRMED,
        source=Result.Source.ORGANISER,
        places=recording.validate_places(pairing, places),
        by=None,
    )


def finish_round(round_: Round) -> None:
    """Every open table ends in the order of its seats."""
    for pairing in Pairing.objects.open().filter(round=round_):
        confirm_result(pairing)


def set_up_preset(league: League, actor: User, preset: str) -> Season:
    return presets.set_up(actor=actor, league=league, preset=preset)


# Pages


def markup_of(response: Any) -> str:
    """The page without white space between tags, which depends on the template's layout."""
    text: str = response.content.decode()
    return re.sub(r"\s*(<[^>]*>)\s*", r"\1", text)
