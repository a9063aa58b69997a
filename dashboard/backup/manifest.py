"""What a backup says of itself."""

import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any

NAME = "manifest.json"
FORMAT = "toolcrib-backup"
FORMAT_VERSION = 1
# What is in a backup beside its tables: signs sessions, and keys the hashes of tasks.
SECRET_KEY = "secret-key"  # noqa: S105 - a name
# Sessions end with a restore: one that was signed out meanwhile would come back to life.
LEFT_OUT = frozenset({"django_session"})


class BadBackup(Exception):
    """This file is no backup, or is not as it was written, or is of a version not known here."""


@dataclass(frozen=True, slots=True)
class Table:
    """A table of a backup: its columns in the order of the values, its rows, and their hash."""

    columns: tuple[str, ...]
    rows: int
    sha256: str


@dataclass(frozen=True, slots=True)
class Manifest:
    """A whole backup: ``migrations`` are those applied, by app; ``made_at`` is ISO 8601."""

    version: str
    made_at: str
    engine: str
    migrations: Mapping[str, tuple[str, ...]]
    tables: Mapping[str, Table]
    secret_key_sha256: str = ""

    @property
    def rows(self) -> int:
        """Return how many rows all tables have together."""
        return sum(table.rows for table in self.tables.values())

    def dumped(self) -> str:
        """Return the text of ``manifest.json``."""
        said = {"format": FORMAT, "format_version": FORMAT_VERSION, **asdict(self)}
        return json.dumps(said, indent=1, sort_keys=True)


def read_manifest(text: str | bytes) -> Manifest:
    """Return what a manifest says. Raises ``BadBackup``."""
    try:
        said = json.loads(text)
        if said["format"] != FORMAT:
            raise BadBackup("The manifest is of another format.")
        if said["format_version"] != FORMAT_VERSION:
            raise BadBackup(f"The backup has the format {said['format_version']}, not known here.")
        return Manifest(
            version=said["version"],
            made_at=said["made_at"],
            engine=said["engine"],
            migrations={app: tuple(names) for app, names in said["migrations"].items()},
            tables={name: _table(table) for name, table in said["tables"].items()},
            secret_key_sha256=said["secret_key_sha256"],
        )
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        raise BadBackup("The manifest cannot be read.") from error


def _table(said: Mapping[str, Any]) -> Table:
    return Table(tuple(said["columns"]), said["rows"], said["sha256"])
