import pytest
from django.contrib.auth import authenticate

from accounts import demo, people
from accounts.models import Admission, AuditEntry, Club, JoinRequest, Membership, Notice, Role, User

pytestmark = pytest.mark.django_db


def test_a_lively_site():
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
    from accounts.notifications import service

    demo.seed()
    for notice in Notice.objects.all():
        service.deliver_notification(notice_id=notice.pk)
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


def test_a_deleted_account_is_left_out_and_not_made_again():
    demo.seed()
    people.delete_account(person=User.objects.get(handle="ettore"))
    people.delete_account(person=User.objects.get(handle="rory"))
    counts = [model.objects.count() for model in (User, Club, Membership)]
    assert [login.handle for login in demo.logins()] == ["marta", "tomek"]
    assert [login.handle for login in demo.seed()] == ["marta", "tomek"]
    assert [model.objects.count() for model in (User, Club, Membership)] == counts


def test_a_login_with_a_password_of_its_own_is_not_printed():
    demo.seed()
    tomek = User.objects.get(handle="tomek")
    tomek.set_password("my own from now on")
    tomek.save()
    assert "tomek" not in [login.handle for login in demo.logins()]
