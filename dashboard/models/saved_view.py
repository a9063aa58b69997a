"""Named views: the filters of the page Runs, kept under a name."""

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from catalog.models import Catalog


class SavedViewQuerySet(models.QuerySet["SavedView"]):
    """Reads of saved views."""

    def seen_by(self, *, person: int, catalog: int) -> "SavedViewQuerySet":
        """Keep a person's own views of a catalog and those that its members share, by name."""
        mine = Q(owner=person) | Q(shared=True)
        return self.filter(mine, catalog=catalog).order_by("name", "pk")


class SavedView(models.Model):
    """Filters of runs under a name: a person's own, or ``shared`` with the catalog's members.

    ``query`` is the query string of the page, as ``RunFilters.query`` writes it.
    """

    NAME_LENGTH = 60
    QUERY_LENGTH = 2000
    MOST = 100  # of a person in a catalog, shared ones too

    catalog = models.ForeignKey(Catalog, models.CASCADE, related_name="run_views")
    owner = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, related_name="run_views")
    name = models.CharField(_("name"), max_length=NAME_LENGTH)
    query = models.CharField(max_length=QUERY_LENGTH)
    shared = models.BooleanField(default=False)
    created_at = models.DateTimeField()

    objects = SavedViewQuerySet.as_manager()

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["catalog", "name"], condition=Q(shared=True), name="shared_view_name_once"
            ),
            models.UniqueConstraint(
                fields=["catalog", "owner", "name"],
                condition=Q(shared=False),
                name="own_view_name_once",
            ),
            models.CheckConstraint(
                condition=~Q(name="") & ~Q(query=""), name="view_has_name_and_filters"
            ),
        ]

    def __str__(self) -> str:
        return self.name
