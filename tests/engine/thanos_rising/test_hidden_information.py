"""What nobody knows: the order of the deck and of the tokens face down, and every roll to come."""

from collections import Counter

from engine.rng import stream
from engine.thanos_rising import card_tables as t
from tests.engine.thanos_rising.scripted_table import QUIET, Table


def test_every_order_of_the_rest_of_the_deck_is_imagined_equally_often():
    table = Table(sectors=QUIET, deck=["hulk", "thor", "outrider-a"], heroes_lost_limit=30, villains_to_defeat=10)
    orders = Counter()
    for number in range(1200):
        twin = table.state.clone()
        twin.determinise(0, stream("imagine", str(number)))
        orders[tuple(twin.deck[twin.revealed :])] += 1
    assert len(orders) == 6
    assert all(abs(count - 200) < 60 for count in orders.values())


def test_the_tokens_face_down_are_imagined_from_those_not_seen():
    table = Table()
    table.state.drawn = len(table.state.supply) - 2
    left = sorted(table.state.supply[table.state.drawn :])
    orders = Counter()
    for number in range(200):
        twin = table.state.clone()
        twin.determinise(1, stream("imagine", str(number)))
        assert sorted(twin.supply[twin.drawn :]) == left
        orders[tuple(twin.supply[twin.drawn :])] += 1
    assert len(orders) == (2 if left[0] != left[1] else 1)


def test_rolls_to_come_differ_from_world_to_world():
    table = Table()
    seen = set()
    for number in range(60):
        twin = table.state.clone()
        twin.determinise(0, stream("imagine", str(number)))
        twin.apply(0)
        seen.add((int(twin.thanos), tuple(twin.counters)))
    assert len(seen) > 10


def test_all_that_is_open_stays_as_it_is():
    table = Table(tokens={0: ["battle"]}).deploy(1)
    twin = table.match.imagine(1, "another")
    assert twin.view(1) == table.match.view(1)


def test_the_same_turn_brings_the_same_dice_whatever_was_decided_before():
    """Duplicate play: same seed, different deployments and assignments, the same luck in turn three."""

    def third_turn(sector):
        table = Table(thanos=0)
        state = table.state
        while state.turn < 2:
            table.play(f"deploy {sector}").finish()
        state.thanos, state.log = 0, table.match.state.log
        table.play("deploy 1")
        rolled = table.events("stone-rolled")[0]["stone"], table.events("thanos-rolled")[0]["face"]
        dice = Counter({kind: count for kind, count in enumerate(state.pool) if count})
        return rolled, dice

    assert third_turn(1) == third_turn(2)


def test_luck_counts_every_reveal_so_that_nothing_before_it_is_undone():
    table = Table().deploy(1).throw("red battle", "red battle", "red cosmic")
    table.play("red battle on hawkeye", "red battle on hawkeye")
    assert table.match.can_undo(0)
    table.match.undo(0)
    table.match.undo(0)
    assert table.match.state.paid[table.card("hawkeye")] == 0
    table.state = table.match.state
    table.play("red battle on hawkeye", "roll")
    assert not table.match.can_undo(0)


def test_a_token_of_another_player_ends_the_undo_and_stays_played():
    """The other player's clock does not run: what they play while the match waits for somebody else is final."""
    table = Table(tokens={1: ["battle"]}).deploy(1).play("roll").throw("red battle", "red mystic")
    table.play("red battle on hawkeye")
    table.play("play battle on hawkeye", seat=1)
    assert not table.match.can_undo(0)
    assert not table.match.can_undo(1)
    assert t.lane(table.state.paid[table.card("hawkeye")], 0) == 2
