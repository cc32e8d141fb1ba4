"""Effects that run once a transaction is committed and may fail without undoing it."""

from collections.abc import Callable

from django.db import transaction


def after_commit(act: Callable[..., object], *arguments: object) -> None:
    """Call this after commit. A failure is only logged: the rows are the truth, and periodic sweeps find them.

    Not a `partial`: Django logs the name of the function that failed, and a `partial` has none.
    """

    def effect() -> None:
        act(*arguments)

    transaction.on_commit(effect, robust=True)
