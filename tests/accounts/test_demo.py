import pytest
from django.contrib.auth import authenticate

from accounts import demo
from accounts.models import Admission, AuditEntry, Club, JoinRequest, Membership, Notice, Role, User

pytestmark = pytest.mark.django_db


def test_a_lively_house():
    logins = demo.seed()
    lantern = Club.objects.get(slug="the-lantern-table")
    roles = Membership.objects.filter(club=lantern).values_list("role", flat=True)
    assert sorted(roles).count(Role.ORGANISER) == 2
    assert len(roles) >= 13
    people = User.objects.filter(memberships__club=lantern)
    assert {user.language for user in people} == {"en", "it", "pl"}
    assert people.filter(is_bot=True).count() == 3
    assert JoinRequest.objects.get(club=lantern).status == JoinRequest.Status.PENDING
    assert {club.admission for club in Club.objects.exclude(pk=lantern.pk)} == set(Admission.values)
    assert [login.role for login in logins] == ["owner", "organiser", "member", "newcomer"]


def test_the_logins_work_and_bots_have_none(client):
    for login in demo.seed():
        answer = client.post("/accounts/login/", {"login": login.handle, "password": login.password})
        assert answer.status_code == 302
        assert client.session["_auth_user_id"] == str(User.objects.get(handle=login.handle).pk)
        client.logout()
    assert not any(bot.has_usable_password() for bot in User.objects.filter(is_bot=True))
    assert authenticate(username="brass-wren", password=demo.PASSWORD) is None


def test_a_second_seeding_changes_nothing():
    first = demo.seed()
    counts = [model.objects.count() for model in (User, Club, Membership, AuditEntry, Notice)]
    assert demo.seed() == first
    assert [model.objects.count() for model in (User, Club, Membership, AuditEntry, Notice)] == counts


def test_nobody_is_e_mailed(mailoutbox, django_capture_on_commit_callbacks):
    from accounts import notices

    demo.seed()
    for notice in Notice.objects.all():
        notices.deliver(notice_id=notice.pk)
    assert mailoutbox == []


def test_a_locked_demo_lets_nobody_in(client):
    logins = demo.seed()
    assert {login.handle for login in logins} < set(demo.lock())
    for login in logins:
        assert authenticate(username=login.handle, password=login.password) is None
    assert demo.logins() == []
    assert demo.lock() == []


def test_locking_the_demo_leaves_a_person_of_the_same_name_alone():
    person = User.objects.create_user("marta", "marta@example.net", "a password of her own")
    assert demo.lock() == []
    person.refresh_from_db()
    assert person.check_password("a password of her own")
