"""A small house with something of everything in it, and the addresses of what is there."""

from datetime import timedelta
from itertools import pairwise
from typing import Any

from django.utils import timezone

from accounts import clubs, joining, notices, webhooks
from accounts.models import Membership, Role
from games import ownbots
from leagues.models import Entrant, Pairing, Season, Undoable
from leagues.models.calendar import ClubNight, Slot, Venue
from tests.accounts.conftest import person
from tests.api.conftest import Program
from tests.games.conftest import begun, laid, played_out
from tests.leagues.boards.conftest import rate

GAME = "splendor-marvel"
WON = [{"rank": 1, "score": 16}, {"rank": 2, "score": 9}]


class World:
    """Olga organises and plays, Bob is a member and plays; Stella is staff."""

    def __init__(self) -> None:
        self.owner, self.olga, self.bob = person("alice"), person("olga"), person("bob")
        self.stella, self.stranger = person("stella", is_staff=True), person("charlie")
        self.club = clubs.found(founder=self.owner, name="The Round Table")
        Membership.objects.create(club=self.club, user=self.olga, role=Role.ORGANISER)
        Membership.objects.create(club=self.club, user=self.bob)
        self.programs = {"organiser": Program(self.olga), "member": Program(self.bob), "staff": Program(self.stella)}
        self.known = self._people() | self._tables() | self._season() | self._nights()

    def _people(self) -> dict[str, Any]:
        asked = joining.ask(person=self.stranger, club=self.club)
        invite = joining.invite(actor=self.olga, club=self.club).invite
        notices.tell([self.olga, self.bob], "club.closed", path="/clubs/", club=self.club)
        hook = webhooks.make(
            actor=self.olga,
            club=self.club,
            name="News",
            url="https://news.example/",
            shape="json",
            events=["match.finished"],
        ).hook
        delivery = webhooks.test(actor=self.olga, hook=hook)
        rate(GAME, [self.olga, self.bob], [1, 2])
        change = self.olga.rating_changes.get()
        return {
            "clubs/{slug}": self.club.slug,
            "requests/{id}": asked.pk,
            "invites/{id}": invite.pk,
            "webhooks/{id}": hook.pk,
            "deliveries/{key}": delivery.key,
            "members/{handle}": "bob",
            "people/{handle}": "olga",
            "people/{left}": "olga",
            "against/{right}": "bob",
            "mutes/{handle}": "charlie",
            "notices/{id}": self.olga.notices.earliest("pk").pk,
            "rating-changes/{id}": change.pk,
            "games/{game}": GAME,
            "leaderboards/{game}": GAME,
        }

    def _tables(self) -> dict[str, Any]:
        waiting = laid(self.olga, bots=1)
        match = begun(self.olga, self.bob)
        self.over = played_out(begun(self.olga, self.bob))
        line = self.programs["member"].post(f"/matches/{match.key}/talk/", {"text": "Hello"}).json()["id"]
        self.programs["organiser"].post(f"/matches/{match.key}/talk/{line}/report/", {})
        report = match.lines.get().reports.get().pk
        bot = ownbots.make(owner=self.olga, handle="robo", name="Robo", about="", games=[GAME], accepts="anyone").bot
        return {
            "tables/{key}": waiting.key,
            "matches/{key}": match.key,
            "talk/{id}": line,
            "reports/{id}": report,
            "bots/{id}": bot.pk,
            "challenges/{id}": 1,
        }

    def _season(self) -> dict[str, Any]:
        olga, bob = self.programs["organiser"], self.programs["member"]
        league = olga.post("/leagues/", {"club": self.club.slug, "game": GAME, "name": "Thursdays"}).json()["slug"]
        made = olga.post(f"/leagues/{league}/seasons/", {"preset": "empty"}).json()["id"]
        division = olga.post(f"/seasons/{made}/divisions/", {"name": "First"}).json()["id"]
        stage = olga.post(f"/divisions/{division}/stages/", {"format": "round-robin"}).json()["id"]
        olga.post(f"/seasons/{made}/open/")
        for program in (olga, bob):
            program.post(f"/seasons/{made}/entrants/", {})
        olga.post(f"/divisions/{division}/guests/", {"names": ["Gina", "Greg"]})
        olga.post(f"/seasons/{made}/start/")
        first = olga.post(f"/stages/{stage}/draw/", {}).json()["id"]
        olga.post(f"/rounds/{first}/publish/", {})
        tables = list(Pairing.objects.filter(round=first).order_by("number"))
        olga.post(f"/pairings/{tables[1].key}/settle/", {"places": WON})
        return {
            "leagues/{slug}": league,
            "seasons/{id}": made,
            "divisions/{id}": division,
            "stages/{id}": stage,
            "rounds/{id}": first,
            "pairings/{key}": tables[0].key,
            "entrants/{id}": Entrant.objects.get(season=made, user=self.olga).pk,
            "standings/{entrant}": Entrant.objects.get(season=made, user=self.olga).pk,
            "log/{undoable}": Undoable.objects.filter(season=made).earliest("pk").pk,
            "{entrant}/{code}": Season.objects.get(pk=made).tie_breaks[0],
        }

    def _nights(self) -> dict[str, Any]:
        venue = Venue.objects.create(club=self.club, name="The cellar", tables=6)
        start = timezone.now() + timedelta(days=3)
        times = {"starts_at": start, "ends_at": start + timedelta(hours=4)}
        night = ClubNight.objects.create(club=self.club, venue=venue, day=start.date(), **times)
        Slot.objects.create(night=night, number=1, tables=6, **times)
        return {"nights/{key}": night.key}

    def at(self, template: str) -> dict[str, Any]:
        """What to fill an address with, so that it leads to something."""
        parts = template.strip("/").split("/")
        found = {}
        for before, part in pairwise(parts):
            if part.startswith("{") and f"{before}/{part}" in self.known:
                found[part.strip("{}")] = self.known[f"{before}/{part}"]
        return found
