"""A migrated SQLite database that is kept from run to run, since migrating takes six seconds.

It is kept under a hash of all that it was made from, so that any change makes another. Django looks
at what it is given: it applies to a copy what is not applied yet, which is nothing.
"""

import contextlib
import os
import re
import shutil
import sqlite3
from hashlib import sha256
from importlib.metadata import version
from pathlib import Path

from django.apps import apps

ROOT = Path(__file__).parent.parent
APPS = ("catalog", "routing", "dashboard")
_OURS = re.compile(rf"^(?:from|import) ((?:{'|'.join(APPS)})[\w.]*)", re.MULTILINE)


def kept_in(folder: Path) -> Path:
    """Return where the database of the code as it is now is kept, whether it is there or not."""
    return folder / f"{_fingerprint()}.sqlite3"


def take(kept: Path, *, to: Path) -> bool:
    """Copy what is kept, and tell whether there was anything."""
    with contextlib.suppress(FileNotFoundError):
        shutil.copyfile(kept, to)
    return to.exists()


def keep(database: Path, *, as_: Path) -> None:
    """Keep a database, at once or not at all: other processes may be at the same."""
    part = as_.with_suffix(f".{os.getpid()}")
    with (
        contextlib.closing(sqlite3.connect(database)) as source,
        contextlib.closing(sqlite3.connect(part)) as target,
    ):
        source.backup(target)
    part.replace(as_)
    for other in as_.parent.glob("*.sqlite3"):
        if other != as_:
            other.unlink(missing_ok=True)


def _fingerprint() -> str:
    """Return a hash of the migrations, of what they import, and of the models.

    The permissions of a database, which migrating fills in, are named by the models.
    """
    files = {
        *(path for app in APPS for path in (ROOT / app).glob("migrations/*.py")),
        *(path for app in APPS for path in (ROOT / app).glob("models/**/*.py")),
    }
    imported = {name for path in files for name in _OURS.findall(path.read_text())}
    files |= {(ROOT / name.replace(".", "/")).with_suffix(".py") for name in imported}
    read = sha256(sqlite3.sqlite_version.encode())
    for package in ("django", "django-tasks-db"):
        read.update(version(package).encode())
    read.update(" ".join(config.name for config in apps.get_app_configs()).encode())
    for path in sorted(path for path in files if path.exists()):
        read.update(f"{path.relative_to(ROOT)}\0{path.read_text()}\0".encode())
    return read.hexdigest()[:16]
