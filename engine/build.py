"""Which build of the engine runs here.

The fast side is all that a simulation or a search touches: modules that are compiled by mypyc, as their docstrings
say. `manage.py accelerate` compiles them from the same source and beside it; everything works without it.
"""


def name() -> str:
    """Either "compiled" or "interpreted"."""
    import engine.state

    return "interpreted" if str(engine.state.__file__).endswith(".py") else "compiled"
