"""Bits of a 64-bit number, the same on both builds."""

from hypothesis import given
from hypothesis import strategies as st

from engine.bitset import bit, lowest, size

sets = st.sets(st.integers(0, 62))


def mask(places):
    return sum(1 << place for place in places)


def test_every_single_bit():
    for place in range(63):
        assert bit(place) == 1 << place
        assert lowest(1 << place) == place
        assert size(1 << place) == 1


@given(sets)
def test_the_size_of_a_set(places):
    assert size(mask(places)) == len(places)


@given(sets.filter(len))
def test_the_lowest_of_a_set(places):
    assert lowest(mask(places)) == min(places)
