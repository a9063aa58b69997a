"""Who may do what in which catalog."""

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from catalog.models.catalog import Catalog
from catalog.roles import Role


class Membership(models.Model):
    """A person's role in a catalog. Without one a person does not see the catalog at all.

    Superusers need none: they are administrators everywhere.
    """

    user = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, related_name="memberships")
    # The constraint's index begins with the user; that of the catalog is the foreign key's own.
    catalog = models.ForeignKey(Catalog, models.CASCADE, related_name="memberships")
    role = models.PositiveSmallIntegerField(_("role"), choices=Role.choices)

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["user", "catalog"], name="membership_once_a_person_and_catalog"
            ),
            models.CheckConstraint(
                name="membership_role_is_known", condition=Q(role__in=Role.values)
            ),
        ]

    def __str__(self) -> str:
        return f"{self.user}: {Role(self.role).name.lower()} of {self.catalog}"
