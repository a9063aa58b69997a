"""Secrets that are made once and kept in a file that only their owner reads."""

import os
import secrets
from pathlib import Path

from django.core.exceptions import ImproperlyConfigured


def read_or_make_secret(path: Path, *, bits: int = 384, secret: str | None = None) -> str:
    """Return the secret in ``path``, keeping ``secret`` or a random one there if there is none.

    The file appears whole or not at all, readable by its owner alone: of two processes that start
    at once one writes it, and both return what that one wrote.
    """
    try:
        return _read(path)
    except FileNotFoundError:
        make_private_folder(path.parent)
    made = secret or secrets.token_urlsafe(bits // 8)
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


def make_private_folder(folder: Path) -> None:
    """Make the folder of everything that is made at run time, for its owner alone."""
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    except OSError as error:
        raise ImproperlyConfigured(
            f"{folder} cannot be made ({error.strerror}). Name a folder that can be written to in "
            "TOOLCRIB_VAR."
        ) from error


def _read(path: Path) -> str:
    return path.read_text(encoding="utf-8").strip()
