"""Guests of a club: another name, joining one to an account with that person's consent, and the way back.

A join changes whose the guest's entries are, and nothing else: standings stay, and the ratings are computed again. To
the ratings a table that was played by the guest stays one with a guest until somebody who sat there with an account
says that it was this person: otherwise an organiser could choose afterwards who has won (`attestation`).
"""

from collections.abc import Iterable

from django.db import transaction
from django.db.models import Q, QuerySet
from django.utils import timezone
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from accounts import audit, people
from accounts.infra.errors import Refused
from accounts.models import Club, Membership, User
from accounts.notifications.registry import NotificationGroup, declare_kind
from accounts.notifications.service import notify, resolve
from leagues.core import consent, locks, realtime, season_effects
from leagues.core.access import Permission, may, require
from leagues.core.text import join_names
from leagues.models import (
    Availability,
    Entrant,
    GuestJoin,
    GuestWitness,
    Pairing,
    PairingSeat,
    Result,
    Season,
    TeamMember,
)
from leagues.results import recording, reporting

State = GuestJoin.State

PROPOSED = audit.declare_action(
    "leagues.guest-proposed", _("%(actor)s asked %(person)s whether they are the guest %(guest)s")
)
WITHDRAWN = audit.declare_action(
    "leagues.guest-withdrawn", _("%(actor)s no longer asks %(person)s whether they are the guest %(guest)s")
)
JOINED = audit.declare_action("leagues.guest-joined", _("%(person)s is the guest %(guest)s, and has the results"))
DECLINED = audit.declare_action("leagues.guest-declined", _("%(person)s is not the guest %(guest)s"))
UNDONE = audit.declare_action(
    "leagues.guest-undone", _("%(actor)s gave the guest %(guest)s back what %(person)s had from them")
)
VOUCHED = audit.declare_action("leagues.guest-vouched", _("%(actor)s says that %(person)s was the guest %(guest)s"))
DENIED = audit.declare_action("leagues.guest-denied", _("%(actor)s says that %(person)s was not the guest %(guest)s"))

ASKED_KIND = declare_kind(
    "leagues.guest-asked",
    _("%(actor)s asks whether you are the guest %(guest)s of %(club)s."),
    _("A club asks whether you played there as a guest"),
)
JOINED_KIND = declare_kind(
    "leagues.guest-joined",
    _("%(actor)s is the guest %(guest)s now."),
    _("Somebody confirmed that they are one of your guests"),
    group=NotificationGroup.ORGANISING,
)
DECLINED_KIND = declare_kind(
    "leagues.guest-declined",
    _("%(actor)s is not the guest %(guest)s."),
    _("Somebody says that they are not one of your guests"),
    group=NotificationGroup.ORGANISING,
)
UNDONE_KIND = declare_kind(
    "leagues.guest-undone",
    _("%(actor)s separated the guest %(guest)s from the account again."),
    _("A guest was separated from an account again"),
)
VOUCH_KIND = declare_kind(
    "leagues.guest-vouch",
    _("You played with the guest %(guest)s: was it %(player)s? Your answer decides whether these games are rated."),
    _("Somebody you played with as a guest has an account now"),
)
DENIED_KIND = declare_kind(
    "leagues.guest-denied",
    _("%(actor)s says that %(player)s was not the guest %(guest)s."),
    _("A player doubts who a guest was"),
    group=NotificationGroup.ORGANISING,
)


@transaction.atomic
def rename(*, actor: User, club: Club, guest: User, name: str) -> User:
    """Call a guest by another name, in all seasons."""
    guest = people.rename_guest(actor=actor, club=club, guest=guest, name=name)
    for season in seasons_of(guest).exclude(status=Season.Status.CLOSED):
        realtime.broadcast_season_changed(season)
    return guest


@transaction.atomic
def propose(*, actor: User, club: Club, guest: User, person: User) -> GuestJoin:
    """Ask a member whether they are this guest."""
    club = locks.club(club)
    require(actor, Permission.ORGANISE, club)
    guest = _guest(club, guest)
    if person == actor:
        raise Refused(gettext("Somebody else has to say that this was you: another organiser, or the site’s staff."))
    if not person.reads_notices or not Membership.objects.filter(club=club, user=person).exists():
        raise Refused(gettext("%(name)s is not a member of the club: invite them first.") % {"name": person.name})
    earlier = GuestJoin.objects.filter(guest=guest)
    if earlier.filter(person=person, state=State.DECLINED).exists():
        raise Refused(
            gettext("%(name)s said that they are not this guest. Only they can change that.") % {"name": person.name}
        )
    if asked := earlier.filter(state=State.ASKED).select_related("person").first():
        raise Refused(
            gettext("%(name)s is asked about this guest already. Wait for the answer, or withdraw the question.")
            % {"name": asked.person.name}
        )
    _check_clashes(guest, person)
    join = GuestJoin.objects.create(club=club, guest=guest, person=person, proposed_by=actor)
    _log(PROPOSED, join, actor)
    _notify([person], ASKED_KIND, join, actor)
    return join


@transaction.atomic
def withdraw_proposal(*, actor: User, join: GuestJoin) -> GuestJoin:
    """Withdraw the question."""
    join = _lock(join)
    require(actor, Permission.ORGANISE, join.club)
    if join.state != State.ASKED:
        raise Refused(gettext("This is answered already."))
    _end(join, State.WITHDRAWN, actor)
    _log(WITHDRAWN, join, actor)
    resolve(join.person, ASKED_KIND, path=join.get_absolute_url())
    return join


@transaction.atomic
def answer(*, person: User, join: GuestJoin, joins: bool) -> GuestJoin:
    """The person says whether they are the guest. After a no, only they themselves can still say yes."""
    join = _lock(join)
    if join.person_id != person.pk:
        raise Refused(gettext("Nobody has asked you about this guest."))
    if join.state not in (State.ASKED, State.DECLINED) or join.club.closed_at:
        raise Refused(gettext("This question is not open any more."))
    resolve(person, ASKED_KIND, path=join.get_absolute_url())
    if joins:
        return _join(join)
    if join.state == State.ASKED:
        join.state, join.answered_at = State.DECLINED, timezone.now()
        join.save(update_fields=["state", "answered_at"])
        _log(DECLINED, join, person)
        _notify([join.proposed_by], DECLINED_KIND, join, person)
    return join


def _join(join: GuestJoin) -> GuestJoin:
    guest, person = _guest(join.club, join.guest), join.person
    if GuestJoin.objects.filter(guest=guest, state=State.ASKED).exclude(pk=join.pk).exists():
        raise Refused(gettext("Somebody else is asked about this guest now."))
    seasons = _lock_seasons(guest)
    _check_clashes(guest, person)
    entries = list(Entrant.objects.filter(user=guest).values_list("pk", flat=True))
    places = list(TeamMember.objects.filter(user=guest).values_list("pk", flat=True))
    # The person's own answer for a night outweighs what an organiser noted for the guest.
    answered = Availability.objects.filter(user=person).values("night")
    coming = Availability.objects.filter(user=guest).exclude(night__in=answered)
    nights = list(coming.values_list("pk", flat=True))
    join.moved = {"entrants": entries, "members": places, "nights": nights}
    tables = tables_of(join)
    join.moved["tables"] = [table.pk for table in tables]
    join.state, join.answered_at = State.JOINED, timezone.now()
    join.ended_at = join.ended_by = None
    join.save()
    _hand_over(join, person)
    guest.is_active = False
    guest.save(update_fields=["is_active"])
    for season in seasons:
        season_effects.log_and_refresh(JOINED, actor=person, season=season, person=person, guest=guest)
    _log(JOINED, join, person)
    _refresh_ratings(tables, person)
    _notify([join.proposed_by], JOINED_KIND, join, person)
    _notify(witnesses_of(join), VOUCH_KIND, join, person)
    realtime.broadcast_calendar_changed(join.club)
    return join


@transaction.atomic
def undo(*, actor: User, join: GuestJoin) -> GuestJoin:
    """Separate guest and account again: what came with the guest is the guest's, with what it has won since."""
    join = _lock(join)
    if join.person_id != actor.pk:
        require(actor, Permission.ORGANISE, join.club)
    if join.state != State.JOINED:
        raise Refused(gettext("This guest is not joined to this account."))
    if join.person.deleted_at:
        raise Refused(gettext("This account is deleted."))
    seasons = _lock_seasons(join.person)
    mine = _seats_of(join)
    if online := mine.filter(pairing__match__isnull=False).select_related("pairing__round__stage__division__season"):
        names = {seat.pairing.round.stage.division.season.full_name for seat in online}
        raise Refused(
            gettext("%(name)s has played online since then, and a guest cannot: %(seasons)s.")
            % {"name": join.person.name, "seasons": join_names(sorted(names))}
        )
    tables = tables_of(join)
    _hand_over(join, join.guest)
    _end(join, State.UNDONE, actor)
    join.guest.is_active = True
    join.guest.save(update_fields=["is_active"])
    back = set(seasons_of(join.guest).values_list("pk", flat=True))
    for season in seasons:
        if season.pk in back:
            season_effects.log_and_refresh(UNDONE, actor=actor, season=season, person=join.person, guest=join.guest)
    _log(UNDONE, join, actor)
    _refresh_ratings(tables, actor)
    resolve(None, VOUCH_KIND, path=join.get_absolute_url())
    _notify({join.person, join.proposed_by} - {actor}, UNDONE_KIND, join, actor)
    realtime.broadcast_calendar_changed(join.club)
    return join


@transaction.atomic
def vouch(*, person: User, join: GuestJoin, agrees: bool) -> GuestWitness:
    """Somebody who sat with the guest says whether it was this person; the last answer counts."""
    join = _lock(join)
    if join.state != State.JOINED:
        raise Refused(gettext("This guest is not joined to this account."))
    if person not in witnesses_of(join):
        raise Refused(gettext("You have not played with this guest."))
    said, _made = GuestWitness.objects.update_or_create(
        join=join, person=person, defaults={"agrees": agrees, "at": timezone.now()}
    )
    _log(VOUCHED if agrees else DENIED, join, person)
    resolve(person, VOUCH_KIND, path=join.get_absolute_url())
    if not agrees:
        _notify(reporting.organisers_of(join.club), DENIED_KIND, join, person)
    _refresh_ratings(Pairing.objects.filter(pk__in=join.tables).order_by("pk"), person)
    return said


# -- reading


def seasons_of(player: User) -> QuerySet[Season]:
    mine = Q(entrants__user=player) | Q(entrants__members__user=player)
    return Season.objects.filter(pk__in=Season.objects.filter(mine).values("pk")).select_related("league__club")


def seasons_moved(join: GuestJoin) -> QuerySet[Season]:
    """Where the entries are that change hands, or would."""
    if join.state != State.JOINED:
        return seasons_of(join.guest)
    mine = Q(entrants__in=join.moved["entrants"]) | Q(entrants__members__in=join.moved["members"])
    return Season.objects.filter(pk__in=Season.objects.filter(mine).values("pk")).select_related("league__club")


def tables_of(join: GuestJoin) -> list[Pairing]:
    """Tables of the entries that change hands, at the club, that have or once had a result.

    Also one that was voided: it could be entered anew after the join.
    """
    played = Pairing.objects.filter(pk__in=_seats_of(join).values("pairing"), match=None)
    return list(played.filter(results__kind=Result.Kind.CONFIRMED).distinct().order_by("pk"))


def witnesses_of(join: GuestJoin) -> list[User]:
    """Who sat at the guest's tables with an account of their own then."""
    seats = PairingSeat.objects.filter(pairing__in=join.tables).select_related("entrant__user")
    sat: dict[int, User] = {}
    others = GuestJoin.objects.filter(club=join.club_id, state=State.JOINED)
    at_table = {(other.person_id, table) for other in others for table in other.tables}
    for seat in seats.prefetch_related("entrant__members__user"):
        team = [member.user for member in seat.entrant.members.all()]
        for person in [seat.entrant.user] if seat.entrant.user else team:
            if person.reads_notices and (person.pk, seat.pairing_id) not in at_table:
                sat[person.pk] = person
    return list(sat.values())


def may_see(reader: object, join: GuestJoin) -> bool:
    """The person, those who organise the club, and those who are asked who the guest was."""
    if not isinstance(reader, User):
        return False
    if reader.pk == join.person_id or may(reader, Permission.ORGANISE, join.club):
        return True
    return join.state == State.JOINED and reader in witnesses_of(join)


# -- parts of the verbs


def _guest(club: Club, guest: User) -> User:
    guest = User.objects.select_for_update(no_key=True).get(pk=guest.pk)
    if not people.guests_of(club).filter(pk=guest.pk).exists():
        raise Refused(gettext("This is not a guest of this club."))
    if not guest.is_active:
        raise Refused(gettext("This guest is joined to an account already."))
    return guest


def _lock(join: GuestJoin) -> GuestJoin:
    locks.club(join.club)
    return GuestJoin.objects.select_related("club", "guest", "person", "proposed_by").get(pk=join.pk)


def _lock_seasons(player: User) -> list[Season]:
    return [locks.season(season) for season in seasons_of(player).order_by("pk")]


def _check_clashes(guest: User, person: User) -> None:
    """One person has one entry in a season, and plays in none that they said no to."""
    played = seasons_of(guest)
    if both := played.filter(pk__in=seasons_of(person).values("pk")):
        raise Refused(
            gettext("%(name)s has an entry of their own where the guest played: %(seasons)s.")
            % {"name": person.name, "seasons": join_names(season.full_name for season in both)}
        )
    if away := [season.full_name for season in played if consent.declined(season, [person])]:
        raise Refused(
            gettext("%(name)s did not want to play here: %(seasons)s.")
            % {"name": person.name, "seasons": join_names(away)}
        )


def _seats_of(join: GuestJoin) -> QuerySet[PairingSeat]:
    """Every seat of the entries that change hands."""
    mine = Q(entrant__in=join.moved.get("entrants", [])) | Q(entrant__members__in=join.moved.get("members", []))
    return PairingSeat.objects.filter(mine)


def _hand_over(join: GuestJoin, to: User) -> None:
    Entrant.objects.filter(pk__in=join.moved["entrants"]).update(user=to)
    TeamMember.objects.filter(pk__in=join.moved["members"]).update(user=to)
    Availability.objects.filter(pk__in=join.moved["nights"]).update(user=to)


def _refresh_ratings(tables: Iterable[Pairing], by: User) -> None:
    for pairing in tables:
        recording.refresh_rating(pairing=recording.lock_pairing(pairing), by=by)


def _end(join: GuestJoin, state: str, actor: User) -> None:
    join.state, join.ended_at, join.ended_by = state, timezone.now(), actor
    join.save(update_fields=["state", "ended_at", "ended_by"])


def _log(action: str, join: GuestJoin, actor: User) -> None:
    audit.record(action, actor=actor, on=join, club=join.club, person=join.person, guest=join.guest)


def _notify(readers: Iterable[User], kind: str, join: GuestJoin, actor: User) -> None:
    path = join.get_absolute_url()
    notify(readers, kind, path=path, actor=actor, club=join.club, guest=join.guest, player=join.person)
