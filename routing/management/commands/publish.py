"""``manage.py publish CATALOG``: freeze the draft and make it live."""

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError
from django.utils import timezone

from catalog.models import Catalog
from catalog.publishing import DraftHasProblems, freeze_and_check
from routing.draft_health import warnings_to_explain
from routing.gate.standing import GateClosed
from routing.management.catalogs import bounded, named_catalog, named_label
from routing.management.gate import through_the_gate
from routing.models import LabelMove
from routing.models.release import LIVE
from routing.moves import StaleBase, current_move, last_move
from routing.releases import StaleDraft, publish


class Command(BaseCommand):
    """Publish a catalog's draft."""

    help = "Freeze a catalog's draft as a version and make it live."

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Declare the options."""
        parser.add_argument("catalog")
        parser.add_argument(
            "--note",
            default="",
            help="why, for the history; new warnings ask for it",
        )
        parser.add_argument("--label", default=LIVE, help="move this label to it in place of live")
        parser.add_argument(
            "--reason",
            default="",
            help="why it goes live although something falls at the gate, for the audit log",
        )

    def handle(self, **options: Any) -> None:
        """Publish, or say everything that keeps the draft from it."""
        catalog = named_catalog(options["catalog"])
        label = named_label(options["label"])
        live, last = current_move(catalog), last_move(catalog, label=label)
        note = bounded(options["note"], what="The note", most=500)
        reason = bounded(options["reason"], what="The reason", most=500)
        if not note.strip():
            _explain(catalog, live)
        try:
            reviewed = (
                through_the_gate(catalog, live=live, reason=reason, say=self.stdout.write)
                if label == LIVE
                else None
            )
            published = publish(
                catalog=catalog,
                author=None,
                now=timezone.now(),
                note=note,
                base=last.pk if last else None,
                reviewed_sha256=reviewed,
                label=label,
            )
        except DraftHasProblems as error:
            raise CommandError("\n".join(map(str, error.problems))) from error
        except StaleBase as error:
            raise CommandError(f"{error} Look at it and publish again.") from error
        except StaleDraft as error:
            raise CommandError("The draft was changed meanwhile. Publish again.") from error
        except GateClosed as error:
            raise CommandError(f"{error} Publish again.") from error
        if published.made:
            self.stdout.write(
                f"{published.version} is {label} (release {published.release.number})."
            )
        else:
            self.stdout.write(f"Nothing to publish: {published.version} is {label} and unchanged.")


def _explain(catalog: Catalog, live: LabelMove | None) -> None:
    """Raise ``CommandError`` where warnings that nothing live has ask for a reason."""
    frozen = freeze_and_check(catalog)
    if not frozen.problems and (warned := warnings_to_explain(frozen=frozen, live=live)):
        said = "\n".join(map(str, warned))
        raise CommandError(f"{said}\nSay with --note why it goes live all the same.")
