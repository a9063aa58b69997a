"""A bar for work that takes a while, where somebody watches."""

from __future__ import annotations

from typing import TextIO

WIDTH = 30


class ProgressBar:
    """Draws how much is done on one line of a terminal; writes nothing anywhere else."""

    def __init__(self, stream: TextIO, label: str) -> None:
        self._stream = stream
        self._label = label
        self._drawn = ""

    def __call__(self, done: int, total: int) -> None:
        """Draw; at the end the line is wiped."""
        if not self._stream.isatty():
            return
        share = done / total if total else 1.0
        bar = ("█" * round(WIDTH * share)).ljust(WIDTH, "·")
        line = f"{self._label} {bar} {share:4.0%}" if done < total else ""
        if line != self._drawn:
            self._stream.write("\r" + line + " " * max(len(self._drawn) - len(line), 0) + "\r")
            self._stream.flush()
            self._drawn = line
