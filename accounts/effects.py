"""Effects of a verb: what happens once its transaction is committed, and may fail without undoing anything."""

from collections.abc import Callable

from django.db import transaction


def after_commit(act: Callable[..., object], *arguments: object) -> None:
    """Do this after commit. A failure is logged and fails nobody: the rows are the truth, and sweeps find them.

    A function of its own, because Django names what failed in its log and a `partial` has no name.
    """

    def effect() -> None:
        act(*arguments)

    transaction.on_commit(effect, robust=True)
