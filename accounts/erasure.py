"""Erasing a person: what they wrote, what was written about them by name, and the bots of their own.

Rows that others depend on stay: seats in matches, results, entries in the log. They refer to the account, which has no
name any more. Only texts that the site itself made from a name are searched: what other people wrote is theirs.
"""

from collections.abc import Callable
from typing import Any

from allauth.account.models import EmailAddress
from allauth.mfa.models import Authenticator
from allauth.socialaccount.models import SocialAccount
from allauth.usersessions.models import UserSession
from django.apps import apps
from django.db import models
from django.db.models import Q
from django.utils import timezone

from accounts.audit import ERASED
from accounts.models import (
    ApiToken,
    AuditEntry,
    AuditErasure,
    Block,
    Delivery,
    Digest,
    DirectMessage,
    Follow,
    JoinRequest,
    LoginAddress,
    Membership,
    Notice,
    NoticeChoice,
    Portrait,
    PushDevice,
    SignInLink,
    User,
)

OURS = ("accounts", "games", "leagues")
# Texts in a person's own words, and the columns that say whose they are. Not the word for a deal, which proves it.
WRITTEN = frozenset({"about", "message", "note", "reason", "text", "title"})
WRITERS = frozenset({"by", "owner", "person", "proposer", "reporter", "requested_by", "user"})
# What a log or a notice says of a thing, not of a person.
THINGS = frozenset({"club", "division", "league", "season", "series", "venue"})


def erase_traces(person: User) -> None:
    """Inside the transaction in which an account is deleted, while it still has its name."""
    # Their bots, and the guests they were joined to: those have their name too.
    joined = apps.get_model("leagues", "GuestJoin").objects.filter(person=person, state="joined").values("guest")
    everybody = [person, *User.objects.filter(Q(own_bot__owner=person) | Q(pk__in=joined))]
    clubs = _clubs_of(everybody)
    for each in everybody:
        names = {each.display_name, each.handle, each.name} - {""}
        _erase_company(each)
        _erase_words(each)
        _erase_from_log(each, names, clubs)
        _erase_from_notices(each, names, clubs)
        _erase_from_deliveries(names, clubs)
        kept: Any
        for kept in (
            LoginAddress,
            Notice,
            NoticeChoice,
            Portrait,
            PushDevice,
            Digest,
            SignInLink,
            EmailAddress,
            Authenticator,
            SocialAccount,
            UserSession,
        ):
            kept.objects.filter(user=each).delete()
        ApiToken.objects.filter(user=each, revoked_at=None).update(revoked_at=timezone.now())
        ApiToken.objects.filter(user=each).update(name=ERASED)
    for bot in everybody[1:]:
        make_nameless(bot)


def rename_traces(person: User, before: str) -> None:
    """Inside the transaction in which somebody gets another name: older lines of the log have the new one, too.

    Lines say who is meant (`stored_names`), but those of older versions and archives say a name. Where one does not
    say whom it is about, and somebody else of their clubs has the old name, it is left alone.
    """
    clubs = _clubs_of([person])
    namesakes = User.objects.filter(display_name=before).exclude(pk=person.pk)
    played = Q(entries__season__league__club__in=clubs) | Q(teams__season__league__club__in=clubs)
    is_alone = not namesakes.filter(Q(memberships__club__in=clubs) | played).exists()
    about = Q(club__in=clubs) | Q(person=person) if is_alone else Q(person=person)
    _change_log(person, about, lambda entry: _with_name({before}, entry.params, person.display_name))
    # They are made anew if they are sent again.
    _erase_from_deliveries({before}, clubs)


def make_nameless(person: User) -> None:
    """The row stays, with nothing in it that says who it was."""
    person = User.objects.select_for_update().get(pk=person.pk)
    # No valid handle contains a tilde, so nobody can have or take this one.
    person.handle = f"~{person.pk}"
    person.display_name = ""
    person.portrait = ""
    person.email = ""
    person.is_active = False
    person.is_staff = False
    person.trial_seen_at = None
    person.looked_after_by = None
    person.deleted_at = timezone.now()
    # An unusable password also ends every open session.
    person.set_unusable_password()
    person.save()


def _clubs_of(people: list[User]) -> set[int]:
    """Clubs whose log and news may name them: those they were in, and those whose seasons they played."""
    ids = [person.pk for person in people]
    found = set(Membership.objects.filter(user__in=ids).values_list("club", flat=True))
    found |= set(JoinRequest.objects.filter(user__in=ids).values_list("club", flat=True))
    about = AuditEntry.objects.filter(Q(actor__in=ids) | Q(person__in=ids))
    found |= set(about.exclude(club=None).values_list("club", flat=True).distinct())
    entrants = apps.get_model("leagues", "Entrant").objects.filter(Q(user__in=ids) | Q(members__user__in=ids))
    return found | set(entrants.values_list("season__league__club", flat=True))


def _erase_company(person: User) -> None:
    """Whom they followed, blocked and challenged, and every message to or from them, with reports of it."""
    DirectMessage.objects.filter(Q(user=person) | Q(to=person)).delete()
    Follow.objects.filter(Q(user=person) | Q(followed=person)).delete()
    Block.objects.filter(Q(user=person) | Q(blocked=person)).delete()
    apps.get_model("games", "PersonChallenge").objects.filter(Q(by=person) | Q(to=person)).delete()
    apps.get_model("games", "PairingWish").objects.filter(user=person).delete()
    # What they tried alone; the puzzles keep the ratings that they have.
    for name in ("PuzzleTry", "PuzzleLine"):
        apps.get_model("games", name).objects.filter(person=person).delete()
    # What they answered to organisers of seasons.
    apps.get_model("leagues", "EntryRequest").objects.filter(user=person).delete()


def _erase_words(person: User) -> None:
    for label in OURS:
        for model in apps.get_app_config(label).get_models():
            if model in {AuditEntry, User}:
                continue
            fields = {field.name: field for field in model._meta.concrete_fields}
            writers = [name for name in WRITERS & fields.keys() if fields[name].related_model is User]
            for name in WRITTEN & fields.keys():
                if writers and isinstance(fields[name], models.CharField | models.TextField):
                    whose = Q(*((writer, person) for writer in writers), _connector=Q.OR)
                    rows = model._default_manager.filter(whose).exclude(**{name: ""})
                    # A line of talk that says nothing is not allowed.
                    rows.update(**{name: "…" if name == "text" else ""})


def _erase_from_log(person: User, names: set[str], clubs: set[int]) -> None:
    about = Q(club__in=clubs) | Q(actor=person) | Q(person=person)
    _change_log(person, about, lambda entry: _fresh_params(entry, person, names))


def _change_log(person: User, about: Q, change: Callable[[AuditEntry], Any]) -> None:
    entries = AuditEntry.objects.filter(about).exclude(params={})
    fresh = {entry.pk: (entry.params, change(entry)) for entry in entries.iterator()}
    changed = {pk: new for pk, (old, new) in fresh.items() if old != new}
    if not changed:
        return
    # The database accepts a change of an entry only while this row is there, and only of its words.
    permit = AuditErasure.objects.create(person=person)
    for pk, params in changed.items():
        models.QuerySet(AuditEntry).filter(pk=pk).update(params=params)
    permit.delete()


def _fresh_params(entry: AuditEntry, person: User, names: set[str]) -> dict[str, Any]:
    params: dict[str, Any] = _with_name(names, entry.params, ERASED)
    # What they called a token or a bot of theirs.
    return {**params, "name": ERASED} if entry.actor_id == person.pk and "name" in params else params


def _erase_from_notices(person: User, names: set[str], clubs: set[int]) -> None:
    for notice in Notice.objects.filter(Q(club__in=clubs) | Q(actor=person)).exclude(params={}).iterator():
        fresh = _with_name(names, notice.params, ERASED)
        if fresh != notice.params:
            Notice.objects.filter(pk=notice.pk).update(params=fresh)
    paths = [f"/{place}/{name}/" for name in names for place in ("people", "messages")]
    Notice.objects.filter(path__in=paths).update(path="/")


def _erase_from_deliveries(names: set[str], clubs: set[int]) -> None:
    sent = Delivery.objects.filter(hook__club__in=clubs).exclude(body="")
    for delivery in sent.only("body").iterator():
        # As JSON writes it, with and without escapes.
        if any(name in delivery.body or name.encode("unicode_escape").decode() in delivery.body for name in names):
            Delivery.objects.filter(pk=delivery.pk).update(body="")


def _with_name(names: set[str], value: Any, name: str) -> Any:
    """The params of an entry or a notice with another name for these: alone, or in a list of names."""
    match value:
        case dict():
            return {key: each if key in THINGS else _with_name(names, each, name) for key, each in value.items()}
        case list():
            return [_with_name(names, each, name) for each in value]
        case str():
            return ", ".join(name if part in names else part for part in value.split(", "))
        case _:
            return value
