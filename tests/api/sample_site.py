"""A small site with an example of everything, and the addresses of it."""

from datetime import timedelta
from typing import Any

from django.utils import timezone

import engine
from accounts import clubs, follows, joining, messages, people
from accounts.models import Membership, Role
from accounts.notifications.service import notify
from accounts.webhooks import service as webhooks
from games import card_files
from games.meeting import challenges as person_challenges
from games.meeting.challenges import Terms
from games.tables import setup
from games.tables.setup import Setting
from games.user_bots import challenges
from games.user_bots import service as user_bots_service
from leagues.entries import guests
from leagues.models import (
    Entrant,
    EntryRequest,
    MeetingRule,
    Pairing,
    PlaceOffer,
    RequestedBye,
    ReturnQuestion,
    Season,
    Undoable,
)
from leagues.models.calendar import ClubNight, Series, Slot, Venue
from tests.api.conftest import Program
from tests.factories import create_puzzle, create_user, finished_match, open_table_with, started_match
from tests.leagues.leaderboards.conftest import rate

GAME = "splendor-marvel"
# The keys are those of the example in RFC 8291.
BROWSER = {
    "endpoint": "https://push.example/laptop",
    "p256dh": "BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4",
    "auth": "BTBZMqHH6r4Tts7J_aSIgg",
}
PHONE = {"endpoint": "https://push.example/phone", "name": "Phone"}
WON = [{"rank": 1, "score": 16}, {"rank": 2, "score": 9}]


class World:
    """Olga organises and plays, Bob is a member and plays; Stella is staff."""

    def __init__(self) -> None:
        self.owner, self.olga, self.bob = create_user("alice"), create_user("olga"), create_user("bob")
        self.stella, self.stranger = create_user("stella", is_staff=True), create_user("charlie")
        self.club = clubs.create_club(founder=self.owner, name="The Round Table")
        Membership.objects.create(club=self.club, user=self.olga, role=Role.ORGANISER)
        Membership.objects.create(club=self.club, user=self.bob)
        self.programs = {"organiser": Program(self.olga), "member": Program(self.bob), "staff": Program(self.stella)}
        self.known = self._people() | self._tables() | self._season() | self._online() | self._next() | self._nights()
        self.known |= self._guests() | self._company()

    def _people(self) -> dict[str, Any]:
        asked = joining.request_to_join(person=self.stranger, club=self.club)
        invite = joining.invite(actor=self.olga, club=self.club).invite
        notify([self.olga, self.bob], "club.closed", path="/clubs/", club=self.club)
        hook = webhooks.create_webhook(
            actor=self.olga,
            club=self.club,
            name="News",
            url="https://news.example/",
            shape="json",
            events=["match.finished"],
        ).hook
        delivery = webhooks.send_test(actor=self.olga, hook=hook)
        content = engine.game("thanos-rising").own_card_file().encode() + b"\n"
        self.cards = card_files.upload(
            actor=self.olga, club=self.club, game="thanos-rising", title="Ours", content=content
        )
        rate(GAME, [self.olga, self.bob], [1, 2])
        change = self.olga.rating_changes.get()
        return {
            "clubs/{slug}": self.club.slug,
            "requests/{id}": asked.pk,
            "invites/{id}": invite.pk,
            "webhooks/{id}": hook.pk,
            "card-files/{id}": self.cards.pk,
            "deliveries/{key}": delivery.key,
            "members/{handle}": "bob",
            "people/{handle}": "olga",
            "people/{left}": "olga",
            "against/{right}": "bob",
            "mutes/{handle}": "charlie",
            "notices/{id}": self.olga.notices.earliest("pk").pk,
            "devices/{id}": self.programs["organiser"].post("/me/devices/", BROWSER | PHONE).json()["id"],
            "rating-changes/{id}": change.pk,
            "games/{game}": GAME,
            "leaderboards/{game}": GAME,
        }

    def _tables(self) -> dict[str, Any]:
        waiting = open_table_with(self.olga, bots=1)
        match = started_match(self.olga, self.bob)
        self.over = finished_match(started_match(self.olga, self.bob))
        line = self.programs["member"].post(f"/matches/{match.key}/talk/", {"text": "Hello"}).json()["id"]
        self.programs["organiser"].post(f"/matches/{match.key}/talk/{line}/report/", {})
        report = match.lines.get().reports.get().pk
        made = user_bots_service.create(
            owner=self.olga, handle="robo", name="Robo", about="", games=[GAME], accepts="anyone"
        )
        self.programs["bot"] = Program.showing(made.secret)
        free = setup.open_table(host=self.olga, setting=Setting(GAME, 2))
        asked = challenges.challenge(person=self.olga, match=free, bot=made.bot)
        return {
            "tables/{key}": waiting.key,
            "matches/{key}": match.key,
            "talk/{id}": line,
            "reports/{id}": report,
            "bots/{id}": made.bot.pk,
            "tables/{key}/challenges": free.key,
            "challenges/{id}": asked.pk,
        }

    def _season(self) -> dict[str, Any]:
        """At the club; its first round is published, and one of its tables is decided."""
        olga = self.programs["organiser"]
        self.league = olga.post("/leagues/", {"club": self.club.slug, "game": GAME, "name": "Thursdays"}).json()["slug"]
        made, division, stage = self._made("round-robin")
        olga.post(f"/divisions/{division}/guests/", {"names": ["Gina", "Greg"]})
        entrant = Entrant.objects.get(season=made, user=self.olga).pk
        bye = RequestedBye.objects.create(stage_id=stage, entrant_id=entrant, round=3, kind="ZPB")
        first, tables = self._published(made, stage)
        one, other = Entrant.objects.filter(season=made).order_by("pk")[:2]
        rule = MeetingRule.objects.create(season_id=made, one=one, other=other)
        asks = EntryRequest.objects.create(season_id=made, user=self.stranger, division_id=division)
        olga.post(f"/pairings/{tables[1].key}/settle/", {"places": WON})
        written = olga.post(f"/seasons/{made}/announcements/", {"text": "Bring dice"}).json()["id"]
        return {
            "leagues/{slug}": self.league,
            "announcements/{id}": written,
            "seasons/{id}": made,
            "divisions/{id}": division,
            "stages/{id}": stage,
            "rounds/{id}": first,
            "rounds/{round}": 2,
            "meeting-rules/{rule}": rule.pk,
            "entry-requests/{entry}": asks.pk,
            "pairings/{key}": tables[0].key,
            "entrants/{id}": entrant,
            "byes/{bye}": bye.pk,
            "standings/{entrant}": entrant,
            "log/{undoable}": Undoable.objects.filter(season=made).earliest("pk").pk,
            "{entrant}/{code}": Season.objects.get(pk=made).tie_breaks[0],
        }

    def _online(self) -> dict[str, Any]:
        """At agreed times: a table with a suggestion and a request for more time; and a ladder with a challenge."""
        olga, bob = self.programs["organiser"], self.programs["member"]
        made, _division, stage = self._made("round-robin", where="online", window_days=8)
        _first, (table,) = self._published(made, stage)
        at = (timezone.now() + timedelta(days=2)).isoformat()
        suggested = bob.post(f"/pairings/{table.key}/times/", {"times": [at]}).json()["id"]
        asked = bob.post(f"/pairings/{table.key}/more-time/", {"reason": "Away"}).json()["id"]
        made, division, stage = self._made("ladder")
        order = Entrant.objects.filter(division=division).order_by("pk").values_list("pk", flat=True)
        olga.put(f"/divisions/{division}/seeding/", {"by": "hand", "order": list(order)})
        olga.post(f"/seasons/{made}/start/")
        challenge = bob.post(f"/stages/{stage}/challenges/", {"target": order[0]}).json()["id"]
        return {
            "pairings/{key}/times": table.key,
            "times/{id}": suggested,
            "pairings/{key}/more-time": table.key,
            "more-time/{id}": asked,
            "challenges/{id}/answer": challenge,
            "challenges/{id}/decline": challenge,
        }

    def _next(self) -> dict[str, Any]:
        """A season that is over, and the next: Bob does not play again, and Olga is offered his place."""
        olga, bob = self.programs["organiser"], self.programs["member"]
        terms = {"club": self.club.slug, "game": GAME, "name": "Fridays"}
        league = olga.post("/leagues/", terms).json()["slug"]
        over = olga.post(f"/leagues/{league}/seasons/", {"preset": "empty"}).json()["id"]
        stages = []
        for handle in ("bob", "olga"):
            division = olga.post(f"/seasons/{over}/divisions/", {"name": f"With {handle}"}).json()["id"]
            stages.append(olga.post(f"/divisions/{division}/stages/", {"format": "round-robin"}).json()["id"])
            olga.post(f"/divisions/{division}/people/", {"handle": handle})
            olga.post(f"/divisions/{division}/guests/", {"names": [f"Guest of {handle}"]})
        olga.post(f"/seasons/{over}/open/")
        olga.post(f"/seasons/{over}/start/")
        for stage in stages:
            _first, (table,) = self._published(over, stage)
            olga.post(f"/pairings/{table.key}/settle/", {"places": WON})
            olga.post(f"/stages/{stage}/finish/")
        olga.post(f"/seasons/{over}/closing/")
        until = (timezone.now() + timedelta(days=7)).isoformat()
        made = olga.post(f"/leagues/{league}/seasons/", {"preset": "go-on", "ask_until": until}).json()["id"]
        question = ReturnQuestion.objects.get(call__season=made, entrant__user=self.bob).pk
        bob.post(f"/seasons/{made}/returning/{question}/", {"answer": "no"})
        offer = PlaceOffer.objects.get(question__call__season=made).pk
        return {
            "seasons/{id}/returning": made,
            "returning/{question}": question,
            "seasons/{id}/offers": made,
            "offers/{offer}": offer,
        }

    def _made(self, format: str, **terms: Any) -> tuple[int, int, int]:
        """A season of one stage, with Olga and Bob."""
        olga, bob = self.programs["organiser"], self.programs["member"]
        made = olga.post(f"/leagues/{self.league}/seasons/", {"preset": "empty"}).json()["id"]
        olga.patch(f"/seasons/{made}/", terms)
        division = olga.post(f"/seasons/{made}/divisions/", {"name": "First"}).json()["id"]
        stage = olga.post(f"/divisions/{division}/stages/", {"format": format}).json()["id"]
        olga.post(f"/seasons/{made}/open/")
        for program in (olga, bob):
            program.post(f"/seasons/{made}/entrants/", {})
        return made, division, stage

    def _published(self, season: int, stage: int) -> tuple[int, list[Pairing]]:
        """The season started, and the first round of a stage with its tables."""
        olga = self.programs["organiser"]
        olga.post(f"/seasons/{season}/start/")
        first = olga.post(f"/stages/{stage}/draw/", {}).json()["id"]
        olga.post(f"/rounds/{first}/publish/", {})
        return first, list(Pairing.objects.filter(round=first).order_by("number"))

    def _nights(self) -> dict[str, Any]:
        venue = Venue.objects.create(club=self.club, name="The cellar", tables=6)
        # In the evening, so that it overlaps a night that begins at 19:00, whenever the tests run.
        start = (timezone.now() + timedelta(days=3)).replace(hour=18, minute=0, second=0, microsecond=0)
        times = {"starts_at": start, "ends_at": start + timedelta(hours=4)}
        night = ClubNight.objects.create(club=self.club, venue=venue, day=start.date(), **times)
        Slot.objects.create(night=night, number=1, tables=6, **times)
        days = {"first": start.date(), "last": start.date() + timedelta(days=14)}
        series = Series.objects.create(club=self.club, venue=venue, name="Thursdays", begins="19:00", **days)
        return {"nights/{key}": night.key, "venues/{id}": venue.pk, "series/{id}": series.pk}

    def _guests(self) -> dict[str, Any]:
        """Two guests who have not played; Bob is asked whether he is one of them."""
        gita, gast = (people.add_guest(club=self.club, name=name, actor=self.owner) for name in ("Gita", "Gast"))
        join = guests.propose(actor=self.owner, club=self.club, guest=gast, person=self.bob)
        return {"guests/{handle}": gita.handle, "guest-joins/{id}": join.pk}

    def _company(self) -> dict[str, Any]:
        """Bob and Olga are friends; he has written twice, she has reported the first; and he challenges her."""
        for one, other in ((self.bob, self.olga), (self.olga, self.bob)):
            follows.follow(person=one, other=other)
        first, second = (messages.write(person=self.bob, to=self.olga, text=text) for text in ("Hello", "Tonight?"))
        report = messages.report(person=self.olga, message=first, reason="a test")
        asked = person_challenges.challenge(person=self.bob, to=self.olga, terms=Terms(GAME, 2))
        return {
            "mistakes/{number}": 1,
            "puzzles/{id}": create_puzzle().pk,
            "follows/{handle}": "charlie",
            "blocks/{handle}": "charlie",
            "messages/{handle}": "bob",
            "{handle}/{id}": second.pk,
            "message-reports/{id}": report.pk,
            "person-challenges/{id}": asked.pk,
        }

    def at(self, template: str) -> dict[str, Any]:
        """The values that fill an address template, so that it leads to an existing object."""
        parts = template.strip("/").split("/")
        found = {}
        for place, part in enumerate(parts):
            if part.startswith("{"):
                nearer, usual = "/".join(parts[place - 1 : place + 2]), "/".join(parts[place - 1 : place + 1])
                found[part.strip("{}")] = self.known[nearer if nearer in self.known else usual]
        return found
