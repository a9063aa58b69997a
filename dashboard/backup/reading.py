"""Open a backup, and know that it is as it was written."""

import hashlib
import json
import zipfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from dashboard.backup.manifest import NAME, SECRET_KEY, BadBackup, Manifest, read_manifest

# A line is a row; one of a published document has megabytes.
_LONGEST_LINE = 1024**3
_PIECE = 1024 * 1024


@dataclass(frozen=True, slots=True)
class Backup:
    """A backup whose every hash was found right."""

    manifest: Manifest
    archive: zipfile.ZipFile

    def rows(self, table: str) -> Iterator[list[object]]:
        """Yield the rows of a table, each a list of values in the order of its columns."""
        with self.archive.open(_member(table)) as file:
            while line := file.readline(_LONGEST_LINE):
                row = json.loads(line)
                if not isinstance(row, list):
                    raise BadBackup(f"A line of {table} is no row.")
                yield row

    def secret_key(self) -> str:
        """Return the secret key of the installation that was saved; empty where it was not."""
        return self.archive.read(SECRET_KEY).decode() if self.manifest.secret_key_sha256 else ""


@contextmanager
def opened(path: Path) -> Iterator[Backup]:
    """Open a backup and check all of it. Raises ``BadBackup``, and ``OSError`` for no file."""
    try:
        with zipfile.ZipFile(path) as archive:
            manifest = _checked(archive)
            yield Backup(manifest, archive)
    except zipfile.BadZipFile as error:
        raise BadBackup(f"{path} is damaged, or is no backup.") from error


def _checked(archive: zipfile.ZipFile) -> Manifest:
    names = archive.namelist()
    if NAME not in names:
        raise BadBackup("There is no manifest in the file.")
    manifest = read_manifest(archive.read(NAME))
    expected = {_member(table): table for table in manifest.tables}
    others = {NAME, *([SECRET_KEY] if manifest.secret_key_sha256 else [])}
    if sorted(names) != sorted([*expected, *others]):
        raise BadBackup("The file holds other parts than its manifest says.")
    for member, table in expected.items():
        if _sha256(archive, member) != manifest.tables[table].sha256:
            raise BadBackup(f"The rows of {table} are not as they were written.")
    if manifest.secret_key_sha256 and _sha256(archive, SECRET_KEY) != manifest.secret_key_sha256:
        raise BadBackup("The secret key is not as it was written.")
    return manifest


def _member(table: str) -> str:
    return f"tables/{table}.jsonl"


def _sha256(archive: zipfile.ZipFile, member: str) -> str:
    digest = hashlib.sha256()
    with archive.open(member) as file:
        while piece := file.read(_PIECE):
            digest.update(piece)
    return digest.hexdigest()
