"""The version that is published half-way through the month: claims with carriers, said better.

An owner who reads the metrics would do the same: what claims are about is written into the tool's
description, and the words that people use for a claim open its group at once.
"""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime

from django.db import transaction

from catalog.models import Catalog, CatalogVersion, IntentRule, Tool
from catalog.publishing import freeze_and_check
from routing.moves import current_move
from routing.releases import publish

CATALOG = "back-office"
NOTE = "Claims with carriers: a clearer description, and words that open logistics (simulated)"
_GROUP = "logistics"
_TOOL = "open_carrier_ticket"
_DESCRIPTION = (
    "Open a claim or a question with the carrier about a shipment: damage, loss, delay, wrong "
    "address or a wrong charge. Say what was found and when; photos can be sent on later. The "
    "carrier answers in writing."
)
_PHRASES = ("damage claim", "reclamación al transportista", "reclamação à transportadora")


def publish_half_way(*, now: datetime, say: Callable[[str], object]) -> bool:
    """Edit the draft and publish it, both or neither; tell whether that was done.

    It is done once. A draft that holds somebody's unpublished work is left alone, and so is one
    in which the edit has no place any more.
    """
    catalog = Catalog.objects.filter(name=CATALOG).first()
    if catalog is None or CatalogVersion.objects.filter(catalog=catalog, note=NOTE).exists():
        return False
    live = current_move(catalog)
    if live is None or freeze_and_check(catalog).sha256 != live.release.version.sha256:
        say(f"No version is published half-way: the draft of {CATALOG} holds other work.")
        return False
    with transaction.atomic():
        if not _edit(catalog):
            say(f"No version is published half-way: {CATALOG} has changed too much.")
            return False
        # A version never looks older than the one before it.
        at = max(now, live.at)
        done = publish(catalog=catalog, author=None, now=at, note=NOTE, base=live.pk)
    say(f"Published {done.version} half-way.")
    return True


def _edit(catalog: Catalog) -> bool:
    tool = Tool.objects.filter(catalog=catalog, name=_TOOL).first()
    rule = IntentRule.objects.filter(catalog=catalog, groups__name=_GROUP).first()
    if tool is None or rule is None:
        return False
    tool.description = _DESCRIPTION
    tool.save(update_fields=["description"])
    rule.phrases = list(dict.fromkeys((*rule.phrases, *_PHRASES)))
    rule.save(update_fields=["phrases"])
    return True
