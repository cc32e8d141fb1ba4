"""How the end of a match is put in words."""

from django.utils import translation

from games.presentation.result_text import SeatResult, won_by


def described(game: str, *seats: tuple[str, str, bool]) -> str:
    return won_by(game, [SeatResult(*seat) for seat in seats])


def test_a_side_of_several_wins_as_a_side_and_one_alone_by_name() -> None:
    game = "infinity-gauntlet"
    thanos, ada, ben = ("Ola", "thanos", False), ("Ada", "hero", True), ("Ben", "hero", True)
    assert described(game, thanos, ada, ben) == "the heroes won"
    assert described(game, thanos, ada, ("Ben", "hero", False)) == "the heroes won", (
        "Ben resigned; his side won all the same"
    )
    assert described(game, ("Ola", "thanos", True), ("Ada", "hero", False), ("Ben", "hero", False)) == "won by Ola"
    assert described(game, thanos, ada) == "won by Ada", "a single hero is no side"
    assert described("splendor-marvel", ("Ada", "player", True), ("Ben", "player", True)) == "won by Ada, Ben"


def test_polish_says_of_one_and_of_several_that_they_win() -> None:
    ada, ben = ("Ada", "player", True), ("Ben", "player", True)
    with translation.override("pl"):
        assert described("splendor-marvel", ada, ("Ben", "player", False)) == "wygrywa Ada"
        assert described("splendor-marvel", ada, ben) == "wygrywają Ada, Ben"


def test_a_team_is_called_by_its_name_in_every_language() -> None:
    seats = [("Ada", "player", True), ("Ben", "player", False)]
    lost = [(name, role, False) for name, role, _ in seats]
    said = {}
    for language in ("en", "it", "pl"):
        with translation.override(language):
            said[language] = (described("thanos-rising", *seats), described("thanos-rising", *lost))
    assert said == {
        "en": ("the heroes won", "the heroes lost"),
        "it": ("gli eroi hanno vinto", "gli eroi hanno perso"),
        "pl": ("bohaterowie wygrali", "bohaterowie przegrali"),
    }
