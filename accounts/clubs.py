"""What is done with a club and its members. How people come in is in `joining`."""

from itertools import count

from django.db import IntegrityError, transaction
from django.utils import timezone
from django.utils.translation import gettext, ngettext
from django.utils.translation import gettext_lazy as _

from accounts import audit, notices, text
from accounts.access import Permission, require
from accounts.effects import after_commit
from accounts.errors import Refused
from accounts.live.publish import frame, publish
from accounts.models import Admission, Club, Invite, JoinRequest, Membership, Role, User

FOUNDED = audit.action("club.founded", _("%(actor)s founded the club"))
EDITED = audit.action("club.edited", _("%(actor)s changed the club’s details"))
CLOSED = audit.action("club.closed", _("%(actor)s closed the club"))
LEFT = audit.action("club.left", _("%(actor)s left the club"))
REMOVED = audit.action("club.removed", _("%(actor)s removed %(person)s from the club"))
MADE_ORGANISER = audit.action("club.made-organiser", _("%(actor)s made %(person)s an organiser"))
MADE_MEMBER = audit.action("club.made-member", _("%(actor)s made %(person)s an ordinary member"))
HANDED_OVER = audit.action("club.handed-over", _("%(actor)s handed the club over to %(person)s"))

TOLD_REMOVED = notices.kind(
    "club.removed", _("You are no longer a member of %(club)s."), _("You were taken out of a club")
)
TOLD_ORGANISER = notices.kind(
    "club.made-organiser", _("%(actor)s made you an organiser of %(club)s."), _("You became an organiser")
)
TOLD_MEMBER = notices.kind(
    "club.made-member", _("You are now an ordinary member of %(club)s."), _("You became an ordinary member again")
)
TOLD_OWNER = notices.kind(
    "club.handed-over",
    _("%(actor)s handed %(club)s over to you: you are its owner."),
    _("A club was handed over to you"),
)
TOLD_CLOSED = notices.kind("club.closed", _("%(club)s has closed."), _("A club closed"))

# Addresses that pages of our own take.
_RESERVED_SLUGS = {"new"}


@transaction.atomic
def found(
    *,
    founder: User,
    name: str,
    city: str = "",
    time_zone: str = "UTC",
    description: str = "",
    admission: str = Admission.REQUEST,
) -> Club:
    require(founder, Permission.FOUND_CLUB)
    club = Club(name=name, city=city, time_zone=time_zone, description=description, admission=admission)
    club.search = text.plain(f"{name} {city}")
    _save_under_a_free_slug(club)
    Membership.objects.create(club=club, user=founder, role=Role.OWNER)
    audit.record(FOUNDED, actor=founder, on=club, club=club)
    return club


def _save_under_a_free_slug(club: Club) -> None:
    stem = text.slug(club.name, fallback="club")
    for number in count(1):
        club.slug = stem if number == 1 else f"{stem}-{number}"
        if club.slug in _RESERVED_SLUGS or Club.objects.filter(slug=club.slug).exists():
            continue
        # Whether the address is free the database alone can say; asked here, the answer may be old by the write.
        club.full_clean(validate_unique=False)
        try:
            with transaction.atomic():
                club.save(force_insert=True)
            return
        except IntegrityError:
            # Another founder took the address between our look and our write: try the next one.
            if not Club.objects.filter(slug=club.slug).exists():
                raise


@transaction.atomic
def edit(*, actor: User, club: Club, name: str, city: str, time_zone: str, description: str, admission: str) -> Club:
    club = hold(club)
    require(actor, Permission.EDIT_CLUB, club)
    new = {
        "name": name,
        "city": city,
        "time_zone": time_zone,
        "description": description,
        "admission": admission,
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
    refresh(club)
    return club


@transaction.atomic
def leave(*, person: User, club: Club) -> None:
    club = hold(club)
    require(person, Permission.LEAVE_CLUB, club)
    membership = _membership(club, person)
    if membership.role == Role.OWNER:
        raise Refused(gettext("You own this club: hand it over to somebody, or close it, before you leave."))
    end(membership)
    audit.record(LEFT, actor=person, on=club, club=club, person=person)


@transaction.atomic
def remove(*, actor: User, membership: Membership) -> None:
    hold(membership.club)
    membership = _fresh(membership)
    require(actor, Permission.REMOVE_MEMBER, membership)
    end(membership)
    club, person = membership.club, membership.user
    audit.record(REMOVED, actor=actor, on=club, club=club, person=person)
    notices.tell([person], TOLD_REMOVED, path=club.get_absolute_url(), actor=actor, club=club)


@transaction.atomic
def change_role(*, actor: User, membership: Membership, role: str) -> None:
    hold(membership.club)
    membership = _fresh(membership)
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
    action, told = (MADE_ORGANISER, TOLD_ORGANISER) if role == Role.ORGANISER else (MADE_MEMBER, TOLD_MEMBER)
    audit.record(action, actor=actor, on=club, club=club, person=person)
    notices.tell([person], told, path=club.get_absolute_url(), actor=actor, club=club)
    refresh(club)


@transaction.atomic
def hand_over(*, actor: User, club: Club, to: User) -> None:
    """Make a member the owner; the former owner stays as an organiser."""
    club = hold(club)
    require(actor, Permission.HAND_OVER, club)
    heir = Membership.objects.filter(club=club, user=to).select_related("user").first()
    if heir is None or heir.user.is_bot or not heir.user.is_active:
        raise Refused(gettext("Choose a member of this club."))
    if heir.role == Role.OWNER:
        return
    # The old owner first: at no moment does the club have two.
    Membership.objects.filter(club=club, role=Role.OWNER).update(role=Role.ORGANISER)
    Membership.objects.filter(pk=heir.pk).update(role=Role.OWNER)
    audit.record(HANDED_OVER, actor=actor, on=club, club=club, person=to)
    notices.tell([to], TOLD_OWNER, path=club.get_absolute_url(), actor=actor, club=club)
    refresh(club)


@transaction.atomic
def close(*, actor: User, club: Club) -> None:
    """Close a club for good: its page and its history stay, its members are let go."""
    club = hold(club)
    require(actor, Permission.CLOSE_CLUB, club)
    now = timezone.now()
    members = [m.user for m in Membership.objects.filter(club=club).select_related("user")]
    Membership.objects.filter(club=club).delete()
    JoinRequest.objects.filter(club=club, status=JoinRequest.Status.PENDING).update(
        status=JoinRequest.Status.DECLINED, decided_at=now, decided_by=actor
    )
    Invite.objects.filter(club=club, revoked_at=None).update(revoked_at=now)
    club.closed_at = now
    club.save(update_fields=["closed_at"])
    audit.record(CLOSED, actor=actor, on=club, club=club)
    others = [member for member in members if member.pk != actor.pk]
    notices.tell(others, TOLD_CLOSED, path=club.get_absolute_url(), actor=actor, club=club)
    refresh(club)


def settle_before_departure(*, person: User) -> None:
    """End all of a person's memberships: clubs nobody else is in are closed, others need a new owner first.

    Part of the transaction in which an account is deleted.
    """
    # Always in the same order, so that two people who leave each other's clubs do not wait for each other.
    held = [hold(club) for club in Club.objects.filter(memberships__user=person).order_by("pk")]
    owned = [club for club in held if club.memberships.filter(user=person, role=Role.OWNER).exists()]
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
    for club in held:
        if club in owned:
            close(actor=person, club=club)
        else:
            leave(person=person, club=club)


def _has_other_people(club: Club, person: User) -> bool:
    return Membership.objects.filter(club=club, user__is_bot=False).exclude(user=person).exists()


def hold(club: Club) -> Club:
    """Read the club again and lock its row, so that changes to one club's people happen one by one."""
    return Club.objects.select_for_update().get(pk=club.pk)


def end(membership: Membership) -> None:
    _revoke_invites(membership)
    Membership.objects.filter(pk=membership.pk).delete()
    refresh(membership.club)


def _revoke_invites(membership: Membership) -> None:
    # A link outlives no power: whoever may not invite any more leaves no open door behind.
    Invite.objects.filter(club=membership.club, made_by=membership.user, revoked_at=None).update(
        revoked_at=timezone.now()
    )


def _fresh(membership: Membership) -> Membership:
    fresh = Membership.objects.select_related("club", "user").filter(pk=membership.pk).first()
    if fresh is None:
        raise Refused(gettext("This person has already left the club."))
    return fresh


def _membership(club: Club, person: User) -> Membership:
    membership = Membership.objects.select_related("club", "user").filter(club=club, user=person).first()
    if membership is None:
        raise Refused(gettext("You are not a member of this club."))
    return membership


def refresh(club: Club) -> None:
    """After commit, tell open pages of the club to fetch it anew."""
    after_commit(publish, f"club.{club.slug}", frame("club"))
