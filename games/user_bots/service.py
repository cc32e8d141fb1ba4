"""Users' bots: an account for the bot, a key for its program, and who may play against it."""

from collections.abc import Iterable
from dataclasses import dataclass, field
from datetime import timedelta

from django.db import IntegrityError, transaction
from django.db.models import Q
from django.utils import timezone
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

import engine
from accounts import api_tokens, audit
from accounts.access import Actor
from accounts.infra.errors import Refused
from accounts.infra.on_commit import after_commit
from accounts.infra.permissions import NotAllowed
from accounts.infra.realtime.publish import recheck
from accounts.models import ApiToken, Membership, Scope, User
from games.access import Permission, require
from games.models import BotChallenge, Match, OwnBot
from games.user_bots import events

MADE = audit.declare_action("bot.made", _("%(actor)s brought the bot %(person)s"))
EDITED = audit.declare_action("bot.edited", _("%(actor)s changed the bot %(person)s"))
KEYED = audit.declare_action("bot.keyed", _("%(actor)s gave the bot %(person)s a new key"))
TURNED_ON = audit.declare_action("bot.on", _("%(actor)s switched the bot %(person)s on"))
TURNED_OFF = audit.declare_action("bot.off", _("%(actor)s switched the bot %(person)s off"))

MAX_BOTS = 5
MAX_OFFERED = 100
KEY_LASTS = timedelta(days=365)
SCOPES = (Scope.BOT, Scope.READ)


@dataclass(frozen=True)
class NewKey:
    """A bot with the key for its program, which is shown only once."""

    bot: OwnBot
    secret: str = field(repr=False)


@transaction.atomic
def create(*, owner: User, handle: str, name: str, about: str, games: Iterable[str], accepts: str) -> NewKey:
    require(owner, Permission.OPEN_TABLE)
    owner = User.objects.select_for_update().get(pk=owner.pk)
    if owner.is_bot or owner.is_guest:
        raise NotAllowed(Permission.OPEN_TABLE)
    if OwnBot.objects.filter(owner=owner).count() >= MAX_BOTS:
        raise Refused(gettext("You have %(most)s bots already.") % {"most": MAX_BOTS})
    if User.objects.filter(handle__iexact=handle).exists():
        raise Refused(gettext("This handle is taken."))
    try:
        with transaction.atomic():
            user = User.objects.create_user(handle, display_name=name, is_bot=True, notices_by_mail=False)
    except IntegrityError:
        raise Refused(gettext("This handle is taken.")) from None
    bot = OwnBot(user=user, owner=owner)
    _write(bot, about, games, accepts)
    audit.record(MADE, actor=owner, on=bot, person=user)
    return _issue_key(bot)


@transaction.atomic
def edit(*, owner: User, bot: OwnBot, name: str, about: str, games: Iterable[str], accepts: str) -> OwnBot:
    bot = _lock_bot(owner, bot)
    bot.user.display_name = " ".join(name.split())
    bot.user.clean_fields(exclude={each.name for each in User._meta.fields} - {"display_name"})
    bot.user.save(update_fields=["display_name"])
    _write(bot, about, games, accepts)
    audit.record(EDITED, actor=owner, on=bot, person=bot.user)
    return bot


def _write(bot: OwnBot, about: str, games: Iterable[str], accepts: str) -> None:
    bot.about, bot.accepts = " ".join(about.split()), accepts
    bot.games = [game for game in engine.GAMES if game in set(games)]
    if not bot.games:
        raise Refused(gettext("Choose at least one game that it plays."))
    bot.full_clean(exclude=["games"])
    bot.save()


@transaction.atomic
def new_key(*, owner: User, bot: OwnBot) -> NewKey:
    """Make a new key for the bot's program. The old one, and a stream opened with it, end at once."""
    bot = _lock_bot(owner, bot)
    ApiToken.objects.filter(user=bot.user, revoked_at=None).update(revoked_at=timezone.now())
    audit.record(KEYED, actor=owner, on=bot, person=bot.user)
    after_commit(recheck, events.group(bot.pk))
    return _issue_key(bot)


def _issue_key(bot: OwnBot) -> NewKey:
    new = api_tokens.issue(person=bot.user, name=bot.user.handle, scopes=SCOPES, lasting=KEY_LASTS)
    return NewKey(bot, new.secret)


@transaction.atomic
def switch(*, owner: User, bot: OwnBot, on: bool) -> OwnBot:
    """Switch a bot on or off. A bot that is off gets no challenges and no events; its clocks keep running."""
    bot = _lock_bot(owner, bot)
    if bot.is_on == on:
        return bot
    bot.is_on = on
    bot.save(update_fields=["is_on"])
    audit.record(TURNED_ON if on else TURNED_OFF, actor=owner, on=bot, person=bot.user)
    after_commit(recheck, events.group(bot.pk))
    return bot


def _lock_bot(owner: User, bot: OwnBot) -> OwnBot:
    found = OwnBot.objects.select_for_update(of=("self",)).select_related("user", "owner").get(pk=bot.pk)
    if found.owner_id != owner.pk or not owner.is_active:
        raise NotAllowed(Permission.OPEN_TABLE)
    return found


def bot_of_account(user: Actor) -> OwnBot | None:
    """The bot of this account, if it is on and its owner's account is active."""
    if not isinstance(user, User) or not user.is_bot:
        return None
    bots = OwnBot.objects.select_related("user", "owner")
    return bots.filter(user=user, user__is_active=True, owner__is_active=True, is_on=True).first()


def challengeable_bots(*, person: User, match: Match) -> list[OwnBot]:
    """Bots that this person may challenge at this table."""
    ours = Membership.objects.filter(club__in=person.memberships.values("club")).values("user")
    accepting = Q(accepts=OwnBot.Accepts.ANYONE) | Q(owner=person) | Q(accepts=OwnBot.Accepts.CLUBS, owner__in=ours)
    asked = BotChallenge.objects.filter(match=match, status=BotChallenge.Status.OPEN).values("bot")
    bots = OwnBot.objects.filter(accepting, is_on=True, owner__is_active=True, user__is_active=True)
    free = bots.exclude(user__seats__match=match).exclude(pk__in=asked).select_related("user", "owner")
    return [bot for bot in free.order_by("user__display_name", "pk") if match.game in bot.games][:MAX_OFFERED]


def accepts(bot: OwnBot, person: User, game: str) -> bool:
    if game not in bot.games or not bot.is_on:
        return False
    if bot.owner_id == person.pk or bot.accepts == OwnBot.Accepts.ANYONE:
        return True
    if bot.accepts == OwnBot.Accepts.OWNER:
        return False
    shared = Membership.objects.filter(user=person).values("club")
    return Membership.objects.filter(user=bot.owner_id, club__in=shared).exists()
