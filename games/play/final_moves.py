"""Which moves cannot be taken back, for players who want to be asked before."""

from games import engine_match
from games.models import Match
from games.take_back import may_return


def final_moves(match: Match, seat: int) -> list[str]:
    """The legal moves of a seat after which it could not undo: none where one may go back across the moves of bots.

    They are tried in an imagined match, in which all that the seat cannot know is drawn again: the answer says nothing
    about hidden cards or coming dice.
    """
    if may_return(match, seat, list(match.seats.all())):
        return []
    current = engine_match.load(match)
    imagined = current.imagine(seat, "final moves")
    final = []
    for action in current.legal(seat):
        trial = imagined.clone()
        trial.play(action, seat)
        if not trial.can_undo(seat):
            final.append(current.notation(action, seat))
    return final
