"""The secret key as a part of a backup: it signs sessions, and the hashes of tasks are keyed by it.

Where the environment sets it, it is the business of whoever sets it, and in no backup.
"""

import os
from pathlib import Path

from django.conf import settings

from dashboard.backup.reading import Backup


def kept_secret_key() -> str:
    """Return the key of the file ``secret-key``; empty where another is in use."""
    path = _file()
    said = path.read_text("utf-8").strip() if path.exists() else ""
    return said if said == settings.SECRET_KEY else ""


def put_secret_key(backup: Backup) -> str:
    """Keep the key of a backup in the file, and return what is to be said of it."""
    key = backup.secret_key()
    if not key:
        return "No secret key is in the backup: set the one that was."
    if key == settings.SECRET_KEY:
        return "The secret key is the same."
    if not kept_secret_key():
        return "SECRET_KEY is set, to another than the backup's: hashes of tasks will differ."
    path = _file()
    draft = path.with_name(f"{path.name}.{os.getpid()}.tmp")
    descriptor = os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
    with os.fdopen(descriptor, "w", encoding="utf-8") as file:
        file.write(key)
    draft.replace(path)
    return "The secret key is that of the backup now."


def _file() -> Path:
    path: Path = settings.VAR_DIR / "secret-key"
    return path
