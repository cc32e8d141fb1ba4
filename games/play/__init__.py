"""One move from check to commit: clocks, bots' turns, the end of a match, who is next.

May import: catalogue, models, realtime, user_bots.events. Entry points: moves.play_as, bot_turns.take_bot_turns,
clocks.expire_clock.
"""
