"""What is known about releases, for the messages about databases and backups that this code cannot read."""

from collections.abc import Iterable

FIRST = "0.1.0"

# Migrations that databases of before the first release may have. They were folded into one initial migration an app.
# No later migration may have one of these names: `tests/deploy/test_releases.py` checks it.
BEFORE_FIRST = frozenset(
    f"{app}.{name}"
    for app, names in {
        "accounts": (
            *("0002_audit_append_only", "0003_guests", "0003_user_search", "0004_user_search", "0005_api"),
            *("0005_choices_tokens_webhooks", "0005_feeds", "0005_ownbots", "0006_feeds", "0006_ownbots"),
            *("0007_ownbots", "0008_settled"),
        ),
        "deploy": ("0002_pulse",),
        "games": ("0002_sealed", "0003_own_bots", "0003_ownbots", "0004_plain_labels"),
        "leagues": (
            *("0002_board_indexes", "0002_calendar", "0003_feeds", "0003_inout", "0003_nights", "0003_odds"),
            *("0003_ownbots", "0003_rating_deviation", "0003_windows", "0004_odds", "0004_odds_knowledge"),
            *("0004_placing", "0005_feeds", "0005_tiebreak_edition", "0006_plain_labels", "0006_windows"),
            *("0007_inout", "0008_placing", "0009_ownbots", "0010_odds_grow"),
        ),
    }.items()
    for name in names
)


def refusal(what: str, unknown: Iterable[str]) -> str:
    """Why a database or a backup with these unknown migrations is refused, and what to do."""
    names = sorted(unknown)
    old = [name for name in names if name in BEFORE_FIRST]
    if old:
        return (
            f"this {what} was made before release {FIRST} ({old[0]}), and there is no upgrade from there: keep it with "
            "the version that made it, and begin a new database here (docs/upgrading.md); nothing was changed"
        )
    then = (
        "restore it with that version"
        if what == "backup"
        else "run that version, or restore a backup made with this one"
    )
    return f"this {what} is from a newer Gauntlet ({names[0]}): {then}; nothing was changed"
