#!/usr/bin/env python3
"""Gauntlet's front door: every command starts here, on a machine with nothing but Python."""

import sys

# This file must parse on Pythons far older than we support: the point is to say so in one line.
if sys.version_info < (3, 11):  # noqa: UP036
    sys.exit(
        "Gauntlet needs Python 3.11 or newer and this is {}.{}: install a newer one and start again, "
        "for example with python3.12 manage.py serve".format(*sys.version_info)
    )

from deploy import bootstrap

if __name__ == "__main__":
    bootstrap.main(sys.argv)
