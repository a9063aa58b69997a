"""Options of commands, refused before the work begins and not after an hour of it."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from django.core.management.base import CommandError


def refuse_below(options: Mapping[str, Any], **least: int) -> None:
    """Raise ``CommandError`` where a number that was given is smaller than it may be."""
    for name, number in least.items():
        if options[name] is not None and options[name] < number:
            raise CommandError(f"--{name.replace('_', '-')} is at least {number}.")


def made_folder(path: Path) -> Path:
    """Return a folder, made if it is missing; raises ``CommandError`` if nothing can be kept."""
    try:
        path.mkdir(parents=True, exist_ok=True)
        probe = path / ".writable"
        probe.touch()
        probe.unlink()
    except OSError as error:
        raise CommandError(f"{path}: {error.strerror or error}") from error
    return path


def file_to_write(path: Path) -> Path:
    """Return the path of a file that can be written; raises ``CommandError``. It is not changed."""
    existed = path.exists()
    try:
        with path.open("a"):
            pass
    except OSError as error:
        raise CommandError(f"{path}: {error.strerror or error}") from error
    if not existed:
        path.unlink()
    return path
