from django.apps import AppConfig


class LeaguesConfig(AppConfig):
    """Competitions and ratings: leagues, their seasons, draws and results, and what they say about everybody."""

    name = "leagues"
    default_auto_field = "django.db.models.BigAutoField"

    def ready(self) -> None:
        from accounts.infra.realtime import topics
        from games import bot_levels
        from games.meeting import strength
        from games.puzzles import rating
        from leagues import webhook_events  # noqa: F401 - the events of webhooks are declared there
        from leagues.core.realtime import ScreenPage, SeasonPage
        from leagues.leaderboards.topics import RatingsPage
        from leagues.ratings.duels import PUZZLES
        from leagues.ratings.level_ratings import known_ratings
        from leagues.ratings.queries import ratings_in
        from leagues.results import from_matches, recording
        from leagues.rounds import bracket_tables, tables

        topics.register("ratings", RatingsPage())
        topics.register("season", SeasonPage())
        topics.register("screen", ScreenPage())
        strength.use(ratings_in)
        bot_levels.use(known_ratings)
        rating.use(PUZZLES)
        for follow in (bracket_tables.follow_result, tables.follow_result):
            if follow not in recording.FOLLOWERS:
                recording.FOLLOWERS.append(follow)
        if tables.open_next_game not in from_matches.MATCH_HANDLERS:
            from_matches.MATCH_HANDLERS.append(tables.open_next_game)
