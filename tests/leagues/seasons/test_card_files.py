"""Seasons that are played with a club's own cards: tables, ratings, the next season, archives."""

import io
import json
from zipfile import ZipFile

import pytest

import engine
from accounts import clubs
from accounts.infra.errors import Refused
from games import card_files
from games.catalogue import ratability
from games.models import CardFile, Match
from leagues.import_export.archive import importer, reader, writer
from leagues.leaderboards.change_breakdown import scenario_label
from leagues.models import Division, League, RatedResult, Season
from leagues.results import from_matches
from leagues.rounds import draw, tables
from leagues.seasons import setup
from tests.api.conftest import Program
from tests.factories import enter_team, finished_match, logged_in, next_round, set_up_preset, stage_of

GAME = "thanos-rising"


@pytest.fixture
def league(club, alice) -> League:
    return setup.create_league(actor=alice, club=club, name="Together", game=GAME)


@pytest.fixture
def own(club, alice) -> CardFile:
    document = json.loads(engine.game(GAME).own_card_file())
    document["assets"][0]["name"] = "Ours"
    return card_files.upload(
        actor=alice, club=club, game=GAME, title="Box", content=json.dumps(document, indent=1).encode()
    )


def in_a_file(league: League) -> bytes:
    file = io.BytesIO()
    writer.write(league, file)
    return file.getvalue()


def test_the_tables_of_a_season_have_its_cards_and_are_rated_for_themselves(league, own, alice, bob, olga, charlie):
    season = set_up_preset(league, alice, "team-duplicate")
    setup.edit_season(actor=alice, season=season, card_file=own, rated=True)
    division = Division.objects.get(season=season)
    for name, people in (("Reds", (alice, bob)), ("Blues", (olga, charlie))):
        enter_team(division, alice, name, *people)
    draw.start(actor=alice, season=season)
    pairing = next_round(alice, stage_of(season)).pairings.get(seats__entrant__team="Reds")
    for member in (alice, bob):
        tables.mark_present(person=member, pairing=pairing)
    match = Match.objects.get()
    assert (match.card_file, match.rated) == (own, True)
    with pytest.raises(Refused, match="is kept"):
        card_files.delete(actor=alice, card_file=own)
    match = finished_match(match)
    assert from_matches.take_in_match(match_id=match.pk)
    assert RatedResult.objects.get().scenario == f"hero+{own.code}"


def test_ratings_keep_own_cards_apart_and_say_so(own):
    assert ratability.scenario(GAME, {}, own.code) == f"hero+{own.code}"
    assert scenario_label(GAME, f"hero+{own.code}") == f"Hero, own cards {own.code}"
    assert scenario_label(GAME, "hero") == "Hero"


def test_only_cards_of_the_club_and_the_game(league, own, alice, charlie):
    other = clubs.create_club(founder=charlie, name="Elsewhere")
    abroad = setup.create_league(actor=charlie, club=other, name="Abroad", game=GAME)
    with pytest.raises(Refused, match="no such card file"):
        setup.add_season(actor=charlie, league=abroad, card_file=own)
    splendor = setup.create_league(actor=alice, club=own.club, name="Splendor", game="splendor-marvel")
    with pytest.raises(Refused, match="no such card file"):
        setup.add_season(actor=alice, league=splendor, card_file=own)
    with pytest.raises(Refused, match="card files"):
        setup.add_season(actor=alice, league=league, options={"card_set": own.document})


def test_by_the_form_and_by_the_api(league, own, alice):
    season = setup.add_season(actor=alice, league=league)
    page = logged_in(alice).get(f"/leagues/{league.slug}/{season.number}/settings/")
    assert "version 1: Box" in page.content.decode()
    program = Program(alice)
    answer = program.patch(f"/seasons/{season.pk}/", {"card_file": own.pk})
    assert answer.json()["card_file"]["digest"] == own.digest
    assert program.patch(f"/seasons/{season.pk}/", {"card_file": own.pk + 1}).status_code == 409
    assert program.patch(f"/seasons/{season.pk}/", {"card_file": None}).json()["card_file"] is None


def test_withdrawn_cards_go_on_where_they_were(league, own, alice):
    season = setup.add_season(actor=alice, league=league, card_file=own)
    card_files.set_offered(actor=alice, card_file=own, on=False)
    assert setup.edit_season(actor=alice, season=season, name="Renamed").card_file == own
    assert setup.add_season(actor=alice, league=league, card_file=own).card_file == own
    fresh = setup.create_league(actor=alice, club=own.club, name="Fresh", game=GAME)
    with pytest.raises(Refused, match="withdrawn"):
        setup.add_season(actor=alice, league=fresh, card_file=own)


def test_an_archive_carries_the_cards(league, own, alice, charlie):
    for _number in range(2):
        setup.add_season(actor=alice, league=league, card_file=own)
    content = in_a_file(league)
    there = clubs.create_club(founder=charlie, name="Elsewhere")
    copies = [
        importer.import_archive(actor=charlie, club=there, archive=reader.open_archive(content), same=[])
        for _time in range(2)
    ]
    copied = CardFile.objects.get(club=there)
    assert (copied.digest, copied.source, copied.number) == (own.digest, own.source, 1)
    assert copied.uploaded_by == charlie
    assert set(Season.objects.filter(league__in=copies).values_list("card_file", flat=True)) == {copied.pk}


def test_an_archive_without_card_files_is_read(league, alice, club):
    """As archives were before clubs had card files."""
    setup.add_season(actor=alice, league=league)
    with ZipFile(io.BytesIO(in_a_file(league))) as new:
        manifest, files = json.loads(new.read("manifest.json")), {name: new.read(name) for name in new.namelist()}
    del manifest["files"]["cardfile.jsonl"], files["cardfile.jsonl"]
    manifest["digest"] = writer.digest(manifest["league"], manifest["files"])
    old = io.BytesIO()
    with ZipFile(old, "w") as archive:
        for name, text in (files | {"manifest.json": json.dumps(manifest).encode()}).items():
            archive.writestr(name, text)
    copy = importer.import_archive(actor=alice, club=club, archive=reader.open_archive(old.getvalue()), same=[])
    assert Season.objects.get(league=copy).card_file is None


def test_forged_cards_in_an_archive_are_refused(league, own, alice, club):
    setup.add_season(actor=alice, league=league, card_file=own)
    CardFile.objects.filter(pk=own.pk).update(source=own.source.replace("Ours", "Theirs"))
    with pytest.raises(Refused, match=r"cardfile\.jsonl, line 1"):
        importer.import_archive(actor=alice, club=club, archive=reader.open_archive(in_a_file(league)), same=[])
