"""Secrets that are made once and kept in a file that only their owner reads."""

import os
import secrets
from pathlib import Path


def read_or_make_secret(path: Path, *, bits: int = 384) -> str:
    """Return the secret in ``path``, making it first where there is none.

    The file is created with ``O_EXCL``: of two processes that start at once one writes it and the
    other reads what the first wrote.
    """
    try:
        return _read(path)
    except FileNotFoundError:
        path.parent.mkdir(parents=True, exist_ok=True)
    made = secrets.token_urlsafe(bits // 8)
    # The secret is linked into place whole, so that nobody reads half of it.
    draft = path.with_name(f"{path.name}.{os.getpid()}.tmp")
    descriptor = os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
    with os.fdopen(descriptor, "w", encoding="utf-8") as file:
        file.write(made)
    try:
        os.link(draft, path)
    except FileExistsError:
        return _read(path)
    finally:
        draft.unlink()
    return made


def _read(path: Path) -> str:
    return path.read_text(encoding="utf-8").strip()
