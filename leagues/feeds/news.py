"""The news of a club as an Atom feed."""

from django.conf import settings
from django.urls import reverse
from django.utils.feedgenerator import Atom1Feed
from django.utils.translation import gettext

from accounts.infra.text import markdown
from accounts.models import Club
from leagues.models import Announcement
from leagues.seasons import announcements

MOST_ENTRIES = 20


def atom_feed(club: Club) -> bytes:
    """The latest news, with their text in full. An entry that is edited keeps its id."""
    feed = Atom1Feed(
        title=gettext("News of %(club)s") % {"club": club.name},
        link=settings.SITE_URL + club.get_absolute_url(),
        description="",
        language=None,
        feed_url=settings.SITE_URL + reverse("leagues:club-news-feed", args=[club.slug]),
    )
    for row in announcements.latest(club)[:MOST_ENTRIES]:
        address = settings.SITE_URL + row.get_absolute_url()
        feed.add_item(
            title=title_of(row),
            link=address,
            description=markdown(row.text),
            unique_id=address,
            pubdate=row.at,
            updateddate=row.edited_at or row.at,
            author_name=row.by.name,
        )
    return feed.writeString("utf-8").encode()


def title_of(row: Announcement) -> str:
    """Atom wants a title: the beginning of the text where there is none."""
    first = row.text.lstrip("#*_> ").splitlines()[0]
    return row.title or (first if len(first) <= 80 else f"{first[:79]}…")
