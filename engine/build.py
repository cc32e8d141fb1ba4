"""Whether the compiled or the interpreted engine runs here.

The modules that simulations and searches use can be compiled by mypyc; their docstrings mention it. `manage.py
accelerate` compiles them in place, from the same source; everything works without it.
"""


def name() -> str:
    """Either "compiled" or "interpreted"."""
    import engine.state

    return "interpreted" if str(engine.state.__file__).endswith(".py") else "compiled"
