"""The processes of a deployment over the database of this one: the server, the worker, clients."""

import json
import os
import socket
import subprocess
import sys
import tempfile
import time
import urllib.error
import urllib.request
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from django.conf import settings
from django.db import connection

PATIENCE = 60.0
"""Seconds within which a server must be ready."""
_MANAGE = settings.BASE_DIR / "manage.py"
_POSTING = "dashboard.management.scale.posting"


@dataclass(frozen=True, slots=True)
class Client:
    """A process that posts; ``plan`` is what it was given."""

    process: "subprocess.Popen[str]"
    plan: Mapping[str, Any]

    def done(self) -> dict[str, Any]:
        """Wait for it, and return what it did. Raises ``RuntimeError`` where it failed."""
        out, _ = self.process.communicate(timeout=2 * PATIENCE)
        if self.process.returncode:
            raise RuntimeError(f"A client that was to {self.plan['kind']} failed.")
        done: dict[str, Any] = json.loads(out)
        return done


def start_server(*, port: int, folder: Path, workers: int = 2) -> "subprocess.Popen[bytes]":
    """Start ``serve`` in a session of its own, so that all its processes can be told."""
    return _start(folder, "serve", "--port", str(port), "--workers", str(workers))


def start_worker(*, folder: Path) -> "subprocess.Popen[bytes]":
    """Start ``work`` in a session of its own."""
    return _start(folder, "work")


def start_client(plan: Mapping[str, Any], *, token: str) -> Client:
    """Start a process that posts what a plan says."""
    with tempfile.TemporaryFile("w+") as said:
        json.dump(dict(plan), said)
        said.seek(0)
        process = subprocess.Popen(  # noqa: S603 - our own module
            [sys.executable, "-m", _POSTING],
            cwd=settings.BASE_DIR,
            env={**os.environ, "TOOLCRIB_KEY": token},
            stdin=said,
            stdout=subprocess.PIPE,
            text=True,
        )
    return Client(process, plan)


def free_port() -> int:
    """Return a port that nobody listens at."""
    with socket.create_server(("127.0.0.1", 0)) as probe:
        port: int = probe.getsockname()[1]
        return port


def wait_until_ready(port: int, server: "subprocess.Popen[bytes]") -> None:
    """Wait until a server answers. Raises ``RuntimeError`` where it ended, or does not in time."""
    until = time.monotonic() + PATIENCE
    while time.monotonic() < until and server.poll() is None:
        try:
            with urllib.request.urlopen(f"http://127.0.0.1:{port}/readyz", timeout=5):
                return
        except (OSError, urllib.error.URLError):
            time.sleep(0.05)
    raise RuntimeError(f"No server is ready at port {port}; its exit status: {server.poll()}.")


@contextmanager
def deployed(*, port: int, folder: Path, works: bool) -> Iterator[None]:
    """Have a server, and a worker where one is wanted, while the block runs."""
    processes = [start_server(port=port, folder=folder)]
    if works:
        processes.append(start_worker(folder=folder))
    try:
        wait_until_ready(port, processes[0])
        yield
    finally:
        for process in processes:
            process.terminate()
        for process in processes:
            process.wait(timeout=PATIENCE)


def _start(folder: Path, *command: str) -> "subprocess.Popen[bytes]":
    environment = {
        **os.environ,
        "DATABASE_URL": database_url(),
        "DJANGO_SETTINGS_MODULE": "dashboard.settings",
        "ENCODER": settings.ENCODER,
        "LOG_LEVEL": "ERROR",
        "SECRET_KEY": settings.SECRET_KEY,
        "SITE_URL": "http://127.0.0.1",
        "TOOLCRIB_VAR": str(folder),
    }
    with (folder / "log").open("ab") as log:
        return subprocess.Popen(  # noqa: S603 - our own command
            [sys.executable, str(_MANAGE), *command],
            cwd=settings.BASE_DIR,
            env=environment,
            stdout=log,
            stderr=log,
            start_new_session=True,
        )


def database_url() -> str:
    """Return the address of the database that this process uses, whatever its settings say."""
    name = str(connection.settings_dict["NAME"])
    if connection.vendor == "sqlite":
        return f"sqlite:///{name}"
    return urlsplit(os.environ["DATABASE_URL"])._replace(path=f"/{name}").geturl()
