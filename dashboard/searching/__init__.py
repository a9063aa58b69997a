"""Search over everything that a person may see: pages, catalogs, their parts, versions and runs."""

from collections.abc import Sequence

from django.contrib.auth.models import User

from catalog.models import Catalog
from dashboard.searching.hits import Found, Hit
from dashboard.searching.named import NAMED, find_named
from dashboard.searching.numbered import find_runs, find_versions
from dashboard.searching.pages import find_catalogs, find_pages, own_pages

__all__ = ["NAMED", "Found", "Hit", "find_everything", "find_named", "own_pages"]

LONGEST = 200


def find_everything(
    query: str,
    *,
    user: User,
    catalogs: Sequence[Catalog],
    here: Catalog | None,
    pages: Sequence[Hit],
    most: int,
) -> list[Found]:
    """Return at most ``most`` hits of each kind that has any.

    ``catalogs`` are those that the person may see, and ``pages`` what they may open; everything
    else is read within the catalogs that the query itself finds visible to them.
    """
    if not query.strip():
        return [found for found in [find_pages("", pages=pages, most=len(pages))] if found.hits]
    within = Catalog.objects.visible_to(user)
    found = [
        find_versions(query, within=within, most=most),
        find_catalogs(query, catalogs=catalogs, most=most),
        find_pages(query, pages=pages, most=most),
        *(find_named(kind, query, within=within, here=here, most=most) for kind in NAMED),
        find_runs(query, within=within, most=most),
    ]
    return [one for one in found if one.hits]
