"""Look at the table of words window by window, whoever's they are."""

from collections.abc import Collection

from routing.models import Run


def runs_of(catalog: int, runs: Collection[int]) -> set[int]:
    """Return those of some runs that are a catalog's.

    Asked apart from their texts: joined, SQLite would begin with all runs of the catalog for each
    window.
    """
    found = Run.objects.filter(pk__in=runs).values_list("pk", "catalog_id")
    return {pk for pk, of in found if of == catalog}
