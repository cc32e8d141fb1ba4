"""What a person's move costs the process that plays it, measured inside it: CPU time, not time on the wall."""

import statistics
import time

from accounts.models import User
from games import engine_match, topics
from games.models import Match
from games.tables import seating, setup, start
from games.tables.setup import Setting


def cpu_of_a_move(moves: int) -> float:
    """Seconds of CPU from a message on a page's socket to the frames that are sent, at a table of two; the median."""
    names = ("mover-1", "mover-2")
    people = [User.objects.create_user(handle=name, email=f"{name}@club.test", password=None) for name in names]
    match = setup.open_table(host=people[0], setting=Setting("splendor-marvel", 2))
    for person in people:
        seating.sit(person=person, match=match)
    match = start.start(person=people[0], match=match)
    by_id = {person.pk: person for person in people}
    seats = [by_id[seat.user_id] for seat in match.seats.order_by("index") if seat.user_id]
    page, took = topics.MatchPage(), []
    for _ in range(moves + 5):
        current = engine_match.load(Match.objects.get(pk=match.pk))
        assert current.to_act is not None
        legal = [current.notation(action) for action in current.legal()]
        takes = [move for move in legal if not move.startswith(("recruit", "reserve"))]
        message = {"ply": current.ply, "move": (takes or legal)[0]}
        began = time.process_time()
        refused = page.receive(seats[current.to_act], match.key, message)
        took.append(time.process_time() - began)
        assert refused is None, refused
    return statistics.median(took[5:])  # the first few prepare what the others use
