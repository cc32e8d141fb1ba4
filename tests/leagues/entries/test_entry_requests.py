"""Questions to entrants, approval, places and the waiting list: who has what, who sees what, what is refused."""

import json
import random

import pytest

from accounts import people
from accounts.infra.errors import Refused
from accounts.infra.permissions import NotAllowed
from accounts.models import Notice
from deploy.own_data import own_data
from leagues.core import consent
from leagues.entries import entry_requests, questions, registration, withdrawal
from leagues.models import Entrant, EntryRequest, Season, Undoable
from leagues.rounds import draw
from leagues.seasons import next_steps, organiser_tasks, rollover, setup, undo
from tests.factories import add_guests, add_member, create_user, draft_season, logged_in, next_round, stage_of

QUESTIONS = [
    {"text": "Which deck do you own?", "kind": "choice", "choices": ["None", "Blue", "Red"], "required": True},
    {"text": "Do you need a lift?", "kind": "yes-no"},
    {"text": "Anything else?", "kind": "text"},
]
ANSWERS = {"1": "Blue", "2": False, "3": "I bring cake"}


@pytest.fixture
def season(league, alice) -> Season:
    return draft_season(league, alice, "swiss", planned=2, approval=True, entry_questions=QUESTIONS)


def at(season: Season, tail: str = "") -> str:
    return f"{season.get_absolute_url()}entries/{tail}"


def api(season: Season, tail: str = "") -> str:
    return f"/api/v1/seasons/{season.pk}/{tail}"


def kinds_for(person) -> list[str]:
    return list(Notice.objects.filter(user=person, read_at=None).order_by("pk").values_list("kind", flat=True))


def test_ask_approve_and_undo(season, alice, olga, bob):
    with pytest.raises(Refused, match="ask to enter"):
        registration.register(person=bob, season=season, answers=ANSWERS)
    with pytest.raises(Refused, match="Which deck"):
        entry_requests.ask(person=bob, season=season, answers={"3": "no deck"})
    assert not EntryRequest.objects.exists()
    asked = entry_requests.ask(person=bob, season=season, answers=ANSWERS)
    assert not Entrant.objects.filter(season=season).exists()
    assert "leagues.entry-asked" in kinds_for(olga)
    with pytest.raises(Refused, match="asked already"):
        entry_requests.ask(person=bob, season=season, answers=ANSWERS)
    assert "yet to decide" in next_steps.next_step_for_reader(season, bob).words
    assert [task.words for task in organiser_tasks.organiser_tasks(season) if task.code == "entries-to-approve"] == [
        "1 person asks to enter."
    ]
    with pytest.raises(NotAllowed):
        entry_requests.approve(actor=bob, request=asked)
    entry_requests.approve(actor=olga, request=asked)
    assert Entrant.objects.get(season=season).user == bob
    assert "leagues.entry-asked" not in kinds_for(olga)
    assert "leagues.entry-approved" in kinds_for(bob)
    undo.undo(actor=olga, undoable=Undoable.objects.get(kind="entry-decision"))
    assert not Entrant.objects.filter(season=season).exists()
    asked.refresh_from_db()
    assert (asked.state, asked.by, asked.answers) == ("asked", None, ANSWERS)


def test_decline_with_a_word_and_approve_after_all(season, olga, bob):
    asked = entry_requests.ask(person=bob, season=season, answers=ANSWERS)
    entry_requests.decline(actor=olga, request=asked, note="Only for beginners")
    assert "Only for beginners" in next_steps.next_step_for_reader(season, bob).words
    with pytest.raises(Refused, match="declined"):
        entry_requests.ask(person=bob, season=season, answers=ANSWERS)
    entry_requests.approve(actor=olga, request=asked)
    with pytest.raises(Refused, match="withdraw the entry"):
        entry_requests.decline(actor=olga, request=asked)
    withdrawal.withdraw(actor=bob, entrant=Entrant.objects.get(user=bob))
    # Approved once is approved.
    assert registration.register(person=bob, season=season, answers=ANSWERS).status == "registered"


def test_after_the_draw_an_approval_stays(season, alice, olga, bob):
    asked = entry_requests.ask(person=bob, season=season, answers=ANSWERS)
    entry_requests.approve(actor=olga, request=asked)
    add_guests(season, alice, 3)
    draw.start(actor=alice, season=season)
    next_round(alice, stage_of(season))
    with pytest.raises(Refused, match="drawn already"):
        undo.undo(actor=olga, undoable=Undoable.objects.get(kind="entry-decision"))
    with pytest.raises(Refused, match="no longer be changed"):
        entry_requests.change_answers(person=bob, season=season, answers=ANSWERS)


def test_who_is_still_asked_at_the_start_may_come_late(season, alice, bob):
    asked = entry_requests.ask(person=bob, season=season, answers=ANSWERS)
    add_guests(season, alice, 4)
    draw.start(actor=alice, season=season)
    season.refresh_from_db()
    assert "entries-to-approve" in [task.code for task in organiser_tasks.organiser_tasks(season)]
    entry_requests.approve(actor=alice, request=asked)
    assert Entrant.objects.get(user=bob).status == "active"


def test_an_organiser_needs_no_approval_and_an_added_member_is_approved(season, alice, olga, bob):
    registration.register(person=olga, season=season, answers=ANSWERS)
    asked = entry_requests.ask(person=bob, season=season, answers=ANSWERS)
    registration.add_person(actor=olga, division=season.divisions.get(), person=bob)
    asked.refresh_from_db()
    assert asked.state == "approved"
    # They asked for it themselves.
    assert not consent.is_asked(season, bob)


def test_without_approval_those_who_asked_sign_up(season, alice, bob, charlie, club):
    add_member(club, charlie)
    entry_requests.ask(person=bob, season=season, answers=ANSWERS)
    entry_requests.decline(actor=alice, request=entry_requests.ask(person=charlie, season=season, answers=ANSWERS))
    season = setup.edit_season(actor=alice, season=season, approval=False)
    assert "Sign up for the season" in logged_in(bob).get(at(season)).content.decode()
    registration.register(person=bob, season=season, answers=ANSWERS)
    assert not entry_requests.waiting(season)
    with pytest.raises(Refused, match="declined"):
        registration.register(person=charlie, season=season, answers=ANSWERS)


def test_whom_an_organiser_entered_answers_too(season, olga, bob, charlie):
    registration.add_person(actor=olga, division=season.divisions.get(), person=bob)
    entry_requests.change_answers(person=bob, season=season, answers={"1": "Red"})
    assert entry_requests.answers_of(season, [bob.pk]) == {bob.pk: [("Which deck do you own?", "Red")]}
    with pytest.raises(Refused, match="not entered"):
        entry_requests.change_answers(person=charlie, season=season, answers={"1": "Red"})


def test_places_go_in_the_order_of_asking(league, alice, club):
    """A random evening of asking, approving, leaving and more places, beside a plain list of who is where."""
    season = draft_season(league, alice, "swiss", planned=2, approval=True)
    division = season.divisions.get()
    setup.edit_division(actor=alice, division=division, name="Small", cap=3, up=0, down=0)
    crowd = [create_user(f"person-{number}") for number in range(9)]
    for person in crowd:
        add_member(club, person)
    lots, cap = random.Random(20), 3
    asked: list[int] = []
    placed: set[int] = set()
    queue: list[int] = []
    order: dict[int, int] = {}
    for step in range(60):
        person = lots.choice(crowd)
        request = EntryRequest.objects.filter(season=season, user=person).first()
        if person.pk not in order:
            entry_requests.ask(person=person, season=season)
            order[person.pk] = step
            asked.append(person.pk)
        elif person.pk in asked:
            asked.remove(person.pk)
            entry_requests.approve(actor=alice, request=request)
            if len(placed) < cap:
                placed.add(person.pk)
            else:
                queue = sorted([*queue, person.pk], key=order.__getitem__)
        elif person.pk in placed or person.pk in queue:
            withdrawal.withdraw(actor=person, entrant=Entrant.objects.get(season=season, user=person))
            placed.discard(person.pk)
            queue = [each for each in queue if each != person.pk]
        else:
            registration.register(person=person, season=season)
            order[person.pk] = step
            if len(placed) < cap:
                placed.add(person.pk)
            else:
                queue.append(person.pk)
        if step == 40:
            cap = 4
            setup.edit_division(actor=alice, division=division, name="Small", cap=cap, up=0, down=0)
        while len(placed) < cap and queue:
            placed.add(queue.pop(0))
        rows = list(Entrant.objects.filter(season=season).exclude(status="withdrawn"))
        assert {row.user_id for row in rows if not row.is_waiting} == placed
        waiting = sorted((row for row in rows if row.is_waiting), key=lambda row: row.waiting_place)
        assert [(row.waiting_place, row.user_id) for row in waiting] == list(enumerate(queue, 1))


def test_questions_are_checked_and_answers_follow_them(season, alice, bob):
    bad = [
        [{"text": ""}],
        [{"text": "x" * 201}],
        [{"text": "Deck?", "kind": "choice", "choices": ["One"]}],
        [{"text": "Deck?", "kind": "choice", "choices": ["One", "One"]}],
        [{"text": "Deck?", "kind": "number"}],
        [{"text": "Deck?", "kind": "text", "choices": ["a", "b"]}],
        [{"text": "Deck?", "id": 77}],
        [{"text": "Deck?"}] * 6,
        "Deck?",
        [7],
    ]
    for given in bad:
        with pytest.raises(Refused):
            setup.edit_season(actor=alice, season=season, entry_questions=given)
    season.refresh_from_db()
    assert [each["id"] for each in season.entry_questions] == [1, 2, 3]
    for wrong in ({"1": "Green"}, {"1": "Blue", "2": "yes"}, {"1": "Blue", "3": "x" * 501}, {"1": "Blue", "9": "x"}):
        with pytest.raises(Refused):
            entry_requests.ask(person=bob, season=season, answers=wrong)
    asked = entry_requests.ask(person=bob, season=season, answers=ANSWERS)
    deck, _lift, else_ = season.entry_questions
    # Another wording keeps the answers; a question that is gone or asks for something else loses them.
    fresh = [{**deck, "text": "Your deck?"}, {**else_, "kind": "yes-no"}, {"text": "New?"}]
    season = setup.edit_season(actor=alice, season=season, entry_questions=fresh)
    asked.refresh_from_db()
    assert [each["id"] for each in season.entry_questions] == [1, 3, 4]
    assert questions.in_words(season.entry_questions, asked.answers) == [("Your deck?", "Blue")]


def test_only_organisers_and_the_person_read_answers(season, olga, bob, charlie):
    entry_requests.approve(actor=olga, request=entry_requests.ask(person=bob, season=season, answers=ANSWERS))
    secret = "I bring cake"
    assert secret in logged_in(olga).get(at(season)).content.decode()
    assert secret in logged_in(bob).get(at(season)).content.decode()
    for client in (logged_in(charlie), logged_in(create_user("zoe"))):
        assert secret not in client.get(at(season)).content.decode()
        assert client.get(api(season, "entry-requests/")).status_code == 403
        assert client.get(api(season, "entry-requests/mine/")).status_code == 404
        assert secret not in client.get(api(season, "entrants/")).content.decode()
    assert secret in json.dumps(own_data(bob))
    assert secret not in json.dumps(own_data(olga))


def test_answers_go_with_the_account(season, olga, bob):
    entry_requests.approve(actor=olga, request=entry_requests.ask(person=bob, season=season, answers=ANSWERS))
    people.delete_account(person=bob)
    assert not EntryRequest.objects.exists()
    assert Entrant.objects.filter(season=season).count() == 1


def test_the_next_season_asks_the_same(season, alice, bob, olga):
    for each in (bob, olga):
        registration.add_person(actor=alice, division=season.divisions.get(), person=each)
    draw.start(actor=alice, season=season)
    Season.objects.filter(pk=season.pk).update(status="closed", closed_at=season.made_at)
    again = rollover.start_next_season(actor=alice, league=season.league, quiet=True)
    assert again.approval
    assert [each["text"] for each in again.entry_questions] == [each["text"] for each in QUESTIONS]


def test_pages_of_the_person_and_the_organiser(season, olga, bob):
    me, organiser = logged_in(bob), logged_in(olga)
    assert "Ask to enter" in me.get(at(season)).content.decode()
    answer = me.post(at(season, "sign-up/"), {"answer-3": "I bring cake"})
    assert answer.status_code == 422
    assert "I bring cake" in answer.content.decode()
    me.post(at(season, "sign-up/"), {"answer-1": "Blue", "answer-2": "no", "answer-3": "I bring cake"})
    asked = EntryRequest.objects.get()
    assert asked.answers == ANSWERS
    me.post(at(season, "answers/"), {"answer-1": "Red"})
    me.post(at(season, "answers/"), {"do": "take-back"})
    asked.refresh_from_db()
    assert (asked.state, asked.answers) == ("withdrawn", {"1": "Red"})
    me.post(at(season, "sign-up/"), {"answer-1": "Red"})
    assert f"request-{asked.pk}" in organiser.get(at(season)).content.decode()
    decide = at(season, f"requests/{asked.pk}/")
    assert me.post(decide, {"do": "approve"}).status_code == 403
    organiser.post(decide, {"do": "decline", "note": "Full of friends"})
    assert "Full of friends" in me.get(at(season)).content.decode()
    organiser.post(decide, {"do": "approve"})
    assert Entrant.objects.get(season=season).user == bob
    page = organiser.get(at(season, "questions/")).content.decode()
    assert "Which deck do you own?" in page
    form = {"q0-id": 1, "q0-text": "Which deck?", "q0-kind": "choice", "q0-choices": "Blue\nRed", "q0-required": "on"}
    assert organiser.post(at(season, "questions/"), form | {"q1-text": "Why?", "q1-kind": "choice"}).status_code == 422
    organiser.post(at(season, "questions/"), form)
    season.refresh_from_db()
    assert season.entry_questions == [
        {"id": 1, "text": "Which deck?", "kind": "choice", "choices": ["Blue", "Red"], "required": True}
    ]


def test_the_api_does_the_same(season, olga, bob):
    me, organiser = logged_in(bob), logged_in(olga)

    def send(client, method, tail, body):
        return getattr(client, method)(api(season, tail), json.dumps(body), content_type="application/json")

    assert organiser.get(api(season)).json()["entry_questions"][1]["kind"] == "yes-no"
    assert send(me, "post", "entrants/", {"answers": ANSWERS}).status_code == 409
    made = send(me, "post", "entry-requests/", {"answers": ANSWERS})
    assert (made.status_code, made.json()["state"]) == (201, "asked")
    assert send(me, "put", "entry-requests/mine/", {"answers": {"1": "Red"}}).json()["answers"] == {"1": "Red"}
    (listed,) = organiser.get(api(season, "entry-requests/?state=asked")).json()["results"]
    tail = f"entry-requests/{listed['id']}/"
    assert send(me, "post", tail, {"approves": True}).status_code == 403
    assert send(organiser, "post", tail, {"approves": True}).json()["state"] == "approved"
    (entrant,) = me.get(api(season, "entrants/")).json()["results"]
    assert (entrant["status"], entrant["waiting_place"]) == ("registered", None)
    assert send(organiser, "patch", "", {"entry_questions": [{"text": "Why?", "choices": ["x"]}]}).status_code == 409
    assert send(organiser, "patch", "", {"entry_questions": [], "approval": False}).json()["entry_questions"] == []
