"""Fixed teams of people and bots against Thanos: online, with a window and a request for more time."""

from typing import Any

from django.db import transaction
from django.utils import timezone

from accounts.models import Club
from leagues.demo import helpers
from leagues.models import Pairing, Round, Stage
from leagues.rounds import draw
from leagues.seasons import presets
from leagues.windows import extensions, time_proposals

NAME = "Together against Thanos"
ABOUT = """\
Teams of two and a bot meet *Thanos Rising* online. All teams of a round have the same deal, so only the play differs.
"""
TEAMS = {
    "Night Shift": ("giulia_f", "ettore"),
    "Ostatni tramwaj": ("ola-k", "tomek"),
    "Porch Lights": ("desmond", "niamh"),
    "Lampioni": ("sandro", "kuba"),
}
BOT = "regular"
PLANNED = 5
# How each team did, round after round: won, villains defeated, stones kept from Thanos, heroes lost, turns.
GRADES = {
    "Night Shift": ([1, 7, 4, -1, -15], [0, 5, 2, -4, 17]),
    "Ostatni tramwaj": ([1, 7, 3, -2, -18], [1, 7, 5, -1, -14]),
    "Porch Lights": ([0, 4, 1, -5, 13], [1, 7, 2, -3, -19]),
    "Lampioni": ([0, 3, 1, -6, 11], [0, 4, 1, -5, 12]),
}
LATEST = [1, 7, 4, -2, -16]


@transaction.atomic
def seed() -> None:
    """Set it up once; a second call changes nothing."""
    club = helpers.club()
    if club is None or (league := helpers.create_league(club, NAME, "thanos-rising", ABOUT)) is None:
        return
    owner = helpers.owner_of(club)
    played = len(GRADES["Lampioni"])
    terms: dict[str, Any] = presets.WEEKLY | {"on_unplayed": "ask", "answer_hours": 120}
    stage = helpers.season(owner, league, "Season of stones", "teams", planned=PLANNED, weeks=played, **terms)
    for name, members in TEAMS.items():
        people = [helpers.person(handle) for handle in members]
        helpers.enter_team(owner, stage.division, name, people, [BOT])
    draw.start(actor=owner, season=stage.division.season)
    stage = Stage.objects.select_related("division__season__league__club").get(pk=stage.pk)

    def enter(table: Pairing) -> None:
        grade = GRADES[_team(table)][table.round.number - 1]
        helpers.settle(table, [{"rank": 1, "score": grade[1]}], grade)

    for number in range(1, played + 1):
        helpers.play(owner, stage, number, timezone.now() - (played - number) * helpers.WEEK, enter)
    round_ = draw.publish(actor=owner, round=draw.draw_next_round(actor=owner, stage=stage))
    _agree(club, round_)
    done = _tables(round_)["Lampioni"]
    helpers.settle(done, [{"rank": 1, "score": LATEST[1]}], LATEST)


def _team(table: Pairing) -> str:
    return table.seats.get().entrant.team


def _tables(round_: Round) -> dict[str, Pairing]:
    return {_team(table): table for table in helpers.tables_of(round_)}


def _agree(club: Club, round_: Round) -> None:
    """One team has agreed on a time, one has to answer, one asks for more time."""
    tables = _tables(round_)
    giulia, ettore = (helpers.person(handle) for handle in TEAMS["Night Shift"])
    proposal = time_proposals.propose(
        person=giulia, pairing=tables["Night Shift"], times=[helpers.evening(club, 4, 21)]
    )
    time_proposals.accept(person=ettore, time=proposal.times.get())
    ola = helpers.person("ola-k")
    times = [helpers.evening(club, 2, 21), helpers.evening(club, 6, 21)]
    time_proposals.propose(person=ola, pairing=tables["Ostatni tramwaj"], times=times)
    extensions.ask(
        person=helpers.person("desmond"),
        pairing=tables["Porch Lights"],
        reason="I am on the road until Sunday. May we have three more days?",
    )
