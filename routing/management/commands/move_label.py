"""``manage.py move_label CATALOG LABEL VERSION``: move a label, make one, or take one away."""

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError
from django.utils import timezone

from catalog.models import Catalog
from routing.gate.standing import GateClosed
from routing.labels import UnknownLabel, remove_label
from routing.management.catalogs import bounded, named_catalog, named_label
from routing.management.gate import version_through_the_gate
from routing.models.release import LIVE
from routing.moves import StaleBase, UnknownVersion, last_move
from routing.releases import move_label

AWAY = "none"


class Command(BaseCommand):
    """Move a label."""

    help = "Move a label to a version, which makes the label if there is none, or take it away."

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Declare the options."""
        parser.add_argument("catalog")
        parser.add_argument("label")
        parser.add_argument("version", help=f"the number of a version, or {AWAY} to take it away")
        parser.add_argument("--reason", default="", help="why, for the history")

    def handle(self, **options: Any) -> None:
        """Move the label, or take it away."""
        catalog, version = named_catalog(options["catalog"]), options["version"]
        label = named_label(options["label"])
        last = last_move(catalog, label=label)
        seen: dict[str, Any] = {
            "catalog": catalog,
            "label": label,
            "by": None,
            "reason": bounded(options["reason"], what="The reason", most=500),
            "base": last.pk if last else None,
            "now": timezone.now(),
        }
        try:
            if version == AWAY:
                remove_label(**seen)
                self.stdout.write(f"{catalog}@{label} is taken away.")
                return
            number = int(version) if version.isascii() and version.isdigit() else 0
            if label == LIVE:
                self._check(catalog, number=min(number, 10**9), reason=seen["reason"])
            move = move_label(version=min(number, 10**9), **seen)
        except GateClosed as error:
            raise CommandError(f"{error} Move it again.") from error
        except UnknownVersion as error:
            raise CommandError(f"{catalog} has no version {version}.") from error
        except UnknownLabel as error:
            raise CommandError(f"{catalog}@{label} cannot be taken away.") from error
        except StaleBase as error:
            raise CommandError(f"{error} Look at it and move it again.") from error
        self.stdout.write(f"{catalog}@{label} is {move.release.version}.")

    def _check(self, catalog: Catalog, *, number: int, reason: str) -> None:
        version = catalog.versions.filter(number=number).first()
        if version is not None:
            version_through_the_gate(
                catalog,
                version,
                live=last_move(catalog, label=LIVE),
                reason=reason,
                say=self.stdout.write,
            )
