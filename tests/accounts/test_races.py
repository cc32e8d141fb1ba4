"""Two people at the same door at the same moment, in real threads on both kinds of database."""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from threading import Barrier

import pytest
from django.db import connection
from django.test import Client
from django.utils import timezone

from accounts import clubs, joining, people
from accounts.infra.errors import Refused
from accounts.infra.permissions import NotAllowed
from accounts.models import Club, Digest, Invite, JoinRequest, Mail, Membership, Notice, Role, User
from accounts.notifications import digest as notifications_digest
from accounts.notifications import preferences, service
from tests.factories import PASSWORD, add_member, create_user

pytestmark = pytest.mark.usefixtures("any_database")


def race(*runners: Callable[[], object]) -> list[object]:
    """Start all at once; what each returned, or the refusal it met."""
    start = Barrier(len(runners))

    def run(runner: Callable[[], object]) -> object:
        try:
            start.wait(timeout=60)
            return runner()
        except (Refused, NotAllowed) as refusal:
            return refusal
        finally:
            connection.close()

    with ThreadPoolExecutor(len(runners)) as pool:
        return list(pool.map(run, runners))


def refusals(results: list[object]) -> int:
    return sum(isinstance(result, Exception) for result in results)


@pytest.fixture
def round_table(any_database: str) -> Club:
    club = clubs.create_club(founder=create_user("alice"), name="The Round Table")
    add_member(club, create_user("olga"), Role.ORGANISER)
    add_member(club, create_user("bob"))
    return club


def user(handle: str) -> User:
    return User.objects.get(handle=handle)


@pytest.mark.parametrize("attempt", range(3))
def test_one_use_one_member(round_table, attempt):
    link = joining.invite(actor=user("alice"), club=round_table)
    rivals = [create_user(f"rival-{number}") for number in range(4)]
    results = race(*[lambda rival=rival: joining.accept(person=rival, token=link.token) for rival in rivals])
    assert refusals(results) == 3
    assert Membership.objects.filter(club=round_table, user__in=rivals).count() == 1
    assert Invite.objects.get().uses == 1


def test_one_person_clicking_twice_joins_once(round_table):
    link = joining.invite(actor=user("alice"), club=round_table, max_uses=5)
    dora = create_user("dora")
    results = race(*[lambda: joining.accept(person=dora, token=link.token)] * 3)
    assert refusals(results) == 0
    assert Membership.objects.filter(club=round_table, user=dora).count() == 1
    assert Invite.objects.get().uses == 1


def test_two_organisers_answer_once(round_table):
    request = joining.request_to_join(person=create_user("charlie"), club=round_table)
    results = race(
        lambda: joining.approve(actor=user("alice"), request=request),
        lambda: joining.decline(actor=user("olga"), request=request),
    )
    assert refusals(results) == 1
    request.refresh_from_db()
    joined = Membership.objects.filter(club=round_table, user=request.user).exists()
    assert joined == (request.status == JoinRequest.Status.APPROVED)


def test_asking_twice_is_one_request(round_table):
    charlie = create_user("charlie")
    results = race(*[lambda: joining.request_to_join(person=charlie, club=round_table)] * 2)
    assert refusals(results) == 1
    assert JoinRequest.objects.count() == 1


def test_the_heir_leaves_while_the_club_is_handed_over(round_table):
    race(
        lambda: clubs.hand_over(actor=user("alice"), club=round_table, to=user("bob")),
        lambda: clubs.leave(person=user("bob"), club=round_table),
    )
    assert Membership.objects.filter(club=round_table, role=Role.OWNER).count() == 1


def test_two_people_who_own_and_share_clubs_go_at_once(round_table):
    bob, dora = user("bob"), create_user("dora")
    for owner in (bob, dora):
        clubs.create_club(founder=owner, name=f"{owner.handle} alone")
    add_member(round_table, dora)
    results = race(*[lambda leaver=leaver: people.delete_account(person=leaver) for leaver in (bob, dora)])
    assert refusals(results) == 0
    assert not Membership.objects.filter(user__in=[bob, dora]).exists()
    assert Club.objects.open().count() == 1


def test_one_sign_up_of_two_at_once(any_database):
    form = {"username": "dora", "email": "dora@example.org", "password1": PASSWORD}
    results = race(*[lambda: Client().post("/accounts/signup/", form).status_code] * 2)
    assert set(results) <= {200, 302}
    assert User.objects.count() == 1


def test_two_founders_of_one_name(round_table):
    one, two = create_user("dora"), create_user("emil")
    results = race(
        lambda: clubs.create_club(founder=one, name="Twins"), lambda: clubs.create_club(founder=two, name="Twins")
    )
    assert {club.slug for club in results} == {"twins", "twins-2"}


def waiting_digest(reader: User) -> Digest:
    preferences.set_preferences(person=reader, changes={"club.closed": preferences.Preference(mail=Mail.DIGEST)})
    service.notify([reader], "club.closed", path="/first/")
    service.deliver_notification(notice_id=Notice.objects.get().pk)
    Digest.objects.update(due_at=timezone.now())
    return Digest.objects.get()


def test_of_many_workers_one_sends_the_digest(round_table, mailoutbox):
    digest = waiting_digest(user("bob"))
    sent = race(*[lambda: notifications_digest.send(digest_id=digest.pk)] * 4)
    assert sorted(sent) == [False, False, False, True]
    assert len(mailoutbox) == 1


@pytest.mark.parametrize("attempt", range(3))
def test_a_notice_that_comes_while_a_digest_is_gathered_is_in_it_or_in_the_next(round_table, mailoutbox, attempt):
    digest = waiting_digest(user("bob"))
    service.notify([user("bob")], "club.closed", path="/second/")
    second = Notice.objects.get(path="/second/")
    race(
        lambda: notifications_digest.send(digest_id=digest.pk),
        lambda: service.deliver_notification(notice_id=second.pk),
    )
    (letter,) = mailoutbox
    digest.refresh_from_db()
    assert "/second/" in letter.body or digest.due_at is not None
