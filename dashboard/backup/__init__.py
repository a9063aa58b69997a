"""Backup and restore of a whole installation, as one file that every database can read.

A file is a zip of ``manifest.json`` and, for each table, ``tables/<name>.jsonl``: a row a line, as
a list of values in the order of the manifest's columns. ``save`` reads all of it from one snapshot
of the database, while others go on writing; ``restore`` checks every hash before it touches
anything, and then puts everything in or nothing.
"""

from dashboard.backup.manifest import BadBackup, Manifest
from dashboard.backup.reading import opened
from dashboard.backup.restoring import NotEmpty, restore
from dashboard.backup.saving import save

__all__ = ["BadBackup", "Manifest", "NotEmpty", "opened", "restore", "save"]
