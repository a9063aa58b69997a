"""``manage.py rollback CATALOG VERSION``: make an earlier version live again."""

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError
from django.utils import timezone

from routing.gate.standing import GateClosed
from routing.management.catalogs import bounded, named_catalog
from routing.moves import StaleBase, UnknownVersion, current_move
from routing.releases import roll_back


class Command(BaseCommand):
    """Roll a catalog back."""

    help = "Make an earlier version of a catalog live again. The draft stays as it is."

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Declare the options."""
        parser.add_argument("catalog")
        parser.add_argument("version", type=int)
        parser.add_argument("--reason", default="", help="why, for the history")

    def handle(self, **options: Any) -> None:
        """Move the label."""
        catalog = named_catalog(options["catalog"])
        live = current_move(catalog)
        try:
            move = roll_back(
                catalog=catalog,
                version=options["version"],
                by=None,
                reason=bounded(options["reason"], what="The reason", most=500),
                base=live.pk if live else None,
                now=timezone.now(),
            )
        except UnknownVersion as error:
            raise CommandError(f"{catalog} has no version {options['version']}.") from error
        except GateClosed as error:
            raise CommandError(
                f"{error} It was never live: move_label {catalog} live {options['version']} has "
                "it checked."
            ) from error
        except StaleBase as error:
            raise CommandError(f"{error} Look at it and roll back again.") from error
        self.stdout.write(f"{move.release.version} is live (release {move.release.number}).")
