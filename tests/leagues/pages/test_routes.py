"""Every address of the league pages against everyone who might call it."""

from datetime import time, timedelta

import pytest
from django.db import transaction
from django.test import Client
from django.urls import reverse

from leagues import urls
from leagues.calendar import club_clock, nights
from leagues.import_export import uploads
from leagues.models import ClubNight, Pairing, Undoable
from leagues.seasons import announcements
from tests.factories import logged_in

ROLES = ["visitor", "stranger", "member", "organiser", "owner", "staff"]

EVERYONE = [200] * 6
RUNNERS = [302, 403, 403, 200, 200, 200]
RUNNERS_WRITE = [302, 403, 403, 302, 302, 302]
# An empty form: refused by permission first, then by its fields.
RUNNERS_FILL = [302, 403, 403, 422, 422, 422]
WRITERS = [302] * 6
# The address of a form that was refused and shown again: opened again, it redirects to the page of the form.
LEADS_BACK = [302] * 6
NO_SUCH = [302, 404, 404, 404, 404, 404]

ROUTES = [
    ("index", "get", EVERYONE),
    ("new", "get", RUNNERS),
    ("new", "post", RUNNERS_FILL),
    ("league", "get", EVERYONE),
    ("league-edit", "get", RUNNERS),
    ("league-edit", "post", RUNNERS_FILL),
    ("season-new", "get", RUNNERS),
    ("season-new", "post", RUNNERS_FILL),
    ("season", "get", EVERYONE),
    ("settings", "get", RUNNERS),
    ("settings", "post", RUNNERS_FILL),
    ("tie-breaks", "post", RUNNERS_WRITE),
    ("open", "post", RUNNERS_WRITE),
    ("delete", "post", RUNNERS_WRITE),
    ("start", "post", RUNNERS_WRITE),
    # Nobody has to be waited for: redirects to the season.
    ("start", "get", RUNNERS_WRITE),
    ("announcements", "get", EVERYONE),
    ("announcements", "post", RUNNERS_FILL),
    ("club-announcements", "get", EVERYONE),
    ("club-announcements", "post", RUNNERS_FILL),
    ("announcement", "get", EVERYONE),
    ("announcement-delete", "post", RUNNERS_WRITE),
    ("announcement-edit", "get", RUNNERS),
    ("announcement-edit", "post", RUNNERS_FILL),
    ("club-news-feed", "get", EVERYONE),
    ("division-new", "get", RUNNERS),
    ("division-new", "post", RUNNERS_FILL),
    ("division-edit", "get", RUNNERS),
    ("division-edit", "post", RUNNERS_FILL),
    ("division-remove", "post", RUNNERS_WRITE),
    ("seeding", "get", RUNNERS),
    ("seeding", "post", RUNNERS_WRITE),
    ("stage-new", "get", RUNNERS),
    ("stage-new", "post", RUNNERS_FILL),
    ("stage-edit", "get", RUNNERS),
    ("stage-edit", "post", RUNNERS_FILL),
    ("stage-length", "post", RUNNERS_WRITE),
    ("stage-remove", "post", RUNNERS_WRITE),
    ("draw", "post", RUNNERS_WRITE),
    ("draw-all", "post", RUNNERS_WRITE),
    ("draw-divisions", "post", RUNNERS_WRITE),
    # For those who may know who comes to the club.
    ("attendance-now", "get", [302] * 6),
    ("attendance", "get", [302, 403, 200, 200, 200, 200]),
    # Nobody named: nothing to do.
    ("attendance", "post", [302, 403, 404, 404, 404, 404]),
    # It is published: organisers get that message.
    ("round-redraw", "post", RUNNERS_WRITE),
    # Published: leads to the round.
    ("round-hand", "get", RUNNERS_WRITE),
    ("round-hand", "post", RUNNERS_WRITE),
    ("meeting-rules", "get", RUNNERS),
    ("meeting-rules", "post", RUNNERS_FILL),
    ("meeting-drop", "post", [302, 403, 403, 404, 404, 404]),
    # A stage without a bracket.
    ("bracket", "get", [404] * 6),
    ("bracket", "post", [404] * 6),
    ("bracket-open", "post", RUNNERS_WRITE),
    ("stage-finish", "post", RUNNERS_WRITE),
    # The target is named in the form; there is none.
    ("challenge", "post", NO_SUCH),
    # Not an arena: everybody gets that message.
    ("wait", "post", WRITERS),
    ("challenge-answer", "post", NO_SUCH),
    ("challenge-decline", "post", NO_SUCH),
    ("entries", "get", EVERYONE),
    ("sign-up", "post", WRITERS),
    ("sign-up", "get", LEADS_BACK),
    ("entry-answers", "post", WRITERS),
    ("entry-answers", "get", LEADS_BACK),
    ("entry-questions", "get", RUNNERS),
    # The season has started.
    ("entry-questions", "post", RUNNERS_WRITE),
    ("entry-decide", "post", [302, 403, 403, 404, 404, 404]),
    # Neither verb nor person named: nothing to do.
    ("entry", "post", NO_SUCH),
    ("bye", "post", NO_SUCH),
    ("add", "post", RUNNERS_FILL),
    ("add", "get", LEADS_BACK),
    ("door", "get", RUNNERS),
    ("door", "post", RUNNERS_WRITE),
    ("rounds", "get", EVERYONE),
    ("round", "get", EVERYONE),
    ("round-step", "post", [302, 403, 403, 404, 404, 404]),
    ("sheet", "get", EVERYONE),
    ("screen", "get", EVERYONE),
    ("screen-control", "get", RUNNERS),
    # Nothing is said to do.
    ("screen-control", "post", [302, 403, 403, 404, 404, 404]),
    # No screen has this key.
    ("screen-by-link", "get", [404] * 6),
    ("evening", "get", RUNNERS),
    ("evening", "post", RUNNERS),
    # Redirects to the standings of the first division.
    ("standings-index", "get", [302] * 6),
    ("standings", "get", EVERYONE),
    ("breakdown", "get", EVERYONE),
    ("disputes", "get", RUNNERS),
    ("nights", "get", EVERYONE),
    ("night", "get", EVERYONE),
    ("guests", "get", RUNNERS),
    # No guest is named.
    ("guest-change", "post", [302, 403, 403, 404, 404, 404]),
    ("guest-join", "get", NO_SUCH),
    ("guest-step", "post", NO_SUCH),
    ("habits", "post", [302, 403, 302, 302, 302, 403]),
    ("habits", "get", LEADS_BACK),
    # Neither yes nor no: members of the club get that message.
    ("night-answer", "post", [302, 403, 302, 302, 302, 403]),
    ("night-new", "get", RUNNERS),
    ("night-new", "post", RUNNERS_FILL),
    ("night-edit", "get", RUNNERS),
    ("night-edit", "post", RUNNERS_FILL),
    ("night-step", "post", [302, 403, 403, 404, 404, 404]),
    ("series-new", "get", RUNNERS),
    ("series-new", "post", RUNNERS_FILL),
    ("series", "get", RUNNERS),
    ("series", "post", RUNNERS_FILL),
    ("series-back", "post", [302, 403, 403, 404, 404, 404]),
    ("venue-new", "get", RUNNERS),
    ("venue-new", "post", RUNNERS_FILL),
    ("venue", "get", RUNNERS),
    ("venue", "post", RUNNERS_FILL),
    ("venue-close", "post", RUNNERS_WRITE),
    ("log", "get", RUNNERS),
    ("undo", "post", RUNNERS_WRITE),
    ("close", "get", RUNNERS),
    ("close", "post", RUNNERS),
    ("sign-off", "post", RUNNERS_WRITE),
    ("sign-off-back", "post", RUNNERS_WRITE),
    ("returning", "post", NO_SUCH),
    ("returning-offer", "post", NO_SUCH),
    ("table", "get", EVERYONE),
    ("report", "post", [302, 422, 422, 422, 422, 422]),
    ("report", "get", LEADS_BACK),
    ("here", "post", [302, 403, 403, 403, 403, 403]),
    ("answer", "post", NO_SUCH),
    ("objections", "post", RUNNERS_WRITE),
    ("consent", "post", [302, 302, 302, 302, 302, 302]),
    ("place", "post", RUNNERS_WRITE),
    ("times", "post", [302, 422, 422, 422, 422, 422]),
    ("times", "get", LEADS_BACK),
    ("time-answer", "post", NO_SUCH),
    ("more-time", "post", [302, 422, 422, 422, 422, 422]),
    ("more-time", "get", LEADS_BACK),
    ("extension", "post", [302, 403, 403, 404, 404, 404]),
    ("extension", "get", [302, 403, 403, 404, 404, 404]),
    ("code", "get", EVERYONE),
    ("settle", "post", RUNNERS_FILL),
    ("settle", "get", RUNNERS_WRITE),
    ("correct", "get", RUNNERS),
    ("correct", "post", RUNNERS_FILL),
    ("calendar", "get", EVERYONE),
    ("plan", "post", RUNNERS_WRITE),
    ("placing", "get", RUNNERS),
    ("placing", "post", [302, 403, 403, 404, 404, 404]),
    ("placing-options", "get", RUNNERS),
    ("void", "post", RUNNERS_WRITE),
    ("forfeit", "post", RUNNERS_WRITE),
    ("files", "get", RUNNERS),
    ("hand-in", "post", RUNNERS_FILL),
    ("hand-in", "get", LEADS_BACK),
    ("export", "get", EVERYONE),
    ("stage-export", "get", EVERYONE),
    ("archive", "get", RUNNERS),
    ("archive-import", "get", RUNNERS),
    ("archive-import", "post", RUNNERS_FILL),
    ("upload", "get", [302, 404, 404, 200, 200, 200]),
    # Nothing was confirmed: the preview is shown again.
    ("upload-import", "post", [302, 404, 404, 422, 422, 422]),
    ("upload-import", "get", LEADS_BACK),
    ("embed-standings", "get", EVERYONE),
    ("embed-matches", "get", EVERYONE),
    ("print-standings", "get", EVERYONE),
    ("print-pairings", "get", EVERYONE),
    # The season of these routes runs: a summary is there once it is closed.
    ("summary", "get", [404] * 6),
    ("certificates", "get", [404] * 6),
]


@pytest.fixture
def cast(alice, olga, charlie, stella, club) -> dict[str, Client]:
    """The member plays in no season, so that nobody's own table is opened here."""
    from tests.factories import add_member, create_user

    mia = create_user("mia")
    add_member(club, mia)
    people = {"stranger": charlie, "member": mia, "organiser": olga, "owner": alice, "staff": stella}
    return {"visitor": Client(), **{role: logged_in(user) for role, user in people.items()}}


@pytest.fixture
def night(club, olga) -> ClubNight:
    room = nights.add_venue(actor=olga, club=club, name="The back room", tables=4)
    day = club_clock.today(club) + timedelta(days=7)
    series = nights.add_series(
        actor=olga, club=club, venue=room, name="Thursdays", first=day, last=day, begins=time(19)
    )
    return series.nights.get()


@pytest.fixture
def address(published, running, stage, night, olga):
    entrant = running.entrants.first()
    division = stage.division
    undoable = Undoable.objects.filter(season=running).last()
    values = {
        "slug": running.league.slug,
        "number": running.number,
        "club": running.league.club.slug,
        "key": Pairing.objects.filter(round=published).first().key,
        "what": "guests",
        "entrant": entrant.pk,
        "code": running.tie_breaks[0],
        "kind": "players",
        "round": 2,
        "ending": "csv",
    }
    handed_in = uploads.store_spreadsheet(
        actor=olga, season=running, kind="players", content=b"name\nAda\n", division=division
    )
    others = {"export": {"what": "standings"}, "stage-export": {"what": "standings"}}
    others |= {key: {"key": handed_in.key} for key in ("upload", "upload-import")}
    numbers = {
        "division": division.pk,
        "seeding": division.pk,
        "add": division.pk,
        "stage-new": division.pk,
        "entry": entrant.pk,
        "bye": entrant.pk,
        "consent": entrant.pk,
        "round": published.pk,
        "sheet": published.pk,
        "print-pairings": published.pk,
        "evening": published.pk,
        "undo": undoable.pk,
        "challenge-answer": 0,
        "challenge-decline": 0,
        "series": night.series_id,
        "venue": night.venue_id,
        "returning": 0,
        "announcement": announcements.announce(actor=olga, season=running, text="Bring dice").pk,
    }

    def find(name: str) -> str:
        route = _routes()[name]
        known = values | others.get(name, {})
        kwargs = {key: known[key] for key in route if key in known}
        if name.startswith("night") and "key" in route:
            kwargs["key"] = night.key
        if "pk" in route:
            kwargs["pk"] = numbers.get(name, numbers.get(name.split("-")[0], stage.pk))
        return reverse(f"leagues:{name}", kwargs=kwargs)

    return find


def _routes() -> dict[str, set[str]]:
    return {str(route.name): set(route.pattern.converters) for route in urls.urlpatterns}


def test_every_route_is_in_the_table():
    assert {name for name, _, _ in ROUTES} == set(_routes())


# For the verbs, owners and staff are organisers too; the small tables below include them.
@pytest.mark.parametrize("role", ROLES[:4])
def test_every_route(cast, address, role):
    """One test per role, each route rolled back, because the setup costs more than the requests."""
    wrong = {}
    for name, method, answers in ROUTES:
        with transaction.atomic():
            response = getattr(cast[role], method)(address(name))
            transaction.set_rollback(True)
        expected = answers[ROLES.index(role)]
        if response.status_code != expected:
            wrong[name, method] = f"{response.status_code} instead of {expected}"
        elif role == "visitor" and expected == 302 and name != "standings-index":
            assert response.url.startswith("/accounts/login/?next=/")
    assert not wrong


def test_verbs_refuse_get(cast, address):
    pages = {name for name, method, _ in ROUTES if method == "get"}
    verbs = {name for name, _, _ in ROUTES} - pages
    assert {name: cast["owner"].get(address(name)).status_code for name in verbs} == dict.fromkeys(verbs, 405)


def test_a_season_being_set_up_is_for_organisers_alone(cast, league, olga):
    from leagues.seasons import setup

    draft = setup.add_season(actor=olga, league=league, name="Not yet")
    seen = {role: client.get(draft.get_absolute_url()).status_code for role, client in cast.items()}
    assert seen == {"visitor": 404, "stranger": 404, "member": 404, "organiser": 200, "owner": 200, "staff": 200}
    assert "Not yet" not in cast["member"].get(league.get_absolute_url()).content.decode()
    assert "Not yet" in cast["organiser"].get(league.get_absolute_url()).content.decode()


def test_a_draw_is_for_organisers_alone_until_it_is_published(cast, drawn, running):
    where = [running.league.slug, running.number]
    page = reverse("leagues:round", args=[*where, drawn.pk])
    table = drawn.pairings.first().get_absolute_url()
    for path in (page, table):
        seen = {role: client.get(path).status_code for role, client in cast.items()}
        assert seen == {"visitor": 404, "stranger": 404, "member": 404, "organiser": 200, "owner": 200, "staff": 200}
    rounds = reverse("leagues:rounds", args=where)
    assert page not in cast["member"].get(rounds).content.decode()
    assert page in cast["organiser"].get(rounds).content.decode()
