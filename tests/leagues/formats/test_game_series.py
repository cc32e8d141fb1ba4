"""Series of games as pure arithmetic: who wins one, and how it can end."""

from hypothesis import given
from hypothesis import strategies as st

from leagues.formats.game_series import LENGTHS, games_needed, is_final, winner

# Who wins each game; None: a draw, which counts for neither.
GAMES = st.lists(st.sampled_from([0, 1, None]), min_size=30, max_size=60)


@given(length=st.sampled_from(LENGTHS), games=GAMES)
def test_a_series_ends_with_its_winner_and_not_before(length: int, games: list[int | None]) -> None:
    won = [0, 0]
    for game in games:
        assert winner(length, won) is None
        assert not is_final(length, won, may_be_level=False)
        if game is None:
            continue
        won[game] += 1
        if (ahead := winner(length, won)) is not None:
            assert ahead == game, "the last game decides"
            assert won[ahead] == games_needed(length) > won[1 - ahead]
            assert sum(won) <= length
            assert is_final(length, won, may_be_level=False)
            return


@given(length=st.sampled_from(LENGTHS), one=st.integers(-1, 6), other=st.integers(-1, 6), level=st.booleans())
def test_only_what_can_be_played_is_final(length: int, one: int, other: int, level: bool) -> None:
    needed = length // 2 + 1
    possible = {(needed, fewer) for fewer in range(needed)} | {(fewer, needed) for fewer in range(needed)}
    if level:
        possible |= {(games, games) for games in range(needed)}
    assert is_final(length, [one, other], may_be_level=level) == ((one, other) in possible)
