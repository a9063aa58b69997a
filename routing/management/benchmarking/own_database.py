"""A database of its own for a benchmark: made, and dropped again unless it is to be kept."""

import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from django.db import connection


@contextmanager
def own_database(*, keep: str = "") -> Iterator[None]:
    """Let the connection of the process mean a migrated database of its own.

    On SQLite that is a file, on PostgreSQL a database on the same server. ``keep`` is its path or
    its name: it is then left behind, and used as it is where it is there already.
    """
    with tempfile.TemporaryDirectory() as folder:
        test = connection.settings_dict["TEST"]
        if keep:
            test["NAME"] = keep
        elif connection.vendor == "sqlite":
            # In memory nothing would be written durably, nor by several processes.
            test["NAME"] = str(Path(folder) / "bench.sqlite3")
        name = connection.settings_dict["NAME"]
        connection.creation.create_test_db(
            verbosity=0, autoclobber=True, serialize=False, keepdb=bool(keep)
        )
        try:
            yield
        finally:
            connection.creation.destroy_test_db(name, verbosity=0, keepdb=bool(keep))
