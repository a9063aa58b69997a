"""``manage.py erase_text``: erase the words of runs that are older than some days."""

from argparse import ArgumentParser
from datetime import timedelta
from typing import Any

from django.core.management.base import BaseCommand, CommandError
from django.utils import timezone

from catalog.models import Catalog
from catalog.models.catalog import MOST_DAYS
from routing.texts.aging import erase_older


class Command(BaseCommand):
    """Erase tasks, history, arguments, data and reasons; what was done stays on record."""

    help = "Erase the words of runs that are older than some days, for good; spans stay."

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Declare the options."""
        parser.add_argument(
            "--older-than", type=int, required=True, metavar="DAYS", help="0 erases all there is"
        )
        parser.add_argument("--catalog", metavar="NAME", help="of this catalog alone")

    def handle(self, **options: Any) -> None:
        """Erase, and say how much of which catalog."""
        days, name, now = options["older_than"], options["catalog"], timezone.now()
        if not 0 <= days <= MOST_DAYS:
            raise CommandError(f"--older-than takes 0 to {MOST_DAYS} days.")
        catalogs = Catalog.objects.order_by("name")
        if name is not None:
            catalogs = catalogs.filter(name=name)
            if not catalogs.exists():
                raise CommandError(f"There is no catalog “{name}”.")
        for catalog in catalogs:
            erased = erase_older(catalog=catalog, until=now - timedelta(days=days), now=now)
            self.stdout.write(f"{catalog}: the text of {erased:,} spans erased.")
