"""Clubs and their members. Requests to join and invites are in `joining`."""

from datetime import timedelta
from itertools import count

from django.db import IntegrityError, transaction
from django.utils import timezone
from django.utils.translation import gettext, ngettext
from django.utils.translation import gettext_lazy as _

from accounts import audit
from accounts.access import Permission, require
from accounts.infra import text
from accounts.infra.errors import Refused
from accounts.infra.on_commit import after_commit
from accounts.infra.realtime.publish import frame, publish
from accounts.models import Admission, Club, Invite, JoinRequest, Membership, Role, SignInLink, User
from accounts.notifications.registry import declare_kind
from accounts.notifications.service import notify

FOUNDED = audit.declare_action("club.founded", _("%(actor)s started the club"))
EDITED = audit.declare_action("club.edited", _("%(actor)s changed the club’s details"))
CLOSED = audit.declare_action("club.closed", _("%(actor)s closed the club"))
LEFT = audit.declare_action("club.left", _("%(actor)s left the club"))
REMOVED = audit.declare_action("club.removed", _("%(actor)s removed %(person)s from the club"))
MADE_ORGANISER = audit.declare_action("club.made-organiser", _("%(actor)s made %(person)s an organiser"))
MADE_MEMBER = audit.declare_action("club.made-member", _("%(actor)s made %(person)s an ordinary member"))
HANDED_OVER = audit.declare_action("club.handed-over", _("%(actor)s handed the club over to %(person)s"))

REMOVED_KIND = declare_kind(
    "club.removed", _("You are no longer a member of %(club)s."), _("You were taken out of a club")
)
ORGANISER_KIND = declare_kind(
    "club.made-organiser", _("%(actor)s made you an organiser of %(club)s."), _("You became an organiser")
)
MEMBER_KIND = declare_kind(
    "club.made-member", _("You are now an ordinary member of %(club)s."), _("You became an ordinary member again")
)
OWNER_KIND = declare_kind(
    "club.handed-over",
    _("%(actor)s handed %(club)s over to you: you are its owner."),
    _("A club was handed over to you"),
)
CLOSED_KIND = declare_kind("club.closed", _("%(club)s has closed."), _("A club closed"))

# Slugs that would collide with our own pages.
_RESERVED_SLUGS = {"new"}
NEW_ACCOUNT = timedelta(days=7)
MOST_FOUNDED_WHILE_NEW, MOST_FOUNDED_A_WEEK = 3, 15


@transaction.atomic
def create_club(
    *,
    founder: User,
    name: str,
    city: str = "",
    time_zone: str = "UTC",
    description: str = "",
    admission: str = Admission.REQUEST,
    is_private: bool = False,
    colour: str = "",
) -> Club:
    require(founder, Permission.CREATE_CLUB)
    _check_how_many(founder)
    club = Club(name=name, city=city, time_zone=time_zone, description=description, admission=admission)
    club.is_private, club.colour = is_private, colour
    club.search = text.plain(f"{name} {city}")
    _save_under_a_free_slug(club)
    Membership.objects.create(club=club, user=founder, role=Role.OWNER)
    audit.record(FOUNDED, actor=founder, on=club, club=club)
    return club


def _check_how_many(founder: User) -> None:
    """Clubs cannot be founded by the dozen, to enter invented results in. The site's staff may."""
    if founder.is_staff:
        return
    owned = Membership.objects.filter(user=founder, role=Role.OWNER, club__closed_at=None)
    now = timezone.now()
    if founder.joined_at > now - NEW_ACCOUNT and owned.count() >= MOST_FOUNDED_WHILE_NEW:
        words = gettext(
            "In its first week a new account can start at most %(count)s clubs. Wait a few days before the next one."
        )
        raise Refused(words % {"count": MOST_FOUNDED_WHILE_NEW})
    if owned.filter(club__founded_at__gt=now - NEW_ACCOUNT).count() >= MOST_FOUNDED_A_WEEK:
        words = gettext("You have started %(count)s clubs this week. Wait a few days before the next one.")
        raise Refused(words % {"count": MOST_FOUNDED_A_WEEK})


def _save_under_a_free_slug(club: Club) -> None:
    stem = text.slug(club.name, fallback="club")
    for number in count(1):
        club.slug = stem if number == 1 else f"{stem}-{number}"
        if club.slug in _RESERVED_SLUGS or Club.objects.filter(slug=club.slug).exists():
            continue
        # Only the database can say whether the slug is still free: a check here could be out of date at the write.
        club.full_clean(validate_unique=False)
        try:
            with transaction.atomic():
                club.save(force_insert=True)
            return
        except IntegrityError:
            # Another club took the slug in between: try the next one.
            if not Club.objects.filter(slug=club.slug).exists():
                raise


@transaction.atomic
def edit(
    *,
    actor: User,
    club: Club,
    name: str,
    city: str,
    time_zone: str,
    description: str,
    admission: str,
    is_private: bool | None = None,
    colour: str | None = None,
) -> Club:
    """Change a club's details; whether it is private, and its colour, stay as they are unless they are given."""
    club = lock_club(club)
    require(actor, Permission.EDIT_CLUB, club)
    new = {
        "name": name,
        "city": city,
        "time_zone": time_zone,
        "description": description,
        "admission": admission,
        "is_private": club.is_private if is_private is None else is_private,
        "colour": club.colour if colour is None else colour,
    }
    changed = sorted(field for field, value in new.items() if getattr(club, field) != value)
    if not changed:
        return club
    for field in changed:
        setattr(club, field, new[field])
    club.search = text.plain(f"{name} {city}")
    club.full_clean()
    club.save()
    audit.record(EDITED, actor=actor, on=club, club=club, fields=changed)
    broadcast_club_changed(club)
    return club


@transaction.atomic
def leave(*, person: User, club: Club) -> None:
    club = lock_club(club)
    require(person, Permission.LEAVE_CLUB, club)
    membership = _membership(club, person)
    if membership.role == Role.OWNER:
        raise Refused(gettext("You own this club: hand it over to somebody, or close it, before you leave."))
    end_membership(membership)
    audit.record(LEFT, actor=person, on=club, club=club, person=person)


@transaction.atomic
def remove(*, actor: User, membership: Membership) -> None:
    lock_club(membership.club)
    membership = fresh_membership(membership)
    require(actor, Permission.REMOVE_MEMBER, membership)
    end_membership(membership)
    club, person = membership.club, membership.user
    audit.record(REMOVED, actor=actor, on=club, club=club, person=person)
    notify([person], REMOVED_KIND, path=club.get_absolute_url(), actor=actor, club=club)


@transaction.atomic
def change_role(*, actor: User, membership: Membership, role: str) -> None:
    lock_club(membership.club)
    membership = fresh_membership(membership)
    require(actor, Permission.CHANGE_ROLE, membership)
    if role not in {Role.ORGANISER, Role.MEMBER}:
        raise Refused(gettext("A member can be made an organiser or an ordinary member."))
    club, person = membership.club, membership.user
    if person.is_bot and role == Role.ORGANISER:
        raise Refused(gettext("A bot cannot run a club."))
    if membership.role == role:
        return
    membership.role = role
    membership.save(update_fields=["role"])
    if role == Role.MEMBER:
        _revoke_invites(membership)
    action, kind = (MADE_ORGANISER, ORGANISER_KIND) if role == Role.ORGANISER else (MADE_MEMBER, MEMBER_KIND)
    audit.record(action, actor=actor, on=club, club=club, person=person)
    notify([person], kind, path=club.get_absolute_url(), actor=actor, club=club)
    broadcast_club_changed(club)


@transaction.atomic
def hand_over(*, actor: User, club: Club, to: User) -> None:
    """Make a member the owner; the former owner stays as an organiser."""
    club = lock_club(club)
    require(actor, Permission.HAND_OVER, club)
    heir = Membership.objects.filter(club=club, user=to).select_related("user").first()
    if heir is None or heir.user.is_bot or not heir.user.is_active:
        raise Refused(gettext("Choose a member of this club."))
    if heir.role == Role.OWNER:
        return
    # The old owner first: a club never has two owners.
    Membership.objects.filter(club=club, role=Role.OWNER).update(role=Role.ORGANISER)
    Membership.objects.filter(pk=heir.pk).update(role=Role.OWNER)
    audit.record(HANDED_OVER, actor=actor, on=club, club=club, person=to)
    notify([to], OWNER_KIND, path=club.get_absolute_url(), actor=actor, club=club)
    broadcast_club_changed(club)


@transaction.atomic
def close(*, actor: User, club: Club) -> None:
    """Close a club for good. Its page and history stay, all memberships end."""
    club = lock_club(club)
    require(actor, Permission.CLOSE_CLUB, club)
    now = timezone.now()
    members = [m.user for m in Membership.objects.filter(club=club).select_related("user")]
    Membership.objects.filter(club=club).delete()
    JoinRequest.objects.filter(club=club, status=JoinRequest.Status.PENDING).update(
        status=JoinRequest.Status.DECLINED, decided_at=now, decided_by=actor
    )
    Invite.objects.filter(club=club, revoked_at=None).update(revoked_at=now)
    SignInLink.objects.filter(club=club, used_at=None, revoked_at=None).update(revoked_at=now)
    club.closed_at = now
    club.save(update_fields=["closed_at"])
    audit.record(CLOSED, actor=actor, on=club, club=club)
    others = [member for member in members if member.pk != actor.pk]
    notify(others, CLOSED_KIND, path=club.get_absolute_url(), actor=actor, club=club)
    broadcast_club_changed(club)


def leave_all_clubs(*, person: User) -> None:
    """End all of a person's memberships. A club with no other people is closed; any other needs a new owner first.

    Part of the transaction in which an account is deleted.
    """
    # Always lock in the same order, to avoid deadlocks.
    joined = [lock_club(club) for club in Club.objects.filter(memberships__user=person).order_by("pk")]
    owned = [club for club in joined if club.memberships.filter(user=person, role=Role.OWNER).exists()]
    shared = [club for club in owned if _has_other_people(club, person)]
    if shared:
        names = ", ".join(club.name for club in shared)
        raise Refused(
            ngettext(
                "You own %(names)s: hand the club over to another member first.",
                "You own %(names)s: hand these clubs over to other members first.",
                len(shared),
            )
            % {"names": names}
        )
    for club in joined:
        if club in owned:
            close(actor=person, club=club)
        else:
            leave(person=person, club=club)


def _has_other_people(club: Club, person: User) -> bool:
    return Membership.objects.filter(club=club, user__is_bot=False).exclude(user=person).exists()


def lock_club(club: Club) -> Club:
    """Read the club again and lock its row: changes to its members happen one at a time."""
    return Club.objects.select_for_update().get(pk=club.pk)


def end_membership(membership: Membership) -> None:
    _revoke_invites(membership)
    links = SignInLink.objects.filter(club=membership.club, user=membership.user, used_at=None, revoked_at=None)
    links.update(revoked_at=timezone.now())
    Membership.objects.filter(pk=membership.pk).delete()
    broadcast_club_changed(membership.club)


def _revoke_invites(membership: Membership) -> None:
    # Links of someone who may not invite any more stop working.
    Invite.objects.filter(club=membership.club, made_by=membership.user, revoked_at=None).update(
        revoked_at=timezone.now()
    )


def fresh_membership(membership: Membership) -> Membership:
    """The membership as it is now; it may have ended."""
    fresh = Membership.objects.select_related("club", "user").filter(pk=membership.pk).first()
    if fresh is None:
        raise Refused(gettext("This person has already left the club."))
    return fresh


def _membership(club: Club, person: User) -> Membership:
    membership = Membership.objects.select_related("club", "user").filter(club=club, user=person).first()
    if membership is None:
        raise Refused(gettext("You are not a member of this club."))
    return membership


def broadcast_club_changed(club: Club) -> None:
    """After commit, make open pages of the club reload."""
    after_commit(publish, f"club.{club.slug}", frame("club"))
