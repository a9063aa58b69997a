"""``manage.py create_key NAME``: a key for an agent."""

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError
from django.utils import timezone

from catalog.models import Catalog
from routing.keys import make_key
from routing.management.catalogs import bounded
from routing.models import ApiKey


class Command(BaseCommand):
    """Make an API key."""

    help = "Make an API key and print it as the last line. It grants everything unless told."

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Declare the options."""
        parser.add_argument("name")
        parser.add_argument("--catalog", action="append", help="a catalog it may reach; repeatable")
        parser.add_argument(
            "--action", action="append", choices=ApiKey.Action.values, help="repeatable"
        )

    def handle(self, **options: Any) -> None:
        """Make the key."""
        made = make_key(
            name=bounded(options["name"], what="The name", least=1, most=100),
            now=timezone.now(),
            catalogs=None if options["catalog"] is None else _catalogs(options["catalog"]),
            actions=options["action"],
        )
        self.stdout.write(f"Made the key “{made.key.name}”. It is shown only now:")
        self.stdout.write(made.token)


def _catalogs(names: list[str]) -> list[Catalog]:
    catalogs = list(Catalog.objects.filter(name__in=names))
    if missing := sorted(set(names) - {catalog.name for catalog in catalogs}):
        raise CommandError(f"There is no catalog {', '.join(missing)}.")
    return catalogs
