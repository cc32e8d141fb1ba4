"""What the ratings say of the site's bots and of one person, for the choice of a bot that suits them."""

from accounts.models import User
from engine.bots import VERSIONS
from games.bot_levels import Known, Rated
from leagues.elo.result_types import SCALE, STANDARD
from leagues.models import Rating


def known_ratings(person: User | None) -> Known:
    """In every game, in one query or two."""
    rows = Rating.objects.filter(pool__mode=STANDARD)
    bots = rows.filter(user__house_bot__isnull=False).values_list(
        "pool__game", "user__house_bot__level", "user__house_bot__version", "rating", "games"
    )
    levels = {
        (game, level): Rated(rating // SCALE, games)
        for game, level, version, rating, games in bots
        if VERSIONS.get(level) == version
    }
    if person is None:
        return Known(levels)
    mine = rows.filter(user=person).values_list("pool__game", "rating", "games")
    return Known(levels, {game: Rated(rating // SCALE, games) for game, rating, games in mine})
