"""The house bots of Splendor: Marvel."""

from engine.bots.levels import House
from engine.bots.protocol import Reflex, Searcher
from engine.bots.splendor_play import Beginner, Eager, ValuePlay

HOUSE = House(
    rookie=Reflex(Beginner()),
    regular=Reflex(ValuePlay()),
    expert=Searcher(Eager()),
    master=Searcher(Eager()),
)
