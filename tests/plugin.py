"""A clean environment for all tests, and stopping the servers they started.

Loaded with `-p`, before Django reads its settings. All xdist workers share the servers; the process that began the run
stops them.
"""

import os
import tempfile
from collections.abc import Generator
from typing import Any

import pytest

from deploy.harness import services

# Addresses of servers that tests may use; the site's own settings are not read from the caller's environment.
GIVEN = {"DATABASE_URL": "SUITE_DATABASE_URL", "REDIS_URL": "SUITE_REDIS_URL"}


@pytest.hookimpl(wrapper=True, tryfirst=True)
def pytest_load_initial_conftests() -> Generator[None, Any, Any]:
    """A wrapper, so that it runs before pytest-django, which reads the settings here."""
    if "PYTEST_XDIST_WORKER" not in os.environ:
        for name, kept in GIVEN.items():
            if name in os.environ:
                os.environ[kept] = os.environ.pop(name)
        for name in [name for name in os.environ if name.startswith("GAUNTLET_")]:
            del os.environ[name]
        os.environ["SUITE_FOLDER"] = tempfile.mkdtemp(prefix="gauntlet-suite-")
        os.environ["GAUNTLET_VAR"] = os.environ["SUITE_FOLDER"]
        os.environ["GAUNTLET_COMPILE"] = "off"
        os.environ["SUITE_FSYNC"] = "off"  # not where speed is measured
        (services.folder() / "static").mkdir()  # whitenoise warns where there is none
    return (yield)


def pytest_unconfigure() -> None:
    if "PYTEST_XDIST_WORKER" not in os.environ and "SUITE_FOLDER" in os.environ:
        services.stop_servers()
