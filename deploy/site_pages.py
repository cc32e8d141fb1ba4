"""The site's own pages: about, privacy, terms and contact. Staff can replace our words in each "
"language."""

from django.conf import settings
from django.db import transaction
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _
from django.utils.translation import override

from accounts import audit
from accounts.access import Permission, require
from accounts.models import User
from deploy.models import SitePage

EDITED = audit.declare_action("site.page-edited", _("%(actor)s changed the page “%(page)s” (%(language)s)"))
RESTORED = audit.declare_action(
    "site.page-restored", _("%(actor)s took back the words of the page “%(page)s” (%(language)s)")
)

Name = SitePage.Name

DEFAULTS: dict[str, list[str | Promise]] = {
    Name.ABOUT: [
        _(
            "This site is run by a board-game club, or by a few of them. Members meet here between club nights: "
            "they sign up for leagues, see whom they play, report results, follow the standings, and play at "
            "tables online."
        ),
        _("The software is called Gauntlet. It is free, and clubs run it on machines of their own."),
    ],
    Name.PRIVACY: [
        _(
            "**What is stored.** Your handle, your display name, your portrait if you upload one, your e-mail address, "
            "your language and time zone, the clubs you are in, the matches you play and what you write at the tables. "
            "For safety, also the browsers you are logged in with and their addresses, until you log out."
        ),
        _(
            "**Who sees it.** Your name, your portrait, your results and your ratings are public, except in private "
            "clubs and leagues, which only their members see. Whether you come to a club night is for members of that "
            "club. Your e-mail address is for nobody but the people who run this site."
        ),
        _(
            "**Messages.** What you write to a friend is read by the two of you alone, and by the people who run this "
            "site if the reader reports it. It is deleted with your account."
        ),
        _(
            "**Alerts.** If you switch alerts on for a device, the address that its browser gets them at is stored "
            "until you log out there. What is sent to it is encrypted for your browser alone."
        ),
        _(
            "**Without an account.** Whoever only tries the site gets a made-up name. It is stored with the "
            "matches played "
            "under it and an unreadable form of the network address, and is erased after a week without a visit."
        ),
        _(
            "**Cookies.** Only those without which the site would not work: your session, a token that protects "
            "forms, your language and your theme. There are no trackers, and no page loads anything from another "
            "site."
        ),
        _(
            "**Your rights.** In your settings you can correct your data, save all of it as a file, and delete "
            "your account. Matches you played then stay in the records of others under an anonymous name."
        ),
    ],
    Name.TERMS: [
        _("Play fair, and treat others as you would at a table in the same room."),
        _("One person has one account. A program plays only under a name of its own, marked as a bot."),
        _(
            "Results are reported as they were. Whoever invents them, or insults others, can be locked out by the"
            " people who run this site."
        ),
        _("The site is offered as is. It is backed up, but nobody can promise that it never fails."),
    ],
    Name.CONTACT: [
        _("For questions about a club or a league, write to its organisers: their names are on the club’s page."),
        _("For everything else ask the people who run this site. They have not left an address here yet."),
    ],
}


def text_of(name: str, language: str) -> str:
    """The words of staff in this language, otherwise ours."""
    own = SitePage.objects.filter(name=name, language=language).values_list("text", flat=True).first()
    return own if own is not None else default_text(name, language)


def default_text(name: str, language: str) -> str:
    with override(language):
        return "\n\n".join(str(part) for part in DEFAULTS[name])


@transaction.atomic
def edit(*, actor: User, name: str, language: str, text: str) -> None:
    """Replace our words; an empty text brings them back."""
    require(actor, Permission.RUN_SITE)
    if not text.strip() or text.strip() == default_text(name, language):
        SitePage.objects.filter(name=name, language=language).delete()
        audit.record(RESTORED, actor=actor, on=actor, page=name, language=language)
        return
    page = SitePage.objects.filter(name=name, language=language).first() or SitePage(name=name, language=language)
    page.text, page.changed_by = text, actor
    page.full_clean()
    page.save()
    audit.record(EDITED, actor=actor, on=page, page=name, language=language)


def robots() -> str:
    """What search engines may read: public pages, and nothing with a secret or a form in its address."""
    closed = (
        "/accounts/",
        "/admin/",
        "/api/",
        "/calendar/",
        "/join/",
        "/notices/",
        "/settings/",
        "/sign-in/",
        "/staff/",
        "/ws/",
    )
    lines = ["User-agent: *", *(f"Disallow: {path}" for path in closed), ""]
    return "\n".join(lines) if settings.PUBLIC_HOSTS else "User-agent: *\nDisallow: /\n"
