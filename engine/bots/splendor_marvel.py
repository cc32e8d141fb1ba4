from engine.bots.levels import House
from engine.bots.protocol import Reflex, Searcher
from engine.bots.search import Policy

HOUSE = House(
    rookie=Reflex(Policy()),
    regular=Reflex(Policy()),
    expert=Searcher(Policy()),
    master=Searcher(Policy()),
)
