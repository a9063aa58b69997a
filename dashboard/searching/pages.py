"""The pages themselves, and the catalogs: what a person goes to by name."""

from collections.abc import Iterable, Sequence

from django.urls import reverse
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from catalog.folding import fold, folded_words
from catalog.models import Catalog
from dashboard.searching.hits import Found, Hit


def find_pages(query: str, *, pages: Iterable[Hit], most: int) -> Found:
    """Return the pages whose name holds every word of a search, those that begin so first."""
    words = folded_words(query)
    fitting = [page for page in pages if all(word in fold(page.title) for word in words)]
    fitting.sort(key=lambda page: not fold(page.title).startswith(" ".join(words)))
    return Found("pages", _("Pages"), "layout-dashboard", fitting[:most])


def find_catalogs(query: str, *, catalogs: Sequence[Catalog], most: int) -> Found:
    """Return the catalogs whose name or title holds every word of a search."""
    words = folded_words(query)
    hits = [
        Hit(title=one.name, url=one.get_absolute_url(), detail=one.title)
        for one in catalogs
        if all(word in fold(f"{one.name} {one.title}") for word in words)
    ]
    hits.sort(key=lambda hit: hit.title != "".join(words))
    return Found("catalogs", _("Catalogs"), "database", hits[:most])


def own_pages(*, is_superuser: bool, catalog: Catalog | None) -> list[Hit]:
    """Return the pages that stand in no menu of pages."""
    pages = [
        Hit(gettext("All catalogs"), reverse("catalog:catalogs")),
        Hit(gettext("Your account"), reverse("dashboard:profile")),
    ]
    if catalog:
        url = reverse("catalog:settings", kwargs={"catalog": catalog.name})
        pages.append(Hit(gettext("Settings"), url, catalog=catalog.name))
    if is_superuser:
        pages.append(Hit(gettext("Everybody"), reverse("dashboard:people")))
    return pages
