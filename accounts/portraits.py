"""Portraits of people and emblems of clubs: uploaded, replaced and removed. Without one, both are drawn."""

import time

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from accounts import audit
from accounts.access import Permission, may, require
from accounts.clubs import broadcast_club_changed, lock_club
from accounts.infra.errors import Refused
from accounts.infra.pictures import square_picture
from accounts.infra.rest import throttling
from accounts.models import Club, Emblem, Portrait, User

PORTRAIT_SET = audit.declare_action("account.portrait", _("%(actor)s chose a portrait"))
PORTRAIT_REMOVED = audit.declare_action("account.portrait-removed", _("%(actor)s removed the portrait of %(person)s"))
EMBLEM_SET = audit.declare_action("club.emblem", _("%(actor)s chose an emblem for the club"))
EMBLEM_REMOVED = audit.declare_action("club.emblem-removed", _("%(actor)s removed the club’s emblem"))

MOST_A_MINUTE = 10
"""Pictures that one person may send, good or bad: each is decoded, which is work."""


@transaction.atomic
def set_portrait(*, person: User, content: bytes) -> User:
    require(person, Permission.EDIT_PROFILE, person)
    _check_how_many(person)
    picture = square_picture(content)
    person = User.objects.select_for_update().get(pk=person.pk)
    Portrait.objects.update_or_create(
        user=person, defaults={"digest": picture.digest, "content": picture.content, "at": timezone.now()}
    )
    person.portrait = picture.digest
    person.save(update_fields=["portrait"])
    audit.record(PORTRAIT_SET, actor=person, on=person, person=person)
    return person


@transaction.atomic
def remove_portrait(*, person: User) -> User:
    """Show the drawn one again. Without a portrait this changes nothing."""
    require(person, Permission.EDIT_PROFILE, person)
    person = User.objects.select_for_update().get(pk=person.pk)
    if erase_portrait(person):
        audit.record(PORTRAIT_REMOVED, actor=person, on=person, person=person)
    return person


def erase_portrait(person: User) -> bool:
    """Inside the caller's transaction, with the row locked; returns whether there was one."""
    removed, _rows = Portrait.objects.filter(user=person).delete()
    person.portrait = ""
    person.save(update_fields=["portrait"])
    return bool(removed)


@transaction.atomic
def set_emblem(*, actor: User, club: Club, content: bytes) -> Club:
    require(actor, Permission.EDIT_CLUB, club)
    _check_how_many(actor)
    picture = square_picture(content)
    club = lock_club(club)
    require(actor, Permission.EDIT_CLUB, club)
    Emblem.objects.update_or_create(
        club=club, defaults={"digest": picture.digest, "content": picture.content, "at": timezone.now()}
    )
    club.emblem = picture.digest
    club.save(update_fields=["emblem"])
    audit.record(EMBLEM_SET, actor=actor, on=club, club=club)
    broadcast_club_changed(club)
    return club


@transaction.atomic
def remove_emblem(*, actor: User, club: Club) -> Club:
    """Show the drawn one again. Without an emblem this changes nothing. Staff may, also in a closed club."""
    club = lock_club(club)
    if not may(actor, Permission.RUN_SITE):
        require(actor, Permission.EDIT_CLUB, club)
    removed, _rows = Emblem.objects.filter(club=club).delete()
    if removed:
        club.emblem = ""
        club.save(update_fields=["emblem"])
        audit.record(EMBLEM_REMOVED, actor=actor, on=club, club=club)
        broadcast_club_changed(club)
    return club


def _check_how_many(actor: User) -> None:
    if throttling.count(f"pictures-{actor.pk}-{int(time.time() // throttling.WINDOW)}") > MOST_A_MINUTE:
        raise Refused(gettext("You have sent many pictures within a minute. Wait a moment."))
