"""The API of tables and matches: open, sit, watch, play, read the record."""

import pytest

from accounts.models import User
from engine.rng import stream
from games import engine_match
from games.models import Match, Move
from games.play.moves import play_move
from games.tables import setup
from tests.api.conftest import Program
from tests.api.test_common_behaviour import problem
from tests.factories import create_user, finished_match, fresh, started_match

pytestmark = pytest.mark.django_db
GAME = "splendor-marvel"


class TestTables:
    def test_the_games(self, visitor):
        body = {game["name"]: game for game in visitor.get("/games/").json()["games"]}
        assert body[GAME]["players"] == [2, 3, 4]
        assert body["infinity-gauntlet"]["roles"]["3"] == ["thanos", "hero", "hero"]
        assert body[GAME]["options"][0]["default_value"] == 16
        assert {"rookie", "regular", "expert", "master"} < set(body[GAME]["levels"])
        ladder = body[GAME]["ladder"]
        assert [each["level"] for each in ladder][::7] == ["novice", "titan"]
        assert [each["level"] for each in ladder if each["suits"]] == ["scout"]
        assert [each["rating"] for each in ladder] == sorted(each["rating"] for each in ladder)
        spans = {option["name"]: (option["least"], option["most"]) for option in body["thanos-rising"]["options"]}
        assert spans["villains_to_defeat"] == (1, 10)
        assert spans["heroes_lost_limit"] == (1, 31)
        assert spans["stones_to_lose"] == (1, 6)

    def test_words_come_in_the_language_asked_for(self, visitor):
        english = visitor.get(f"/games/{GAME}/words/").json()
        polish = visitor.get(f"/games/{GAME}/words/", **{"Accept-Language": "pl"}).json()
        assert (english["language"], polish["language"]) == ("en", "pl")
        assert english["terms"] != polish["terms"]
        problem(visitor.get("/games/chess/words/"), 404, "not-found")

    def test_from_the_open_table_to_the_deal(self, as_alice, as_bob):
        opened = as_alice.post("/tables/", {"game": GAME, "players": 3, "clock": {"kind": "live", "bank": 300}})
        assert opened.status_code == 201, opened.content
        key = opened.json()["key"]
        assert opened.json()["clock"] == {
            "kind": "live", "bank": 300, "increment": 0, "days": 0, "on_timeout": "bot",
        }  # fmt: skip
        assert as_bob.post(f"/tables/{key}/sit/", {}).json()["seats"][1]["person"]["handle"] == "bob"
        problem(as_alice.post(f"/tables/{key}/start/"), 409, "refused")
        problem(as_bob.post(f"/tables/{key}/bot/", {"level": "rookie"}), 403, "forbidden")
        assert as_alice.post(f"/tables/{key}/bot/", {"level": "rookie"}).status_code == 200
        assert as_alice.post(f"/tables/{key}/word/", {"word": "please"}).status_code == 200
        assert as_alice.post(f"/tables/{key}/start/").json()["status"] == "playing"
        assert Match.objects.get(key=key).ply == 0

    def test_places(self, as_alice, as_bob):
        key = as_alice.post("/tables/", {"game": "infinity-gauntlet", "players": 2}).json()["key"]
        assert as_alice.post(f"/tables/{key}/role/", {"wish": "thanos"}).json()["seats"][0]["wish"] == "thanos"
        as_bob.post(f"/tables/{key}/sit/", {"index": 1})
        problem(as_bob.post(f"/tables/{key}/sit/", {}), 403, "forbidden")
        assert as_bob.post(f"/tables/{key}/stand-up/").json()["seats"][1]["person"] is None
        as_alice.post(f"/tables/{key}/bot/", {"level": "rookie", "index": 1})
        assert as_alice.post(f"/tables/{key}/clear/", {"index": 1}).json()["seats"][1]["level"] == ""
        assert as_alice.post(f"/tables/{key}/call-off/").json()["status"] == "aborted"

    @pytest.mark.parametrize(
        ("change", "status", "field"),
        [
            ({"players": 6}, 422, "players"),
            ({"players": 9}, 400, "players"),
            ({"options": {"points": 99}}, 422, "options.points"),
            ({"options": {"speed": 1}}, 422, "options.speed"),
            ({"options": {"stall_rounds": 4}}, 422, "options.stall_rounds"),
            ({"game": "thanos-rising", "options": {"stones_to_lose": 7}}, 422, "options.stones_to_lose"),
            ({"game": "chess"}, 400, "game"),
            ({"club": "nowhere"}, 422, "club"),
            ({"visibility": "club"}, 422, "club"),
            ({"clock": {"kind": "live"}}, 422, "clock.bank"),
            ({"clock": {"kind": "days"}}, 422, "clock.days"),
            ({"rated": "yes"}, 400, "rated"),
        ],
    )
    def test_bad_settings_are_reported_at_their_field(self, as_alice, change, status, field):
        answer = as_alice.post("/tables/", {"game": GAME, "players": 2, **change})
        code = "invalid" if status == 400 else "unprocessable"
        assert field in problem(answer, status, code)["errors"]
        assert not Match.objects.exists()

    def test_lists_show_what_pages_show(self, as_alice, as_charlie, visitor, alice, bob, club):
        seen = {}
        for visibility in ("anyone", "club", "link"):
            terms = {"game": GAME, "players": 2, "visibility": visibility, "club": club.slug}
            seen[visibility] = as_alice.post("/tables/", terms).json()["key"]
        listed = {one["key"] for one in visitor.get("/tables/").json()["results"]}
        assert listed == {seen["anyone"]}
        assert {one["key"] for one in as_alice.get("/tables/?mine=true").json()["results"]} == set(seen.values())
        problem(as_charlie.get(f"/tables/{seen['club']}/"), 404, "not-found")
        problem(as_charlie.get(f"/matches/{seen['club']}/"), 404, "not-found")
        assert as_charlie.get(f"/tables/{seen['link']}/").status_code == 200
        assert visitor.get("/tables/?status=playing").json()["results"] == []
        assert len(visitor.get(f"/tables/?club={club.slug}&game={GAME}").json()["results"]) == 1
        problem(visitor.get("/tables/?status=lost"), 400, "invalid")

    def test_lists_cost_the_same_whatever_their_length(self, as_alice, alice, bob, django_assert_max_num_queries):
        for _ in range(6):
            started_match(alice, bob)
        with django_assert_max_num_queries(5):
            assert len(as_alice.get("/tables/").json()["results"]) == 6


class TestPlay:
    def test_a_move(self, as_alice, as_bob, alice, bob):
        match = started_match(alice, bob)
        legal = as_alice.get(f"/matches/{match.key}/legal/").json()
        assert (legal["ply"], legal["seat"], legal["to_act"]) == (0, 0, 0)
        assert as_bob.get(f"/matches/{match.key}/legal/").json()["legal"] == []
        state = as_alice.post(f"/matches/{match.key}/moves/", {"ply": 0, "move": legal["legal"][0]}).json()
        assert (state["v"], state["since"], state["view"]["seat"]) == (1, 0, 0)
        assert state["events"]
        assert as_bob.get(f"/matches/{match.key}/?after=0").json()["events"]

    def test_the_same_move_again_is_answered_and_counts_once(self, as_alice, alice, bob):
        match = started_match(alice, bob)
        sent = {"ply": 0, "move": "take red"}
        first, again = (as_alice.post(f"/matches/{match.key}/moves/", sent) for _ in range(2))
        assert first.status_code == again.status_code == 200
        assert first.json() == again.json()
        assert Move.objects.filter(match=match).count() == 1

    def test_stale_is_an_answer(self, as_alice, as_bob, alice, bob):
        match = started_match(alice, bob)
        as_alice.post(f"/matches/{match.key}/moves/", {"ply": 0, "move": "take red"})
        body = problem(as_alice.post(f"/matches/{match.key}/moves/", {"ply": 0, "move": "take blue"}), 409, "stale")
        assert body["ply"] == 1
        problem(as_bob.post(f"/matches/{match.key}/moves/", {"ply": 9, "move": "take red"}), 409, "stale")

    def test_what_the_rules_refuse_changes_nothing(self, as_alice, as_bob, as_charlie, alice, bob):
        match = started_match(alice, bob)
        path = f"/matches/{match.key}/moves/"
        problem(as_alice.post(path, {"ply": 0, "move": "win"}), 422, "illegal-move")
        problem(as_bob.post(path, {"ply": 0, "move": "take red"}), 422, "illegal-move")
        problem(as_charlie.post(path, {"ply": 0, "move": "take red"}), 403, "forbidden")
        problem(as_alice.post(path, {"ply": "0", "move": "take red"}), 400, "invalid")
        assert fresh(match).ply == 0

    def test_undo(self, as_alice, alice, bob):
        match = started_match(alice, bob)
        as_alice.post(f"/matches/{match.key}/moves/", {"ply": 0, "move": "take red"})
        assert as_alice.get(f"/matches/{match.key}/legal/").json()["can_undo"]
        state = as_alice.post(f"/matches/{match.key}/undo/", {"ply": 1}).json()
        assert (state["v"], state["undone"]) == (2, [1])
        problem(as_alice.post(f"/matches/{match.key}/undo/", {"ply": 2}), 422, "illegal-move")

    def test_a_rematch_against_bots_a_step_harder(self, as_alice, alice):
        match = finished_match(setup.play_now(person=alice, game=GAME, players=2, level="sage"))
        again = as_alice.post(f"/matches/{match.key}/rematch/", {"bots": "harder"}).json()
        assert [seat["level"] for seat in again["seats"] if seat["is_bot"]] == ["titan"]

    def test_resign_and_look_back(self, as_alice, as_bob, alice, bob):
        match = started_match(alice, bob)
        assert as_alice.post(f"/matches/{match.key}/resign/").json()["status"] == "finished"
        state = as_bob.get(f"/matches/{match.key}/").json()
        assert state["result"]["cause"] == "resigned"
        assert (state["view"]["to_act"], state["view"]["legal"]) == (None, [])
        problem(as_bob.post(f"/matches/{match.key}/rematch/", {"bots": "softer"}), 400, "invalid")
        again = as_bob.post(f"/matches/{match.key}/rematch/").json()
        assert as_alice.post(f"/matches/{match.key}/rematch/").json()["key"] == again["key"]

    def test_against_bots_at_once(self, as_bob, sent_tasks, django_capture_on_commit_callbacks):
        with django_capture_on_commit_callbacks(execute=True):
            made = as_bob.post("/tables/now/", {"game": GAME, "players": 2, "level": "rookie"})
        assert made.status_code == 201
        assert made.json()["status"] == "playing"
        problem(as_bob.post("/tables/now/", {"game": GAME, "players": 6}), 422, "unprocessable")


class TestRecord:
    def test_before_the_end_it_is_nobodys(self, as_alice, visitor, alice, bob):
        match = started_match(alice, bob)
        for part in ("moves", "plies", "transcript", "verification"):
            problem(as_alice.get(f"/matches/{match.key}/{part}/"), 409, "refused")
            problem(visitor.get(f"/matches/{match.key}/{part}/"), 409, "refused")

    def test_after_the_end(self, visitor, alice, bob):
        match = finished_match(started_match(alice, bob))
        document = visitor.get(f"/matches/{match.key}/transcript/").json()
        assert len(document["moves"]) == match.ply
        moves = visitor.get(f"/matches/{match.key}/moves/?limit=200").json()["results"]
        assert [one["move"] for one in moves] == [move[1] for move in document["moves"]][:200]
        assert visitor.get(f"/matches/{match.key}/verification/").json()["is_fair"]
        plies = visitor.get(f"/matches/{match.key}/plies/?seat=1&start=3").json()
        assert plies["last"] == match.ply
        assert [one["v"] for one in plies["plies"]][:2] == [3, 4]
        problem(visitor.get(f"/matches/{match.key}/plies/?seat=3"), 404, "not-found")


class TestTalk:
    def test_lines(self, as_alice, as_bob, as_charlie, alice, bob):
        match = started_match(alice, bob)
        assert as_alice.post(f"/matches/{match.key}/talk/", {"text": "Hello"}).status_code == 201
        assert as_charlie.post(f"/matches/{match.key}/talk/", {"remark": "nice"}).json()["room"] == "gallery"
        lines = as_bob.get(f"/matches/{match.key}/talk/").json()["results"]
        assert [one["text"] for one in lines] == ["Hello"]
        assert as_bob.post(f"/matches/{match.key}/talk/{lines[0]['id']}/report/", {"reason": "rude"}).status_code == 204
        problem(as_bob.post(f"/matches/{match.key}/talk/", {"remark": "unknown"}), 409, "refused")
        assert as_bob.put("/me/mutes/alice/", {}).json() == {"muted": ["alice"]}
        assert as_bob.get(f"/matches/{match.key}/talk/").json()["results"] == []
        assert as_bob.delete("/me/mutes/alice/").json() == {"muted": []}

    def test_reports_are_for_staff(self, as_bob, as_alice, alice, bob, stella):
        match = started_match(alice, bob)
        line = as_alice.post(f"/matches/{match.key}/talk/", {"text": "Boo"}).json()["id"]
        as_bob.post(f"/matches/{match.key}/talk/{line}/report/", {})
        problem(as_bob.get("/reports/"), 403, "forbidden")
        staff = Program(stella)
        reports = staff.get("/reports/").json()["results"]
        assert staff.post(f"/reports/{reports[0]['id']}/settle/", {"remove": True}).status_code == 204
        assert as_bob.get(f"/matches/{match.key}/talk/").json()["results"][0]["text"] == ""


class TestSecrets:
    def test_only_the_owner_sees_a_hidden_card(self, as_alice, as_bob, as_charlie, visitor, alice, bob):
        match = started_match(alice, bob)
        as_alice.post(f"/matches/{match.key}/moves/", {"ply": 0, "move": "reserve deck 1"})
        card = engine_match.load(fresh(match)).view(0)["table"]["teams"][0]["reserved"][0]["card"]
        for reader, may_know in ((as_alice, True), (as_bob, False), (as_charlie, False), (visitor, False)):
            for path in (f"/matches/{match.key}/", f"/matches/{match.key}/?after=0"):
                assert (f'"{card}"' in reader.get(path).content.decode()) == may_know

    @pytest.mark.parametrize("game", ["infinity-gauntlet", "splendor-marvel", "thanos-rising"])
    def test_an_answer_depends_only_on_what_its_reader_may_know(self, game, db, monkeypatch):
        """The same answers from the truth and from any world that the seat cannot tell from it."""
        cast: list[User] = [create_user(name) for name in ("ann", "ben", "cleo")]
        readers = [(Program(one), seat) for seat, one in enumerate(cast)] + [(Program(), None)]
        match = started_match(*cast, game=game)
        rng, truth = stream(game, "walk"), engine_match.load
        for step in range(6):
            current = truth(fresh(match))
            for program, seat in readers:
                for path in (f"/matches/{match.key}/?after=0", f"/matches/{match.key}/legal/"):
                    body = program.get(path).content
                    imagined = current.imagine(seat, f"world {step}")
                    monkeypatch.setattr(engine_match, "load", lambda match, imagined=imagined: imagined)
                    assert program.get(path).content == body
                    monkeypatch.setattr(engine_match, "load", truth)
            legal = current.legal()
            play_move(
                match=fresh(match),
                ply=current.ply,
                seat=current.to_act,
                move=current.notation(legal[rng.below(len(legal))]),
                by="bot",
            )

    def test_no_answer_holds_seed_or_digest(self, as_alice, as_bob, visitor, alice, bob):
        match = started_match(alice, bob)
        as_alice.post(f"/matches/{match.key}/moves/", {"ply": 0, "move": "take red"})
        digest = Move.objects.get(match=match).digest
        for reader in (as_alice, as_bob, visitor):
            for path in (f"/tables/{match.key}/", f"/matches/{match.key}/?after=0", f"/matches/{match.key}/legal/"):
                body = reader.get(path).content.decode()
                assert match.secret not in body
                assert digest not in body


class TestRefusals:
    def test_a_refused_move_names_the_choices(self, as_alice, alice, bob):
        match = started_match(alice, bob)
        answer = as_alice.post(f"/matches/{match.key}/moves/", {"ply": 0, "move": "win"})
        problem(answer, 422, "illegal-move")
        body = answer.json()
        assert body["choices"] == as_alice.get(f"/matches/{match.key}/legal/").json()["legal"]
        assert body["choices"][0] in body["detail"]
        assert len(body["detail"]) < 400

    def test_junk_is_not_sent_back_at_length(self, as_alice):
        junk = "x" * 5000
        for sent in (
            {"game": junk, "players": 2},
            {"game": "splendor-marvel", "players": 2, "visibility": junk},
            {"game": "splendor-marvel", "players": 2, "clock": junk},
            {"game": "splendor-marvel", "players": 2, "options": {junk: 1}},
            {"game": "splendor-marvel", "players": 2, junk: 1},
        ):
            answer = as_alice.post("/tables/", sent)
            assert 400 <= answer.status_code < 500
            assert b"x" * 50 not in answer.content
