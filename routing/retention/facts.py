"""Keep the search of runs from hours in which none is left."""

from collections import Counter, defaultdict

from django.db import transaction

from routing.models import Run
from routing.retention.boundary import Boundary
from routing.rollups.folding import add_run, lock_mark
from routing.rollups.reading import spans_by_run
from routing.rollups.sections import Section
from routing.rollups.storing import Totals, replace_section


@transaction.atomic
def renew_facts(boundary: Boundary) -> None:
    """Say of the hours before a boundary what is so of the runs that are left of them."""
    mark = lock_mark()
    left = Run.objects.filter(started_at__lt=boundary.until).values_list("pk", flat=True)
    totals: Totals = defaultdict(Counter)
    for run, spans in spans_by_run(left, upto=mark.span):
        add_run(totals, run, spans)
    facts = {place: counts for place, counts in totals.items() if place[1] == Section.FACTS}
    replace_section(Section.FACTS, facts, before=boundary.hour)
